"""Who asks: the operator, an agent by its token, or anybody on this machine while no token is configured."""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from starlette.requests import HTTPConnection

from autodream.config import Settings
from autodream.errors import AccessError, ConfigError

__all__ = ["ANYBODY", "OPERATOR", "Keys", "Principal", "operator_only", "principal_of"]


@dataclass(frozen=True, slots=True)
class Principal:
    """``agent_id`` is set for a token that is limited to one agent; ``kind`` is what logs say."""

    kind: str
    agent_id: str | None = None


OPERATOR: Final = Principal("operator")
# While no token is configured, whoever reaches the loopback is the operator.
ANYBODY: Final = Principal("anybody")


class Keys:
    """The configured tokens. ``required``: whether every route but health and the start page needs one.

    ``extra_operator_token`` opens the service too, and does not make a token required.
    Raises ``ConfigError`` when one token would mean two things, or can never arrive.
    """

    def __init__(self, settings: Settings, extra_operator_token: str | None = None) -> None:
        self.required = bool(settings.token or settings.tokens)
        self._known: list[tuple[bytes, Principal]] = []
        for token, principal in _given(settings, extra_operator_token):
            if not token.isascii() or not token.isprintable() or token != token.strip():
                raise ConfigError(
                    "a token has letters that no header carries, or white space at an end; use letters and digits",
                    field="tokens",
                )
            digest = _digest(token)
            if any(digest == known and principal != other for known, other in self._known):
                raise ConfigError("one token stands for two readers; give each its own", field="tokens")
            self._known.append((digest, principal))

    def who(self, authorization: str | None) -> Principal | None:
        """Who sends this ``Authorization`` header; ``None`` when they may not ask at all.

        All tokens are compared in full, whatever is found: the time tells nothing about any of them.
        """
        scheme, _, token = (authorization or "").partition(" ")
        digest = _digest(token.strip())
        found = None
        for known, principal in self._known:
            if hmac.compare_digest(known, digest):
                found = principal
        if found is not None and scheme.lower() == "bearer":
            return found
        return None if self.required else ANYBODY


def _given(settings: Settings, extra: str | None) -> Iterator[tuple[str, Principal]]:
    for token in (settings.token, extra):
        if token:
            yield token, OPERATOR
    for token, agent_id in settings.tokens:
        yield token, OPERATOR if agent_id is None else Principal("agent", agent_id)


def _digest(token: str) -> bytes:
    """Of one length, so that a comparison does not tell a token's length."""
    return sha256(token.encode("utf-8", "surrogatepass")).digest()


def principal_of(connection: HTTPConnection) -> Principal:
    """Who sends a request that passed the guards; for whatever is mounted beside the routes, too."""
    found = connection.scope["state"]["principal"]
    assert isinstance(found, Principal)  # noqa: S101 - for the type checker
    return found


def operator_only(connection: HTTPConnection) -> None:
    """A dependency of routes that concern everybody's memories. Raises ``AccessError`` for an agent's token."""
    if principal_of(connection).agent_id is not None:
        raise AccessError("this token is limited to one agent; the route needs the operator's")
