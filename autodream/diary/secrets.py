"""Replace secrets by ``[redacted:KIND]`` at every door: diary text, added memories, notes.

Look-alikes stay: the word Bearer in prose, commit hashes, UUIDs, ticket ids, checksums. The number of lines
never changes. Every pattern has bounded repeats, so the time is linear in the text; the literal triggers keep
a text without secrets nearly free.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["redact"]


@dataclass(frozen=True, slots=True)
class _Rule:
    """``triggers``: lower-case literals of which one must occur in the lower-cased text."""

    triggers: tuple[str, ...]
    pattern: re.Pattern[str]
    replace: str | Callable[[re.Match[str]], str]


def redact(text: str) -> str:
    """The text with every secret replaced; unchanged when there is none. Idempotent."""
    lowered = text.lower()
    for rule in _RULES:
        if any(trigger in lowered for trigger in rule.triggers):
            text, lowered = _apply(rule, text, lowered)
    return text


def _apply(rule: _Rule, text: str, lowered: str) -> tuple[str, str]:
    """Apply a rule to the lines that hold one of its triggers; both forms of the text afterwards."""
    if len(lowered) != len(text) or rule.pattern is _PEM:
        changed = rule.pattern.sub(rule.replace, text)
    else:
        parts, done = [], 0
        for start, end in _trigger_lines(lowered, rule.triggers):
            parts += [text[done:start], rule.pattern.sub(rule.replace, text[start:end])]
            done = end
        changed = "".join([*parts, text[done:]])
    return (text, lowered) if changed == text else (changed, changed.lower())


def _trigger_lines(lowered: str, triggers: tuple[str, ...]) -> list[tuple[int, int]]:
    """Start and end of every line that holds a trigger, in order."""
    lines = set()
    for trigger in triggers:
        place = lowered.find(trigger)
        while place >= 0:
            end = lowered.find("\n", place)
            end = len(lowered) if end < 0 else end
            lines.add((lowered.rfind("\n", 0, place) + 1, end))
            place = lowered.find(trigger, end)
    return sorted(lines)


# -- keys that are known by their own shape

# Behind a letter or digit a prefix is the middle of a word; before one the key is longer than its kind.
_BEGIN = r"(?<![A-Za-z0-9_-])"
_END = r"(?![A-Za-z0-9])"


def _shape(kind: str, triggers: str, pattern: str) -> _Rule:
    return _Rule(tuple(triggers.split()), re.compile(f"{_BEGIN}(?:{pattern})"), f"[redacted:{kind}]")


_SHAPES = (
    _shape("jwt", "eyj", r"eyJ[\w-]{5,4000}\.[\w-]{4,8000}(?:\.[\w-]{0,8000})?"),
    _shape("api_key", "sk- pk- rk-", rf"[spr]k-(?=[\w-]{{0,60}}[A-Z0-9])[\w-]{{20,300}}{_END}"),
    # Lower case alone is words with hyphens, unless more letters run on than any word has.
    _shape("api_key", "sk- pk- rk-", rf"[spr]k-(?:[a-z]{{2,12}}-){{0,3}}[a-z]{{24,300}}{_END}"),
    _shape("stripe_key", "k_live_ k_test_ whsec_", r"(?:[spr]k_(?:live|test)|whsec)_[A-Za-z0-9]{10,300}"),
    _shape("aws_key_id", "akia asia", rf"A(?:KIA|SIA)[A-Z0-9]{{16}}{_END}"),
    _shape("github_token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{16,300}"),
    _shape("github_token", "github_pat_", r"github_pat_\w{20,300}"),
    _shape("gitlab_token", "glpat- gldt- glrt-", r"gl(?:pat|dt|rt)-[\w-]{16,100}"),
    _shape("slack_token", "xox xapp-", r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,300}"),
    _shape("google_key", "aiza ya29.", r"AIza[\w-]{30,60}|ya29\.[\w-]{20,400}"),
    _shape("npm_token", "npm_", rf"npm_[A-Za-z0-9]{{30,60}}{_END}"),
    _shape("pypi_token", "pypi-ag", r"pypi-Ag[\w-]{40,400}"),
    _shape("huggingface_token", "hf_", rf"hf_[A-Za-z0-9]{{24,80}}{_END}"),
    _shape("api_key", "gsk_ pplx- xai- nvapi- tvly-", r"(?:gsk_|pplx-|xai-|nvapi-|tvly-)[\w-]{24,150}"),
    _shape("api_key", "r8_ lin_api_ shpat_ dop_v1_", r"(?:r8_|lin_api_|shpat_|dop_v1_)[A-Za-z0-9]{30,80}"),
    _shape("sendgrid_key", "sg.", r"SG\.[\w-]{16,40}\.[\w-]{30,60}"),
    _shape("telegram_token", ":aa", rf"\d{{8,10}}:AA[\w-]{{30,40}}{_END}"),
)
_WEBHOOK = re.compile(r"(?<=hooks\.slack\.com/)(?:services|workflows)/[A-Za-z0-9/_-]{10,200}")


def _pem(match: re.Match[str]) -> str:
    """Keep the line count: all lines of the block but the first become empty."""
    return "[redacted:pem]" + "\n" * match.group().count("\n")


# A key whose end was lost ends with its last line of base64; a certificate is public but as unreadable.
_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}(?:KEY|CERTIFICATE|SECRET|MESSAGE)[A-Z0-9 ]{0,20}-----"
    r"(?:[ \t>]{0,8}(?:\\n|\n)?[ \t>]{0,8}"
    r"(?:[A-Za-z0-9+/=]{1,256}(?=[ \t]*(?:\\n|\n|-----|\Z))|[A-Z][A-Za-z-]{2,30}: [^\n]{0,200})?){0,2000}"
    r"(?:[ \t>]{0,8}-----END [A-Z0-9 ]{0,60}-----)?"
)

# -- values that are known by their name

_QUOTED = r"\"[^\"\n]{3,200}\"|'[^'\n]{3,200}'|`[^`\n]{3,200}`"
# Chinese prose follows a value without a space, so its signs end it.
_VALUE = rf"(?P<value>{_QUOTED}|[^\s\"'`,;)\]}}<>&，；。、）】」\u4e00-\u9fff]{{3,400}})"
_VERB = r"\s{1,4}(?:is|was|to)\s{1,4}|是|为|改为|改成|换成"
_ASSIGN = rf"[\"'`*]{{0,3}}[ \t]{{0,4}}(?:(?P<verb>{_VERB})|=>|:=|[=:：])[ \t*]{{0,6}}"
_PASSWORD = re.compile(
    r"(?P<head>(?:pass(?:word|wd|phrase|code)|(?<=[_-])pass|pwd|passwort|kennwort|senha|contraseña|пароль|パスワード"
    rf"|密码|密碼|口令){_ASSIGN}){_VALUE}",
    re.I,
)
_SECRET = re.compile(
    rf"(?P<head>(?:secret|token|key|credential|密钥|令牌|凭证|秘钥)s?(?:[_-](?:id|key|value|base))?{_ASSIGN}){_VALUE}",
    re.I,
)
_BEARER = re.compile(
    r"(?P<head>\b(?:Bearer|Authorization: Basic)[ \t]{1,4})(?P<value>[\w.~+/=-]{12,2000})", re.I
)
_DSN = re.compile(
    r"(?P<head>(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://[^\s:/@'\"<>]{0,100}:)"
    r"(?P<value>[^\s@'\"<>]{1,200})(?=@[^\s@])",
    re.I,
)
_STRONG_NAME = re.compile(
    r"(?:api|access|auth|client|private|secret|signing|encryption|refresh|bot|master|deploy|session|service)"
    r"[ _.-]{0,2}(?:key|token|credential)|secret|token|密钥|令牌|凭证|秘钥",
    re.I,
)
_PLACEHOLDER = re.compile(
    r"\[?redacted|<|\$|\{\{|%[sd(]|\*{2,}|[xX.]{3,}\Z|…|[~.]{0,2}/|https?:|os\.environ|process\.env|getenv|env[.:]"
    r"|(?:none|null|nil|true|false|string|str|text|required|optional|missing|invalid|expired|changed|rotated|unset|empty"
    r"|yes|no|not|ok|the|an?|is|was|has|in|for|to|and|or|on|of|by|from|tbd|todo|unknown|unchanged|wrong|correct|reset"
    r"|sha-?\d+|md5|argon2\w*|bcrypt|scrypt|pbkdf2\w*|oauth2?|base64|utf-?8)(?![\w-])",
    re.I,
)
_FILE_NAME = re.compile(
    r"[\w./~-]+\.(?:txt|json|ya?ml|toml|env|pem|md|py|ts|js|go|rs|sh|key|crt|cfg|ini|log)\Z", re.I
)
_UUID_OR_HASH = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}", re.I
)


def _bare(match: re.Match[str]) -> str:
    return match.group("value").strip("\"'`*")


def _replace_if(kind: str, is_secret: Callable[[re.Match[str]], bool]) -> Callable[[re.Match[str]], str]:
    def replace(match: re.Match[str]) -> str:
        return f"{match.group('head')}[redacted:{kind}]" if is_secret(match) else match.group()

    return replace


def _is_password(match: re.Match[str]) -> bool:
    """What follows ``password:`` is one unless it reads as prose; after a verb it is no plain word."""
    value = _bare(match)
    if len(value) < 3 or _PLACEHOLDER.match(value) or _FILE_NAME.match(value):
        return False
    return not match.group("verb") or re.search(r"[\d@#$%^&*!]", value) is not None


def _is_drawn(match: re.Match[str]) -> bool:
    """Whether a value looks drawn at random: long, of mixed signs. Hashes count after a clear name only."""
    value = _bare(match)
    if len(value) < 12 or _PLACEHOLDER.match(value) or _FILE_NAME.match(value):
        return False
    if not _has_strong_name(match):
        return len(value) >= 20 and _kinds(value) == 3 and not _UUID_OR_HASH.fullmatch(value)
    return _kinds(value) >= 2 and (len(value) >= 20 or re.search(r"\d", value) is not None)


def _has_strong_name(match: re.Match[str]) -> bool:
    name = match.string[max(0, match.start() - 12) : match.end("head")]
    return "verb" not in match.re.groupindex or _STRONG_NAME.search(name) is not None


def _kinds(value: str) -> int:
    return sum(re.search(kind, value) is not None for kind in ("[a-z]", "[A-Z]", r"\d"))


def _is_dsn_password(match: re.Match[str]) -> bool:
    if re.match(r"\d{1,5}/", match.group("value")):  # a port and a path with an @ in it
        return False
    return not (_PLACEHOLDER.match(match.group("value")) and not match.group("value").isalnum())


_RULES = (
    _Rule(("-----begin",), _PEM, _pem),
    *_SHAPES,
    _Rule(("hooks.slack.com",), _WEBHOOK, "[redacted:slack_webhook]"),
    _Rule(("://",), _DSN, _replace_if("dsn_password", _is_dsn_password)),
    _Rule(("bearer", "basic "), _BEARER, _replace_if("bearer", _is_drawn)),
    _Rule(
        ("pass", "pwd", "kennwort", "senha", "contraseña", "пароль", "パスワード", "密码", "密碼", "口令"),
        _PASSWORD,
        _replace_if("password", _is_password),
    ),
    _Rule(
        ("secret", "token", "key", "credential", "密钥", "令牌", "凭证", "秘钥"),
        _SECRET,
        _replace_if("secret", _is_drawn),
    ),
)
