"""The product's arm: a set is stored as given in a fresh store, and asked through ``App.recall``."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta

from autodream.app import App
from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.bench.recall_measures import Ranked
from autodream.bench.recall_sets import Question, RecallSet, Stored
from autodream.embedding.base import Embedder, Vector
from autodream.memories import memory_id
from autodream.models import Evidence, Memory
from autodream.progress import Progress
from autodream.shapes import Recalled

__all__ = ["ASKED", "COVERED", "Loaded", "loaded"]

ASKED = 60  # results of one question; deeper ones hardly move a figure
COVERED = 3  # turns one result may count for
_BATCH = 256
_USER = "boss"
Line = tuple[str, str, int]  # agent, file, line


class Loaded:
    """A store that holds a set, and which diary line is which memory of it."""

    def __init__(self, product: Fresh, set_: RecallSet, options: Options) -> None:
        self.app: App = product.app
        self.embedder: Embedder = product.parts.embedder
        self.set = set_
        self._lines: dict[Line, str] = {}
        self.vectors = _vectors(self.embedder, set_, options)
        self._store(product)

    def _store(self, product: Fresh) -> None:
        at = product.moment
        items: list[tuple[Memory, Vector | None]] = []
        counts: dict[tuple[str, str], int] = {}
        for number, one in enumerate(self.set.memories):
            line = counts[one.agent, one.day] = counts.get((one.agent, one.day), 0) + 1
            memory = _memory(one, line, at + timedelta(milliseconds=number))
            self._lines[one.agent, memory.evidence[0].path, line] = one.key
            items.append((memory, self.vectors[one.agent, one.key]))
        for start in range(0, len(items), _BATCH):
            product.parts.store.put(items[start : start + _BATCH])

    def ask(self, question: Question, top_k: int = ASKED) -> list[Recalled]:
        return self.app.recall(question.text, agent_id=question.agent, top_k=top_k)["results"]

    def ranked(self, results: Sequence[Recalled]) -> list[Ranked]:
        """What each result covers by its evidence."""
        return [Ranked(frozenset(self._covered(one)), len(one["memory"])) for one in results]

    def _covered(self, result: Recalled) -> list[str]:
        lines = (
            (result["agent_id"], evidence["path"], number)
            for evidence in result["evidence"]
            for number in range(evidence["line_start"], evidence["line_end"] + 1)
        )
        found = dict.fromkeys(self._lines[line] for line in lines if line in self._lines)
        return list(found)[:COVERED]


@contextmanager
def loaded(set_: RecallSet, options: Options) -> Iterator[Loaded]:
    """The set in a fresh store; embedded once."""
    agents = list(dict.fromkeys(one.agent for one in set_.memories))
    newest = max(one.day for one in set_.memories)
    with fresh(options.embedder, agents, now=f"{newest}T22:00") as product:
        yield Loaded(product, set_, options)


def _memory(one: Stored, line: int, at: datetime) -> Memory:
    stamp = at.isoformat(timespec="microseconds")
    path = f"memory/{one.day}.md"
    return Memory(
        id=memory_id(one.agent, one.day, f"{path}:{line}", one.text),
        text=one.text,
        memory_type="long_term",
        category="note",
        agent_id=one.agent,
        user_id=_USER,
        run_id=None,
        day=one.day,
        source="api",
        status="active",
        created_at=stamp,
        updated_at=stamp,
        evidence=(Evidence(path, line, line, one.day, quote=one.text),),
    )


def _vectors(embedder: Embedder, set_: RecallSet, options: Options) -> Mapping[tuple[str, str], Vector]:
    """By agent and key. Texts of like length are embedded together: less padding."""
    ordered = sorted(set_.memories, key=lambda one: len(one.text))
    made: dict[tuple[str, str], Vector] = {}
    for start in range(0, len(ordered), _BATCH):
        options.tell(Progress(f"{set_.name}: embedding", start, len(ordered)))
        batch = ordered[start : start + _BATCH]
        vectors = embedder.passages([one.text for one in batch])
        made.update(((one.agent, one.key), vector) for one, vector in zip(batch, vectors, strict=True))
    return made
