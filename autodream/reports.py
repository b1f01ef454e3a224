"""The JSON of reports. Every count is a number of effects in the journal (I10)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from autodream import shapes
from autodream.journal.db import Journal
from autodream.journal.records import memory_to_json
from autodream.models import Change, Finding, JobStatus

if TYPE_CHECKING:  # `status` shows findings and runs nothing
    from autodream.digest.round import Digested
    from autodream.dream.consolidate import Consolidated
    from autodream.dream.night import NightReport
    from autodream.dream.promote import Promoted
    from autodream.dream.reflect import Reflected

__all__ = ["digest_entry", "night_entry", "overall", "plan_entry", "warnings_json"]

Tally = Mapping[tuple[str, str], int]


def warnings_json(items: Sequence[Finding]) -> list[shapes.Finding]:
    """Findings as reports show them, each once."""
    return [{"path": item.path, "code": item.code, "message": item.message} for item in dict.fromkeys(items)]


def digest_entry(out: "Digested", journal: Journal, job_id: str | None) -> shapes.DigestOfAgent:
    """One agent's part of a digest report."""
    tally = journal.operations.tally(job_id, out.agent_id) if job_id else {}
    rejected = journal.operations.rejected(job_id, out.agent_id) if job_id else {}
    return {
        "agent_id": out.agent_id,
        "status": _status(bool(out.chunks), len(out.errors), tally),
        "files": out.files,
        "blocks_new": out.blocks_new,
        "chunks": out.chunks,
        "facts": _extracted(tally, rejected, "facts"),
        "tasks": _extracted(tally, rejected, "tasks"),
        "held_bytes": out.held_bytes,
        "errors": warnings_json(out.errors),
        "warnings": warnings_json(out.warnings),
    }


def _status(worked: bool, errors: int, tally: Tally) -> shapes.Ended:
    if errors:
        return "partial" if tally or not worked else "failed"
    return "ok" if worked else "nothing"


def _extracted(tally: Tally, rejected: Mapping[str, int], step: str) -> shapes.Extracted:
    return {
        "added": tally.get((step, "add"), 0) + tally.get((step, "restore"), 0),
        "duplicate": tally.get((step, "evidence"), 0),
        "superseded": tally.get((step, "supersede"), 0),
        "rejected": rejected.get(step, 0),
    }


def night_entry(report: "NightReport", journal: Journal, job_id: str | None) -> shapes.NightOfAgent:
    """One agent's part of a dream report."""
    tally = journal.operations.tally(job_id, report.agent_id) if job_id else {}
    rejected = journal.operations.rejected(job_id, report.agent_id) if job_id else {}

    return {
        "agent_id": report.agent_id,
        "status": ("partial" if report.failed else "ok" if tally else "nothing"),
        "reflect": _reflected(report.reflect, tally, rejected),
        "promote": _promoted(report.promote, tally, rejected),
        "consolidate": _consolidated(report.consolidate, tally),
        "errors": warnings_json(report.errors),
        "warnings": warnings_json(report.warnings),
    }


def _reflected(reflected: "Reflected", tally: Tally, rejected: Mapping[str, int]) -> shapes.Reflected:
    return {
        "days": reflected.days,
        "insights": {
            "added": tally.get(("reflect", "add"), 0),
            "updated": tally.get(("reflect", "update"), 0),
            "reinforced": tally.get(("reflect", "evidence"), 0),
            "rejected": rejected.get("reflect", 0),
        },
    }


def _promoted(promoted: "Promoted", tally: Tally, rejected: Mapping[str, int]) -> shapes.Promoted:
    return {
        "days": promoted.days,
        "candidates": promoted.candidates,
        "added": tally.get(("promote", "promote"), 0),
        "updated": tally.get(("promote", "update"), 0),
        "absorbed": tally.get(("promote", "absorb"), 0),
        "superseded": tally.get(("promote", "supersede"), 0),
        "rejected": rejected.get("promote", 0),
        "kept_for_retry": promoted.kept_for_retry,
    }


def _consolidated(consolidated: "Consolidated", tally: Tally) -> shapes.Consolidated:
    superseded = sum(tally.get(("consolidate", op), 0) for op in ("absorb", "supersede"))
    return {
        "scanned": consolidated.scanned,
        "cursor": consolidated.cursor,
        "pairs": consolidated.pairs,
        "merged": tally.get(("consolidate", "merge"), 0),
        "superseded": superseded,
        "kept_apart": consolidated.kept_apart,
        "deferred": consolidated.deferred,
    }


def overall(entries: Sequence[Mapping[str, Any]]) -> JobStatus:
    """The status of a job from those of its agents."""
    statuses = {entry["status"] for entry in entries}
    if statuses == {"failed"}:
        return "failed"
    if statuses & {"failed", "partial"}:
        return "partial"
    return "ok" if "ok" in statuses else "nothing"


def plan_entry(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """The operations a dry run would have made."""
    return [
        {
            "op": operation.op,
            "before": memory_to_json(operation.before) if operation.before else None,
            "after": memory_to_json(operation.after),
            "reason": operation.reason,
        }
        for change in changes
        for operation in change.operations
    ]
