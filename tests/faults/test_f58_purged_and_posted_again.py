"""F58 · Forgotten is not gone: a captured text that is purged is in no file, and no retry brings its memory back."""

from pathlib import Path

from tests.support.world import World

MESSAGES = [{"role": "user", "content": "The quetzalcoatl mural hangs in hall 9."}]


def test_f58_a_purge_leaves_nothing_of_what_was_captured(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.app.write_diary("dev", messages=MESSAGES, event_id="e")
    world.digest(final=True)
    [memory] = world.memories()
    world.app.forget(memory.id, purge=True)
    assert world.app.write_diary("dev", messages=MESSAGES, event_id="e")["duplicate"]
    world.digest(final=True)
    assert world.everything() == []
    world.close()
    for path in world.settings.data_dir.rglob("*"):
        assert not path.is_file() or b"quetzalcoatl" not in path.read_bytes(), path
