"""How the service is reached: checked addresses, no proxy before this machine, failures in plain words."""

from typing import Any, Final, TypedDict

import httpx

from autodream.client.answers import Answer
from autodream.client.steps import Call
from autodream.errors import ConfigError, InputError, UnreachableError
from autodream.text import is_loopback

__all__ = ["TIMEOUT", "Options", "answer_of", "lost", "options", "origin_of", "request"]

TIMEOUT: Final = 60.0  # seconds for one answer; a change by hand may wait for another's lease for ten
_CONNECT: Final = 5.0  # seconds to connect: a service that runs accepts at once
# Below the five seconds after which servers close idle connections: else a request may meet one that just closed.
_KEEP_ALIVE: Final = 2.0


class Options(TypedDict):
    """What both kinds of ``httpx`` clients are made with."""

    headers: dict[str, str]
    timeout: httpx.Timeout
    limits: httpx.Limits
    trust_env: bool
    follow_redirects: bool


def options(url: str, token: str | None, timeout: float | None) -> Options:
    """The options for a service at ``url``. Raises ``ConfigError`` for an address or token that cannot be used."""
    headers = {"Accept": "application/json", "User-Agent": "autodream"}
    if token is not None:
        if not token or not token.isascii() or not token.isprintable():
            raise ConfigError("the token is empty or has characters that no header can carry", field="token")
        headers["Authorization"] = f"Bearer {token}"
    connect = _CONNECT if timeout is None else min(_CONNECT, timeout)
    return {
        "headers": headers,
        "timeout": httpx.Timeout(timeout, connect=connect),
        "limits": httpx.Limits(
            max_connections=100, max_keepalive_connections=20, keepalive_expiry=_KEEP_ALIVE
        ),
        "trust_env": not is_loopback(_parsed(url).host),
        "follow_redirects": False,
    }


def origin_of(url: str) -> str:
    """The address that every path is added to. Raises ``ConfigError`` where one cannot be."""
    parsed = _parsed(url)
    if parsed.userinfo or parsed.query or parsed.fragment:
        raise ConfigError(
            "the service's URL holds no login and no query; the token goes into token", field="url"
        )
    return str(parsed).rstrip("/")


def _parsed(url: str) -> httpx.URL:
    try:
        parsed = httpx.URL(url.strip())
    except (httpx.InvalidURL, TypeError, ValueError):
        parsed = httpx.URL("")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise ConfigError("the service's URL must look like http://127.0.0.1:8230", field="url")
    return parsed


def request(http: httpx.Client | httpx.AsyncClient, origin: str, call: Call) -> httpx.Request:
    """The request of a call. Raises ``InputError`` for one that no address can hold."""
    extra: dict[str, Any] = {}
    if call.patient:
        extra["timeout"] = httpx.Timeout(None, connect=_CONNECT)
    if call.body is not None:
        extra |= {"content": call.body, "headers": {"Content-Type": call.content_type}}
    try:
        return http.build_request(call.method, f"{origin}{call.path}", **extra)
    except httpx.InvalidURL as error:
        raise InputError(f"what is asked is too long for an address ({error}); shorten it") from error


def answer_of(response: httpx.Response, origin: str, content: bytes) -> Answer:
    """A response whose content was read."""
    return Answer(response.status_code, content, origin, response.headers.get("location"))


def lost(error: httpx.HTTPError, origin: str) -> UnreachableError:
    """No answer: why, and what to do."""
    match error:
        case httpx.ConnectTimeout() | httpx.ConnectError():
            message = f"no service answers at {origin} ({error or 'it takes no connection'}); start it: autodream serve"
        case httpx.TimeoutException():
            message = (
                f"{origin} took too long to answer; what was asked may have been done, look before repeating"
            )
        case httpx.NetworkError() | httpx.RemoteProtocolError():
            message = (
                f"{origin} broke the connection; what was asked may have been done, look before repeating"
            )
        case _:
            message = f"{origin} cannot be asked: {error or type(error).__name__}"
    broken = isinstance(error, httpx.ReadError | httpx.WriteError | httpx.RemoteProtocolError)
    return UnreachableError(" ".join(message.split()), broken=broken)
