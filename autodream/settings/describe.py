"""The settings shown to a person: those in force with their sources, and docs/configuration.md."""

from datetime import time, timedelta
from typing import Any

from autodream.config import Settings
from autodream.settings.table import SETTINGS, SETTINGS_BY_NAME
from autodream.text import MASK, without_password

__all__ = ["describe", "reference"]


def describe(settings: Settings) -> dict[str, dict[str, str]]:
    """Setting -> ``{"value", "source"}`` for each that does not come from the defaults; secrets masked."""
    return {
        name: {
            "value": MASK if SETTINGS_BY_NAME[name].secret else _shown(getattr(settings, name)),
            "source": source,
        }
        for name, source in settings.sources
    }


def _shown(value: Any) -> str:
    match value:
        case bool():
            return "on" if value else "off"
        case time():
            return value.isoformat("minutes")
        case timedelta():
            return f"{int(value.total_seconds())}s"
        case tuple():
            return ",".join(
                f"{part[0]}={part[1]}" if isinstance(part, tuple) else str(part) for part in value
            )
        case _:
            return without_password(str(value))


def reference() -> str:
    """docs/configuration.md, from the table of settings."""
    rows = [f"| `{one.variable}` | `{one.name}` | {one.shown} | {one.about} |" for one in SETTINGS]
    return "\n".join([_HEAD, *rows, _TAIL])


_HEAD = """# Configuration

<!-- Written by `python -m autodream.settings`; change autodream/settings/table.py instead. -->

AutoDream runs without any configuration. Each setting may be given, the first found wins:

1. on the command line (`--data-dir`),
2. as an environment variable,
3. in `.env` in the working directory,
4. in `autodream.toml`: the file named by `--config`, else the one in the data dir,
5. by its default.

An empty variable counts as unset. An unknown `AUTODREAM_*` variable or TOML key is an error (exit 1) that
names the nearest known one. `autodream status` shows where each value that is not a default came from.
Relative paths start from the working directory; in `autodream.toml`, from the folder of that file. `~` is the
home folder.

| variable | key in `autodream.toml` | default | meaning |
|---|---|---|---|"""

_TAIL = """
## Example

```toml
# autodream.toml
timezone = "Europe/Berlin"
dream_at = "03:30"
llm = "openai"
llm_model = "gpt-5-mini"
ignore_blocks = ["notes", "weather"]

[agents]
dev = "/srv/agents/dev"
blog = "/srv/agents/blog"

[[tokens]]
token = "a long random text"
agent = "blog"
```

## Agents

Agents come from `AUTODREAM_AGENTS`; else from `AUTODREAM_WORKSPACE`; else from an OpenClaw installation: the
agents in `openclaw.json` (`agents.list` or `agents.entries`, with `agents.defaults.workspace`), else its
folders `workspace` (agent `main`) and `workspace-ID` (agent `ID`). `autodream agents` shows which were found,
and where.

An agent id is 1 to 64 letters or digits of any script, `-`, `_`, `.`, and begins with a letter or digit.
Upper and lower case differ.
"""
