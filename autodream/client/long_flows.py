"""The methods that take a while: jobs that are followed, imports in pieces, backups that are fetched and unpacked."""

import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from autodream import shapes
from autodream.client import flows
from autodream.client.answers import check
from autodream.client.flows import to_bytes, with_query
from autodream.client.steps import Call, Download, Flow, Pause, Work, ask
from autodream.client.unpack import Arrival
from autodream.config import IMPORT_NOTES, MAX_BODY_BYTES
from autodream.errors import AccessError, FailedError, InputError, UnreachableError, error_of
from autodream.progress import Progress, Tell, silent

__all__ = ["backup", "digest", "dream", "import_memories", "migrate", "reembed"]

# Seconds between two looks at a job; they grow, so that a short job is short here too.
_FIRST_PAUSE: Final = 0.05
_LONGEST_PAUSE: Final = 1.0
_GROWTH: Final = 1.5
# Jobs of the ledger's first page: only when so many began since is a job asked for by itself.
_RECENT: Final = 50
_PATIENCE: Final = 60.0  # seconds without an answer after which following a job ends; a restart takes a few
# Of one request: a quarter of what the service takes, so that progress shows.
_IMPORT_BYTES: Final = 256 * 1024


def digest(
    agent_ids: Sequence[str] = (),
    *,
    date: str | None = None,
    all_days: bool = False,
    final: bool = False,
    again: bool = False,
    dry_run: bool = False,
    progress: Tell | None = None,
) -> Flow[shapes.JobReport]:
    """One digest round; returns when it has ended."""
    asked = {
        "agent_ids": list(agent_ids),
        "date": date,
        "all": all_days,
        "final": final,
        "again": again,
        "dry_run": dry_run,
    }
    return _job("digest", asked, progress or silent)


def dream(
    agent_ids: Sequence[str] = (),
    *,
    date: str | None = None,
    steps: Sequence[str] = (),
    dry_run: bool = False,
    progress: Tell | None = None,
) -> Flow[shapes.JobReport]:
    """One night; returns when it has ended."""
    asked = {"agent_ids": list(agent_ids), "date": date, "steps": list(steps), "dry_run": dry_run}
    return _job("dream", asked, progress or silent)


def _job(kind: str, asked: Mapping[str, Any], tell: Tell) -> Flow[shapes.JobReport]:
    """Begin a job and follow it; one that left no row in the ledger is answered with its whole report."""
    tell(Progress(kind, 0))
    begun = yield from ask(Call("POST", f"/v1/jobs/{kind}", "job_id", to_bytes(asked), patient=True))
    if begun["job_id"] is None:
        return cast(shapes.JobReport, begun)
    job = yield from _ended(kind, begun["job_id"], tell)
    return _report(job)


def _ended(kind: str, job_id: str, tell: Tell) -> Flow[shapes.Job]:
    """The job when it has ended. A service that does not answer is asked again for a while."""
    pause, waited, silence = _FIRST_PAUSE, 0.0, 0.0
    while True:
        asked = time.monotonic()
        try:
            job = yield from _looked_up(job_id)
        except AccessError as error:  # the token of a service lives as long as its process
            raise FailedError(
                f"the service was started anew while job {job_id} ran; see how it ended: autodream job {job_id}"
            ) from error
        except FailedError as error:
            silence += pause + time.monotonic() - asked
            if silence > _PATIENCE:
                raise UnreachableError(
                    f"{error}; job {job_id} goes on without you, see how it ended: autodream job {job_id}"
                ) from error
        else:
            silence = 0.0
            if job["status"] != "running":
                return job
        tell(Progress(f"{kind} {job_id}, seconds", int(waited)))
        yield Pause(pause)
        waited += pause
        pause = min(pause * _GROWTH, _LONGEST_PAUSE)


def _looked_up(job_id: str) -> Flow[shapes.Job]:
    """How a job stands. The ledger's first page says it without the thousands of operations a job may have."""
    page: shapes.Jobs = yield from flows.jobs(limit=_RECENT)
    for job in page["jobs"]:
        if job["job_id"] == job_id:
            return job
    path = with_query(flows.job_path(job_id), operations="false")
    alone: shapes.Job = yield from ask(Call("GET", path, "status", again=True))
    return alone


def _report(job: shapes.Job) -> shapes.JobReport:
    """What the job reported. Raises what ended it before it could."""
    report = job["report"]
    if "error" in report:
        raise error_of(str(report.get("code", FailedError.code)), str(report["error"]))
    if job["status"] == "interrupted" or "agents" not in report:
        raise FailedError(f"job {job['job_id']} was interrupted; run it again, it goes on where it was")
    return cast(shapes.JobReport, report)


def reembed(progress: Tell | None = None) -> Flow[shapes.Reembedded]:
    """Give every memory a vector of the service's embedder."""
    return _operation("reembed", "/v1/reembed", {}, progress)


def migrate(to: str, progress: Tell | None = None) -> Flow[shapes.Migrated]:
    """Copy every memory to another engine."""
    return _operation("migrate", "/v1/migrate", {"to": to}, progress)


def _operation(what: str, path: str, asked: Mapping[str, Any], progress: Tell | None) -> Flow[Any]:
    (progress or silent)(Progress(what, 0))
    return ask(Call("POST", path, "", to_bytes(asked), patient=True))


def import_memories(
    records: Iterable[Mapping[str, Any]],
    *,
    agent_id: str | None = None,
    progress: Tell | None = None,
) -> Flow[shapes.Imported]:
    """Take records in, in pieces that the service accepts; importing them again changes nothing."""
    tell = progress or silent
    reports: list[shapes.Imported] = []
    piece: list[bytes] = []
    count = size = 0
    for count, record in enumerate(records, 1):
        line = _line(count, record)
        if piece and size + len(line) > _IMPORT_BYTES:
            reports.append((yield from _imported(piece, agent_id)))
            tell(Progress("import", count - 1))
            piece, size = [], 0
        piece.append(line)
        size += len(line)
    if piece or not reports:
        reports.append((yield from _imported(piece, agent_id)))
    tell(Progress("import", count))
    return _summed(reports)


def _line(number: int, record: Mapping[str, Any]) -> bytes:
    """One line of an import. It says which line of the whole it is, or what keeps it from being sent."""
    if not isinstance(record, Mapping):
        return _problem(number, "not an object")
    notes = record.get(IMPORT_NOTES)
    noted = {"line": number, **(notes if isinstance(notes, Mapping) else {})}
    try:
        line = to_bytes({**record, IMPORT_NOTES: noted}) + b"\n"
    except InputError as error:
        return _problem(noted["line"], str(error))
    return line if len(line) < MAX_BODY_BYTES else _problem(noted["line"], "larger than 1 MiB")


def _problem(number: int, problem: str) -> bytes:
    return to_bytes({IMPORT_NOTES: {"line": number, "problem": problem}}) + b"\n"


def _imported(lines: Sequence[bytes], agent_id: str | None) -> Flow[shapes.Imported]:
    path = with_query("/v1/import", agent_id=agent_id)
    body, kind = b"".join(lines), "application/x-ndjson"
    return ask(Call("POST", path, "job_ids", body, content_type=kind, again=True, patient=True))


def _summed(reports: Sequence[shapes.Imported]) -> shapes.Imported:
    """The reports of several pieces as that of one import."""
    statuses = {report["status"] for report in reports}
    return {
        "status": "partial" if "partial" in statuses else "ok" if "ok" in statuses else "nothing",
        "job_ids": [job_id for report in reports for job_id in report["job_ids"]],
        "added": sum(report["added"] for report in reports),
        "known": sum(report["known"] for report in reports),
        "forgotten": sum(report["forgotten"] for report in reports),
        "rejected": [each for report in reports for each in report["rejected"]],
    }


def backup(folder: Path, progress: Tell | None = None) -> Flow[shapes.BackedUp]:
    """Fetch a backup of the service's data into ``folder``, which must be new or empty."""
    tell = progress or silent
    with Arrival(folder) as arrival:
        tell(Progress("backup: fetching", 0))
        answer = yield Download(Call("GET", "/v1/backup", patient=True), arrival.tar)
        check(answer)
        tell(Progress("backup: unpacking", 0))
        unpacked: shapes.BackedUp = yield Work(arrival.unpack)
    return unpacked
