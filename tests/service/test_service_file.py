"""service.json: what a command finds, and what a file left behind does not do."""

import json
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from autodream.errors import StorageError
from autodream.service import service_file
from autodream.service.service_file import (
    PROOF,
    QUESTION,
    Running,
    announce,
    differing,
    find,
    is_hidden,
    proof_of,
    withdraw,
)
from autodream.settings.load import load

OWN = os.getppid()  # a process that lives and is not this one


class _Health(BaseHTTPRequestHandler):
    status = 200
    token = "t"
    seen: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers.get("Authorization")))
        self.send_response(self.status)
        self.send_header("Content-Length", "0")
        if question := self.headers.get(QUESTION):
            self.send_header(PROOF, proof_of(self.token, question))
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


@pytest.fixture
def answering() -> Iterator[tuple[str, type[_Health]]]:
    """The URL of something that answers, and how it does."""
    handler = type("Health", (_Health,), {"seen": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", handler
    server.shutdown()
    server.server_close()
    thread.join()


def write(data_dir: Path, **changes: Any) -> None:
    whole = {"url": "http://127.0.0.1:1", "pid": OWN, "token": "t", "settings": {}}
    (data_dir / "service.json").write_text(json.dumps({**whole, **changes}), encoding="utf-8")


def test_a_service_that_answers_is_found(tmp_path: Path, answering: tuple[str, type[_Health]]) -> None:
    url, handler = answering
    write(tmp_path, url=url, settings={"user": {"value": "ana", "source": "x"}})
    found = find(tmp_path)
    assert found == Running(url, OWN, "t", {"user": {"value": "ana", "source": "x"}})
    assert handler.seen == [("/health/live", None)], "no token goes to whoever may listen there now"
    assert "'t'" not in repr(found)


def test_a_service_that_says_no_is_not_found(tmp_path: Path, answering: tuple[str, type[_Health]]) -> None:
    url, handler = answering
    handler.status = 503
    write(tmp_path, url=url)
    assert find(tmp_path) is None


def test_another_service_on_its_port_is_not_found(
    tmp_path: Path, answering: tuple[str, type[_Health]]
) -> None:
    """Process ids and ports come again, in containers with every start: it would take this one's memories."""
    url, handler = answering
    handler.token = "of another start"
    write(tmp_path, url=url)
    assert find(tmp_path) is None
    assert handler.seen == [("/health/live", None)]


@pytest.mark.parametrize("proof", ["", "0" * 64, "t", "\xe4"])
def test_no_proof_is_none(
    tmp_path: Path, answering: tuple[str, type[_Health]], monkeypatch: pytest.MonkeyPatch, proof: str
) -> None:
    write(tmp_path, url=answering[0])
    monkeypatch.setitem(_Health.do_GET.__globals__, "proof_of", lambda *_: proof)
    assert find(tmp_path) is None


def test_each_question_has_its_own_answer() -> None:
    assert proof_of("t", "a") not in (proof_of("t", "b"), proof_of("u", "a"), "t", "")


def test_a_dead_process_is_not_asked(tmp_path: Path, answering: tuple[str, type[_Health]]) -> None:
    """Its port may be somebody else's now."""
    url, handler = answering
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    write(tmp_path, url=url, pid=ended.pid)
    assert find(tmp_path) is None
    assert handler.seen == []


def test_a_process_never_finds_itself(tmp_path: Path, answering: tuple[str, type[_Health]]) -> None:
    write(tmp_path, url=answering[0], pid=os.getpid())
    assert find(tmp_path) is None


def test_nobody_listens_any_more(tmp_path: Path) -> None:
    write(tmp_path)
    assert find(tmp_path) is None


def test_one_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    monkeypatch.setattr(service_file, "_ANSWERS_WITHIN", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        write(tmp_path, url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert find(tmp_path) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "7",
        '{"url": "http://127.0.0.1:1"}',
        "\x00\x01",
        '{"url": "http://127.0.0.1:1", "pid": "many", "token": "t", "settings": {}}',
        '{"url": 7, "pid": 1, "token": "t", "settings": {}}',
        '{"url": "http://127.0.0.1:1", "pid": 1, "token": "t", "settings": []}',
        '{"url": "http://127.0.0.1:1", "pid": 1, "token": "t", "settings": {"now": 7}}',
        '{"url": "http://127.0.0.1:1", "pid": 1e999, "token": "t", "settings": {}}',
        f'{{"url": "http://127.0.0.1:1", "pid": {10**30}, "token": "t", "settings": {{}}}}',
        '{"url": "http://x.\\ud800", "pid": 1, "token": "t", "settings": {}}',
        pytest.param("[" * 100_000, id="nested too deeply"),
    ],
)
def test_a_damaged_file_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "service.json").write_text(text, encoding="utf-8")
    assert find(tmp_path) is None


@pytest.mark.parametrize(
    "url", ["", "nonsense", "http://", "http://127.0.0.1:port", "http://[::1", "http://a b"]
)
def test_a_damaged_address_is_none(tmp_path: Path, url: str) -> None:
    write(tmp_path, url=url)
    assert find(tmp_path) is None


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 1])
def test_a_pid_that_is_none_is_none(tmp_path: Path, pid: int, answering: tuple[str, type[_Health]]) -> None:
    write(tmp_path, url=answering[0], pid=pid)
    assert find(tmp_path) is None


def test_no_file_and_no_folder_are_none(tmp_path: Path) -> None:
    assert find(tmp_path) is None
    assert find(tmp_path / "nowhere") is None
    assert not is_hidden(tmp_path)


def test_it_is_written_for_its_owner_only_and_taken_away(tmp_path: Path) -> None:
    (tmp_path / "service.json").write_text("left behind, open to all", encoding="utf-8")
    (tmp_path / "service.json").chmod(0o644)
    (tmp_path / ".service.json.killed.tmp").write_text("half", encoding="utf-8")
    announce(tmp_path, Running("http://127.0.0.1:1", os.getpid(), "secret", {}))
    file = tmp_path / "service.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text("utf-8"))["token"] == "secret"
    withdraw(tmp_path)
    assert list(tmp_path.iterdir()) == []
    withdraw(tmp_path)


def test_another_services_file_stays(tmp_path: Path) -> None:
    write(tmp_path)
    withdraw(tmp_path)
    assert (tmp_path / "service.json").exists()


def test_a_folder_that_cannot_be_written_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"service\.json"):
        announce(tmp_path / "nowhere", Running("u", 1, "t", {}))


def test_a_file_of_another_user_is_known_but_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path)

    def refused(*_: Any, **__: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refused)
    monkeypatch.setattr(Path, "read_bytes", refused)
    assert is_hidden(tmp_path)
    assert find(tmp_path) is None


def settings(tmp_path: Path, **variables: str) -> Any:
    return load({}, {"TZ": "UTC", "AUTODREAM_DATA_DIR": str(tmp_path), **variables}, tmp_path)


@pytest.mark.parametrize(
    ("own", "others", "named"),
    [
        ({}, {}, []),
        ({"AUTODREAM_USER": "ana"}, {"AUTODREAM_USER": "ana"}, []),
        ({"AUTODREAM_USER": "ana"}, {}, ["AUTODREAM_USER"]),
        ({"AUTODREAM_USER": "boss"}, {}, []),  # the default, said aloud
        ({}, {"AUTODREAM_USER": "ana"}, []),  # nothing is asked for: the service's own is meant
        ({"AUTODREAM_NOW": "2026-01-01T00:00:00Z"}, {}, ["AUTODREAM_NOW"]),
        ({"AUTODREAM_EMBEDDER": "use"}, {}, ["AUTODREAM_EMBEDDER"]),
        ({"TZ": "Europe/Helsinki"}, {}, ["AUTODREAM_TIMEZONE"]),
        ({}, {"OPENAI_API_KEY": "k", "AUTODREAM_LLM_MODEL": "m"}, []),
        ({"AUTODREAM_LLM": "rules"}, {"OPENAI_API_KEY": "k", "AUTODREAM_LLM_MODEL": "m"}, ["AUTODREAM_LLM"]),
        ({"AUTODREAM_TOKEN": "a"}, {"AUTODREAM_TOKEN": "b"}, []),
        ({"AUTODREAM_DREAM_AT": "03:00", "AUTODREAM_DIGEST_EVERY": "15m"}, {}, ["AUTODREAM_DREAM_AT"]),
    ],
)
def test_only_what_was_given_here_and_is_other_there_is_named(
    tmp_path: Path, own: dict[str, str], others: dict[str, str], named: list[str]
) -> None:
    from autodream.settings.describe import describe

    there = Running("u", 1, "t", describe(settings(tmp_path, **others)))
    assert differing(there, settings(tmp_path, **own)) == named
