"""Where blocking work runs: threads, counted apart, so that no kind of work takes another's."""

from collections.abc import Callable
from typing import TypeVar

from anyio import CapacityLimiter, to_thread

__all__ = ["Pools"]

T = TypeVar("T")


class Pools:
    """``recall`` for what a prompt waits for; ``read`` and ``write`` for single memories; ``jobs`` for those that
    wait for a job to begin; ``slow`` for everything that may take minutes.

    A write may wait ten seconds for an agent's lease, without using a core: there are many of them. Recalls with a
    model in this process only get into each other's way when there are many at once (147 a second with two, 111
    with eight); those that wait for a provider's model do not.
    """

    def __init__(self, *, remote_embedder: bool = False) -> None:
        self.recall = CapacityLimiter(16 if remote_embedder else 2)
        self.read = CapacityLimiter(8)
        self.write = CapacityLimiter(32)
        self.jobs = CapacityLimiter(16)
        self.slow = CapacityLimiter(4)

    @staticmethod
    async def run(limiter: CapacityLimiter, work: Callable[[], T]) -> T:
        """The result of ``work``, done in a thread of that pool; a client that leaves does not stop it."""
        return await to_thread.run_sync(work, limiter=limiter)
