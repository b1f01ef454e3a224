"""May a change happen now? What a plan expected is compared with what the store holds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from autodream.journal.operations import JournaledOperation, Operations, Outcome
from autodream.journal.records import blank_memory, content_hash
from autodream.models import Change, JobKind, Memory, Operation

__all__ = [
    "CHANGED",
    "FORGOTTEN",
    "GONE",
    "UNCHANGED",
    "Checked",
    "Resumed",
    "check",
    "is_retirement",
    "resume",
    "split",
]

CHANGED: Final = "changed meanwhile"
FORGOTTEN: Final = "forgotten"
GONE: Final = "purged"
UNCHANGED: Final = "nothing changes"
_TOGETHER: Final = "goes together with a change that was skipped"

# A user's own act may bring a forgotten memory back; reading the diary again may not (F58).
_MAY_REVIVE: Final[frozenset[JobKind]] = frozenset({"add", "restore", "undo"})
_COVERED: Final = ("absorb", "supersede")


def is_retirement(operation: Operation) -> bool:
    """Whether it takes a memory out of recall, and so has to wait until the successors were read back."""
    return operation.after.status != "active" or operation.op in (*_COVERED, "retire", "purge")


def split(changes: Sequence[Change], limit: int) -> list[range]:
    """Batches of at most ``limit`` changes, in order, none of which touches what another one in it writes."""
    batches: list[range] = []
    start, written, named = 0, set[str](), set[str]()
    for number, change in enumerate(changes):
        ids = {operation.after.id for operation in change.operations}
        successors = {operation.after.superseded_by or "" for operation in change.operations} - ids - {""}
        if number - start == limit or ids & (written | named) or successors & written:
            batches.append(range(start, number))
            start, written, named = number, set(), set()
        written |= ids
        named |= successors
    if start < len(changes):
        batches.append(range(start, len(changes)))
    return batches


@dataclass(frozen=True, slots=True)
class Checked:
    """A change as it shall be journaled, and the outcomes (by operation) that are known before it happens."""

    change: Change
    decided: Mapping[int, Outcome]


def check(change: Change, stored: Mapping[str, Memory], kind: JobKind, ledger: Operations) -> Checked:
    """Decide a change against ``stored`` (the memories it names, as they are now): whole, or not at all."""
    operations = [_revived(operation, stored, kind, ledger) for operation in change.operations]
    decided: dict[int, Outcome] = {}
    for index, operation in enumerate(operations):
        outcome = _decide(operation, stored.get(operation.after.id), kind, ledger)
        if outcome is not None:
            decided[index] = outcome
    reason = next((o.note for o in decided.values() if o.state == "skipped" and o.note != UNCHANGED), None)
    reason = reason or _missing_successor(operations, decided, stored)
    operations = [
        _without_text(each) if _is_purged(decided.get(index), each, stored) else each
        for index, each in enumerate(operations)
    ]
    if reason is not None:
        decided = {index: Outcome("skipped", reason) for index in range(len(operations))}
    return Checked(Change(tuple(operations)), decided)


def _is_purged(outcome: Outcome | None, operation: Operation, stored: Mapping[str, Memory]) -> bool:
    return outcome is not None and outcome.note == FORGOTTEN and operation.after.id not in stored


def _without_text(operation: Operation) -> Operation:
    """The journal must not learn anew what was purged from it, not even to say that it was skipped (F58)."""
    return replace(operation, after=blank_memory(operation.after.id, operation.after.agent_id))


def _revived(
    operation: Operation, stored: Mapping[str, Memory], kind: JobKind, ledger: Operations
) -> Operation:
    """An add whose memory is retired, but not by a user's will, brings that memory back."""
    current = stored.get(operation.after.id)
    if operation.before is not None or current is None or current.status != "retired":
        return operation
    known = ledger.last_effect(current.id) is not None
    may = kind in _MAY_REVIVE or (known and not ledger.is_forgotten(current.id))
    return replace(operation, before=current) if may else operation


def _decide(
    operation: Operation, current: Memory | None, kind: JobKind, ledger: Operations
) -> Outcome | None:
    """The outcome of one operation where it is known already; ``None``: it can happen."""
    if operation.op == "purge":
        return Outcome("skipped", GONE) if current is None else None
    if operation.before is None:
        return _decide_add(operation, current, kind, ledger)
    if current is None:
        return Outcome("skipped", GONE)
    now, before, after = map(content_hash, (current, operation.before, operation.after))
    if now == after:
        return (
            Outcome("skipped", UNCHANGED)
            if before == after
            else Outcome("applied", "existing", existing=True)
        )
    return None if now == before else Outcome("skipped", CHANGED)


def _decide_add(
    operation: Operation, current: Memory | None, kind: JobKind, ledger: Operations
) -> Outcome | None:
    # Ids are made from what a memory says and where it stands, so an id that exists is the same fact (F62),
    # whatever became of the memory since: promoted, merged, covered by another.
    if current is None:
        purged = kind not in _MAY_REVIVE and ledger.is_forgotten(operation.after.id)
        return Outcome("skipped", FORGOTTEN) if purged else None
    if current.status == "retired":
        return Outcome("skipped", FORGOTTEN)
    return Outcome("applied", "existing", existing=True)


def _missing_successor(
    operations: Sequence[Operation], decided: Mapping[int, Outcome], stored: Mapping[str, Memory]
) -> str | None:
    """I1: what covers a memory must be there, and active, once the change has happened."""
    coming = {op.after.id: op.after for index, op in enumerate(operations) if index not in decided}
    for operation in operations:
        if operation.op not in _COVERED:
            continue
        successor_id = operation.after.superseded_by or ""
        successor = coming.get(successor_id) or stored.get(successor_id)
        if successor is None or successor.status != "active" or successor_id == operation.after.id:
            return f"its successor {successor_id or '(none)'} is not there"
    return None


@dataclass(frozen=True, slots=True)
class Resumed:
    """What is left to do of a planned batch, and the outcomes of the rest by operation id."""

    todo: tuple[JournaledOperation, ...]
    results: Mapping[int, Outcome]


def resume(operations: Iterable[JournaledOperation], stored: Mapping[str, Memory]) -> Resumed:
    """Compare planned operations with the store: done, still to do, or overtaken by another writer."""
    groups: dict[int, list[JournaledOperation]] = {}
    for planned in operations:
        if planned.state == "planned":
            groups.setdefault(planned.change, []).append(planned)
    todo: list[JournaledOperation] = []
    results: dict[int, Outcome] = {}
    for group in groups.values():
        left, outcomes = _resume_change(group, stored)
        todo += left
        results |= outcomes
    return Resumed(tuple(todo), results)


def _resume_change(
    group: Sequence[JournaledOperation], stored: Mapping[str, Memory]
) -> tuple[list[JournaledOperation], dict[int, Outcome]]:
    found = {each.id: _compare(each.operation, stored.get(each.memory_id)) for each in group}
    results = {key: Outcome("applied") for key, state in found.items() if state == "after"}
    results |= {key: Outcome("skipped", CHANGED) for key, state in found.items() if state == "other"}
    left = [each for each in group if found[each.id] == "before"]
    overtaken = [each for each in group if found[each.id] == "other"]
    if not overtaken:
        return left, results
    if "after" not in found.values():  # nothing of it has happened: then nothing shall
        return [], results | {each.id: Outcome("skipped", _TOGETHER) for each in left}
    if any(not is_retirement(each.operation) for each in overtaken):  # I1: a successor is not as planned
        stay = [each for each in left if is_retirement(each.operation)]
        results |= {each.id: Outcome("skipped", _TOGETHER) for each in stay}
        left = [each for each in left if each not in stay]
    return left, results


def _compare(operation: Operation, current: Memory | None) -> str:
    """Which image the store holds: ``before``, ``after``, or some ``other`` state."""
    if operation.op == "purge":
        return "before"  # gone from the store is not yet gone from its files and mem0's history: erase again
    if current is None:
        return "before" if operation.before is None else "other"
    now = content_hash(current)
    if now == content_hash(operation.after):
        return "after"
    return "before" if operation.before is not None and now == content_hash(operation.before) else "other"
