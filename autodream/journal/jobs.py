"""Jobs: one row for each digest, night or other unit of work, and how far a night has come."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final, cast

from autodream import shapes
from autodream.errors import no_cursor, no_job
from autodream.journal.database import Database, Row
from autodream.journal.leases import Leases
from autodream.journal.records import dump
from autodream.models import JobKind, JobStatus

__all__ = ["Job", "Jobs"]

_LETTERS: Final[Mapping[JobKind, str]] = {
    "digest": "d",
    "dream": "n",  # a night
    "undo": "u",
    "add": "a",
    "forget": "f",
    "restore": "r",
    "purge": "p",
    "update": "e",  # an edit
    "reembed": "v",
    "import": "i",
}


@dataclass(frozen=True, slots=True)
class Job:
    """One unit of work. ``day`` is what it was run for, if anything; ``report`` is JSON-ready."""

    job_id: str
    kind: JobKind
    agent_ids: tuple[str, ...]
    day: str | None
    status: JobStatus
    started_at: str
    finished_at: str | None
    report: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> shapes.Job:
        """A job's public JSON: what commands print and ``App`` returns."""
        return cast(shapes.Job, {**asdict(self), "agent_ids": list(self.agent_ids)})


class Jobs:
    """Ids sort by time within a kind: letter of the kind, local start time, six random digits."""

    def __init__(self, database: Database, leases: Leases) -> None:
        self._db = database
        self._leases = leases

    def start(self, kind: JobKind, agent_ids: Sequence[str], day: str | None, at: str) -> str:
        """A new running job of this process."""
        job_id = f"{_LETTERS[kind]}-{_compact(at)}-{secrets.token_hex(3)}"
        with self._db.transaction():
            seq = self._db.run(
                "INSERT INTO jobs (job_id, kind, agent_ids, day, status, started_at, owner)"
                " VALUES (?, ?, ?, ?, 'running', ?, ?)",
                (job_id, kind, dump(list(agent_ids)), day, at, dump(list(self._leases.owner))),
            ).lastrowid
            self._db.many(
                "INSERT OR IGNORE INTO job_agents (agent_id, job_seq) VALUES (?, ?)",
                [(agent_id, seq) for agent_id in agent_ids],
            )
        return job_id

    def finish(self, job_id: str, status: JobStatus, report: Mapping[str, Any], at: str) -> None:
        """Close a job with its report. Raises ``NotFoundError`` for an unknown id."""
        with self._db.transaction():
            done = self._db.run(
                "UPDATE jobs SET status = ?, report = ?, finished_at = ? WHERE job_id = ?",
                (status, dump(dict(report)), at, job_id),
            )
            if not done.rowcount:
                raise no_job(job_id)

    def interrupt(self, job_id: str, at: str) -> None:
        """Note that a running job ended without a word; any other status stays."""
        with self._db.transaction():
            self._db.run(
                "UPDATE jobs SET status = 'interrupted', finished_at = ?"
                " WHERE job_id = ? AND status = 'running'",
                (at, job_id),
            )

    def get(self, job_id: str) -> Job:
        """Raises ``NotFoundError`` for an unknown id."""
        row = self._db.row("SELECT * FROM jobs WHERE job_id = ?", (job_id,))
        if row is None:
            raise no_job(job_id)
        return _job(row)

    def page(
        self, agent_id: str | None = None, after: str | None = None, limit: int = 100
    ) -> tuple[tuple[Job, ...], str | None]:
        """Newest first, from below the job ``after``; and the cursor of the next page, if any.

        Raises ``InputError`` when no job has the id ``after``.
        """
        below = None if after is None else self._seq(after)
        rows = self._db.rows(
            "SELECT * FROM jobs WHERE (?1 IS NULL OR seq < ?1)"
            " AND (?2 IS NULL OR seq IN (SELECT job_seq FROM job_agents WHERE agent_id = ?2))"
            " ORDER BY seq DESC LIMIT ?3",
            (below, agent_id, limit + 1),
        )
        jobs = tuple(_job(row) for row in rows[:limit])
        return jobs, jobs[-1].job_id if len(rows) > limit else None

    def running(self) -> tuple[Job, ...]:
        """Jobs that have not been finished, oldest first, alive or not."""
        return tuple(
            _job(row) for row in self._db.rows("SELECT * FROM jobs WHERE status = 'running' ORDER BY seq")
        )

    def alive(self, job_id: str) -> bool:
        """Whether a running job is under a live lease, that is, its process holds one."""
        owner = self._owner(job_id)
        return owner is not None and self._leases.holds_any(*owner)

    def alive_elsewhere(self, job_id: str) -> bool:
        """``alive``, in another process than this one."""
        owner = self._owner(job_id)
        return owner is not None and owner != self._leases.owner and self._leases.holds_any(*owner)

    def abandoned(self, job_id: str) -> bool:
        """Whether a running job certainly ended without a word: no lease, and its process is gone."""
        owner = self._owner(job_id)
        return owner is not None and not self._leases.holds_any(*owner) and not self._leases.lives(*owner)

    def _owner(self, job_id: str) -> tuple[int, str, str] | None:
        owner = self._db.value("SELECT owner FROM jobs WHERE job_id = ? AND status = 'running'", (job_id,))
        if owner is None:
            return None
        pid, start, host = json.loads(owner)
        return pid, start, host

    def interrupt_abandoned(self, at: str) -> None:
        """Note every job that ended without a word as interrupted; needs no store."""
        for job in self.running():
            if self.abandoned(job.job_id):
                self.interrupt(job.job_id, at)

    def tally(self) -> dict[tuple[str, str], int]:
        """How many jobs of which kind and status there are."""
        rows = self._db.rows("SELECT kind, status, count(*) AS n FROM jobs GROUP BY kind, status")
        return {(row["kind"], row["status"]): int(row["n"]) for row in rows}

    def last(self, kind: JobKind, agent_id: str) -> Job | None:
        """The newest job of a kind for an agent, whatever became of it."""
        row = self._db.row(
            "SELECT j.* FROM job_agents a JOIN jobs j ON j.seq = a.job_seq"
            " WHERE a.agent_id = ? AND j.kind = ? ORDER BY j.seq DESC LIMIT 1",
            (agent_id, kind),
        )
        return None if row is None else _job(row)

    def last_effective(self, kind: JobKind, agent_id: str) -> Job | None:
        """The newest job of a kind that changed at least one memory of the agent."""
        row = self._db.row(
            "SELECT j.* FROM job_agents a JOIN jobs j ON j.seq = a.job_seq"
            " WHERE a.agent_id = ?1 AND j.kind = ?2 AND EXISTS ("
            "SELECT 1 FROM operations o WHERE o.job_id = j.job_id"
            " AND o.agent_id = ?1 AND o.state IN ('applied', 'undone') AND NOT o.existing)"
            " ORDER BY j.seq DESC LIMIT 1",
            (agent_id, kind),
        )
        return None if row is None else _job(row)

    def set_step(self, job_id: str, agent_id: str, day: str, step: str, status: str) -> None:
        """Record how a step of the night ``day`` ended; the newest record counts."""
        with self._db.transaction():
            self._db.run(
                "INSERT OR REPLACE INTO night_steps (agent_id, day, step, status, job_id)"
                " VALUES (?, ?, ?, ?, ?)",
                (agent_id, day, step, status, job_id),
            )

    def steps(self, agent_id: str, day: str) -> dict[str, str]:
        """Step -> status of the night ``day``; empty before its first."""
        rows = self._db.rows(
            "SELECT step, status FROM night_steps WHERE agent_id = ? AND day = ?", (agent_id, day)
        )
        return {row["step"]: row["status"] for row in rows}

    def settle_undone(self, job_id: str) -> None:
        """Bring the status in line with the operations: ``undone`` exactly while all effects are undone."""
        open_, undone = self._db.rows(
            "SELECT coalesce(sum(state = 'applied'), 0), coalesce(sum(state = 'undone'), 0) FROM operations"
            " WHERE job_id = ? AND NOT existing",
            (job_id,),
        )[0]
        with self._db.transaction():
            if undone and not open_:
                self._db.run(
                    "UPDATE jobs SET undone_from = status, status = 'undone'"
                    " WHERE job_id = ? AND status NOT IN ('undone', 'running')",
                    (job_id,),
                )
            else:
                self._db.run(
                    "UPDATE jobs SET status = coalesce(undone_from, 'ok'), undone_from = NULL"
                    " WHERE job_id = ? AND status = 'undone'",
                    (job_id,),
                )

    def _seq(self, job_id: str) -> int:
        seq = self._db.value("SELECT seq FROM jobs WHERE job_id = ?", (job_id,))
        if seq is None:
            raise no_cursor(job_id)
        return int(seq)


def _job(row: Row) -> Job:
    return Job(
        job_id=row["job_id"],
        kind=row["kind"],
        agent_ids=tuple(json.loads(row["agent_ids"])),
        day=row["day"],
        status=row["status"],
        started_at=row["started_at"],
        finished_at=row["finished_at"],
        report=json.loads(row["report"]),
    )


def _compact(at: str) -> str:
    """``2026-04-12T02:00:00.5+08:00`` as ``20260412T020000``."""
    return at[:19].replace("-", "").replace(":", "")
