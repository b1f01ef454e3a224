"""The operator's routes: doctor, reembed, migrate, export, import, backup."""

import asyncio
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import StorageError, UnknownAgentError
from autodream.service.http import streams
from autodream.service.http.pools import Pools
from autodream.service.http.streams import lines_of, streamed, tar_of
from tests.service.http.serving import FACT, OTHER, Served, error_of

NDJSON = "application/x-ndjson"


@pytest.fixture
def library(served: Served, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The library's methods behind these routes, scripted: each remembers what it was asked."""
    asked: dict[str, Any] = {}

    def export_memories(agent_id: str | None = None) -> Iterator[dict[str, Any]]:
        if agent_id == "nobody":
            raise UnknownAgentError("nobody knows it", field="agent")
        yield from ({"id": str(n), "memory": f"{FACT} {n} 端口", "agent_id": agent_id} for n in range(450))

    def import_memories(records: Any, *, agent_id: str | None = None) -> dict[str, Any]:
        asked["import"] = (list(records), agent_id)
        return {"status": "ok", "job_ids": ["i-1"], "added": 2, "known": 0, "rejected": []}

    def backup(folder: Path) -> dict[str, Any]:
        (folder / "engine").mkdir(parents=True)
        (folder / "state.db").write_bytes(b"s" * 1000)
        (folder / "engine" / "empty").write_bytes(b"")
        (folder / "engine" / "分段.bin").write_bytes(bytes(range(256)) * 3000)
        (folder / "link").symlink_to("/etc/hostname")
        asked["backup"] = folder
        return {}

    def migrate(to: str) -> dict[str, Any]:
        asked["migrate"] = to
        return {"memories": 2}

    for method in (export_memories, import_memories, backup, migrate):
        monkeypatch.setattr(served.world.app, method.__name__, method, raising=False)
    for name in ("doctor", "reembed"):
        monkeypatch.setattr(served.world.app, name, lambda name=name: {name: "done"}, raising=False)
    return asked


def test_short_answers_are_the_librarys(served: Served, library: dict[str, Any]) -> None:
    assert served.get("/v1/doctor").json() == {"doctor": "done"}
    assert served.post("/v1/reembed").json() == {"reembed": "done"}
    assert served.post("/v1/migrate", {"to": "http://qdrant:6333"}).json() == {"memories": 2}
    assert library["migrate"] == "http://qdrant:6333"


def test_an_export_is_one_record_a_line(served: Served, library: dict[str, Any]) -> None:
    response = served.get("/v1/export?agent_id=dev")
    assert response.headers["content-type"] == NDJSON
    lines = response.content.decode("utf-8").splitlines()
    assert len(lines) == 450
    assert json.loads(lines[449]) == {"id": "449", "memory": f"{FACT} 449 端口", "agent_id": "dev"}
    assert "端口" in lines[0]


def test_an_export_that_cannot_begin_has_its_own_status(served: Served, library: dict[str, Any]) -> None:
    response = served.get("/v1/export?agent_id=nobody")
    assert (response.status_code, error_of(response)["code"]) == (404, "unknown_agent")


def test_an_import_hands_on_the_records(served: Served, library: dict[str, Any]) -> None:
    body = b'{"id": "a", "memory": "x\xe2\x80\xa8y"}\r\n\n  {"id": "b", "memory": "\\ud800"}'
    response = served.raw("/v1/import?agent_id=dev", body, NDJSON)
    assert (response.status_code, response.json()["added"]) == (200, 2)
    # Half a character is for the import to reject with its line: the other records are good.
    assert library["import"] == ([{"id": "a", "memory": "x\u2028y"}, {"id": "b", "memory": "\ud800"}], "dev")


def test_an_empty_import_is_none(served: Served, library: dict[str, Any]) -> None:
    assert served.raw("/v1/import", b"", NDJSON).status_code == 200
    assert library["import"] == ([], None)


def test_a_backup_is_a_tar_of_plain_files(served: Served, library: dict[str, Any], tmp_path: Path) -> None:
    response = served.get("/v1/backup")
    assert response.headers["content-type"] == "application/x-tar"
    with tarfile.open(fileobj=io.BytesIO(response.content)) as archive:
        archive.extractall(tmp_path / "out", filter="data")
        names = archive.getnames()
    assert names == ["engine", "engine/empty", "engine/分段.bin", "state.db"]
    assert (tmp_path / "out/engine/分段.bin").read_bytes() == bytes(range(256)) * 3000
    assert (tmp_path / "out/engine/empty").read_bytes() == b""
    assert (tmp_path / "out/state.db").read_bytes() == b"s" * 1000
    assert not library["backup"].exists(), "the folder that the backup was made in was left"


def test_a_backup_that_fails_leaves_nothing(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    def backup(folder: Path) -> None:
        made.append(folder.parent)
        folder.mkdir()
        raise StorageError("the disk is full")

    monkeypatch.setattr(served.world.app, "backup", backup, raising=False)
    assert served.get("/v1/backup").status_code == 503
    assert not made[0].exists()


def test_a_file_that_became_shorter_breaks_the_tar_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1_000_000)
    monkeypatch.setattr(streams, "_PIECE", 10)
    pieces = tar_of(tmp_path)
    next(pieces)
    next(pieces)
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(OSError, match="shorter"):
        list(pieces)


def test_an_empty_folder_is_an_empty_tar(tmp_path: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(b"".join(tar_of(tmp_path)))) as archive:
        assert archive.getnames() == []


def test_records_become_lines_in_large_pieces() -> None:
    pieces = list(lines_of({"n": n} for n in range(401)))
    assert len(pieces) == 3
    assert b"".join(pieces).count(b"\n") == 401
    assert list(lines_of([])) == []


def test_what_a_stream_holds_open_is_closed_when_the_client_leaves() -> None:
    closed: list[str] = []

    def pieces() -> Iterator[bytes]:
        try:
            while True:
                yield b"x"
        finally:
            closed.append("closed")

    async def leave() -> None:
        response = await streamed(Pools().slow, pieces(), "text/plain")
        body = response.body_iterator
        assert await anext(body) == b"x"  # type: ignore[arg-type]
        assert closed == []
        await body.aclose()  # type: ignore[union-attr]

    asyncio.run(leave())
    assert closed == ["closed"]


def test_what_is_exported_is_what_the_library_exports(served: Served) -> None:
    for text in (FACT, OTHER):
        served.world.app.add(text, agent_id="dev")
    served.world.app.add(FACT, agent_id="ops")
    lines = served.get("/v1/export").content.splitlines()
    assert [json.loads(line) for line in lines] == json.loads(
        json.dumps(list(served.world.app.export_memories()))
    )
    assert len(lines) >= 3
