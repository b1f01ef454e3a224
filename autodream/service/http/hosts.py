"""Which ``Host`` and ``Origin`` headers a request may carry: no page of another site reaches the service (F56).

A page that rebinds its own name to this machine's address sends its own name as ``Host``; a page of another site
sends that site as ``Origin``. Tokens do not help a service on the loopback that needs none.
"""

from collections.abc import Collection
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from autodream.config import Settings
from autodream.errors import ConfigError
from autodream.text import is_loopback, plain_host

__all__ = ["Hosts", "check_exposure"]

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Hosts:
    """``bound`` is the address the service listens on; ``more`` are names it may be called by, behind a proxy.

    A service that listens beyond the loopback is also reached by any IP address and by names without a dot
    (``autodream`` in a container network): neither can be a foreign site's name. It needs tokens anyway.
    """

    def __init__(self, bound: str, more: Collection[str] = ()) -> None:
        self._named = _LOOPBACK | {plain_host(bound)} | {plain_host(name) for name in more}
        self._beyond = not is_loopback(bound)

    def allows_host(self, header: str | None) -> bool:
        """Whether a ``Host`` header names this service; a request without one comes from no browser."""
        if header is None:
            return True
        name = _name(f"//{header}")
        return name is not None and (name in self._named or (self._beyond and _near(name)))

    def allows_origin(self, header: str | None, host: str | None) -> bool:
        """Whether a page of this ``Origin`` may ask: one of the service's own names, or the one it was called by."""
        if header is None:
            return True
        if not header.startswith(("http://", "https://")):
            return False
        name = _name(header)
        return name is not None and (name in self._named or name == _name(f"//{host or ''}"))


def check_exposure(settings: Settings, host: str) -> None:
    """Raises ``ConfigError`` for an address that others reach while no operator token is set (F56)."""
    if not is_loopback(host) and not settings.token:
        raise ConfigError(
            f"listening on {host} would open the memories to the network; set AUTODREAM_TOKEN to a long random "
            "text, or listen on 127.0.0.1",
            field="token",
        )


def _name(url: str) -> str | None:
    """The host that is named, without port; ``None`` for what is no host."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for a port that is none
    except ValueError:
        return None
    bare = (
        parts.username is None
        and parts.password is None
        and not (parts.path or parts.query or parts.fragment)
    )
    return plain_host(parts.hostname) if bare and parts.hostname else None


def _near(name: str) -> bool:
    if "." not in name and ":" not in name:
        return True
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
