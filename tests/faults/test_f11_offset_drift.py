"""F11: blocks are known by their text, so blank lines and trailing space never re-send a bit of the tail."""

from autodream.diary.chunk import line_hash, make_chunks
from autodream.diary.parse import parse_text


def diary(count: int) -> str:
    entries = (
        f"### [10:{number:02d}] Session dev:main\n- dev: 第 {number} 条,端口 {9000 + number}  \n\n\n"
        for number in range(1, count + 1)
    )
    return "".join(entries)


def test_f11_each_entry_is_new_once_and_whole():
    known: set[str] = set()
    lines: set[str] = set()
    new_counts = []
    for count in (10, 20, 30, 30, 30):
        blocks = parse_text("2026-04-11", "memory/2026-04-11.md", diary(count))
        new = [block for block in blocks if block.hash not in known]
        new_counts.append(len(new))
        for made in make_chunks("dev", new, blocks, frozenset(lines)).chunks:
            for line in made.lines:
                assert line.role == "heading" or line.text.startswith("- dev: 第 ")
        known |= {block.hash for block in blocks}
        lines |= {line_hash(line.text) for block in blocks for line in block.lines}
    assert new_counts == [10, 10, 10, 0, 0]
