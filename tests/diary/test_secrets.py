"""Secrets go, look-alikes and the sentence around them stay."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.diary.secrets import redact

LETTERS = "JpNWgnImkaZDNbmdIRDGmSatWmUFEMlqdEHbxhbh"
JWT = "eyJhbGciOiJIUzI1NiJ9.PqSebZpgkDeAcWLgPBikJbwfSeqAoRsDyeQH.WNUsaBaLgZLBDewgCgupOMmktxCY"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nabc+/=\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        ("api_key", f"sk-test-{LETTERS}"),
        ("api_key", f"sk-ant-api03-{LETTERS}"),
        ("api_key", f"sk-proj-{LETTERS}"),
        ("api_key", f"sk-test-{LETTERS.lower()}"),
        ("api_key", f"sk-{LETTERS.lower()}"),
        ("api_key", "sk-test-" + "k" * 40),
        ("stripe_key", "sk_live_" + LETTERS[:24]),
        ("aws_key_id", "AKIAGKUXFSEPQZODSTRU"),
        ("github_token", f"ghp_{LETTERS[:36]}"),
        ("github_token", f"github_pat_{LETTERS}"),
        ("gitlab_token", "glpat-abcDEF123456ghiJKL78"),
        ("slack_token", "xoxb-1234567890-abcdefghij"),
        ("google_key", "AIza" + (LETTERS)[:35]),
        ("npm_token", "npm_" + LETTERS[:36]),
        ("huggingface_token", "hf_" + LETTERS[:34]),
        ("telegram_token", "123456789:AA" + LETTERS[:33]),
        ("jwt", JWT),
    ],
)
def test_keys_by_their_shape(kind, secret):
    assert redact(f"用这个 {secret} ,用完删") == f"用这个 [redacted:{kind}] ,用完删"
    assert secret not in redact(f'key="{secret}"')
    assert secret not in redact(secret)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postgres://u:p@h/db", "postgres://u:[redacted:dsn_password]@h/db"),
        ("mysql+pymysql://root:S3cr3t!@db:3306/x", "mysql+pymysql://root:[redacted:dsn_password]@db:3306/x"),
        ("redis://:hunter2@cache:6379/0", "redis://:[redacted:dsn_password]@cache:6379/0"),
        ("password=hunter2", "password=[redacted:password]"),
        ("DB_PASSWORD: 's3cr3t x'", "DB_PASSWORD: [redacted:password]"),
        ("密码:abc123,请改", "密码:[redacted:password],请改"),
        ("口令改为 x9-aa-22。", "口令改为 [redacted:password]。"),
        ("密码是hunter2吗", "密码是[redacted:password]吗"),
        ("the password is hunter2!", "the password is [redacted:password]"),
        ("Authorization: Bearer abcDEF123456789xyz", "Authorization: Bearer [redacted:bearer]"),
        ("api_key: 0123456789abcdef0123456789abcdef", "api_key: [redacted:secret]"),
        ('"client_secret": "aB3dE5fG7hJ9kL1m",', '"client_secret": [redacted:secret],'),
        ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG", "AWS_SECRET_ACCESS_KEY=[redacted:secret]"),
        ("- **Token:** `aB3dE5fG7hJ9kL1m`", "- **Token:** [redacted:secret]"),
        ("令牌:aB3dE5fG7hJ9kL1m 已撤销", "令牌:[redacted:secret] 已撤销"),
    ],
)
def test_values_by_their_name(text, expected):
    assert redact(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The Bearer of this letter, bearer tokens are refreshed hourly",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is live",
        "commit: 9fceb02d0ae598e95dc970b74767f19372d61af8",
        "id 123e4567-e89b-12d3-a456-426614174000",
        "sha256: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "修复提交是 7c41e9d,工单 ISSUE-482",
        "Redis 缓存前缀统一为 ls:v3:,cache key: user:1234:profile_v2",
        "All keys in Redis begin with tw:v2: and the older prefixes are gone",
        "primary key: order_id_2024_index",
        "token budget: 2000000 tokens",
        "session key: agent:dev:main",
        "密码是 bcrypt 存的",
        "the password is wrong",
        "password reset: done",
        "api_key: ${API_KEY}",
        "password: <your password>",
        "- **Key:** `/home/x/.cred/deepseek-api-key.txt`",
        "http://localhost:8080/a@b",
        "git@github.com:foo/bar.git and ssh://git@host:22/x",
        "skip sk-learn and task-123, risk-averse-strategy-for-everyone",
        "the gateway listens on port 8231",
        "monkey: 12 bananas",
    ],
)
def test_look_alikes_stay(text):
    assert redact(text) == text


def test_a_private_key_goes_and_the_lines_stay_where_they_are():
    assert redact(f"a\n{PEM}\nb") == "a\n[redacted:pem]\n\n\n\nb"
    indented = "- dev: key\n    " + PEM.replace("\n", "\n    ") + "\n- next"
    assert redact(indented) == "- dev: key\n    [redacted:pem]\n\n\n\n- next"


def test_a_private_key_without_its_end_goes_too():
    redacted = redact("-----BEGIN PRIVATE KEY-----\nMIIEAA\nQQ==\nthe next sentence is kept")
    assert "MIIEAA" not in redacted
    assert "the next sentence is kept" in redacted


def test_a_private_key_on_one_line_with_escaped_ends():
    assert "MIIEAA" not in redact(
        r'"key": "-----BEGIN PRIVATE KEY-----\nMIIEAA\n-----END PRIVATE KEY-----\n"'
    )


@given(st.text(alphabet=string.ascii_letters + string.digits, min_size=32, max_size=60), st.text(max_size=40))
def test_a_named_key_never_survives(value, around):
    if sum(any(sign in kind for sign in value) for kind in (string.ascii_lowercase, string.digits)) == 2:
        assert value not in redact(f"{around}\nsk-{value}A9\napi_key={value}\n{around}").replace(around, "")


@given(st.text(max_size=300))
def test_redacting_twice_changes_nothing_and_lines_stay(text):
    once = redact(text)
    assert redact(once) == once
    assert once.count("\n") == text.count("\n")


PARTS = """
password|=|: |-----BEGIN PRIVATE KEY-----|-----END PRIVATE KEY-----|abc123XYZ| |sk-|://|u:|@h|token|Bearer
|eyJhbGciOi|.|是|密码|"|`|İ|x y
"""
FRAGMENTS = st.lists(st.sampled_from([*PARTS.strip().split("|"), "\n"]), max_size=40).map("".join)


@given(FRAGMENTS)
def test_any_mix_of_secret_parts_keeps_its_lines(text):
    assert redact(text).count("\n") == text.count("\n")


@given(FRAGMENTS)
def test_redacting_comes_to_an_end(text):
    once = redact(text)
    assert redact(redact(once)) == redact(once)
