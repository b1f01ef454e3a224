"""A moment in which nobody changes a memory."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import timedelta

from autodream.journal.leases import agent_lease
from autodream.parts import Parts
from autodream.store.base import ANY_STATUS, Filter

__all__ = ["all_quiet", "every_agent"]


def every_agent(parts: Parts) -> list[str]:
    """Ids of all agents with a workspace or with memories, sorted."""
    stored = parts.store.tally("agent_id", Filter(statuses=ANY_STATUS))
    return sorted({*parts.workspaces, *stored} - {""})


@contextmanager
def all_quiet(parts: Parts, wait: timedelta) -> Iterator[None]:
    """Hold the leases of all agents; recall goes on. ``wait``: in all, for jobs that are at work.

    Raises ``LeaseHeldError`` naming the job that takes longer.
    """
    deadline = time.monotonic() + wait.total_seconds()
    with ExitStack() as held:
        for agent_id in every_agent(parts):
            left = timedelta(seconds=max(0.0, deadline - time.monotonic()))
            held.enter_context(
                parts.journal.leases.hold(agent_lease(agent_id), at=parts.clock.now, wait=left)
            )
        yield
