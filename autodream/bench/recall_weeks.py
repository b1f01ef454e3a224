"""The written weeks: lived day by day by the product, then asked the questions of their truth."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from autodream.app import App
from autodream.bench.fresh import fresh
from autodream.bench.options import Options
from autodream.bench.recall_sets import readable
from autodream.bench.recall_targets import judged
from autodream.bench.record import Row, bootstrap
from autodream.progress import Progress

__all__ = ["lived", "week_rows"]

WEEKS = ("week-zh", "week-en")
DEPTHS = (1, 5, 10)
NIGHTS_AFTER = 8  # all of the week is long-term then
Record = Mapping[str, Any]
Ranks = dict[str, list[int]]  # kind -> per question the rank of the first answer, 0 for none


def week_rows(options: Options) -> list[Row]:
    """hit@1, 5 and 10 of each week and of both, by kind of question."""
    both: Ranks = {}
    rows: list[Row] = []
    for name in WEEKS:
        folder = options.diaries_of(name)
        if folder is None:
            continue
        with lived(folder, options) as (app, truth):
            ranks = _ranks(app, truth)
        rows += _rows(name, ranks, options)
        for kind, found in ranks.items():
            both.setdefault(kind, []).extend(found)
    return rows + _rows("weeks", both, options) if len(rows) else rows


def _rows(name: str, ranks: Ranks, options: Options) -> list[Row]:
    everything = [rank for found in ranks.values() for rank in found]
    rows = []
    for kind, found in (("all", everything), *ranks.items()):
        for depth in DEPTHS:
            hits = [float(0 < rank <= depth) for rank in found]
            row = Row("recall", name, kind, f"hit@{depth}", sum(hits) / len(hits), len(hits), bootstrap(hits))
            rows.append(judged(row, options.embedder))
    return rows


@contextmanager
def lived(folder: Path, options: Options) -> Iterator[tuple[App, Record]]:
    """The app after each day of the week was written and digested at 22:00 and each night dreamt at 02:00."""
    truth = readable(folder / "truth.json")
    agent, days = truth["agent_id"], truth["days"]
    first, last = date.fromisoformat(days[0]), date.fromisoformat(days[-1])
    count = (last - first).days + NIGHTS_AFTER + 1
    with fresh(options.embedder, [agent], zone=truth["timezone"], now=f"{days[0]}T02:00") as product:
        for number in range(count):
            day = (first + timedelta(days=number)).isoformat()
            options.tell(Progress(f"{folder.name}: {day}", number, count))
            if number:
                product.at(f"{day}T02:00")
                product.app.dream(date=day)
            written = sorted((folder / "memory").glob(f"{day}*.md"))
            for file in written:
                shutil.copyfile(file, product.workspaces[agent] / "memory" / file.name)
            if written:
                product.at(f"{day}T22:00")
                product.app.digest(final=True)
        yield product.app, truth


def _ranks(app: App, truth: Record) -> Ranks:
    lines = {item["id"]: [item] for item in (*truth["facts"], *truth["tasks"])}
    lines.update((pattern["id"], pattern["lines"]) for pattern in truth["patterns"])
    ranks: Ranks = {}
    for question in truth["questions"]:
        categories = [question["category"]] if "category" in question else []
        asked = app.recall(question["query"], agent_id=truth["agent_id"], categories=categories)
        wanted = [line for id_ in question["answers"] for line in lines[id_]]
        right = [rank for rank, one in enumerate(asked["results"], 1) if _holds(one, wanted)]
        ranks.setdefault(question["kind"], []).append(min(right, default=0))
    return ranks


def _holds(memory: Record, lines: list[Record]) -> bool:
    """Whether its evidence contains one of the lines."""
    return any(
        evidence["path"] == line["file"]
        and evidence["line_start"] <= line.get("line_end", line["line"])
        and line["line"] <= evidence["line_end"]
        for evidence in memory["evidence"]
        for line in lines
    )
