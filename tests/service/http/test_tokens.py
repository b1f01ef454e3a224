"""Who may ask: the operator, an agent by its token, anybody on the loopback while no token is configured."""

import hmac
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection

from autodream.config import Settings
from autodream.errors import AccessError, ConfigError
from autodream.service.http.auth import ANYBODY, OPERATOR, Keys, Principal, operator_only
from tests.service.http.serving import OPERATOR as TOKEN
from tests.service.http.serving import TOKENS, Served, error_of, serving

OPEN = ["/", "/health/live", "/health/ready"]
GUARDED = [
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
    ("GET", "/v1/memories"),
    ("POST", "/v1/recall"),
    ("DELETE", "/v1/memories/x"),
    ("POST", "/v1/jobs/dream"),
    ("GET", "/v1/backup"),
    ("GET", "/v1/no-such-route"),
    ("POST", "/mcp"),
    ("GET", "/health"),
    ("GET", "/health/live/"),
]
OPERATORS_ONLY = [
    ("GET", "/metrics"),
    ("GET", "/v1/doctor"),
    ("POST", "/v1/reembed"),
    ("POST", "/v1/migrate"),
    ("GET", "/v1/export"),
    ("GET", "/v1/export?agent_id=dev"),
    ("POST", "/v1/import"),
    ("GET", "/v1/backup"),
]


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all cases: none of them may change it."""
    with serving(tmp_path_factory.mktemp("tokens"), token=TOKEN, tokens=TOKENS) as made:
        yield made.as_(TOKEN)


def keys(token: str | None = None, *tokens: tuple[str, str | None], extra: str | None = None) -> Keys:
    return Keys(Settings(data_dir=Path("unused"), token=token, tokens=tokens), extra)


def test_without_a_token_whoever_reaches_the_loopback_may_ask() -> None:
    assert keys().who(None) == keys().who("Bearer anything") == ANYBODY
    assert not keys().required


@pytest.mark.parametrize("token", ["密钥", "t\u00e4", "tok\n", " tok", "   ", "a\0b", "a\u00a0b"])
def test_a_token_that_no_header_can_carry_is_refused_at_the_start(token: str) -> None:
    """It would lock out everybody who has it; the end of a line comes with a secret read from a file."""
    for given in ({"token": token}, {"extra": token}):
        with pytest.raises(ConfigError, match="a token has letters"):
            keys(**given)
    with pytest.raises(ConfigError) as caught:
        keys(None, (token, "dev"))
    assert caught.value.field == "tokens"


def test_the_token_of_this_start_requires_none() -> None:
    found = keys(extra="of-this-start")
    assert found.who(None) == ANYBODY
    assert found.who("Bearer of-this-start") == OPERATOR


@pytest.mark.parametrize(
    ("header", "who"),
    [
        ("Bearer op", OPERATOR),
        ("bearer op", OPERATOR),
        ("Bearer  op ", OPERATOR),
        ("Bearer extra", OPERATOR),
        ("Bearer second", OPERATOR),
        ("Bearer d", Principal("agent", "dev")),
        ("Bearer digits-7", Principal("agent", "代理")),
        (None, None),
        ("", None),
        ("Bearer", None),
        ("Bearer ", None),
        ("op", None),
        ("Basic op", None),
        ("Bearer Op", None),
        ("Bearer op op", None),
        ("Bearer o", None),
        ("Bearer opp", None),
    ],
)
def test_a_configured_token_is_needed(header: str | None, who: Principal | None) -> None:
    made = keys("op", ("d", "dev"), ("second", None), ("digits-7", "代理"), extra="extra")
    assert made.required
    assert made.who(header) == who


def test_tokens_of_agents_alone_close_the_service() -> None:
    assert keys(None, ("d", "dev")).who(None) is None


def test_every_token_is_compared_whatever_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[int, int]] = []

    def compare(a: bytes, b: bytes) -> bool:
        compared.append((len(a), len(b)))
        return a == b

    made = keys("a-long-operator-token", ("d", "dev"), ("o", "ops"))
    monkeypatch.setattr(hmac, "compare_digest", compare)
    for token in ("a-long-operator-token", "d", "o", "unknown", "x" * 10_000):
        made.who(f"Bearer {token}")
    assert compared == [(32, 32)] * 15  # of one length: not even that is told


@pytest.mark.parametrize(
    "tokens", [(("same", "dev"), ("same", "ops")), (("op", "dev"),), (("same", "dev"), ("same", None))]
)
def test_a_token_that_means_two_things_is_refused(tokens: Any) -> None:
    with pytest.raises(ConfigError, match="one token stands for two"):
        keys("op", *tokens)


def test_a_token_given_twice_for_the_same_is_one() -> None:
    assert keys("op", ("op", None), ("d", "dev"), ("d", "dev")).who("Bearer op") == OPERATOR


def test_the_operators_routes_refuse_an_agents_token() -> None:
    operator_only(HTTPConnection({"type": "http", "state": {"principal": ANYBODY}}))
    with pytest.raises(AccessError):
        operator_only(HTTPConnection({"type": "http", "state": {"principal": Principal("agent", "dev")}}))


@pytest.mark.parametrize("token", [None, "wrong", "", TOKEN + "x", TOKEN[:-1]])
@pytest.mark.parametrize(("method", "path"), GUARDED)
def test_no_or_a_wrong_token_is_401_on_every_route(
    guarded: Served, token: str | None, method: str, path: str
) -> None:
    response = guarded.as_(token).ask(method, path)
    assert response.status_code == 401
    assert error_of(response)["code"] == "no_access"
    assert response.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", OPEN)
def test_health_and_the_start_page_need_none(guarded: Served, path: str) -> None:
    assert guarded.as_(None).get(path).status_code == 200
    assert guarded.as_("wrong").get(path).status_code == 200


@pytest.mark.parametrize(("method", "path"), OPERATORS_ONLY)
def test_an_agents_token_on_an_operators_route_is_403(guarded: Served, method: str, path: str) -> None:
    before = guarded.state()
    response = guarded.as_("dev-token").ask(
        method, path, {"to": "http://127.0.0.1:1"} if method == "POST" else None
    )
    assert (response.status_code, error_of(response)["code"]) == (403, "no_access")
    assert guarded.state() == before


def test_the_token_of_this_start_opens_everything(tmp_path: Path) -> None:
    with serving(tmp_path, token=TOKEN, extra="of-this-start") as served:
        assert served.as_("of-this-start").get("/metrics").status_code == 200
        assert served.as_(None).get("/metrics").status_code == 401


def test_a_token_in_the_query_is_none(guarded: Served) -> None:
    assert guarded.as_(None).get(f"/v1/memories?token={TOKEN}").status_code == 401


def test_the_body_of_a_stranger_is_not_read(guarded: Served) -> None:
    response = guarded.as_("wrong").raw("/v1/memories", b"x" * 2_000_000)
    assert response.status_code == 401  # not 413: nothing was read
    assert "Authorization" in error_of(response)["message"]
