"""F16, F17, F19 and the rest of ``awkward/``, through the product: nothing stops, nothing is rewritten."""

from autodream.diary.decode import decode
from autodream.diary.files import find_days
from autodream.diary.parse import parse_day
from autodream.diary.read import read_file

DATA = {
    "2026-04-11.md": b"\xef\xbb\xbf# d\r\n- the port is 8231\r\n",
    "2026-04-11-a.md": "- 发票模块由吴桐负责。\n".encode("gb18030"),
    "2026-04-11-b.md": b"ok\n\xff\xfe bad\n\n- the proxy restarts at 04:05\n",
}


def test_f16_good_text_is_read_and_bad_bytes_are_reported(tmp_path):
    (tmp_path / "memory").mkdir()
    for name, data in DATA.items():
        (tmp_path / "memory" / name).write_bytes(data)
    files = find_days(tmp_path, subfolders=False).days["2026-04-11"]
    parsed = parse_day("2026-04-11", [(file.path, decode(read_file(file).data)) for file in files])
    text = "\n".join(block.text for block in parsed.blocks)
    for wanted in ("- the port is 8231", "发票模块由吴桐负责", "- the proxy restarts at 04:05"):
        assert wanted in text
    assert {(warning.path, warning.code) for warning in parsed.warnings} == {
        ("memory/2026-04-11-a.md", "guessed_encoding"),
        ("memory/2026-04-11-b.md", "bad_bytes"),
    }
    assert {name: (tmp_path / "memory" / name).read_bytes() for name in DATA} == DATA
