"""Replace secrets by ``[redacted:KIND]`` at every door: diary text, added memories, notes.

Look-alikes stay: the word Bearer in prose, commit hashes, UUIDs, ticket ids, checksums. The number of lines never
changes. Every pattern has bounded repeats, so the time is linear in the text; the literal triggers keep a text without
secrets nearly free.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["redact"]

_Replace = Callable[[re.Match[str]], str]

# A run of this many characters after a secret's prefix is a key and not a word that happens to begin so.
_B = r"(?<![A-Za-z0-9_-])"
_E = r"(?![A-Za-z0-9])"


@dataclass(frozen=True, slots=True)
class _Rule:
    """``triggers``: lower-case literals of which one must occur in the lower-cased text."""

    kind: str
    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    replace: _Replace | None = None


def _whole(kind: str, triggers: str, pattern: str) -> _Rule:
    return _Rule(kind, tuple(triggers.split()), re.compile(pattern))


def _pem(match: re.Match[str]) -> str:
    """Keep the line count: every line of the block but the first becomes empty."""
    return "[redacted:pem]" + "\n" * match.group().count("\n")


def _keep_groups(kind: str) -> _Replace:
    def replace(match: re.Match[str]) -> str:
        head, value, tail = match.group("head"), match.group("value"), match.group("tail") or ""
        return f"{head}[redacted:{kind}]{tail}" if _is_value(value) else match.group()

    return replace


_PLACEHOLDERS = re.compile(
    r"(?:\[redacted|<[^>]*>?|\$\{?[\w.]+|\{\{|%[sd]|\*+\Z|x{3,}\Z|\.{2,}|…|os\.environ|process\.env|getenv|env\.|none\b|null\b"
    r"|true\b|false\b|string\b|str\b|required\b|optional\b|missing\b|invalid\b|expired\b|changed\b|rotated\b|unset\b"
    r"|empty\b|yes\b|no\b|ok\b|the\b|a\b|an\b|is\b|was\b|not\b|in\b|for\b|to\b|and\b|or\b|on\b|of\b|has\b|tbd\b)",
    re.I,
)


def _is_value(value: str) -> bool:
    """Whether what follows ``password:`` can be a value and not a placeholder or prose."""
    bare = value.strip("\"'`“”‘’「」")
    return len(bare) >= 3 and not _PLACEHOLDERS.match(bare)


def _is_token(value: str) -> bool:
    """Whether a value looks drawn at random: no UUID, no plain word, mixed signs."""
    bare = value.strip("\"'`“”‘’")
    if not _is_value(value) or len(bare) < 12 or _HASH_LIKE.fullmatch(bare):
        return False
    kinds = sum(bool(re.search(kind, bare)) for kind in ("[a-z]", "[A-Z]", r"\d"))
    return (kinds >= 2 and bool(re.search(r"\d", bare))) or (kinds >= 2 and len(bare) >= 20)


_HASH_LIKE = re.compile(
    r"[0-9a-f]{7,12}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
)


def _random_value(kind: str) -> _Replace:
    def replace(match: re.Match[str]) -> str:
        head, value, tail = match.group("head"), match.group("value"), match.group("tail") or ""
        return f"{head}[redacted:{kind}]{tail}" if _is_token(value) else match.group()

    return replace


# \u4e00-\u9fff ends a value: Chinese prose follows without a space.
_VALUE = r"(?P<value>\"[^\"\n]{3,200}\"|'[^'\n]{3,200}'|`[^`\n]{3,200}`|[^\s\"'`,;,。;、)）\]}<>&\u4e00-\u9fff]{3,400})(?P<tail>)"
_ASSIGN = r"[ \t]{0,4}[\"'`*]{0,3}[ \t]{0,4}(?:=>|:=|[=:：]|是|为|改为|改成|换成)[ \t]{0,4}[*]{0,2}"

_PASSWORD_WORDS = (
    r"pass(?:word|wd|phrase|code)?|pwd|passwort|kennwort|senha|contraseña|mot de passe|пароль|パスワード"
    r"|密码|密碼|口令|密匙"
)
_RULES = (
    _Rule(
        "pem",
        ("-----begin",),
        re.compile(
            r"-----BEGIN ([A-Z0-9 ]{0,40}(?:PRIVATE KEY|CERTIFICATE|SECRET)[A-Z ]{0,20})-----"
            r"(?:[^-]|-(?!----)){0,20000}?(?:-----END [A-Z0-9 ]{0,60}-----|(?=\n[ \t]*\n[ \t]*[^\sA-Za-z0-9+/=]|\Z))"
        ),
        _pem,
    ),
    _whole(
        "jwt",
        "eyj",
        rf"{_B}eyJ[A-Za-z0-9_-]{{5,4000}}\.[A-Za-z0-9_-]{{4,8000}}(?:\.[A-Za-z0-9_-]{{0,8000}})?",
    ),
    _whole("anthropic_key", "sk-ant-", rf"{_B}sk-ant-[A-Za-z0-9_-]{{16,300}}"),
    _whole(
        "api_key", "sk- pk- rk-", rf"{_B}[spr]k-(?=[A-Za-z0-9_-]{{0,60}}[A-Z0-9])[A-Za-z0-9_-]{{20,300}}{_E}"
    ),
    _whole(
        "stripe_key", "k_live_ k_test_ whsec_", rf"{_B}(?:[spr]k_(?:live|test)|whsec)_[A-Za-z0-9]{{10,300}}"
    ),
    _whole("aws_key_id", "akia asia", rf"{_B}A(?:KIA|SIA)[A-Z0-9]{{16}}{_E}"),
    _whole(
        "github_token",
        "gh github_pat_",
        rf"{_B}(?:gh[pousr]_[A-Za-z0-9]{{16,300}}|github_pat_[A-Za-z0-9_]{{20,300}})",
    ),
    _whole("gitlab_token", "glpat- gldt- glrt-", rf"{_B}gl(?:pat|dt|rt)-[A-Za-z0-9_-]{{16,100}}"),
    _whole("slack_token", "xox xapp-", rf"{_B}(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{{10,300}}"),
    _whole(
        "slack_webhook", "hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{10,200}"
    ),
    _whole("google_key", "aiza ya29.", rf"{_B}(?:AIza[A-Za-z0-9_-]{{30,60}}|ya29\.[A-Za-z0-9_-]{{20,400}})"),
    _whole("npm_token", "npm_", rf"{_B}npm_[A-Za-z0-9]{{30,60}}{_E}"),
    _whole("pypi_token", "pypi-ag", rf"{_B}pypi-Ag[A-Za-z0-9_-]{{40,400}}"),
    _whole("huggingface_token", "hf_", rf"{_B}hf_[A-Za-z0-9]{{24,80}}{_E}"),
    _whole(
        "provider_key",
        "gsk_ xai- nvapi- r8_ dop_v1_ sg. shpat_ lin_api_ pplx- tvly- key- fc- sntr",
        rf"{_B}(?:gsk_[A-Za-z0-9]{{30,80}}|xai-[A-Za-z0-9]{{30,120}}|nvapi-[A-Za-z0-9_-]{{30,120}}|r8_[A-Za-z0-9]{{30,60}}"
        r"|dop_v1_[a-f0-9]{40,80}|SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{30,60}|shpat_[a-f0-9]{30,40}"
        r"|lin_api_[A-Za-z0-9]{30,60}|pplx-[A-Za-z0-9]{30,80}|tvly-[A-Za-z0-9-]{20,80}|key-[0-9a-f]{32}|fc-[0-9a-f]{32}"
        rf"|sntr[a-z]{{1,4}}_[A-Za-z0-9_=+/-]{{30,200}}){_E}",
    ),
    _whole("telegram_token", ":aa", rf"(?<!\d)\d{{8,10}}:AA[A-Za-z0-9_-]{{30,40}}{_E}"),
    _Rule(
        "dsn_password",
        ("://",),
        re.compile(
            r"(?P<head>[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s:/@'\"<>]{0,100}:)(?P<value>[^\s@'\"<>]{1,200})(?P<tail>@)(?=[^\s@]{1})"
        ),
        lambda match: (
            match.group()
            if _PLACEHOLDERS.match(match.group("value")) and not match.group("value").isalnum()
            else f"{match.group('head')}[redacted:dsn_password]{match.group('tail')}"
        ),
    ),
    _Rule(
        "bearer",
        ("bearer", "basic "),
        re.compile(
            r"(?P<head>\b(?:[Bb]earer|BEARER|Authorization: Basic)[ \t]{1,4})(?P<value>[A-Za-z0-9._~+/=-]{12,2000})(?P<tail>)"
        ),
        _random_value("bearer"),
    ),
    _Rule(
        "password",
        (
            "pass",
            "pwd",
            "kennwort",
            "senha",
            "contraseña",
            "пароль",
            "パスワード",
            "密码",
            "密碼",
            "口令",
            "密匙",
        ),
        re.compile(
            rf"(?P<head>(?<![A-Za-z])(?:[A-Za-z0-9]{{1,30}}[_-]){{0,3}}(?:{_PASSWORD_WORDS}){_ASSIGN}){_VALUE}",
            re.I,
        ),
        _keep_groups("password"),
    ),
    _Rule(
        "secret",
        ("secret", "token", "key", "credential", "密钥", "令牌", "凭证", "秘钥"),
        re.compile(
            r"(?P<head>(?<![A-Za-z0-9])(?:[A-Za-z0-9]{1,30}[_.-]){0,4}"
            r"(?:(?:client|app|api|access|auth|refresh|private|signing|encryption|secret|session|bot|master|service|account|deploy)?"
            r"[ _-]?(?:secret|token|key|credential)s?(?:[_-](?:id|key|value|base))?|密钥|令牌|凭证|秘钥)"
            rf"{_ASSIGN}){_VALUE}",
            re.I,
        ),
        _random_value("secret"),
    ),
)


def redact(text: str) -> str:
    """The text with every secret replaced; unchanged when there is none. Idempotent."""
    lowered = text.lower()
    for rule in _RULES:
        if any(trigger in lowered for trigger in rule.triggers):
            text = rule.pattern.sub(rule.replace or f"[redacted:{rule.kind}]", text)
    return text
