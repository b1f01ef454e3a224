"""Written weeks, lived day by day with the real embedder and the rules, and measured against their truth."""

import json
import re
import shutil
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from autodream.app import App
from autodream.clock import Clock
from autodream.config import Settings

__all__ = ["DIARIES", "Week", "live"]

DIARIES = Path(__file__).parent.parent / "diaries"
NIGHTS_AFTER = 10  # until every memory was promoted and visited again

Record = dict[str, Any]


@dataclass
class Week:
    """A week that was lived: its truth, what is remembered, and the open app to ask."""

    truth: Record
    root: Path
    app: App
    nights: list[Record] = field(default_factory=list)

    @property
    def agent(self) -> str:
        return str(self.truth["agent_id"])

    @cached_property
    def stored(self) -> list[Record]:
        found: list[Record] = []
        cursor: str | None = None
        while True:
            page = self.app.list_memories(status="all", limit=500, cursor=cursor)
            found += page["memories"]
            cursor = page["next_cursor"]
            if cursor is None:
                return found

    @property
    def active(self) -> list[Record]:
        return [memory for memory in self.stored if memory["status"] == "active"]

    @cached_property
    def items(self) -> dict[str, Record]:
        """Facts and tasks of the truth, by id."""
        return {item["id"]: item for item in self.truth["facts"] + self.truth["tasks"]}

    def covers(self, memory: Record, item: Record) -> bool:
        """Whether the memory's evidence contains a line of the item."""
        return any(
            e["path"] == item["file"]
            and e["line_start"] <= item["line_end"]
            and item["line"] <= e["line_end"]
            for e in memory["evidence"]
        )

    def states(self, memory: Record, item: Record) -> bool:
        """A good memory of an item: its line, and every word it must contain."""
        text = plain(memory["memory"])
        return self.covers(memory, item) and all(plain(word) in text for word in item["must_contain"])

    def facts_of(self, id_: str, *, among: list[Record] | None = None) -> list[Record]:
        pool = self.active if among is None else among
        return [m for m in pool if m["category"] != "reflection" and self.states(m, self.items[id_])]

    def insight_of(self, pattern: Record) -> Record | None:
        """The insight that names a planted pattern with all its days and lines of each."""
        for memory in self.active:
            if memory["category"] != "reflection" or set(memory["metadata"]["days"]) != set(pattern["days"]):
                continue
            if {line["file"] for line in pattern["lines"]} <= {e["path"] for e in memory["evidence"]} and any(
                on_line(memory, line) for line in pattern["lines"]
            ):
                return memory
        return None

    def answers(self, memory: Record, question: Record) -> bool:
        patterns = {pattern["id"]: pattern for pattern in self.truth["patterns"]}
        return any(
            self.covers(memory, self.items[id_])
            if id_ in self.items
            else any(on_line(memory, line) for line in patterns[id_]["lines"])
            for id_ in question["answers"]
        )

    def rank(self, question: Record) -> tuple[int | None, int | None]:
        """At which place (from 1) an answer stands, and at which the first stale memory does."""
        categories = [question["category"]] if "category" in question else []
        results = self.app.recall(question["query"], agent_id=self.agent, categories=categories)["results"]
        right = [number for number, m in enumerate(results, 1) if self.answers(m, question)]
        stale = [
            number
            for number, m in enumerate(results, 1)
            if any(self.covers(m, self.items[id_]) for id_ in question.get("stale", ()))
            and number not in right
        ]
        return min(right, default=None), min(stale, default=None)


def plain(text: str) -> str:
    """Lower case, without the spaces between digits and Han letters."""
    return re.sub(r"(?<=[0-9])\s+(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])\s+(?=[0-9])", "", text.lower())


def on_line(memory: Record, line: Record) -> bool:
    return any(
        e["path"] == line["file"] and e["line_start"] <= line["line"] <= e["line_end"]
        for e in memory["evidence"]
    )


def live(source: str | Path, root: Path, **settings: Any) -> Week:
    """Live a written week, a folder or the name of one in the diaries: each day is written and digested in the
    evening, each night runs at two.
    """
    source = DIARIES / source  # an absolute path stays what it is
    truth = json.loads((source / "truth.json").read_text(encoding="utf-8"))
    workspace = root / "workspace"
    (workspace / "memory").mkdir(parents=True)
    zone = ZoneInfo(truth["timezone"])
    first, last = (date.fromisoformat(truth["days"][at]) for at in (0, -1))
    now = [datetime.combine(first, datetime.min.time(), zone)]
    options = {
        "agents": ((truth["agent_id"], workspace),),
        "timezone": truth["timezone"],
        "llm": "rules",
        **settings,
    }
    made = Settings(data_dir=root / "data", **options)
    week = Week(truth, root, App.open(made, clock=Clock(zone, lambda: now[0])))
    for number in range((last - first).days + NIGHTS_AFTER + 1):
        day = first + timedelta(days=number)
        now[0] = datetime(day.year, day.month, day.day, 2, tzinfo=zone)
        if number:
            week.nights.append(week.app.dream(date=day.isoformat()))
        files = sorted((source / "memory").glob(f"{day.isoformat()}*.md"))
        for file in files:
            shutil.copy(file, workspace / "memory" / file.name)
        if files:
            now[0] = now[0].replace(hour=22)
            week.app.digest()
    return week
