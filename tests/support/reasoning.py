"""Chunks from plain text, a meter that counts, and a reasoner over a scripted model."""

from typing import Any

from autodream.errors import BudgetError
from autodream.models import Block, Chunk, ChunkLine, Line, LineRole
from autodream.reasoning.base import ModelCall
from autodream.reasoning.llm import LlmReasoner
from autodream.text import text_hash
from tests.support.fake_llm import FakeLlm, Script

__all__ = ["CountingMeter", "make_chunk", "make_reasoner"]

_ROLES: dict[str, LineRole] = {"#": "heading", "~": "context", "|": "fence"}


def make_chunk(text: str, *, day: str = "2026-04-11", agent_id: str = "dev") -> Chunk:
    """One new block from the lines; ``#`` begins a heading, ``~ `` a context and ``| `` a fence line."""
    path = f"memory/{day}.md"
    shown: list[ChunkLine] = []
    for number, line in enumerate(text.split("\n"), 1):
        role = _ROLES.get(line[:1], "new")
        content = line[2:] if role in ("context", "fence") else line
        shown.append(ChunkLine(number, content, role, path, "" if role == "heading" else text_hash(text)))
    new = tuple(Line(line.no, line.text) for line in shown if line.role == "new")
    block = Block(text_hash(text), day, path, new)
    return Chunk(agent_id, day, tuple(shown), (block,))


class CountingMeter:
    """Records calls; raises ``BudgetError`` from the moment ``limit`` tokens are used up."""

    def __init__(self, limit: int | None = None) -> None:
        self.calls: list[ModelCall] = []
        self._limit = limit

    def check(self) -> None:
        if self._limit is not None and self.tokens >= self._limit:
            raise BudgetError("the token budget is used up")

    def record(self, call: ModelCall) -> None:
        self.calls.append(call)

    @property
    def tokens(self) -> int:
        return sum(call.input_tokens + call.output_tokens for call in self.calls)


def make_reasoner(script: Script | FakeLlm, **fields: Any) -> tuple[LlmReasoner, FakeLlm, CountingMeter]:
    """A reasoner over the script, its model and its meter; it never sleeps."""
    llm = script if isinstance(script, FakeLlm) else FakeLlm(script)
    meter = CountingMeter()
    defaults: dict[str, Any] = {
        "model": "fake",
        "provider": "openai",
        "agent_id": "dev",
        "meter": meter,
        "sleep": lambda seconds: None,
    }
    return LlmReasoner(llm, **(defaults | fields)), llm, meter
