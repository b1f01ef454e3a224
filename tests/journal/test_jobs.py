"""The ledger of jobs and the steps of a night."""

import re

import pytest

from autodream.errors import InputError, NotFoundError
from autodream.journal.db import Journal
from autodream.models import JobKind
from tests.support.bench import Bench
from tests.support.factories import add, make_memory

AT = "2026-04-12T02:00:00.000000+08:00"
KINDS: tuple[JobKind, ...] = (
    "digest",
    "dream",
    "undo",
    "add",
    "forget",
    "restore",
    "purge",
    "update",
    "reembed",
    "import",
)


@pytest.fixture
def journal() -> Journal:
    return Journal.open(None)


def test_a_job_runs_and_is_finished(journal: Journal) -> None:
    job_id = journal.jobs.start("dream", ["dev", "代理-7"], "2026-04-12", AT)
    assert journal.jobs.get(job_id).to_json() == {
        "job_id": job_id,
        "kind": "dream",
        "agent_ids": ["dev", "代理-7"],
        "day": "2026-04-12",
        "status": "running",
        "started_at": AT,
        "finished_at": None,
        "report": {},
    }
    assert [job.job_id for job in journal.jobs.running()] == [job_id]
    journal.jobs.finish(job_id, "partial", {"agents": [{"agent_id": "dev"}]}, "later")
    job = journal.jobs.get(job_id)
    assert (job.status, job.finished_at, job.report) == (
        "partial",
        "later",
        {"agents": [{"agent_id": "dev"}]},
    )
    assert journal.jobs.running() == ()


def test_ids_tell_the_kind_and_sort_by_time(journal: Journal) -> None:
    ids = {kind: journal.jobs.start(kind, ["dev"], None, AT) for kind in KINDS}
    assert all(re.fullmatch(r"[a-z]-20260412T020000-[0-9a-f]{6}", job_id) for job_id in ids.values())
    assert len({job_id[0] for job_id in ids.values()}) == len(KINDS)
    later = journal.jobs.start("digest", ["dev"], None, "2026-04-12T02:15:00+08:00")
    assert later > ids["digest"]


def test_an_unknown_job_is_named(journal: Journal) -> None:
    for call in (
        lambda: journal.jobs.get("x-1"),
        lambda: journal.jobs.finish("x-1", "ok", {}, AT),
    ):
        with pytest.raises(NotFoundError, match="x-1") as caught:
            call()
        assert caught.value.field == "job_id"


def test_a_made_up_cursor_is_refused(journal: Journal) -> None:
    with pytest.raises(InputError, match="'x-1' is not a cursor") as caught:
        journal.jobs.page(after="x-1")
    assert caught.value.field == "cursor"


def test_pages_are_newest_first_and_add_up(journal: Journal) -> None:
    ids = [journal.jobs.start("digest", ["dev"] if n % 3 else ["dev", "blog"], None, AT) for n in range(10)]
    for agent_id, expected in ((None, ids), ("dev", ids), ("blog", ids[::3]), ("nobody", [])):
        seen: list[str] = []
        after: str | None = None
        while True:
            page, after = journal.jobs.page(agent_id, after, 3)
            seen += [job.job_id for job in page]
            if after is None:
                break
            assert len(page) == 3
        assert seen == expected[::-1]
    assert journal.jobs.page(None, None, 10) == (journal.jobs.page()[0], None)


def test_last_and_last_effective_are_of_the_kind_and_the_agent() -> None:
    bench = Bench()
    jobs = bench.journal.jobs
    assert jobs.last("digest", "dev") is None
    assert jobs.last_effective("digest", "dev") is None
    effective = bench.seed(make_memory("a"))
    bench.run([])
    again, _ = bench.run([add(make_memory("a"))])  # was there already
    bench.run([add(make_memory("b", agent_id="blog"))], agent_id="blog")
    bench.run([add(make_memory("c"))], kind="add")
    assert jobs.last("digest", "dev") == jobs.get(again)
    assert jobs.last_effective("digest", "dev") == jobs.get(effective)
    assert jobs.last_effective("dream", "dev") is None
    bench.undo(effective)
    assert jobs.last_effective("digest", "dev").status == "undone"  # type: ignore[union-attr]


def test_steps_of_a_night_are_remembered_per_agent_and_day(journal: Journal) -> None:
    first = journal.jobs.start("dream", ["dev"], "2026-04-17", AT)
    second = journal.jobs.start("dream", ["dev"], "2026-04-17", AT)
    assert journal.jobs.steps("dev", "2026-04-17") == {}
    journal.jobs.set_step(first, "dev", "2026-04-17", "reflect", "ok")
    journal.jobs.set_step(first, "dev", "2026-04-17", "promote", "failed")
    journal.jobs.set_step(second, "dev", "2026-04-17", "promote", "ok")
    assert journal.jobs.steps("dev", "2026-04-17") == {"reflect": "ok", "promote": "ok"}
    assert journal.jobs.steps("dev", "2026-04-18") == {}
    assert journal.jobs.steps("blog", "2026-04-17") == {}


def test_interrupting_touches_running_jobs_only(journal: Journal) -> None:
    running, done = (journal.jobs.start("digest", ["dev"], None, AT) for _ in range(2))
    journal.jobs.finish(done, "ok", {}, AT)
    for job_id in (running, done):
        journal.jobs.interrupt(job_id, "later")
    assert journal.jobs.get(running).status == "interrupted"
    assert journal.jobs.get(done) == journal.jobs.get(done)
    assert (journal.jobs.get(done).status, journal.jobs.get(done).finished_at) == ("ok", AT)


def test_a_job_is_alive_while_its_process_holds_a_lease(journal: Journal) -> None:
    clock = Bench().clock
    job_id = journal.jobs.start("digest", ["dev"], None, AT)
    assert not journal.jobs.alive(job_id)
    assert not journal.jobs.abandoned(job_id)  # this process may be about to go on
    with journal.leases.hold("agent:dev", at=clock.now):
        assert journal.jobs.alive(job_id)
    journal.jobs.finish(job_id, "ok", {}, AT)
    with journal.leases.hold("agent:dev", at=clock.now):
        assert not journal.jobs.alive(job_id)
