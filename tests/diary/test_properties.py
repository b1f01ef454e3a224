"""What holds for any diary: every line once, every edit shown, every limit kept."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from autodream.config import CHUNK_BYTES, CHUNK_TOKENS
from autodream.diary.chunk import halve, is_identifying, line_hash, make_chunks, without_silent
from autodream.diary.decode import Decoded, decode
from autodream.diary.lines import heading, is_rule
from autodream.diary.noise import is_noise
from autodream.diary.parse import parse_day, parse_text
from autodream.diary.secrets import redact
from autodream.models import Chunk
from autodream.reasoning.tokens import estimate_tokens
from autodream.text import normalise

PATH = "memory/2026-04-11.md"
DAY = "2026-04-11"

SAID = "gateway port 8231 deployed 网关 端口改为 完成 Ana 12 秒 v4.2 the is not 不要 ✅ 👨‍👩‍👧 7c41e9d"
WORDS = st.sampled_from(SAID.split(" "))
SENTENCE = st.lists(WORDS, min_size=4, max_size=14).map(" ".join)
LINE = st.one_of(
    SENTENCE,
    SENTENCE.map(lambda text: f"- {text}"),
    SENTENCE.map(lambda text: f"  - {text}"),
    SENTENCE.map(lambda text: f"> {text}"),
    SENTENCE.map(lambda text: f"| {text} | x |"),
    SENTENCE.map(lambda text: f"- Boss: {text}"),
    st.sampled_from(
        ["", "", "## 10:00", "# Day", "### [09:00] Session dev:main", "---", "```", "```text", "**Notes**"]
    ),
    st.sampled_from(
        ["# Session: 1", "user: please look at it", "assistant: it is done", "OK", "HEARTBEAT_OK"]
    ),
)
DIARY = st.lists(LINE, max_size=40).map(lambda lines: "".join(f"{line}\n" for line in lines))


def size(made: Chunk) -> tuple[int, int]:
    text = "".join(f"{line.text}\n" for line in made.lines)
    return estimate_tokens(text), len(text.encode())


@given(DIARY)
def test_no_line_is_in_two_blocks_and_their_order_is_the_files(text):
    numbers = [line.no for block in parse_text(DAY, PATH, text) for line in block.lines]
    assert numbers == sorted(set(numbers))


@given(st.lists(st.one_of(SENTENCE, SENTENCE.map(lambda text: f"- {text}"), st.just("")), max_size=40))
def test_every_line_that_says_something_is_in_a_block(lines):
    found = {line.no: line.text for block in parse_text(DAY, PATH, "\n".join(lines)) for line in block.lines}
    said = {no: line for no, line in enumerate(lines, 1) if line.strip() and not is_noise(line)}
    assert {no: text.strip() for no, text in found.items()} == {no: text.strip() for no, text in said.items()}


@given(DIARY)
def test_lines_that_are_missing_are_headings_rules_or_noise(text):
    present = {line.no for block in parse_text(DAY, PATH, text) for line in block.lines}
    for number, line in enumerate(text.split("\n"), 1):
        if number not in present and line.strip() and "# Session" not in text and "```" not in text:
            if line.startswith("<!--"):
                continue
            assert heading(line) or is_rule(line) or is_noise(line, talk=True) or line == "**Notes**"


@given(DIARY)
def test_text_of_a_block_is_the_redacted_text_of_its_lines(text):
    lines = redact(text).split("\n")
    for block in parse_text(DAY, PATH, text):
        assert all(line.text in lines[line.no - 1] for line in block.lines)


@given(DIARY, DIARY)
def test_a_hash_depends_on_text_alone(text, before):
    alone = parse_text(DAY, PATH, "- the same line 8231\n")[0]
    inside = parse_text(
        DAY, "memory/other.md", f"{before}\n# End\n\n- the same line 8231  \r\n".replace("\r", "")
    )
    assert alone.hash in {block.hash for block in inside} or "# Session" in before or "```" in before


@settings(max_examples=60)
@given(st.lists(DIARY, min_size=1, max_size=5))
def test_over_any_edits_each_new_line_is_shown_as_new_once(versions):
    blocks: set[str] = set()
    lines: set[str] = set()
    shown: Counter[str] = Counter()
    for text in versions:
        parsed = parse_text(DAY, PATH, text)
        new = [block for block in parsed if block.hash not in blocks]
        for made in make_chunks("dev", new, parsed, frozenset(lines)).chunks:
            round_ = {normalise(line.text) for line in made.lines if line.role == "new"}
            assert not {line for line in round_ if is_identifying(line) and line_hash(line) in lines}
            shown.update(round_)
        blocks |= {block.hash for block in parsed}
        lines |= {line_hash(line.text) for block in parsed for line in block.lines if not line.fenced}
        said = {
            normalise(line.text)
            for block in parsed
            for line in block.lines
            if not line.fenced and is_identifying(line.text)
        }
        assert all(shown[line] for line in said)


@settings(max_examples=60)
@given(
    st.lists(st.one_of(LINE, st.text(max_size=3000), st.integers(1, 9000).map("汉字。".__mul__)), max_size=12)
)
def test_limits_hold_for_every_chunk_and_every_half(lines):
    blocks = parse_text(DAY, PATH, "\n".join(lines))
    for made in make_chunks("dev", blocks, blocks).chunks:
        for piece in (made, *halve(made)):
            tokens, octets = size(piece)
            assert tokens <= CHUNK_TOKENS
            assert octets <= CHUNK_BYTES
        assert made.new_text.strip()
        assert any(half.new_text.strip() for half in halve(made))
        speaking = without_silent(halve(made), [])
        assert all(half.new_text.strip() for half in speaking.chunks)
        covered = {b.hash for half in speaking.chunks for b in half.blocks} | {
            b.hash for b in speaking.familiar
        }
        assert covered == {block.hash for block in made.blocks}


@settings(max_examples=60)
@given(st.lists(st.text(alphabet="ab 汉。.\n- 🌸", max_size=6000), max_size=3).map("\n\n".join))
def test_the_pieces_of_a_block_joined_are_the_block(text):
    blocks = parse_text(DAY, PATH, text)
    rebuilt: dict[tuple[str, int], str] = {}
    for made in make_chunks("dev", blocks, blocks).chunks:
        for line in made.lines:
            if line.role == "new":
                key = line.block, line.offset
                rebuilt[key] = rebuilt.get(key, "") + line.text
    once = {block.hash: block for block in reversed(blocks)}
    wanted = {
        (key, line.no - block.line_start): line.text for key, block in once.items() for line in block.lines
    }
    assert rebuilt == wanted


@given(st.binary(max_size=600))
def test_no_bytes_raise(data):
    parsed = parse_day(DAY, [(PATH, decode(data))])
    made = make_chunks("dev", parsed.blocks, parsed.blocks)
    for piece in made.chunks:
        assert "\x00" not in piece.new_text
        assert piece.new_text.encode("utf-8")


@given(st.text(max_size=400), st.booleans())
def test_an_unfinished_last_line_is_the_only_difference(text, final):
    decoded = decode(text.encode("utf-8", "replace"))
    waiting = parse_day(DAY, [(PATH, decoded)])
    whole = parse_day(DAY, [(PATH, decoded)], keep_tail={PATH})
    last = decoded.text.count("\n") + 1
    read = [line for block in waiting.blocks for line in block.lines]
    assert read == [
        line for block in whole.blocks for line in block.lines if line.no != last or not waiting.open_tail
    ]
    assert whole == parse_day(DAY, [(PATH, decoded)], final=True)


@given(DIARY)
def test_reading_twice_gives_the_same(text):
    assert parse_text(DAY, PATH, text) == parse_text(DAY, PATH, text)


def test_twenty_thousand_entries_are_read():
    text = "".join(f"- entry {number} of the gateway\n" for number in range(20_000))
    parsed = parse_day(DAY, [(PATH, Decoded(text, "utf-8"))])
    assert len(parsed.blocks) == 20_000
    assert parsed.blocks[-1].line_end == 20_000
