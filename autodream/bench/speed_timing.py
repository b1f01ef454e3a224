"""Times that can be compared on a noisy machine: all arms in turn, the order rotated, ratios within a round."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Arms", "Timings", "interleaved", "middle", "timed"]

Arms = Mapping[str, Callable[[int], object]]  # name -> what is done in round number n


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds by arm, one a round."""

    times: Mapping[str, NDArray[np.float64]]

    @property
    def rounds(self) -> int:
        return len(next(iter(self.times.values())))

    def percentile(self, arm: str, percent: float) -> float:
        """Milliseconds within which that share of the rounds was over."""
        return float(np.percentile(self.times[arm], percent))

    def ratio(self, arm: str, other: str) -> float:
        """How many times as long ``arm`` took as ``other``: the median over the rounds."""
        return float(np.median(self.times[arm] / self.times[other]))


def interleaved(arms: Arms, rounds: int, warm_up: int) -> Timings:
    """Every arm once a round, one after another; each round another one begins."""
    names = list(arms)
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(-warm_up, rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            took = timed(lambda name=name, number=number: arms[name](number + warm_up))  # type: ignore[misc]
            if number >= 0:
                times[name].append(took * 1000)
    return Timings({name: np.array(found) for name, found in times.items()})


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def middle(runs: Sequence[float]) -> tuple[float, float, float]:
    """The median run, the lowest and the highest."""
    return float(np.median(runs)), min(runs), max(runs)
