"""The whole story of a memory: its diary lines, every decision about it, what it came from and went into."""

from autodream import shapes
from autodream.by_hand import show
from autodream.evidence import followed, quoted
from autodream.journal.operations import JournaledOperation
from autodream.journal.records import memory_to_json
from autodream.parts import Parts
from autodream.store.base import ANY_STATUS, Filter, every

__all__ = ["explain"]


def explain(parts: Parts, id_: str) -> shapes.Story:
    """What ``explain --json`` prints. Raises ``NotFoundError``."""
    memory = followed(parts, [show(parts, id_)])[0]
    operations = [op for op in parts.journal.operations.of_memory(id_) if op.state in ("applied", "undone")]
    return {
        "memory": memory_to_json(memory),
        "evidence": [quoted(parts.workspaces.get(memory.agent_id), item) for item in memory.evidence],
        "history": [_event(parts, operation) for operation in operations],
        "merged_from": _merged_from(parts, memory.agent_id, id_),
        "merged_into": memory.superseded_by,
    }


def _event(parts: Parts, journaled: JournaledOperation) -> shapes.History:
    operation = journaled.operation
    return {
        "at": journaled.at,
        "job_id": journaled.job_id,
        "kind": parts.journal.jobs.get(journaled.job_id).kind,
        "op": operation.op,
        "before": memory_to_json(operation.before) if operation.before else None,
        "after": memory_to_json(operation.after) if operation.after else None,
        "reason": operation.reason,
    }


def _merged_from(parts: Parts, agent_id: str, id_: str) -> list[str]:
    where = Filter(agent_id=agent_id, statuses=ANY_STATUS, superseded_by=id_)
    return [memory.id for memory in every(parts.store, where)]
