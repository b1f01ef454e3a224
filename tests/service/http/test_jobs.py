"""Routes about jobs: started in the background, followed in the ledger, undone."""

import threading
import time
from typing import Any

import pytest

from autodream.errors import LeaseHeldError, ModelUnavailableError
from autodream.journal.leases import agent_lease
from autodream.journal.operations import Operations
from tests.service.http.serving import DAY, FACT, OPERATOR, Served, error_of

LONG = 60.0  # seconds; nothing here takes one


def ended(served: Served, job_id: str) -> dict[str, Any]:
    """The job once it has ended."""
    deadline = time.monotonic() + LONG
    while True:
        job = served.get(f"/v1/jobs/{job_id}").json()
        if job["status"] != "running":
            return job
        assert time.monotonic() < deadline
        time.sleep(0.01)


def digested(served: Served, text: str = f"- {FACT}\n", **options: Any) -> dict[str, Any]:
    served.world.write(DAY, text)
    response = served.post("/v1/jobs/digest", {"final": True, **options})
    assert response.status_code == 202, response.text
    return ended(served, response.json()["job_id"])


def test_a_digest_is_answered_with_its_id_and_goes_on(served: Served) -> None:
    served.world.write(DAY, f"- {FACT}\n")
    go_on = threading.Event()
    inner = served.world.reasoner.inner.extract_facts
    served.world.reasoner.on["facts"] = lambda chunk: inner(chunk) if go_on.wait(LONG) else None
    response = served.post("/v1/jobs/digest", {"final": True})
    job_id = response.json()["job_id"]
    assert (response.status_code, response.json()) == (202, {"job_id": job_id})
    assert response.headers["location"] == f"/v1/jobs/{job_id}"
    assert served.get(f"/v1/jobs/{job_id}").json()["status"] == "running"
    go_on.set()
    job = ended(served, job_id)
    assert (job["status"], job["kind"]) == ("ok", "digest")
    assert job["report"]["agents"][0]["facts"]["added"] == 1
    assert served.world.texts() == [FACT]


def test_a_digest_with_nothing_to_do_answers_its_report(served: Served) -> None:
    response = served.post("/v1/jobs/digest")
    report = response.json()
    assert (response.status_code, report["job_id"], report["status"]) == (202, None, "nothing")
    assert [agent["agent_id"] for agent in report["agents"]] == ["dev", "ops"]
    assert served.get("/v1/jobs").json() == {"jobs": [], "next_cursor": None}


def test_a_dry_run_answers_the_plan_and_changes_nothing(served: Served) -> None:
    served.world.write(DAY, f"- {FACT}\n")
    report = served.post("/v1/jobs/digest", {"final": True, "dry_run": True}).json()
    assert report["job_id"] is None
    assert [step["after"]["memory"] for step in report["plan"]] == [FACT]
    assert served.world.everything() == []


def test_a_digest_takes_every_option(served: Served) -> None:
    for day in ("2026-04-09", "2026-04-10"):
        served.world.write(day, f"- Crate {day} came.\n")
    first = served.post("/v1/jobs/digest", {"agent_ids": ["dev"], "date": "2026-04-10", "final": True})
    assert ended(served, first.json()["job_id"])["report"]["agents"][0]["blocks_new"] == 1
    again = {"date": "2026-04-10", "again": True, "final": True}
    assert ended(served, served.post("/v1/jobs/digest", again).json()["job_id"])["status"] in (
        "ok",
        "nothing",
    )
    rest = served.post("/v1/jobs/digest", {"all": True, "final": True}).json()["job_id"]
    assert ended(served, rest)["report"]["agents"][0]["blocks_new"] == 1


def test_a_night_takes_its_steps(served: Served) -> None:
    digested(served)
    served.world.at("2026-04-19T02:00:00+08:00")
    begun = served.post("/v1/jobs/dream", {"agent_ids": ["dev"], "steps": ["promote"]})
    report = ended(served, begun.json()["job_id"])["report"]
    assert report["agents"][0]["promote"]["added"] == 1
    [memory] = served.world.memories()
    assert memory.memory_type == "long_term"


def test_a_job_shows_its_operations_unless_they_are_not_wanted(served: Served) -> None:
    job = digested(served)
    assert [operation["op"] for operation in job["operations"]] == ["add"]
    short = served.get(f"/v1/jobs/{job['job_id']}?operations=false").json()
    assert short == {name: value for name, value in job.items() if name != "operations"}


@pytest.mark.parametrize("token", [OPERATOR, "dev-token"])
def test_operations_that_are_not_wanted_are_not_read(
    guarded: Served, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    job = digested(guarded, agent_ids=["dev"])
    read: list[str] = []

    def of_job(_: Operations, job_id: str) -> list[Any]:
        read.append(job_id)
        return []

    monkeypatch.setattr(Operations, "of_job", of_job)
    seen = guarded.as_(token)
    assert seen.get(f"/v1/jobs/{job['job_id']}?operations=false").status_code == 200
    assert read == []
    assert seen.get(f"/v1/jobs/{job['job_id']}").json()["operations"] == []
    assert read == [job["job_id"]]


def test_the_ledger_pages(served: Served) -> None:
    for n in range(3):
        served.world.app.add(f"Crate {n} stands in hall {n}.", agent_id="dev")
    served.world.app.add("Hall 9 is closed.", agent_id="ops")
    first = served.get("/v1/jobs?limit=3").json()
    rest = served.get(f"/v1/jobs?limit=3&cursor={first['next_cursor']}").json()
    assert [len(first["jobs"]), len(rest["jobs"]), rest["next_cursor"]] == [3, 1, None]
    assert len(served.get("/v1/jobs?agent_id=ops").json()["jobs"]) == 1


def test_undo_puts_back_and_can_be_undone(served: Served) -> None:
    job = digested(served)
    undone = served.post(f"/v1/jobs/{job['job_id']}/undo")
    assert (undone.status_code, undone.json()["undone"], undone.json()["skipped"]) == (200, 1, [])
    assert served.world.texts() == []
    assert served.post(f"/v1/jobs/{undone.json()['job_id']}/undo").json()["undone"] == 1
    assert served.world.texts() == [FACT]


def test_a_busy_agent_is_409(served: Served) -> None:
    served.world.write(DAY, f"- {FACT}\n")
    with served.world.journal.leases.hold(agent_lease("dev"), at=served.world.clock.now):
        response = served.post("/v1/jobs/digest", {"agent_ids": ["dev"], "final": True})
    assert (response.status_code, error_of(response)["code"]) == (409, LeaseHeldError.code)
    assert served.world.everything() == []


def test_a_stopping_service_begins_no_job(served: Served) -> None:
    from datetime import timedelta

    served.app.state.service.runner.drain(timedelta(0))
    response = served.post("/v1/jobs/dream")
    assert (response.status_code, error_of(response)["code"]) == (409, "busy")


def test_a_model_that_fails_is_told_by_the_ledger(served: Served) -> None:
    def fail(_: Any) -> Any:
        raise ModelUnavailableError("the model is away")

    served.world.reasoner.on["facts"] = fail
    job = digested(served)
    assert job["status"] in ("partial", "failed")
    assert job["report"]["agents"][0]["errors"][0]["code"] == "model_unavailable"


@pytest.mark.parametrize("kind", ["digest", "dream"])
def test_no_agent_at_all_is_an_input_error(served: Served, kind: str) -> None:
    response = served.post(f"/v1/jobs/{kind}", {"agent_ids": ["nobody"]})
    assert (response.status_code, error_of(response)["code"]) == (404, "unknown_agent")
