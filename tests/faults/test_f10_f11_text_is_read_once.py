"""F10 and F11 · The whole file again on each append, and offsets that drift: entries are read once."""

from pathlib import Path

import pytest

from autodream.config import CHUNK_BYTES
from autodream.diary import chunk as chunking
from autodream.diary.split import Limit
from autodream.errors import ModelUnavailableError
from autodream.models import Chunk
from autodream.reasoning.base import Extracted
from tests.support.scenes import LlmWorld, echo_world, new_lines, shown_lines

DAY = "2026-04-11"


def test_f10_each_entry_reaches_the_model_once(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path)
    names = ("Ada", "Bo", "Cy", "Dee", "Eli", "Flo", "Gus", "Hal")
    entries = [
        f"\n## {8 + n // 6:02}:{n % 6}5\n\nLocker {n * 7 + 11} of the north hall was handed over to "
        f"{names[n % 8]} this morning, together with badge {n * 13 + 204} and a copy of the house rules.\n"
        for n in range(20)
    ]
    path = world.write(DAY, "# Lockers\n")
    for entry in entries:
        world.append(DAY, entry)
        world.digest()
    shown = {"facts": "", "tasks": ""}
    for request in world.requests:
        pass_ = "tasks" if '"state"' in str(request.response_format).replace("'", '"') else "facts"
        shown[pass_] += "\n".join(request.user.split("\n")[1:])
    for text in shown.values():
        assert len(text) <= path.stat().st_size * 1.5 + 20 * 60  # the marks around each chunk
        assert all(text.count(f"Locker {n * 7 + 11} ") == 1 for n in range(20))
    assert len(world.memories()) == 20
    assert all(len(memory.evidence) == 1 for memory in world.memories())


def entry(number: int) -> str:
    head = f"### [{8 + number // 6:02}:{number % 6}5] Session dev:main"
    return f"{head}\n- dev: 第 {number} 条,端口 {9000 + number}  \n"


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_f11_trailing_space_and_blank_lines_move_nothing(tmp_path: Path, newline: str) -> None:
    world = echo_world(tmp_path)
    counts = []
    for upto in (10, 20, 30, 30, 30):
        text = "\n\n".join(entry(number) for number in range(1, upto + 1))
        world.write(DAY, text.replace("\n", newline))
        report = world.digest()
        counts.append(world.entry(report)["blocks_new"])
        calls = len(world.reasoner.asked)
    assert counts == [10, 10, 10, 0, 0]
    assert report["status"] == "nothing"
    assert report["llm"]["calls"] == 0
    whole = {f"- dev: 第 {number} 条,端口 {9000 + number}" for number in range(1, 31)}
    for pass_ in ("facts", "tasks"):
        lines = [line.strip() for line in shown_lines(world, pass_)]
        assert len(lines) == len(set(lines)) == 30
        assert set(lines) == whole
    world.digest()
    assert len(world.reasoner.asked) == calls
    assert all(new_lines(chunk) for _, chunk in world.reasoner.asked)


def test_f11_a_file_that_only_grows_blank_is_nothing_new(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    world.write(DAY, entry(1))
    world.digest()
    for addition in ("\n", "  \n\n", "\t\n", "\u3000\n"):
        world.append(DAY, addition)
        assert world.digest()["job_id"] is None
    assert len(world.memories()) == 1


@pytest.mark.parametrize(("before", "after"), [(300, 900), (900, 300)])
def test_f10_chunks_of_another_size_show_nothing_again_and_pass_over_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, after: int
) -> None:
    """A version that cuts chunks otherwise goes on where the earlier one stopped, in the middle of a day, too."""
    world = echo_world(tmp_path)
    echo = world.reasoner.on["facts"]

    def unavailable(chunk: Chunk) -> list[Extracted]:
        if "第 20 条" in chunk.new_text:
            raise ModelUnavailableError("it does not answer")
        return echo(chunk)

    world.write(DAY, "\n\n".join(entry(number) for number in range(1, 61)))
    world.reasoner.on["facts"] = unavailable
    monkeypatch.setattr(chunking, "_CHUNK", Limit(4 * before, CHUNK_BYTES))
    world.digest()
    read = {line for _, chunk in world.reasoner.asked for line in new_lines(chunk)}
    kept = world.texts()
    assert len(read) == 60
    assert 0 < len(kept) < 60
    world.reasoner.asked.clear()
    world.reasoner.on["facts"] = echo
    monkeypatch.setattr(chunking, "_CHUNK", Limit(4 * after, CHUNK_BYTES))
    world.digest()
    shown = {line for _, chunk in world.reasoner.asked for line in new_lines(chunk)}
    assert len(shown) + len(kept) == 60
    assert len(world.memories()) == len(set(world.texts())) == 60
    assert world.digest()["llm"]["calls"] == 0
    assert {line for _, chunk in world.reasoner.asked for line in new_lines(chunk)} == shown
