"""What every request passes before a route sees it: a request id, Host and Origin, the token, the body's size.

Plain ASGI, outside everything else, so that it also guards what is mounted beside the routes.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from autodream.config import MAX_BODY_BYTES
from autodream.errors import AccessError, FailedError, InputError
from autodream.service.errors import Refused, places_of
from autodream.service.http.auth import Keys
from autodream.service.http.failures import failure
from autodream.service.http.hosts import Hosts
from autodream.service.logs import request_id

__all__ = ["OPEN_PATHS", "Guards", "Observe"]

# Is told method, route, status, seconds, and the code of a failure.
Observe = Callable[[str, str, int, float, str | None], None]

_log = logging.getLogger("autodream.requests")
_mistakes = logging.getLogger(__name__)
OPEN_PATHS: Final = frozenset({"/", "/health/live", "/health/ready"})  # nobody needs a token for them
_PROBES: Final = OPEN_PATHS - {"/"}
_SANE_ID: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Guards:
    """Middleware. ``observe`` is told of every request when it has been answered."""

    def __init__(self, app: ASGIApp, *, keys: Keys, hosts: Hosts, observe: Observe) -> None:
        self._app, self._keys, self._hosts, self._observe = app, keys, hosts, observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await _Request(scope, send).answer(self, receive)
        else:  # nothing here speaks websocket
            await send({"type": "websocket.close", "code": 1008})

    def admit(self, scope: Scope) -> None:
        """Note who asks. Raises ``Refused`` for a request that must not go on."""
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        host = hosts[0] if hosts else None
        if len(hosts) > 1 or not self._hosts.allows_host(host):
            raise Refused(403, AccessError("the Host header names another service", field="Host"))
        origins = headers.getlist("origin")
        if not all(self._hosts.allows_origin(origin, host) for origin in origins):
            raise Refused(403, AccessError("pages of other sites may not ask this service", field="Origin"))
        principal = self._keys.who(headers.get("authorization"))
        scope["state"]["principal"] = principal
        if principal is None and scope["path"] not in OPEN_PATHS:
            raise Refused(401, AccessError("send a known token: Authorization: Bearer TOKEN", field="token"))

    def done(self, request: "_Request") -> None:
        """Tell metrics and the log; neither ever sees a memory, a query or a query string."""
        seconds = time.perf_counter() - request.begun
        method, route = request.method, request.route()
        self._observe(method, route, request.status, seconds, request.scope["state"].get("failure"))
        principal = request.scope["state"].get("principal")
        line = {
            "request_id": request.id,
            "method": method,
            "route": route,
            "status": request.status,
            "ms": round(seconds * 1000, 1),
            "principal": "nobody" if principal is None else principal.kind,
        }
        well = request.scope["path"] in _PROBES and request.status == 200  # several a minute, and nothing new
        _log.log(logging.DEBUG if well else logging.INFO, "request", extra={"fields": line})


class _Request:
    """One request on its way through the guards."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self.begun = time.perf_counter()
        self.scope = scope
        self.status = 0  # nothing was answered: the client went away
        self._send = send
        scope["state"] = dict(scope.get("state") or {})
        given = HTTPConnection(scope).headers.get("x-request-id", "")
        self.id = given if _SANE_ID.fullmatch(given) else secrets.token_hex(8)

    @property
    def method(self) -> str:
        method = str(self.scope["method"])
        return method if method in _METHODS else "OTHER"

    def route(self) -> str:
        """The template of the route, never the path: that holds ids, and anything at all where no route is."""
        return str(getattr(self.scope.get("route"), "path", None) or "(none)")

    async def answer(self, guards: Guards, receive: Receive) -> None:
        mark = request_id.set(self.id)
        try:
            guards.admit(self.scope)
            await guards._app(self.scope, await _limited(self.scope, receive), self.send)
        except Refused as refused:
            await self._refuse(refused)
        except ClientDisconnect:
            pass  # in the middle of its body: nobody waits for an answer, and nothing of ours failed
        except Exception as error:  # noqa: BLE001 - whatever happened, the caller gets the error shape
            await self._failed(error)
        finally:
            guards.done(self)
            request_id.reset(mark)

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            MutableHeaders(scope=message)["X-Request-ID"] = self.id
        await self._send(message)

    async def _refuse(self, refused: Refused) -> None:
        # The body was not read: the connection must not be taken for the next request.
        headers = {"Connection": "close"} if refused.status == 413 else {}
        if refused.status == 401:
            headers["WWW-Authenticate"] = 'Bearer realm="autodream"'
        await failure(refused.status, refused.error, headers)(self.scope, _nothing, self.send)

    async def _failed(self, error: Exception) -> None:
        """A mistake of the program. What it says may hold a memory's text: only where it happened is logged."""
        self.scope["state"]["failure"] = "internal"
        fields = {
            "request_id": self.id,
            "error": type(error).__name__,
            "route": self.route(),
            "places": places_of(error),
        }
        _mistakes.error("an unexpected error", extra={"fields": fields})
        _mistakes.debug("the same in full", exc_info=error)
        if self.status:
            return  # the answer has begun: the server cuts the connection, the client sees that it is incomplete
        told = FailedError(f"an unexpected error; the service's log has it under request id {self.id}")
        await failure(500, told)(self.scope, _nothing, self.send)


async def _limited(scope: Scope, receive: Receive) -> Receive:
    """The request's body, read here and handed on, so that the limit holds whatever reads it later.

    Raises ``Refused`` (413) as soon as it is known to be too large, which a declared length is at once, and
    ``ClientDisconnect`` when the client leaves before all of it is there.
    """
    headers = Headers(scope=scope)
    declared = headers.get("content-length", "")
    if not declared and "transfer-encoding" not in headers:
        return receive
    if declared.isdecimal() and int(declared) > MAX_BODY_BYTES:
        raise _too_large()
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY_BYTES:
            raise _too_large()
    return _once({"type": "http.request", "body": bytes(body), "more_body": False}, receive)


def _too_large() -> Refused:
    return Refused(413, InputError(f"the body is larger than {MAX_BODY_BYTES} bytes; send it in parts"))


def _once(first: Message, then: Receive) -> Receive:
    pending: list[Message] = [first]

    async def receive() -> Message:
        return pending.pop() if pending else await then()

    return receive


async def _nothing() -> Any:
    return {"type": "http.disconnect"}
