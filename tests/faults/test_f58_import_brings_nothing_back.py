"""F58: what was erased for good is in no file again after an import of a file that holds it."""

from pathlib import Path

from autodream.store.factory import open_store
from tests.support.world import World


def hits(folder: Path, word: bytes) -> list[str]:
    return [str(path) for path in folder.rglob("*") if path.is_file() and word in path.read_bytes()]


def test_f58_an_import_does_not_bring_back_what_was_purged(tmp_path: Path) -> None:
    world = World(tmp_path, store=open_store)
    try:
        id_ = world.app.add("The safe opens with zwiebelkuchen.", agent_id="dev")["id"]
        lines = list(world.app.export_memories())
        world.app.forget(id_, purge=True)
        other = {
            **lines[0],
            "id": "0b6f2c1e-8f5e-5d0a-9a3c-2f0d5c7b1a44",
            "memory": "The build runs at night.",
        }

        report = world.app.import_memories([*lines, other])

        assert (report["added"], report["forgotten"], report["rejected"]) == (1, 1, [])
        assert [memory.id for memory in world.everything()] == [other["id"]]
        assert hits(world.settings.data_dir, b"zwiebelkuchen") == []
        world.app.backup(tmp_path / "backup")
        assert hits(tmp_path / "backup", b"zwiebelkuchen") == []
    finally:
        world.close()


def test_f58_a_rejected_line_is_in_no_file(tmp_path: Path) -> None:
    world = World(tmp_path, store=open_store)
    try:
        world.app.add("The build runs at night.", agent_id="dev")
        [line] = list(world.app.export_memories())
        bad = {
            **line,
            "id": "0b6f2c1e-8f5e-5d0a-9a3c-2f0d5c7b1a44",
            "memory": "zwiebelkuchen",
            "day": "never",
        }
        assert world.app.import_memories([bad, {"memory": "zwiebelkuchen"}])["added"] == 0
        assert hits(world.settings.data_dir, b"zwiebelkuchen") == []
    finally:
        world.close()
