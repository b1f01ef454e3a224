"""What one agent may see and do: any ``Api``, narrowed to its own memories, jobs and diary.

Its own: memories with its ``agent_id``, jobs that worked for it, its workspace. Beside these it may *read* what the
other agents share (category ``experience``): recalled, put into a context, shown and explained one by one, never
listed, and without where it comes from: no diary lines, no history, no successor. Its metadata is part of it.

Whatever is not for the agent answers as if it did not exist, in the words of an id that nobody knows.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from autodream import shapes
from autodream.api import Api, Message, StatusChoice, TypeChoice
from autodream.config import (
    DEFAULT_CATEGORY,
    DEFAULT_CONTEXT_CHARS,
    DEFAULT_LIMIT,
    DEFAULT_TOP_K,
    SHARED_CATEGORY,
)
from autodream.errors import AccessError, NotFoundError, no_cursor, no_job, no_memory, unknown_agent
from autodream.models import MemoryType
from autodream.progress import Tell
from autodream.workspace import check_agent_id

__all__ = ["AgentView"]

# What the report of a job for several agents says about all of them together, and may be told to each.
_COMMON: Final = ("job_id", "status", "day")
_OVERALL: Final = ("ok", "nothing", "partial", "failed")  # statuses that sum up what became of all agents


class AgentView:
    """``api`` as ``agent_id`` may use it. Closing the view leaves ``api`` open: whoever opened it closes it.

    A missing agent means the view's own; naming another is ``UnknownAgentError``, whether it exists or not.
    What concerns everybody's memories (doctor, reembed, import, backup, migrate) is ``AccessError``.
    """

    def __init__(self, api: Api, agent_id: str) -> None:
        self._api = api
        self._agent_id = check_agent_id(agent_id)

    def _only(self, agent_ids: Iterable[str | None] = ()) -> tuple[str]:
        """The one agent there is for this view. Raises ``UnknownAgentError`` when another one is asked for."""
        for agent_id in agent_ids:
            if agent_id is not None and check_agent_id(agent_id, field="agent") != self._agent_id:
                raise unknown_agent(agent_id)
        return (self._agent_id,)

    # -- jobs --------------------------------------------------------------------------------------------------

    def digest(
        self,
        agent_ids: Sequence[str] = (),
        *,
        date: str | None = None,
        all_days: bool = False,
        final: bool = False,
        again: bool = False,
        dry_run: bool = False,
        progress: Tell | None = None,
        started: Callable[[str], None] | None = None,
    ) -> shapes.JobReport:
        """A digest of the agent's own diary; ``started`` as ``App.digest`` has it, where the api is an ``App``."""
        extra: dict[str, Any] = {} if started is None else {"started": started}
        return self._api.digest(
            self._only(agent_ids),
            date=date,
            all_days=all_days,
            final=final,
            again=again,
            dry_run=dry_run,
            progress=progress,
            **extra,
        )

    def dream(
        self,
        agent_ids: Sequence[str] = (),
        *,
        date: str | None = None,
        steps: Sequence[str] = (),
        dry_run: bool = False,
        progress: Tell | None = None,
        started: Callable[[str], None] | None = None,
    ) -> shapes.JobReport:
        """The agent's own night; ``started`` as for ``digest``."""
        extra: dict[str, Any] = {} if started is None else {"started": started}
        chosen = self._only(agent_ids)
        return self._api.dream(chosen, date=date, steps=steps, dry_run=dry_run, progress=progress, **extra)

    def jobs(
        self, agent_id: str | None = None, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> shapes.Jobs:
        """The jobs that worked for the agent, each with its part alone."""
        [own] = self._only([agent_id])
        if cursor is not None:
            self._check_cursor(cursor)
        page = self._api.jobs(own, limit, cursor)
        return {**page, "jobs": [self._part_of(job) for job in page["jobs"]]}

    def _check_cursor(self, cursor: str) -> None:
        """A job of another agent would tell when it ran: it is no cursor here."""
        try:
            self.job(cursor, operations=False)
        except NotFoundError as error:
            raise no_cursor(cursor) from error

    def job(self, job_id: str, operations: bool = True) -> shapes.Job:
        """One job that worked for the agent, with the agent's operations where they are wanted."""
        job = self._api.job(job_id, operations)
        if self._agent_id not in job["agent_ids"]:
            raise no_job(job_id)
        return self._part_of(job)

    def undo(self, job_id: str) -> shapes.Undone:
        """Undo a job that worked for this agent alone. Raises ``NotFoundError`` for any other."""
        job = self._api.job(job_id)
        agents = {*job["agent_ids"], *(each["agent_id"] for each in job.get("operations", ()))}
        if agents != {self._agent_id}:
            raise no_job(job_id)
        return self._api.undo(job_id)

    def _part_of(self, job: shapes.Job) -> shapes.Job:
        """The job as far as it is about the agent: of one for several, what sums up all of them is left out."""
        part: shapes.Job = {**job, "agent_ids": [self._agent_id]}
        if "operations" in job:
            part["operations"] = [each for each in job["operations"] if each["agent_id"] == self._agent_id]
        if set(job["agent_ids"]) == {self._agent_id}:
            return part
        report = job["report"]
        entries = [entry for entry in report.get("agents", ()) if entry.get("agent_id") == self._agent_id]
        part["report"] = {key: report[key] for key in _COMMON if key in report} | {"agents": entries}
        if entries and job["status"] in _OVERALL:
            part["status"] = part["report"]["status"] = entries[0]["status"]
        return part

    # -- memories ----------------------------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        *,
        agent_id: str | None = None,
        categories: Sequence[str] = (),
        memory_type: TypeChoice = "all",
        since: str | None = None,
        until: str | None = None,
        top_k: int = DEFAULT_TOP_K,
        min_score: float = 0.0,
        include_superseded: bool = False,
        explain: bool = False,
    ) -> shapes.Recall:
        """Semantic recall among the agent's own memories and the shared ones."""
        [own] = self._only([agent_id])
        found = self._api.recall(
            query,
            agent_id=own,
            categories=categories,
            memory_type=memory_type,
            since=since,
            until=until,
            top_k=top_k,
            min_score=min_score,
            include_superseded=include_superseded,
            explain=explain,
        )
        results = [cast(shapes.Recalled, self._shown(hit)) for hit in found["results"] if self._may_read(hit)]
        return {**found, "results": results}

    def context(
        self, agent_id: str, *, query: str | None = None, max_chars: int = DEFAULT_CONTEXT_CHARS
    ) -> shapes.Context:
        """The agent's own and the shared memories as text."""
        [own] = self._only([agent_id])
        return self._api.context(own, query=query, max_chars=max_chars)

    def add(
        self,
        text: str,
        *,
        agent_id: str,
        category: str = DEFAULT_CATEGORY,
        memory_type: MemoryType = "long_term",
        day: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> shapes.Memory:
        """Store a memory of the agent; in category ``experience`` every agent may read it."""
        [own] = self._only([agent_id])
        return self._api.add(
            text, agent_id=own, category=category, memory_type=memory_type, day=day, metadata=metadata
        )

    def update(self, id_: str, *, text: str | None = None, category: str | None = None) -> shapes.Memory:
        """Edit a memory of the agent."""
        return self._api.update(self._own(id_), text=text, category=category)

    def list_memories(
        self,
        *,
        agent_id: str | None = None,
        categories: Sequence[str] = (),
        memory_type: TypeChoice = "all",
        day: str | None = None,
        status: StatusChoice = "active",
        limit: int = DEFAULT_LIMIT,
        cursor: str | None = None,
    ) -> shapes.MemoryPage:
        """A page of the agent's own memories; what others share is found by recall."""
        [own] = self._only([agent_id])
        page = self._api.list_memories(
            agent_id=own,
            categories=categories,
            memory_type=memory_type,
            day=day,
            status=status,
            limit=limit,
            cursor=cursor,
        )
        return {**page, "memories": [memory for memory in page["memories"] if self._is_own(memory)]}

    def show(self, id_: str) -> shapes.Memory:
        """One memory of the agent, or one that another shares and has not forgotten."""
        memory = self._api.show(id_)
        if not self._may_read(memory):
            raise no_memory(id_)
        return self._shown(memory)

    def explain(self, id_: str) -> shapes.Story:
        """A memory's story; of one that another agent shares only what it says, never how it came about."""
        memory = self.show(id_)
        if self._is_own(memory):
            return self._api.explain(id_)
        return {"memory": memory, "evidence": [], "history": [], "merged_from": [], "merged_into": None}

    def forget(self, id_: str, purge: bool = False) -> shapes.Memory | shapes.Forgotten:
        """Retire a memory of the agent, or erase it for good."""
        return self._api.forget(self._own(id_), purge=purge)

    def restore(self, id_: str) -> shapes.Memory:
        """Undo a retirement of a memory of the agent."""
        return self._api.restore(self._own(id_))

    def _is_own(self, memory: Mapping[str, Any]) -> bool:
        return bool(memory["agent_id"] == self._agent_id)

    def _may_read(self, memory: Mapping[str, Any]) -> bool:
        shared = memory["category"] == SHARED_CATEGORY and memory["status"] != "retired"
        return shared or self._is_own(memory)

    def _shown(self, memory: shapes.Memory) -> shapes.Memory:
        return memory if self._is_own(memory) else {**memory, "evidence": [], "superseded_by": None}

    def _own(self, id_: str) -> str:
        """The id, when it is of a memory of the agent."""
        if not self._is_own(self._api.show(id_)):
            raise no_memory(id_)
        return id_

    # -- the rest ----------------------------------------------------------------------------------------------

    def write_diary(
        self,
        agent_id: str,
        *,
        text: str | None = None,
        messages: Sequence[Message] | None = None,
        event_id: str | None = None,
    ) -> shapes.DiaryEntry:
        """An entry for the agent's own diary."""
        [own] = self._only([agent_id])
        return self._api.write_diary(own, text=text, messages=messages, event_id=event_id)

    def agents(self) -> shapes.Agents:
        """The agent alone."""
        return {"agents": [agent for agent in self._api.agents()["agents"] if self._is_own(agent)]}

    def status(self) -> shapes.Status:
        """The agent's part; settings and warnings are the operator's and may name others' folders."""
        mine = [agent for agent in self._api.status()["agents"] if self._is_own(agent)]
        return {"agents": mine, "settings": {}, "warnings": []}

    def export_memories(self, agent_id: str | None = None) -> Iterator[dict[str, Any]]:
        """The agent's own memories as records."""
        [own] = self._only([agent_id])
        return (record for record in self._api.export_memories(own) if record.get("agent_id") == own)

    def doctor(self) -> shapes.Doctor:
        """The operator's."""
        _refuse("doctor")

    def reembed(self, progress: Tell | None = None) -> shapes.Reembedded:
        """The operator's."""
        _refuse("reembed", progress)

    def import_memories(
        self,
        records: Iterable[Mapping[str, Any]],
        *,
        agent_id: str | None = None,
        progress: Tell | None = None,
    ) -> shapes.Imported:
        """The operator's."""
        _refuse("import", records, agent_id, progress)

    def backup(self, folder: Path, progress: Tell | None = None) -> shapes.BackedUp:
        """The operator's."""
        _refuse("backup", folder, progress)

    def migrate(self, to: str, progress: Tell | None = None) -> shapes.Migrated:
        """The operator's."""
        _refuse("migrate", to, progress)

    def close(self) -> None:
        """Nothing: the api belongs to whoever opened it."""


def _refuse(what: str, *_: object) -> NoReturn:
    raise AccessError(f"{what} concerns every agent's memories; use the operator's token, not an agent's")
