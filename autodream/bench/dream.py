"""``autodream bench dream``: what digests keep and nights leave, and what must never be remembered."""

from collections.abc import Callable
from dataclasses import replace
from importlib.resources import as_file, files
from typing import Final

from autodream.bench import dream_locomo, dream_sets, dream_weeks, recall_sets
from autodream.bench.options import Options
from autodream.bench.record import Row

__all__ = ["SETS", "run"]

_WEEKS: Final = ("week-zh", "week-en")
_LANGUAGES: Final = ("zh", "en")
_WORKSPACES: Final = ("zh-textbook", "en-forge")
_REPLAYS: Final = {"zh": "hermes_session_2026-05-15.txt", "en": "hermes_session_2026-05-15_en.txt"}


def run(options: Options) -> list[Row]:
    """The rows of every set that was asked for and is there."""
    if options.miniature:
        return _miniature(options)
    return [row for name, measure in SETS.items() if options.wants(name) for row in measure(options)]


def _miniature(options: Options) -> list[Row]:
    """The built-in texts, in the forms of the public sets; those that have none are passed over."""
    with as_file(files("autodream.bench") / "miniature" / "dream") as folder:
        there = replace(options, data=folder, diaries=folder, say=lambda _: None)
        return [row for name, measure in SETS.items() if options.wants(name) for row in measure(there)]


def _weeks(name: str) -> Callable[[Options], list[Row]]:
    def measure(options: Options) -> list[Row]:
        folder = options.diaries_of(name)
        return dream_weeks.measure(options, dream_weeks.load(folder, name)) if folder else []

    return measure


def _own_output(options: Options) -> list[Row]:
    base = options.diaries
    if base is None:
        options.say("own-output skipped: --diaries names no folder")
        return []
    there = [name for name in _WEEKS if (base / name).is_dir()]
    if not there:
        options.say(f"own-output skipped: there is no written week in {base}")
    weeks = [dream_weeks.load(base / name, name) for name in there]
    return [row for week in weeks for row in dream_sets.measure_own_output(options, week)]


def _updates(options: Options) -> list[Row]:
    folder = options.data_of("updates", "pairs")
    files = [(language, folder / f"updates-{language}.tsv") for language in _LANGUAGES] if folder else []
    return [
        row
        for language, file in files
        for row in dream_sets.measure_updates(options, "updates", language, dream_sets.load_updates(file))
    ]


def _replay(options: Options) -> list[Row]:
    folder = options.data_of("hindsight-obs")
    files = [(language, folder / name) for language, name in _REPLAYS.items()] if folder else []
    rows: list[Row] = []
    for language, file in files:
        steps = dream_sets.read_arrays(file)[: options.limit]
        rows += dream_sets.measure_replay(options, "hindsight-obs", language, steps)
    return rows


def _workspaces(options: Options) -> list[Row]:
    folder = options.data_of("diaries-mit")
    rows: list[Row] = []
    for name, base in [(name, folder / name) for name in _WORKSPACES] if folder else ():
        lives = dream_sets.Lives({name: dream_sets.load_workspace(base)}, {name: set()})
        rows += dream_sets.measure_lives(options, "diaries-mit", name, lives)
    return rows


def _bank(options: Options) -> list[Row]:
    folder = options.data_of("memorybank")
    rows: list[Row] = []
    for language, base in [(language, folder) for language in _LANGUAGES] if folder else ():
        lives = dream_sets.load_bank(base, language, planted=True, limit=options.limit)
        rows += dream_sets.measure_lives(options, "memorybank", language, lives)
    return rows


def _locomo(options: Options) -> list[Row]:
    folder = options.data_of("locomo")
    if folder is None:
        return []
    return dream_locomo.measure(options, recall_sets.locomo(folder), options.limit)


SETS: Final[dict[str, Callable[[Options], list[Row]]]] = {
    **{name: _weeks(name) for name in _WEEKS},
    "own-output": _own_output,
    "updates": _updates,
    "hindsight-obs": _replay,
    "diaries-mit": _workspaces,
    "memorybank": _bank,
    "locomo": _locomo,
}
