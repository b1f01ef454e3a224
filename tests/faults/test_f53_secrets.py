"""F53: secrets are gone before anything else sees the text; look-alikes and the sentence around stay."""

import pytest

from autodream.diary.chunk import make_chunks
from autodream.diary.parse import parse_text

LETTERS = "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOpAsDf"
SECRETS = {
    "key": f"sk-test-{LETTERS}",
    "aws": "AKIA" + "QZODSTRUGKUXFSEP",
    "jwt": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9",
    "pem": "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
    "dsn": "not-a-real-pw-9",
    "password": "hunter2-and-more",
}
TEXT = f"""# 2026-04-11
### [10:00] Session dev:main
- Boss: 临时 key 用这个 {SECRETS["key"]} ,用完删,端口 8231 不变
- dev: the id {SECRETS["aws"]} was rotated on 12 April
- Boss: 误贴的 {SECRETS["jwt"]} 已撤销
- dev: here it is
-----BEGIN PRIVATE KEY-----
{SECRETS["pem"]}
-----END PRIVATE KEY-----
- dev: postgres://svc:{SECRETS["dsn"]}@db.internal:5432/ledger is the DSN
- Boss: password={SECRETS["password"]} for the sandbox
- dev: Bearer is the word, commit 9fceb02d0ae598e95dc970b74767f19372d61af8
- dev: its id is 123e4567-e89b-12d3-a456-426614174000
```
export OPENAI_API_KEY={SECRETS["key"]}
```
"""


def everything() -> str:
    blocks = parse_text("2026-04-11", "m.md", TEXT)
    made = make_chunks("dev", blocks, blocks)
    return repr((blocks, made))


@pytest.mark.parametrize("name", SECRETS)
def test_f53_no_secret_is_in_blocks_or_chunks(name):
    assert SECRETS[name] not in everything()


@pytest.mark.parametrize(
    "kept",
    [
        "端口 8231 不变",
        "was rotated on 12 April",
        "已撤销",
        "postgres://svc:",
        "@db.internal:5432/ledger is the DSN",
        "for the sandbox",
        "Bearer is the word",
        "9fceb02d0ae598e95dc970b74767f19372d61af8",
        "123e4567-e89b-12d3-a456-426614174000",
    ],
)
def test_f53_what_stands_around_is_kept(kept):
    assert kept in everything()


def test_f53_line_numbers_do_not_move():
    [block] = parse_text("2026-04-11", "m.md", TEXT)
    assert next(line.no for line in block.lines if "is the DSN" in line.text) == 10
