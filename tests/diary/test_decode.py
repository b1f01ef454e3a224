"""Bytes to text: encodings, torn ends, control characters."""

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.diary.decode import BINARY, decode, sanitise

CHINESE = "# 记录\n- 发票模块由吴桐负责,税率表放在服务器上。\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_decides(encoding):
    assert decode(CHINESE.encode(encoding)).text == CHINESE


def test_utf16_big_endian_by_its_mark():
    decoded = decode(b"\xfe\xff" + CHINESE.encode("utf-16-be"))
    assert (decoded.text, decoded.encoding) == (CHINESE, "utf-16-be")


def test_chinese_without_a_mark_is_guessed_and_said_so():
    decoded = decode(CHINESE.encode("gb18030"))
    assert (decoded.text, decoded.encoding, decoded.guessed) == (CHINESE, "gb18030", True)


def test_one_bad_byte_in_utf8_chinese_is_not_taken_for_gb18030():
    data = CHINESE.encode() + b"bad \xff byte\n"
    decoded = decode(data)
    assert decoded.encoding == "utf-8"
    assert decoded.bad_bytes == 1
    assert "吴桐" in decoded.text


@pytest.mark.parametrize("text", ["été à Paris, déjà vu, garçon\n", "Größe ändern für übermorgen\n"])
def test_latin1_never_becomes_chinese(text):
    decoded = decode(text.encode("latin-1"))
    assert not any("\u4e00" <= sign <= "\u9fff" for sign in decoded.text)
    assert decoded.bad_bytes > 0


def test_every_bad_byte_is_counted():
    decoded = decode(b"ok\n\xff\xfe bad\n")
    assert (decoded.text, decoded.bad_bytes) == ("ok\n\ufffd\ufffd bad\n", 2)


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_an_end_inside_a_character_is_torn_and_dropped(cut):
    data = "- 完成\U0001f338".encode()[:-cut]
    decoded = decode(data)
    assert decoded.torn
    assert (decoded.text, decoded.bad_bytes) == ("- 完成", 0)


def test_a_torn_end_in_other_encodings():
    assert decode("- 完成部署任务".encode("gb18030")[:-1]).torn
    assert decode(b"\xff\xfe" + "完成".encode("utf-16-le")[:-1]).torn
    half_pair = decode(b"\xff\xfe" + "a\U0001f338".encode("utf-16-le")[:-2])
    assert (half_pair.text, half_pair.torn) == ("a", True)


def test_line_ends_become_newlines():
    assert decode(b"a\r\nb\rc\n").text == "a\nb\nc\n"


def test_only_newlines_end_lines_afterwards():
    text = decode("a\x0bb\x0cc\x85d\u2028e\u2029f\n".encode()).text
    assert text == "a b c d e f\n"
    assert len(text.splitlines()) == 1


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x00b\x07c\x7f", "abc"),
        ("tab\tstays", "tab\tstays"),
        ("\ud83c alone", "\ufffd alone"),
        ("\ufeffmark inside", "mark inside"),
        ("family 👨‍👩‍👧 stays", "family 👨‍👩‍👧 stays"),
    ],
)
def test_control_characters_go_as_a_whole(dirty, clean):
    assert sanitise(dirty) == clean


@given(st.binary(max_size=400))
def test_no_bytes_raise_and_the_text_is_clean(data):
    text = decode(data).text
    assert text.encode("utf-8").decode("utf-8") == text
    assert "\r" not in text
    assert "\x00" not in text
    assert text.count("\n") == len(text.splitlines()) - (bool(text) and not text.endswith("\n"))


@given(st.text(max_size=200))
def test_clean_utf8_text_is_read_as_written(text):
    clean = sanitise(text)
    if not clean.startswith("\ufeff"):
        assert decode(clean.encode()).text == clean


@given(st.text(max_size=200))
def test_sanitise_is_idempotent_for_what_it_gives(text):
    once = sanitise(text)
    assert "\r" not in once
    assert sanitise(once).count("\n") == once.count("\n")


@pytest.mark.parametrize(
    "data",
    [
        random.Random(7).randbytes(3000),
        zlib.compress(random.Random(8).randbytes(3000)),
        b"\x7fELF\x02\x01\x01" + random.Random(9).randbytes(500) + bytes(4000),
        "Шлюз перезапущен, порт 8231 свободен.\n".encode("cp1251") * 5,
    ],
    ids=["random", "compressed", "program", "another code page"],
)
def test_what_is_no_text_gives_none(data):
    decoded = decode(data)
    assert (decoded.text, decoded.encoding) == ("", BINARY)
    assert decoded.bad_bytes > 0


@pytest.mark.parametrize(
    "data",
    [
        "Größe ändern für übermorgen, très tôt déjà\n".encode("latin-1") * 5,
        b"- the proxy restarts at 04:05\n" * 3 + b"\xff\xfe\xfd bad\n",
        b"- written before the power went\n" * 3 + bytes(20_000) + b"\xff",
        b"ok \xf9 ok",
    ],
    ids=["accents", "a bad line", "a tail of zeros", "short"],
)
def test_a_text_with_bad_bytes_stays_a_text(data):
    decoded = decode(data)
    assert decoded.encoding == "utf-8"
    assert decoded.bad_bytes > 0
    assert decoded.text.strip()
