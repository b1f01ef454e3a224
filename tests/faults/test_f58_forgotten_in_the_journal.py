"""F58, in journal and applier: what a user forgot or purged does not come back, and a purge is one."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from autodream.errors import StorageError
from autodream.models import Block
from autodream.reasoning.base import DayNote, DaySummary
from tests.support.bench import Bench
from tests.support.factories import add, change, make_block, make_evidence, make_memory, step

WORD = "aardvark"


def _everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


def _rich(bench: Bench) -> Block:
    """A story with the rare word in every table that can hold text; returns the block it came from."""
    text = f"the {WORD} gateway has port 8443"
    block = make_block(text)
    memory = make_memory(text, id="m", evidence=(make_evidence(quote=text, block=block.hash),))
    job_id = bench.seed(memory)
    journal, stamp = bench.journal, bench.clock.stamp()
    journal.blocks.observe("dev", "2026-04-10", [(block, ["line"])])
    journal.blocks.fail("dev", "2026-04-10", [block.hash], "tasks", f"bad answer to {text}", None, False)
    journal.operations.reject(job_id, "dev", "facts", f"{text} is not in the source", stamp)
    note = DayNote("2026-04-10", "preference", f"likes the {WORD}", f"{WORD}, always {WORD}")
    journal.memos.save_summary("dev", "2026-04-10", "print", "rules/1", DaySummary("2026-04-10", (note,)))
    other = make_memory("other")
    bench.seed(other)
    reason = f"says the same as: {text}"
    bench.run([change(step("absorb", other, replace(other, status="superseded", superseded_by="m"), reason))])
    return block


def test_f58_a_purged_text_is_nowhere_in_the_file(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "state.db")
    _rich(bench)
    assert WORD.encode() in _everything(tmp_path)
    memory = bench.store.memories["m"]
    bench.run([change(step("purge", memory, memory))], kind="purge")
    assert WORD.encode() not in _everything(tmp_path)
    assert "m" not in bench.store.memories
    story = bench.journal.operations.of_memory("m")
    assert [each.operation.op for each in story] == ["add", "purge"]
    bench.journal.close()
    assert WORD.encode() not in _everything(tmp_path)


def test_f58_a_scrub_by_hand_needs_only_a_vacuum(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "state.db")
    _rich(bench)
    bench.journal.scrub("m")
    bench.journal.scrub("never heard of")
    bench.journal.vacuum()
    assert WORD.encode() not in _everything(tmp_path)


def test_f58_other_stories_are_untouched_by_a_purge() -> None:
    bench = Bench()
    _rich(bench)
    kept = bench.journal.operations.of_job(bench.seed(make_memory("kept")))
    summary = DaySummary("2026-04-12", (DayNote("2026-04-12", "other", "t", "q"),))
    bench.journal.memos.save_summary("dev", "2026-04-12", "print", "rules/1", summary)
    memory = bench.store.memories["m"]
    bench.run([change(step("purge", memory, memory))], kind="purge")
    assert bench.journal.operations.of_job(kept[0].job_id) == kept
    assert bench.journal.memos.summary("dev", "2026-04-12", "print", "rules/1") == summary


def test_f58_a_forgotten_memory_does_not_come_back_by_reading_again() -> None:
    bench = Bench()
    memory = make_memory("a")
    bench.seed(memory)
    retired = replace(memory, status="retired", updated_at="later")
    bench.run([change(step("retire", memory, retired))], kind="forget")
    for kind in ("digest", "dream", "import"):
        _, applied = bench.run([add(replace(memory, created_at="now"))], kind=kind)  # type: ignore[arg-type]
        assert [why for _, why in applied.skipped] == ["forgotten"]
    assert bench.snapshot() == {memory.id: retired}


def test_f58_a_purged_memory_does_not_come_back_by_reading_again() -> None:
    bench = Bench()
    memory = make_memory("a")
    bench.seed(memory)
    bench.run([change(step("purge", memory, memory))], kind="purge")
    _, applied = bench.run([add(memory)])
    assert [why for _, why in applied.skipped] == ["forgotten"]
    assert bench.snapshot() == {}


def test_f58_a_user_may_bring_it_back() -> None:
    bench = Bench()
    memory, other = make_memory("a"), make_memory("b")
    bench.seed(memory, other)
    bench.run([change(step("retire", memory, replace(memory, status="retired")))], kind="forget")
    bench.run([change(step("purge", other, other))], kind="purge")
    again = [add(replace(each, created_at="now")) for each in (memory, other)]
    _, applied = bench.run(again, kind="add")
    assert len(applied.applied) == 2
    assert bench.active() == ["a", "b"]


def test_f58_what_an_undo_retired_may_be_read_anew_and_that_undone() -> None:
    bench = Bench()
    memory = make_memory("a")
    digest = bench.seed(memory)
    bench.undo(digest)
    retired = bench.snapshot()[memory.id]
    job_id, applied = bench.run([add(replace(memory, created_at="now"))])
    assert len(applied.applied) == 1
    assert bench.journal.operations.tally(job_id, "dev") == {("facts", "add"): 1}
    assert bench.active() == ["a"]
    bench.undo(job_id)
    assert bench.snapshot()[memory.id] == retired


def test_f58_a_forget_that_was_undone_and_done_again_counts() -> None:
    bench = Bench()
    memory = make_memory("a")
    bench.seed(memory)
    retired = replace(memory, status="retired", updated_at="later")
    forget, _ = bench.run([change(step("retire", memory, retired))], kind="forget")
    undone = bench.undo(forget)
    assert bench.active() == ["a"]
    bench.undo(str(undone["job_id"]))
    _, applied = bench.run([add(memory)])
    assert [why for _, why in applied.skipped] == ["forgotten"]


def test_f58_a_retired_memory_of_unknown_story_is_taken_as_forgotten() -> None:
    bench = Bench()
    memory = make_memory("a", status="retired")
    bench.store.memories[memory.id] = memory
    _, applied = bench.run([add(replace(memory, status="active"))])
    assert [why for _, why in applied.skipped] == ["forgotten"]


@pytest.mark.parametrize("point", ["erased", "closed", "scrubbed"])
def test_f58_a_purge_that_died_is_finished_to_the_last_byte(tmp_path: Path, point: str) -> None:
    bench = Bench(tmp_path / "state.db")
    _rich(bench)
    memory = bench.store.memories["m"]
    bench.crash(point, [change(step("purge", memory, memory))])
    bench.applier.recover()
    assert WORD.encode() not in _everything(tmp_path)
    assert "m" not in bench.store.memories


def test_f58_a_purge_is_not_called_done_before_its_texts_are_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    _rich(bench)
    memory = bench.store.memories["m"]

    def fail(*_: object) -> None:
        raise StorageError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(bench.journal, "scrub", fail)
        with pytest.raises(StorageError):
            bench.run([change(step("purge", memory, memory))], kind="purge")
    assert len(bench.journal.operations.pending()) == 1
    bench.applier.recover()
    assert bench.journal.operations.of_memory("m")[0].operation.after.text == ""


def test_f58_no_text_goes_to_the_log(caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    with caplog.at_level(logging.DEBUG):
        bench = Bench(tmp_path / "state.db")
        _rich(bench)
        memory = bench.store.memories["m"]
        bench.run([change(step("purge", memory, memory))], kind="purge")
    assert WORD not in caplog.text
