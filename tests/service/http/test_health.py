"""Whether the process is up, and whether it can be used: answered soon, whatever the parts do."""

import asyncio
import logging
import shutil
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import StorageError
from autodream.service.http import readiness
from autodream.service.http.readiness import Readiness, problems_of
from autodream.service.http.start_page import start_page_of
from autodream.service.service_file import PROOF, QUESTION, proof_of
from tests.service.http.serving import OPERATOR, Served, error_of, serving

LONG = 60.0


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/"])
def test_probes_may_ask_for_the_head_alone(served: Served, path: str) -> None:
    response = served.ask("HEAD", path)
    assert (response.status_code, response.content) == (200, b"")


def test_a_working_service_is_ready(served: Served) -> None:
    response = served.get("/health/ready")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert problems_of(served.world.parts) == []


@pytest.mark.parametrize(
    ("part", "broken"),
    [
        ("engine", "tests.support.memory_store.InMemoryStore.get"),
        ("embedder", "tests.support.embedders.CountingEmbedder.query"),
        ("state database", "autodream.journal.jobs.Jobs.page"),
    ],
)
@pytest.mark.parametrize("error", [StorageError("it is away; look"), RuntimeError("secret inside")])
def test_a_part_that_fails_is_named(
    served: Served, monkeypatch: pytest.MonkeyPatch, part: str, broken: str, error: Exception
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(broken, fail)
    response = served.get("/health/ready")
    assert response.status_code == 503
    message = error_of(response)["message"]
    assert message.startswith(f"{part}: ")
    assert "secret" not in message
    assert served.get("/health/live").status_code == 200


def test_a_full_disk_is_named_before_a_write_fails(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    full = shutil._ntuple_diskusage(total=2**40, used=2**40 - 2**20, free=2**20)
    monkeypatch.setattr(readiness.shutil, "disk_usage", lambda _: full)
    [(part, error)] = problems_of(served.world.parts)
    assert part == "disk"
    assert "1 MiB are free" in str(error)
    assert served.get("/health/ready").status_code == 503


@pytest.mark.parametrize("path", ["/health/live", "/health/ready"])
def test_a_probe_that_finds_nothing_wrong_is_no_news(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def levels(asked: str) -> list[int]:
        caplog.clear()
        served.get(asked)
        return [record.levelno for record in caplog.records if record.name == "autodream.requests"]

    caplog.set_level(logging.DEBUG)
    assert levels(path) == [logging.DEBUG]
    assert levels("/v1/jobs") == [logging.INFO]
    served.app.state.service.runner.drain(timedelta(0))
    assert levels("/health/ready") == [logging.INFO]


def test_a_closed_state_database_is_named(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        served.world.journal.database.run("DROP TABLE jobs")
        message = error_of(served.get("/health/ready"))["message"]
    assert "state database" in message


def test_who_has_no_token_learns_the_parts_names_only(
    guarded: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise StorageError("/home/somebody/data is full")

    monkeypatch.setattr(guarded.world.backend, "get", fail)
    assert error_of(guarded.as_(None).get("/health/ready"))["message"] == "engine: storage"
    assert (
        error_of(guarded.as_(OPERATOR).get("/health/ready"))["message"]
        == "engine: /home/somebody/data is full"
    )


def test_a_stopping_service_is_not_ready(served: Served) -> None:
    served.app.state.service.runner.drain(timedelta(0))
    response = served.get("/health/ready")
    assert (response.status_code, error_of(response)["code"]) == (503, "busy")


def test_a_part_that_hangs_is_answered_for_and_asked_once() -> None:
    go_on = threading.Event()
    asked: list[int] = []

    def look() -> list[Any]:
        asked.append(1)
        go_on.wait(LONG)
        return []

    async def probe() -> tuple[Any, Any]:
        hung = Readiness(look, patience=0.05)
        first = await asyncio.gather(*(hung.problems() for _ in range(5)))
        second = await hung.problems()
        go_on.set()
        patient = Readiness(look, patience=LONG)
        assert await patient.problems() == []
        return first, second

    first, second = asyncio.run(probe())
    assert [problems[0][0] for problems in [*first, second]] == ["parts"] * 6
    assert "no answer" in str(second[0][1])
    assert asked == [1, 1]


def test_an_answer_is_given_again_for_a_moment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def look() -> list[Any]:
        asked.append(1)
        return []

    async def probe(made: Readiness) -> None:
        for _ in range(3):
            assert await made.problems() == []

    asyncio.run(probe(Readiness(look)))
    assert asked == [1]
    monkeypatch.setattr(readiness, "_FRESH", -1.0)
    asyncio.run(probe(Readiness(look)))
    assert asked == [1] * 4


def test_the_start_page_loads_nothing_from_elsewhere(served: Served) -> None:
    page = served.get("/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http://" not in page.text.replace("http://localhost", "")
    assert "https://" not in page.text
    for link in ("/openapi.json", "/health/ready", "/metrics"):
        assert f'href="{link}"' in page.text
        assert served.get(link).status_code == 200


def test_the_example_of_the_start_page_asks_the_service_that_shows_it(served: Served) -> None:
    assert "curl -s 127.0.0.1:9999/v1/recall" in served.get("/", headers={"Host": "127.0.0.1:9999"}).text


def test_the_name_it_was_called_by_is_no_markup() -> None:
    assert "<b>" not in start_page_of("a<b>c")
    assert "curl -s localhost:8230/v1/recall" in start_page_of("")


def test_a_service_proves_which_one_it_is(tmp_path: Path) -> None:
    with serving(tmp_path, extra="of this start") as made:
        answer = made.get("/health/live", headers={QUESTION: "1b2c"})
        assert answer.headers[PROOF] == proof_of("of this start", "1b2c")
        assert PROOF not in made.get("/health/live").headers


def test_a_service_without_a_token_of_its_own_proves_nothing(served: Served) -> None:
    assert PROOF not in served.get("/health/live", headers={QUESTION: "1b2c"}).headers
