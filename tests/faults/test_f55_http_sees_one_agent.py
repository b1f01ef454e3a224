"""F55 over HTTP: a token limited to one agent never shows, changes or starts anything of another."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.service.http.openapi import EXAMPLE
from tests.service.http.serving import OPERATOR, TOKENS, Served, error_of, serving
from tests.service.http.test_openapi import ROUTES

CANARY = "quixotic"
OWN = "Imke keeps the keys of depot 7."
SHARED = "Restart the gateway twice after an update."
DAY = "2026-04-11"
UNKNOWN = EXAMPLE["id"]
OPERATORS = {"/metrics", "/v1/doctor", "/v1/reembed", "/v1/migrate", "/v1/export", "/v1/import", "/v1/backup"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """Agents dev and ops; whatever is of ops alone holds the canary. Asked by dev's token."""
    with serving(tmp_path, token=OPERATOR, tokens=TOKENS) as made:
        app = made.world.app
        made.world.write(DAY, f"- {OWN}\n", agent="dev")
        made.world.write(DAY, f"- Wanda keeps the {CANARY} crate of depot 9.\n", agent="ops")
        made.world.digest(final=True)  # one job of both
        for day, now in (("2026-04-01", ""), ("2026-04-02", " now")):
            app.add(f"The {CANARY} crane is greased{now}.", agent_id="ops", day=day)
        app.add(SHARED, agent_id="ops", category="experience")
        gone = app.add(f"The {CANARY} hall is closed.", agent_id="ops", category=CANARY)
        app.forget(gone["id"])
        made.world.append(DAY, f"- The {CANARY} lorry waits.\n", agent="ops")
        yield made.as_("dev-token")


def of(served: Served, agent: str) -> list[Any]:
    return [memory for memory in served.world.everything() if memory.agent_id == agent]


def jobs_of_ops(served: Served) -> list[str]:
    return [job["job_id"] for job in served.world.app.jobs("ops")["jobs"] if job["agent_ids"] == ["ops"]]


def requests(served: Served) -> Iterator[tuple[str, str, str, Any]]:
    """Every route, asked in every way that names something of ops or nothing at all: route, method, path, body."""
    ids = [memory.id for memory in of(served, "ops") if memory.category != "experience"]
    jobs = [job["job_id"] for job in served.world.app.jobs()["jobs"]]
    agents = [{}, {"agent_id": "ops"}, {"agent_id": "dev"}]
    query = {"query": f"the {CANARY} crane crate hall of depot 9"}
    for body in agents:
        yield (
            "/v1/recall",
            "POST",
            "/v1/recall",
            {**query, **body, "include_superseded": True, "explain": True},
        )
        yield "/v1/context", "POST", "/v1/context", {**query, "agent_id": "dev", **body}
        ask = "".join(f"&{name}={value}" for name, value in body.items())
        yield "/v1/memories", "GET", f"/v1/memories?status=all&limit=1000{ask}", None
        yield "/v1/jobs", "GET", f"/v1/jobs?limit=1000{ask}", None
    for category in (CANARY, "experience", "short_term"):
        yield "/v1/memories", "GET", f"/v1/memories?status=all&categories={category}", None
    for id_ in ids:
        yield "/v1/memories", "GET", f"/v1/memories?status=all&cursor={id_}", None
        yield "/v1/memories/{id}", "GET", f"/v1/memories/{id_}", None
        yield "/v1/memories/{id}/explain", "GET", f"/v1/memories/{id_}/explain", None
        yield "/v1/memories/{id}/restore", "POST", f"/v1/memories/{id_}/restore", {}
        yield "/v1/memories/{id}", "PATCH", f"/v1/memories/{id_}", {"text": "taken over"}
        yield "/v1/memories/{id}", "DELETE", f"/v1/memories/{id_}", None
        yield "/v1/memories/{id}", "DELETE", f"/v1/memories/{id_}?purge=true", None
    for id_ in jobs:
        yield "/v1/jobs/{id}", "GET", f"/v1/jobs/{id_}", None
        yield "/v1/jobs", "GET", f"/v1/jobs?cursor={id_}", None
    for id_ in jobs_of_ops(served):
        yield "/v1/jobs/{id}/undo", "POST", f"/v1/jobs/{id_}/undo", {}
    for kind in ("digest", "dream"):
        for body in ({}, {"agent_ids": ["ops"]}, {"agent_ids": ["dev", "ops"]}, {"dry_run": True}):
            yield f"/v1/jobs/{kind}", "POST", f"/v1/jobs/{kind}", body
    yield "/v1/memories", "POST", "/v1/memories", {"agent_id": "ops", "text": "Planted in the other agent."}
    yield "/v1/diary", "POST", "/v1/diary", {"agent_id": "ops", "text": "Planted in the other diary."}
    for path in (
        "/v1/agents",
        "/v1/status",
        "/openapi.json",
        "/",
        "/health/live",
        "/health/ready",
        "/v1/none",
    ):
        yield path, "GET", path, None
    for method, path in ROUTES:
        if path in OPERATORS:
            yield path, method.upper(), path, {"to": "embedded"} if path == "/v1/migrate" else {}


def test_every_route_is_asked(served: Served) -> None:
    assert {(method.lower(), route) for route, method, _, _ in requests(served)} >= ROUTES


def test_the_operator_sees_the_canary(served: Served) -> None:
    seen = [
        path
        for _, method, path, body in requests(served)
        if method == "GET" and CANARY in served.as_(OPERATOR).ask(method, path, body).text
    ]
    assert len(seen) > 8, "a canary that nobody sees proves nothing"


def test_f55_no_answer_to_another_agents_token_holds_its_text(served: Served) -> None:
    before, diary = of(served, "ops"), (served.world.workspaces["ops"] / f"memory/{DAY}.md").read_bytes()
    served.world.at("2026-04-19T02:00:00+08:00")
    for route, method, path, body in requests(served):
        response = served.ask(method, path, body)
        # what was asked may be repeated; nothing else of the other agent may
        told = response.text.replace(f"the {CANARY} crane crate hall of depot 9", "")
        assert CANARY not in told, (method, path, body)
        assert response.status_code != 500, (method, path)
        if route in OPERATORS:
            assert response.status_code == 403, path
    assert of(served, "ops") == before
    assert (served.world.workspaces["ops"] / f"memory/{DAY}.md").read_bytes() == diary


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/memories/{id}"),
        ("PATCH", "/v1/memories/{id}"),
        ("DELETE", "/v1/memories/{id}"),
        ("DELETE", "/v1/memories/{id}?purge=true"),
        ("GET", "/v1/memories/{id}/explain"),
        ("POST", "/v1/memories/{id}/restore"),
    ],
)
def test_f55_anothers_id_is_answered_like_one_that_nobody_knows(
    served: Served, method: str, path: str
) -> None:
    body = {"text": "taken over"} if method == "PATCH" else {} if method == "POST" else None
    [theirs, *_] = [memory.id for memory in of(served, "ops") if memory.category != "experience"]
    known = served.ask(method, path.format(id=theirs), body)
    unknown = served.ask(method, path.format(id=UNKNOWN), body)
    assert known.status_code == unknown.status_code == 404
    assert known.text.replace(theirs, "ID") == unknown.text.replace(UNKNOWN, "ID")


def test_f55_anothers_job_is_answered_like_one_that_nobody_knows(served: Served) -> None:
    theirs = jobs_of_ops(served)[0]
    for method, path in (("GET", "/v1/jobs/{id}"), ("POST", "/v1/jobs/{id}/undo")):
        body = {} if method == "POST" else None
        known, unknown = (served.ask(method, path.format(id=id_), body) for id_ in (theirs, "d-none"))
        assert known.status_code == unknown.status_code == 404
        assert known.text.replace(theirs, "ID") == unknown.text.replace("d-none", "ID")


def test_f55_another_agent_is_answered_like_one_that_nobody_knows(served: Served) -> None:
    for method, path in (("GET", "/v1/memories?agent_id={}"), ("GET", "/v1/jobs?agent_id={}")):
        known, unknown = (served.ask(method, path.format(agent)) for agent in ("ops", "nobody"))
        assert (known.status_code, error_of(known)["code"]) == (404, "unknown_agent")
        assert known.text.replace("ops", "AGENT") == unknown.text.replace("nobody", "AGENT")
    for path in ("/v1/jobs/digest", "/v1/jobs/dream"):
        known, unknown = (served.post(path, {"agent_ids": [agent]}) for agent in ("ops", "nobody"))
        assert known.status_code == unknown.status_code == 404
        assert known.text.replace("ops", "AGENT") == unknown.text.replace("nobody", "AGENT")


def test_f55_its_own_and_what_is_shared_is_there_without_naming_the_agent(served: Served) -> None:
    found = served.post("/v1/recall", {"query": f"{OWN} {SHARED}"}).json()["results"]
    assert {memory["memory"] for memory in found} == {OWN, SHARED}
    listed = served.get("/v1/memories").json()["memories"]
    assert [memory["memory"] for memory in listed] == [OWN]
    assert [agent["agent_id"] for agent in served.get("/v1/agents").json()["agents"]] == ["dev"]
    assert [agent["agent_id"] for agent in served.get("/v1/status").json()["agents"]] == ["dev"]


def test_f55_what_is_shared_can_be_read_and_not_changed(served: Served) -> None:
    [shared] = [memory for memory in of(served, "ops") if memory.category == "experience"]
    path = f"/v1/memories/{shared.id}"
    assert served.get(path).json()["memory"] == SHARED
    for method, where, body in (
        ("PATCH", path, {"text": "taken over"}),
        ("DELETE", path, None),
        ("DELETE", f"{path}?purge=true", None),
        ("POST", f"{path}/restore", {}),
    ):
        assert served.ask(method, where, body).status_code == 404
    assert of(served, "ops").count(shared) == 1


def test_f55_a_job_begun_by_an_agents_token_is_of_that_agent(served: Served) -> None:
    served.world.append(DAY, "- Crate 7 came to depot 7.\n", agent="dev")
    begun = served.post("/v1/jobs/digest", {"final": True})
    job = served.world.app.job(begun.json()["job_id"])
    assert job["agent_ids"] == ["dev"]
