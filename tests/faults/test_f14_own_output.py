"""F14 · It eats its own output: what the product gives out is invisible when it comes back in a diary."""

from collections.abc import Callable
from pathlib import Path

import pytest

from autodream.diary.managed import wrap
from tests.support.scenes import bare, command_line, echo_world, shown_lines
from tests.support.world import World

DAY = "2026-04-11"
DIARY = """# 记录

- 网关的证书由小柯保管。
- The kiln of hall 2 runs at 910 degrees.
- ✅ Replaced the fan of rack 6.
"""
Call = Callable[..., tuple[int, str]]


@pytest.fixture(params=["echo", "rules"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    made = echo_world(tmp_path) if request.param == "echo" else World(tmp_path)
    made.write(DAY, DIARY)
    made.digest(final=True)
    return made


def context_of(world: World) -> str:
    """What is put before a prompt: recalled memories between the product's marks."""
    hits = world.app.recall("kiln 网关 rack", agent_id="dev")["results"]
    return wrap("\n".join(f"- {hit['memory']} ({hit['day']})" for hit in hits))


def test_f14_five_rounds_of_context_change_nothing(world: World) -> None:
    before = {memory.id: memory.text for memory in world.everything()}
    for number in range(5):
        world.append(DAY, f"\n{context_of(world)}\nLocker {number} belongs to hall {number + 3}.\n")
        world.digest(final=True)
    after = {memory.id: memory.text for memory in world.everything()}
    assert {id_: after[id_] for id_ in before} == before
    added = [text for id_, text in after.items() if id_ not in before]
    assert sorted(added) == [f"Locker {number} belongs to hall {number + 3}." for number in range(5)]


@pytest.mark.parametrize(
    "command",
    [
        ("recall", "kiln", "--agent", "dev"),
        ("recall", "kiln", "--agent", "dev", "--explain"),
        ("recall", "kiln", "--json"),
        ("list", "--agent", "dev"),
        ("list", "--agent", "dev", "--json"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("fenced", [False, True], ids=["pasted", "fenced"])
def test_f14_five_rounds_of_command_output_change_nothing(
    world: World,
    command: tuple[str, ...],
    fenced: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    call = command_line(world, monkeypatch, capsys)
    before = {memory.id: memory.text for memory in world.everything()}
    for number in range(5):
        code, out = call(*command)
        assert code == 0
        assert "kiln" in out
        pasted = f"```\n{out}```\n" if fenced else out
        world.append(DAY, f"\n$ autodream {' '.join(command)}\n{pasted}\nLocker {number} belongs to Vera.\n")
        world.digest(final=True)
    after = {memory.id: memory.text for memory in world.everything()}
    added = [text for id_, text in after.items() if id_ not in before]
    assert {id_: after[id_] for id_ in before} == before
    assert sum("kiln of hall 2" in text for text in after.values()) == 1
    assert [text for text in added if "autodream" not in text] == [
        text for text in added if text.startswith("Locker")
    ]
    assert sum(text.startswith("Locker") for text in added) == 5


@pytest.mark.parametrize("name", ["openclaw:dreaming:light", "openclaw:dreaming", "autodream:context"])
def test_f14_managed_blocks_of_other_tools_are_invisible_and_the_text_around_them_is_not(
    tmp_path: Path, name: str
) -> None:
    world = echo_world(tmp_path)
    block = f"<!-- {name}:start -->\n## Light\n- Candidate: the boss likes tea\n<!-- {name}:end -->"
    world.write(DAY, f"- Shelf 3 is full.\n{block}\n- Shelf 4 is empty.\n")
    world.digest()
    assert world.texts() == ["Shelf 3 is full.", "Shelf 4 is empty."]
    assert not any("tea" in line for line in shown_lines(world))


def test_f14_a_configured_block_is_invisible_too(tmp_path: Path) -> None:
    world = echo_world(tmp_path, ignore_blocks=("lifelog",))
    world.write(
        DAY, "<!-- lifelog:walks:start -->\n- 9,000 steps\n<!-- lifelog:walks:end -->\n- Shelf 4 is empty.\n"
    )
    world.digest()
    assert world.texts() == ["Shelf 4 is empty."]


def test_f14_nothing_comes_from_a_night_either(tmp_path: Path) -> None:
    """A night's insights recalled into the next days' diaries do not feed the next reflection."""
    world = World(tmp_path)
    for day in ("2026-04-12", "2026-04-14"):
        world.at(f"{day}T20:00:00+08:00").write(day, "- npm install timed out again in the kiosk build.\n")
        world.digest(final=True)
    world.at("2026-04-15T02:00:00+08:00").app.dream()
    insights = world.texts(categories=("reflection",))
    for day in range(15, 19):
        world.at(f"2026-04-{day}T20:00:00+08:00").write(
            f"2026-04-{day}", f"{context_of(world)}\n- Day {day}.\n"
        )
        world.digest(final=True)
        world.at(f"2026-04-{day + 1}T02:00:00+08:00").app.dream()
    assert world.texts(categories=("reflection",)) == insights
    assert all(bare(line) == line or "Day" in line or "npm" in line for line in shown_lines(world))
