"""New blocks to chunks."""

from collections.abc import Sequence

import pytest

from autodream.config import CHUNK_BYTES, CHUNK_TOKENS
from autodream.diary.chunk import Chunks, halve, is_identifying, line_hash, make_chunks
from autodream.diary.parse import parse_text
from autodream.models import Block, Chunk
from autodream.reasoning.tokens import estimate_tokens


def parse(text: str, path: str = "memory/2026-04-11.md") -> tuple[Block, ...]:
    return parse_text("2026-04-11", path, text)


def chunk(
    new: Sequence[Block], all_blocks: Sequence[Block] | None = None, known: Sequence[str] = ()
) -> Chunks:
    hashes = frozenset(map(line_hash, known))
    return make_chunks("dev", new, new if all_blocks is None else all_blocks, hashes)


def shown(made: Chunk, *roles: str) -> list[str]:
    return [line.text for line in made.lines if line.role in roles]


def size(made: Chunk) -> tuple[int, int]:
    text = "".join(f"{line.text}\n" for line in made.lines)
    return estimate_tokens(text), len(text.encode())


def test_small_sections_travel_together_under_their_headings():
    [made] = chunk(parse("# D\n## A\n- one is here\n- two is here\n## B\n- three is here\n")).chunks
    assert [line.text for line in made.lines] == [
        "# D",
        "## A",
        "- one is here",
        "- two is here",
        "## B",
        "- three is here",
    ]
    assert len(made.blocks) == 3
    assert (made.agent_id, made.day) == ("dev", "2026-04-11")


def test_files_never_share_a_chunk():
    blocks = [*parse("- one is here"), *parse("- two is here", "memory/2026-04-11-b.md")]
    assert [made.blocks[0].path for made in chunk(blocks).chunks] == [
        "memory/2026-04-11.md",
        "memory/2026-04-11-b.md",
    ]


def test_equal_blocks_are_shown_once():
    blocks = [*parse("- one is here"), *parse("- one is here", "memory/2026-04-11-copy.md")]
    [made] = chunk(blocks).chunks
    assert made.blocks[0].path == "memory/2026-04-11.md"


def test_times_of_blocks_are_given():
    [made] = chunk(parse("## 09:30\n- the gateway is up\n## Later\n- more\n")).chunks
    assert list(made.times.values()) == ["09:30"]


def test_a_known_line_is_context_and_the_changed_one_new():
    before = "### [09:00] Session dev:main\n- Boss: which port is it?\n- dev: the port is 8230\n"
    known = [line.text for block in parse(before) for line in block.lines]
    made = chunk(parse(before.replace("8230", "8231")), known=known)
    assert shown(made.chunks[0], "new") == ["- dev: the port is 8231"]
    assert shown(made.chunks[0], "context") == ["- Boss: which port is it?"]


def test_a_block_of_known_lines_only_is_familiar():
    blocks = parse("- the gateway is up\n  since 09:00 today\n")
    made = chunk(blocks, known=["- the gateway is up", "since 09:00 today"])
    assert (made.chunks, made.familiar) == ([], list(blocks))


def test_short_lines_are_not_recognised_alone():
    assert not is_identifying("- yes")
    assert not is_identifying("- Boss: thank you very much")
    assert is_identifying("改用端口 8231")
    [made] = chunk(parse("- Boss said\n  yes\n  and port 8231"), known=["yes"]).chunks
    assert shown(made, "new") == ["- Boss said", "  yes", "  and port 8231"]


def test_white_space_at_line_ends_changes_no_line():
    assert line_hash("- port 5602  ") == line_hash("- port 5602") == line_hash("  - port 5602\t")
    assert line_hash("- [ ] port") != line_hash("- [x] port")


def test_a_tiny_new_block_is_shown_with_the_one_before_it():
    blocks = parse("- The gateway runs on host m-07.\n- Its port is 8231.\n- x\n")
    [made] = chunk([blocks[1]], blocks).chunks
    assert shown(made, "context") == ["- The gateway runs on host m-07."]
    assert shown(made, "new") == ["- Its port is 8231."]


def test_context_never_crosses_a_section_and_is_small():
    blocks = parse("## A\n- before it\n## B\n- Its port is 8231.\n")
    assert shown(chunk([blocks[1]], blocks).chunks[0], "context") == []
    blocks = parse("- " + "long " * 60 + "\n- Its port is 8231.\n")
    assert shown(chunk([blocks[1]], blocks).chunks[0], "context") == []


def test_fences_are_context_and_lose_their_middle():
    listing = "\n".join(f"10.0.0.{number} GET /v1/ledger HTTP/1.1 200 {number * 17}" for number in range(80))
    [made] = chunk(parse(f"- the log of the hour is here\n```\n{listing}\n```\n")).chunks
    fence = shown(made, "fence")
    assert len(fence) == 10
    assert fence[6] == "… 73 lines left out …"
    assert shown(made, "new") == ["- the log of the hour is here"]


def test_a_fence_the_text_points_at_is_kept_longer():
    config = "\n".join(f"setting_{number} = value_{number}" for number in range(30))
    [made] = chunk(parse(f"- use this config:\n```\n{config}\n```\n")).chunks
    assert len(shown(made, "fence")) == 32


def test_a_fence_alone_asks_nothing():
    blocks = parse("## A\n```\nonly a log\n```\n")
    made = chunk(blocks)
    assert (made.chunks, made.familiar) == ([], list(blocks))


def test_a_fence_alone_is_context_of_its_neighbour():
    [made] = chunk(parse("## A\n```\nFAIL tests/test_ws.py\n```\n\n- fails on 3.13 only\n")).chunks
    assert shown(made, "fence")[1] == "FAIL tests/test_ws.py"


def test_a_huge_line_is_cut_into_chunks_of_the_same_block():
    text = "start alpha-17. " + "汉字 and words. " * 9_000 + " end omega-42."
    [block] = parse(text)
    made = chunk([block]).chunks
    assert len(made) > 10
    assert all(piece.blocks == (block,) for piece in made)
    assert "".join(line.text for piece in made for line in piece.lines) == text
    assert "alpha-17" in made[0].new_text
    assert "omega-42" in made[-1].new_text


def test_a_cut_table_repeats_its_header():
    rows = "\n".join(f"| service-{number} | {number} | running well |" for number in range(200))
    made = chunk(parse(f"# D\n| name | port | state |\n|---|---|---|\n{rows}\n")).chunks
    assert len(made) > 1
    for piece in made[1:]:
        assert shown(piece, "context") == ["| name | port | state |", "|---|---|---|"]


def test_limits_hold_under_deep_and_long_headings():
    headings = "\n".join(f"{'#' * level} {'深' * 400}" for level in range(1, 7))
    for made in chunk(parse(f"{headings}\n- {'汉字。' * 4000}\n")).chunks:
        tokens, octets = size(made)
        assert tokens <= CHUNK_TOKENS
        assert octets <= CHUNK_BYTES


def test_headings_are_repeated_in_every_chunk():
    bullets = "\n".join(f"- fact number {number} about the gateway and its port" for number in range(200))
    for made in chunk(parse(f"# Day\n## Gateway\n{bullets}\n")).chunks:
        assert shown(made, "heading") == ["# Day", "## Gateway"]


def test_halving_goes_by_blocks_then_by_lines():
    blocks = parse("## A\n- one is here\n- two is here\n## B\n- three is here\n- four is here\n")
    [made] = chunk(blocks).chunks
    first, second = halve(made)
    assert [len(first.blocks), len(second.blocks)] == [2, 2]
    assert shown(first, "new") + shown(second, "new") == shown(made, "new")
    assert shown(second, "heading") == ["## B"] or shown(second, "heading") == ["# B"]
    lone = halve(second)[1]
    assert (len(lone.blocks), shown(lone, "new")) == (1, ["- four is here"])
    assert shown(lone, "heading") != []


def test_halving_a_lone_block_goes_by_lines_and_ends():
    [made] = chunk(parse("one is here\ntwo is here\nthree is here")).chunks
    first, second = halve(made)
    assert shown(first, "new") + shown(second, "new") == shown(made, "new")
    assert halve(halve(first)[0]) == [halve(first)[0]]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 50])
def test_halving_reaches_single_blocks_without_losing_one(count):
    text = "\n".join(f"- fact number {number} is here" for number in range(count))
    open_, lone = list(chunk(parse(text)).chunks), []
    while open_:
        made = open_.pop()
        if len(made.blocks) == 1:
            lone.append(made.blocks[0].hash)
        else:
            open_ += halve(made)
    assert len(set(lone)) == count
