"""The settings shown to a person: those in force with their sources, docs/configuration.md, deploy/.env.example."""

import re
from datetime import time, timedelta
from typing import Any

from autodream.config import Settings
from autodream.settings.table import SETTINGS, SETTINGS_BY_NAME, Setting
from autodream.text import MASK, without_password

__all__ = ["describe", "env_example", "reference"]

_LITERAL = re.compile(r"`?([\w.]+|\d\d:\d\d)`?")  # a default that can be written as it is shown


def describe(settings: Settings) -> dict[str, dict[str, str]]:
    """Setting -> ``{"value", "source"}`` for each that does not come from the defaults; secrets masked."""
    return {
        name: {
            "value": MASK if SETTINGS_BY_NAME[name].secret else shown(getattr(settings, name)),
            "source": source,
        }
        for name, source in settings.sources
    }


def shown(value: Any) -> str:
    """A setting's value in words, without what a URL may carry for a login."""
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


def env_example() -> str:
    """deploy/.env.example, from the table of settings: each with its default and the first sentence about it."""
    return "\n".join([_ENV_HEAD, *(_env_entry(one) for one in SETTINGS), _ENV_TAIL])


def _env_entry(setting: Setting) -> str:
    about = setting.about.partition(". ")[0].rstrip(".")
    literal = _LITERAL.fullmatch(setting.shown)
    if not literal and setting.shown != "–":
        about = f"{about} (default: {setting.shown})"
    value = literal[1] if literal else ""
    return f"\n# {about}.\n#{setting.variable}={value}".replace("`", "")


_ENV_HEAD = """# AutoDream's settings, each with its default. Take the # away from what you change.
#
# As /etc/autodream/autodream.env for systemd, as deploy/.env for docker compose, or as .env in the folder where you
# start autodream. It holds secrets: chmod 600. No quotes, and no comment behind a value: not all of the three readers
# take them off.
#
# Most installations set AUTODREAM_AGENTS and AUTODREAM_TIMEZONE; a service that listens beyond this machine needs
# AUTODREAM_TOKEN: openssl rand -hex 32"""

_ENV_TAIL = """
# Only for docker-compose.yml: the folder that holds the agents' workspaces (/agents inside), and whose it is (id -u).
#AGENTS_DIR=
#AGENTS_UID=10001
"""

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
