"""Reads the configuration once: command line > environment > ``.env`` > ``autodream.toml`` > defaults."""

import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from autodream.config import OWN_EMBEDDERS, Settings
from autodream.errors import ConfigError
from autodream.settings import parse
from autodream.settings.table import SETTINGS, SETTINGS_BY_NAME, SETTINGS_BY_VARIABLE, Setting
from autodream.text import without_password
from autodream.workspace import check_agent_id

__all__ = ["load"]

_TOML_NAME = "autodream.toml"
_QDRANT_URL = "QDRANT_URL"  # counts only when AUTODREAM_QDRANT is unset


class _Found(NamedTuple):
    """A raw value, where it stood in words, and the folder its relative paths start from."""

    raw: Any
    source: str
    base: Path


def load(
    overrides: Mapping[str, str], environ: Mapping[str, str], cwd: Path, config_file: Path | None = None
) -> Settings:
    """The validated settings. ``overrides`` are the command line's, by setting name.

    Raises ``ConfigError`` naming the setting, where it stood and what is allowed; for an unknown setting it
    names the nearest known one.
    """
    upper = [
        _overrides(overrides, cwd),
        _variables(environ, None, cwd),
        _variables(_dotenv(cwd), cwd / ".env", cwd),
    ]
    named = cwd / config_file.expanduser() if config_file else None
    file = named or _data_dir(upper) / _TOML_NAME
    document = _toml(file, required=named is not None)
    tokens = _tokens(document.pop("tokens", []), file)
    layers = [*upper, _toml_values(document, file, named=named is not None)]
    found = {name: one for layer in reversed(layers) for name, one in layer.items()}
    url = found.pop(_QDRANT_URL, None)
    if url is not None:
        found.setdefault("qdrant", url)
    return _settings(found, environ, tokens)


def _settings(
    found: Mapping[str, _Found], environ: Mapping[str, str], tokens: Iterable[tuple[str, str | None]]
) -> Settings:
    values = {name: _parsed(SETTINGS_BY_NAME[name], one) for name, one in found.items()}
    sources = {name: one.source for name, one in found.items()}
    warnings: list[str] = []
    values.setdefault("data_dir", _default_data_dir())
    if "timezone" not in values:
        values["timezone"] = _system_zone(environ, warnings)
        sources["timezone"] = "the system"
    if values.get("llm", "auto") == "auto":
        values["llm"], sources["llm"] = _resolve_llm(values)
    _check_models(values)
    origin = tuple((setting.name, sources[setting.name]) for setting in SETTINGS if setting.name in sources)
    return Settings(**values, sources=origin, warnings=tuple(warnings), tokens=tuple(tokens))


def _system_zone(environ: Mapping[str, str], warnings: list[str]) -> str:
    zone = parse.system_zone(environ)
    if zone is None:
        warnings.append("the system's time zone is unknown, so days are taken in UTC; set AUTODREAM_TIMEZONE")
    return zone or "UTC"


def _resolve_llm(values: Mapping[str, Any]) -> tuple[str, str]:
    for name in ("openai_api_key", "openai_base_url"):
        if name in values:
            return "openai", f"auto: {SETTINGS_BY_NAME[name].variable} is set"
    return "rules", "auto: neither OPENAI_API_KEY nor OPENAI_BASE_URL is set"


def _check_models(values: Mapping[str, Any]) -> None:
    """Whoever asks for a model must name it: a default name would be a surprise on the bill."""
    if values["llm"] != "rules" and "llm_model" not in values:
        raise ConfigError(
            f"AUTODREAM_LLM_MODEL is not set, but the LLM is {values['llm']}; "
            "name a model, or set AUTODREAM_LLM=rules",
            field="llm_model",
        )
    embedder = values.get("embedder", "builtin")
    for name in ("embedder_model", "embedder_dims"):
        if embedder not in OWN_EMBEDDERS and name not in values:
            variable = SETTINGS_BY_NAME[name].variable
            raise ConfigError(
                f"{variable} is not set, but AUTODREAM_EMBEDDER is {embedder}; set it", field=name
            )


def _parsed(setting: Setting, one: _Found) -> Any:
    try:
        return setting.parse(one.raw, one.base)
    except ValueError as error:
        reason = "is not valid" if setting.secret else without_password(str(error))
        raise ConfigError(f"{setting.variable} {reason} ({one.source})", field=setting.name) from error


def _known(key: str, allowed: Iterable[str], where: str) -> None:
    names = {_bare(name): name for name in allowed}
    if key not in names.values():
        near = get_close_matches(_bare(key), names, n=1, cutoff=0)
        raise ConfigError(f"{key} in {where} is not a setting; did you mean {names[near[0]]}?", field=key)


def _bare(name: str) -> str:
    """What tells names apart; the prefix, which all variables share, would make them all alike."""
    return name.lower().removeprefix("autodream_")


def _overrides(overrides: Mapping[str, str], cwd: Path) -> dict[str, _Found]:
    for name in overrides:
        _known(name, SETTINGS_BY_NAME, "the command line")
    return {name: _Found(raw, "command line", cwd) for name, raw in overrides.items()}


def _variables(variables: Mapping[str, str | None], file: Path | None, cwd: Path) -> dict[str, _Found]:
    """The settings among variables. Empty counts as unset, because compose files write it so."""
    found: dict[str, _Found] = {}
    for variable, raw in variables.items():
        if variable.startswith("AUTODREAM_"):
            _known(variable, SETTINGS_BY_VARIABLE, str(file or "the environment"))
        setting = SETTINGS_BY_VARIABLE.get(variable)
        if raw and (setting or variable == _QDRANT_URL):
            source = f"{variable} in {file}" if file else f"environment {variable}"
            found[setting.name if setting else _QDRANT_URL] = _Found(raw, source, cwd)
    return found


def _dotenv(cwd: Path) -> Mapping[str, str | None]:
    file = cwd / ".env"
    if not file.is_file():
        return {}
    from dotenv import dotenv_values

    try:
        return dotenv_values(file)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} cannot be read ({error}); correct or remove it", field=".env") from error


def _default_data_dir() -> Path:
    from platformdirs import user_data_path

    return user_data_path("autodream", appauthor=False)


def _data_dir(layers: Iterable[Mapping[str, _Found]]) -> Path:
    for layer in layers:
        if "data_dir" in layer:
            return Path(_parsed(SETTINGS_BY_NAME["data_dir"], layer["data_dir"]))
    return _default_data_dir()


def _toml(file: Path, *, required: bool) -> dict[str, Any]:
    """The file's tables; empty if it is missing and was not asked for."""
    if not required and not file.exists():
        return {}
    try:
        return tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise ConfigError(f"--config: {file} does not exist; correct the path", field="config") from error
    except OSError as error:
        raise ConfigError(
            f"{file} cannot be read ({error.strerror}); check its permissions", field="config"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not valid TOML: {error}; correct it", field="config") from error


def _toml_values(document: Mapping[str, Any], file: Path, *, named: bool) -> dict[str, _Found]:
    for key in document:
        _known(key, [*SETTINGS_BY_NAME, "tokens"], str(file))
    if "data_dir" in document and not named:
        raise ConfigError(
            f"data_dir in {file}: the data dir cannot move itself; use AUTODREAM_DATA_DIR", field="data_dir"
        )
    return {key: _Found(raw, f"{key} in {file}", file.parent) for key, raw in document.items()}


def _tokens(tables: Any, file: Path) -> tuple[tuple[str, str | None], ...]:
    """``[[tokens]]``: each a token and, if it is limited to one, the agent's id."""
    wrong = ConfigError(
        f"tokens in {file} must be [[tokens]] tables, each with a token and an agent", field="tokens"
    )
    if not isinstance(tables, list):
        raise wrong
    pairs: list[tuple[str, str | None]] = []
    for table in tables:
        if not isinstance(table, dict) or set(table) - {"token", "agent"} or not table.get("token"):
            raise wrong
        agent = table.get("agent")
        pairs.append(
            (str(table["token"]), None if agent is None else check_agent_id(str(agent), field="tokens"))
        )
    return tuple(pairs)
