"""Which agents there are, what their ids may be, and where their workspaces lie."""

import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from autodream.config import Settings
from autodream.errors import InputError
from autodream.models import Finding

__all__ = [
    "Agent",
    "Discovery",
    "check_agent_id",
    "discover",
    "workspace_problem",
]

_MAX_AGENT_ID = 64  # characters; an id is also part of a folder's name


@dataclass(frozen=True, slots=True)
class Agent:
    """One agent; ``found_in`` says where it was found, in words for a person."""

    agent_id: str
    workspace: Path
    found_in: str


@dataclass(frozen=True, slots=True)
class Discovery:
    """What a search for agents found, and what it could not use. Agents are sorted by id."""

    agents: tuple[Agent, ...]
    warnings: tuple[Finding, ...] = ()


def check_agent_id(text: str, *, field: str = "agent_id") -> str:
    """The id unchanged; ``InputError`` for anything that is not 1-64 letters, digits, ``-``, ``_``, ``.``."""
    if not text:
        raise InputError("an agent id is empty; name one agent, such as dev", field=field)
    if len(text) > _MAX_AGENT_ID:
        raise InputError(
            f"an agent id has {len(text)} characters; at most {_MAX_AGENT_ID} are allowed", field=field
        )
    if unicodedata.normalize("NFC", text) != text:
        raise InputError(f"agent id {text!r} is not in Unicode form NFC; write it composed", field=field)
    if not _is_agent_id(text):
        raise InputError(
            f"agent id {text!r} is not allowed; use letters, digits, - _ . and begin with a letter or digit",
            field=field,
        )
    return text


def _is_agent_id(text: str) -> bool:
    kinds = [unicodedata.category(character) for character in text]
    return _is_letter_or_digit(kinds[0]) and all(
        # Marks belong to the letters of many scripts (Hindi, Thai), which would otherwise have no names.
        character in "-_." or kind[0] == "M" or _is_letter_or_digit(kind)
        for character, kind in zip(text, kinds, strict=True)
    )


def _is_letter_or_digit(kind: str) -> bool:
    return kind[0] == "L" or kind == "Nd"  # not "²" or "Ⅳ", which other systems fold to digits and letters


def discover(settings: Settings) -> Discovery:
    """The configured agents, with a warning for each whose workspace is missing or unreadable.

    Raises ``ConfigError`` when a file that names them is unusable.
    """
    sources = dict(settings.sources)
    if settings.agents:
        where = sources.get("agents", "AUTODREAM_AGENTS")
        found = Discovery(tuple(Agent(name, path, where) for name, path in settings.agents))
    elif settings.workspace is not None:
        where = sources.get("workspace", "AUTODREAM_WORKSPACE")
        found = Discovery((Agent(settings.agent, settings.workspace, where),))
    else:
        from autodream.openclaw import find_openclaw_agents

        found = find_openclaw_agents(settings)
    agents = tuple(sorted(found.agents, key=lambda agent: agent.agent_id))
    return Discovery(agents, (*found.warnings, *_problems(agents)))


def _problems(agents: tuple[Agent, ...]) -> list[Finding]:
    problems = ((agent, workspace_problem(agent)) for agent in agents)
    return [Finding(str(agent.workspace), "workspace", message) for agent, message in problems if message]


def workspace_problem(agent: Agent) -> str | None:
    """One sentence if the agent's workspace cannot be read, else None. ``memory/`` may be missing."""
    where = f"agent {agent.agent_id}: workspace {agent.workspace} (from {agent.found_in})"
    try:
        if not agent.workspace.exists():
            return f"{where} does not exist; create it or correct the path"
        if not agent.workspace.is_dir():
            return f"{where} is not a folder; name the folder that holds memory/"
        os.scandir(agent.workspace).close()
        memory = agent.workspace / "memory"
        if memory.is_dir():
            os.scandir(memory).close()
    except OSError as error:
        return f"{where} cannot be read ({error.strerror}); give this user read permission"
    return None
