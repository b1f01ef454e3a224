"""F17 · Half a character: no lone surrogate leaves the reader, cuts fall between characters, blocks never fail."""

from pathlib import Path

import pytest

from autodream.errors import InputError
from tests.support.scenes import LlmWorld, echo_world, shown_lines

DAY = "2026-04-11"
FAMILY = "\N{MAN}\u200d\N{WOMAN}\u200d\N{GIRL}\u200d\N{BOY}"
TEXTS = {
    "flower at the limit": "x" * 2_399 + "\N{CHERRY BLOSSOM}" * 3,
    "families": FAMILY * 400,
    "han": "汉" * 5_000,
    "flags": "\N{REGIONAL INDICATOR SYMBOL LETTER D}\N{REGIONAL INDICATOR SYMBOL LETTER E}" * 1_500,
    "combined": "e\u0301" * 3_000,
    "hangul": "\u1112\u1161\u11ab" * 1_800,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_f17_pieces_are_whole_characters_and_make_the_text(tmp_path: Path, text: str) -> None:
    import regex

    world = echo_world(tmp_path)
    world.write(DAY, f"{text}\n")
    report = world.digest()
    assert report["status"] == "ok"
    pieces = shown_lines(world)
    assert "".join(pieces) == text
    whole = set(regex.findall(r"\X", text))
    for piece in pieces:
        assert set(regex.findall(r"\X", piece)) <= whole
    assert world.digest()["status"] == "nothing"


@pytest.mark.parametrize(
    "half", [b"\xed\xa0\xbc", b"\xed\xbc\xb8", b"\xf0\x9f\x8c"], ids=["high", "low", "cut"]
)
def test_f17_half_a_character_in_a_file_stops_nothing(tmp_path: Path, half: bytes) -> None:
    world = LlmWorld(tmp_path)
    world.write(DAY, b"- Buoy 4 drifted " + half + b" east.\n- Buoy 5 is moored.\n")
    report = world.digest()
    assert report["status"] == "ok"
    assert [warning["code"] for warning in world.entry(report)["warnings"]] == ["bad_bytes"]
    for request in world.requests:
        request.text.encode("utf-8")
    assert "Buoy 5 is moored." in world.texts()
    for memory in world.memories():
        memory.text.encode("utf-8")


def test_f17_half_a_character_from_a_caller_is_refused_or_replaced(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path)
    with pytest.raises(InputError):
        world.app.add("Buoy 4 \ud83c drifted", agent_id="dev")
    with pytest.raises(InputError):
        world.app.recall("Buoy \ud83c")
    world.app.write_diary("dev", text="Buoy 4 \ud83c drifted")
    world.digest(final=True)
    for path in (world.workspaces["dev"] / "memory").iterdir():
        path.read_bytes().decode("utf-8")
    assert any("drifted" in text for text in world.texts())
