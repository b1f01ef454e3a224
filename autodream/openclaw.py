"""Agents of an OpenClaw installation, from its ``openclaw.json`` (JSON5) or its ``workspace-*`` folders.

Source of the rules: https://docs.openclaw.ai/concepts/agent-workspace and /help/environment, compared with what
``openclaw agents list`` of 2026.9.6 says. They changed between versions for agents without a workspace of their own;
there, the folder that exists is taken, unless the file has the newest form (``ownership: "explicit"``).
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from autodream.config import Settings
from autodream.errors import ConfigError, InputError
from autodream.models import Finding
from autodream.workspace import Agent, Discovery, check_agent_id

__all__ = ["find_openclaw_agents", "state_dir"]

DEFAULT_AGENT = "main"
CONFIG_NAME = "openclaw.json"
_THEIR_ID = re.compile(r"[a-z0-9_][a-z0-9_-]{0,63}", re.I)  # what OpenClaw accepts, and folds to lower case
_VARIABLE = re.compile(r"(\$?)\$\{([A-Z_][A-Z0-9_]*)\}")


def find_openclaw_agents(settings: Settings) -> Discovery:
    """The agents of the installation the settings point to; none if there is no installation.

    Raises ``ConfigError`` if the configuration file is named but missing, unreadable, or not JSON5.
    """
    home = _home(settings)
    state = state_dir(settings)
    config = _at_home(settings.openclaw_config_path, home) or state / CONFIG_NAME
    if not config.exists():
        if settings.openclaw_config_path is not None:
            raise ConfigError(
                f"OPENCLAW_CONFIG_PATH: {config} does not exist; correct the path",
                field="openclaw_config_path",
            )
        return _from_folders(state)
    section = _agents_section(config)
    if not section:
        return _from_folders(state)
    if "$include" in section:
        message = "agents are kept in an included file, which is not followed; name them in AUTODREAM_AGENTS"
        return Discovery((), (Finding(str(config), "openclaw_include", message),))
    return Discovery(tuple(_from_section(section, config, state, home)), tuple(_unusable(section, config)))


def state_dir(settings: Settings) -> Path:
    """OpenClaw's state folder: OPENCLAW_STATE_DIR, else ``.openclaw`` in OPENCLAW_HOME or the home folder."""
    home = _home(settings)
    return _at_home(settings.openclaw_state_dir, home) or home / ".openclaw"


def _home(settings: Settings) -> Path:
    return settings.openclaw_home or Path.home()


def _at_home(path: Path | None, home: Path) -> Path | None:
    """``~`` means OPENCLAW_HOME inside OpenClaw's own paths."""
    return path if path is None else _expand(str(path), home)


def _expand(text: str, home: Path) -> Path:
    if text == "~" or text.startswith(("~/", "~\\")):
        return home / text[2:]
    return Path(text).expanduser() if text.startswith("~") else Path(text).absolute()


def _agents_section(config: Path) -> Mapping[str, Any]:
    document = _read_json5(config)
    section = document.get("agents") if isinstance(document, Mapping) else None
    if section is not None and not isinstance(section, Mapping):
        raise ConfigError(
            f"{config}: agents must be an object; correct it or set AUTODREAM_AGENTS", field="agents"
        )
    return section or {}


def _read_json5(config: Path) -> Any:
    import json5

    try:
        return json5.loads(config.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{config} cannot be read ({error.strerror}); check its permissions") from error
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ConfigError(
            f"{config} is not valid JSON5 ({reason}); correct it or set AUTODREAM_AGENTS"
        ) from error


def _from_section(section: Mapping[str, Any], config: Path, state: Path, home: Path) -> Iterator[Agent]:
    defaults = section.get("defaults")
    root = _workspace_of(defaults if isinstance(defaults, Mapping) else {}, home)
    roster = _roster(section, config)
    default_id = _default_id(section, roster)
    explicit = section.get("ownership") == "explicit" and len(roster) > 1
    for name, entry in roster.items():
        workspace = _workspace_of(entry, home)
        if workspace is None:
            own = [*([root / name] if root else []), state / f"workspace-{name}"]
            shared = root or state / "workspace"
            if explicit:
                workspace = own[0]
            elif name != default_id:
                workspace = _likeliest(own, otherwise=own[0])
            elif len(roster) == 1:
                workspace = _likeliest([shared, *own], otherwise=shared)
            else:  # newer versions give a roster's default agent its own folder, older ones the shared one
                workspace = _likeliest([*own, shared], otherwise=shared)
        yield Agent(name, workspace, str(config))


def _default_id(section: Mapping[str, Any], roster: Mapping[str, Mapping[str, Any]]) -> str:
    flagged = next((name for name, entry in roster.items() if entry.get("default") is True), None)
    if flagged is None and DEFAULT_AGENT in roster and not section.get("list"):
        return DEFAULT_AGENT
    return flagged or next(iter(roster), DEFAULT_AGENT)


def _likeliest(candidates: list[Path], *, otherwise: Path) -> Path:
    """The first folder with a diary, else the first that exists, else ``otherwise``."""
    existing = [path for path in candidates if path.is_dir()]
    with_diary = [path for path in existing if (path / "memory").is_dir()]
    return (with_diary or existing or [otherwise])[0]


def _roster(section: Mapping[str, Any], config: Path) -> dict[str, Mapping[str, Any]]:
    """Agent id -> its entry; ``main`` alone where none is listed. ``entries`` replaced ``list`` and goes before it."""
    listed, entries = section.get("list"), section.get("entries")
    roster: dict[str, Mapping[str, Any]] = {}
    if isinstance(entries, Mapping):
        for name, entry in entries.items():
            if not _is_theirs_alone(name):
                roster.setdefault(_id(name, config), entry if isinstance(entry, Mapping) else {})
    elif isinstance(listed, list):
        for entry in listed:
            if isinstance(entry, Mapping):
                roster.setdefault(_id(entry.get("id"), config), entry)
    return roster or ({} if isinstance(entries, Mapping) and entries else {DEFAULT_AGENT: {}})


def _unusable(section: Mapping[str, Any], config: Path) -> Iterator[Finding]:
    entries = section.get("entries")
    for name in entries if isinstance(entries, Mapping) else ():
        if _is_theirs_alone(name):
            message = (
                f"agent {name} of {config} is left out: an id begins with a letter or digit here; rename it"
            )
            yield Finding(str(config), "agent_id", message)


def _is_theirs_alone(name: object) -> bool:
    """Whether OpenClaw allows an id that is none here: one that begins with an underscore."""
    return isinstance(name, str) and name.startswith("_") and _THEIR_ID.fullmatch(name) is not None


def _id(value: Any, config: Path) -> str:
    text = value if isinstance(value, str) else ""
    try:
        return check_agent_id(text.lower() if _THEIR_ID.fullmatch(text) else text, field="agents")
    except InputError as error:
        raise ConfigError(f"{config}: {error}", field="agents") from error


def _workspace_of(entry: Mapping[str, Any], home: Path) -> Path | None:
    value = entry.get("workspace")
    if not isinstance(value, str) or not value.strip():
        return None
    return _expand(_VARIABLE.sub(_value_of, value).strip(), home)


def _value_of(found: re.Match[str]) -> str:
    """``${NAME}`` from the environment; left as it stands when that is empty, or escaped as ``$${NAME}``."""
    escaped, name = found.groups()
    whole = f"${{{name}}}"
    return whole if escaped else os.environ.get(name) or whole


def _from_folders(state: Path) -> Discovery:
    """``workspace`` is the agent main; ``workspace-ID`` is the agent ID."""
    try:
        folders = sorted(path for path in state.glob("workspace*") if path.is_dir())
    except OSError as error:
        return Discovery(
            (), (Finding(str(state), "workspace", f"{state} cannot be read ({error.strerror})"),)
        )
    agents: dict[str, Agent] = {}
    warnings: list[Finding] = []
    for folder in folders:
        name = DEFAULT_AGENT if folder.name == "workspace" else folder.name.removeprefix("workspace-")
        if name == folder.name:
            continue  # "workspaces", "workspace.bak": nobody's
        try:
            agents.setdefault(check_agent_id(name), Agent(name, folder, str(state)))
        except InputError as error:
            warnings.append(Finding(str(folder), "agent_id", f"{folder} is not read: {error}"))
    return Discovery(tuple(agents.values()), tuple(warnings))
