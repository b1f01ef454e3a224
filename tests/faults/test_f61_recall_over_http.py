"""F61 over HTTP: while a slow model keeps a night or a digest busy, recall and health answer from the same service."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from autodream.store.factory import open_store
from tests.service.http.serving import LONG
from tests.support.live_service import live_service
from tests.support.scenes import echo_world
from tests.support.world import World

ANSWERS_WITHIN = 30.0  # seconds; generous: what waited for the night would wait for ever


@pytest.fixture(params=["memory", "embedded"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    made = echo_world(tmp_path, **({"store": open_store} if request.param == "embedded" else {}))
    for day in (10, 12, 13):
        made.write(f"2026-04-{day}", f"- Crate {day}4 came to depot 7.\n")
    made.app.add("Imke keeps the keys of depot 7.", agent_id="dev", day="2026-04-01")
    yield made
    made.close()


def slow_down(world: World) -> tuple[threading.Event, threading.Event]:
    """A model that says when it thinks, and goes on when it may."""
    thinking, go_on = threading.Event(), threading.Event()
    inner = world.reasoner.on["facts"]

    def slow(*arguments: Any) -> Any:
        thinking.set()
        assert go_on.wait(LONG)
        return inner(*arguments)

    world.reasoner.on["facts"] = slow
    return thinking, go_on


@pytest.mark.parametrize("kind", ["digest", "dream"])
def test_f61_recall_and_health_answer_while_the_model_thinks(world: World, kind: str) -> None:
    thinking, go_on = slow_down(world)
    world.at("2026-04-18T02:00:00+08:00")
    with (
        live_service(world) as url,
        httpx.Client(base_url=url, timeout=ANSWERS_WITHIN, trust_env=False) as client,
    ):
        try:
            job_id = client.post(f"/v1/jobs/{kind}", json={}).json()["job_id"]
            assert thinking.wait(LONG)
            with ThreadPoolExecutor(8) as pool:
                statuses = list(pool.map(lambda n: ask(client, n), range(20)))
            assert statuses == [[200, 200, 200, 200]] * 20
            assert client.get(f"/v1/jobs/{job_id}").json()["status"] == "running"
        finally:
            go_on.set()
        while client.get(f"/v1/jobs/{job_id}?operations=false").json()["status"] == "running":
            pass
        assert client.get(f"/v1/jobs/{job_id}").json()["status"] == "ok"


def ask(client: httpx.Client, n: int) -> list[int]:
    query = {"query": f"keys of depot 7, asked {n} times", "agent_id": "dev"}
    return [
        client.post("/v1/recall", json=query).status_code,
        client.get("/health/live").status_code,
        client.get("/health/ready").status_code,
        client.get("/v1/memories", params={"agent_id": "dev"}).status_code,
    ]


def test_f61_a_write_that_waits_for_a_busy_agent_keeps_nobody_else_waiting(world: World) -> None:
    """Forty adds wait for the lease of an agent whose digest thinks; another agent's recall does not."""
    thinking, go_on = slow_down(world)
    with (
        live_service(world) as url,
        httpx.Client(
            base_url=url,
            timeout=ANSWERS_WITHIN,
            trust_env=False,
            limits=httpx.Limits(max_connections=None),
        ) as client,
        ThreadPoolExecutor(40) as pool,
    ):
        client.post("/v1/jobs/digest", json={"final": True, "all": True})
        try:
            assert thinking.wait(LONG)
            bodies = [{"text": f"Hall {n} is closed.", "agent_id": "dev"} for n in range(40)]
            writes = [pool.submit(client.post, "/v1/memories", json=body) for body in bodies]
            assert ask(client, 0) == [200, 200, 200, 200]
            assert not any(write.done() for write in writes)
        finally:
            go_on.set()
        assert {write.result(LONG).status_code for write in writes} == {201}
