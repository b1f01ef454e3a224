"""``Client``: the methods of ``Api`` over HTTP, blocking."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx

from autodream.client import flows, long_flows
from autodream.client.answers import Answer, Records, check
from autodream.client.signatures import as_method
from autodream.client.steps import Call, Download, Flow, Pause, Step, Work
from autodream.client.transport import TIMEOUT, answer_of, lost, options, origin_of, request

__all__ = ["Client"]

P = ParamSpec("P")
T = TypeVar("T")


def _method(flow: Callable[P, Flow[T]]) -> Callable[Concatenate["Client", P], T]:
    """A flow as a method that carries it out."""

    @wraps(flow)
    def call(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._run(flow(*args, **kwargs))

    return as_method(call, flow)


class Client:
    """AutoDream's service at ``url``, with the methods of ``App``. Use as a context manager, or call ``close``.

    ``token`` is the service's, or an agent's; ``timeout`` the seconds that one answer may take (``None``: any),
    except where work may take hours. One client may be used from several threads.
    Every method raises ``AutoDreamError``, with the class that ``App`` would raise; ``UnreachableError`` when
    nobody answers. What can be repeated without harm is sent once more when a connection breaks.
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float | None = TIMEOUT) -> None:
        self._origin = origin_of(url)
        self._http = httpx.Client(**options(url, token, timeout))

    digest = _method(long_flows.digest)
    dream = _method(long_flows.dream)
    jobs = _method(flows.jobs)
    job = _method(flows.job)
    undo = _method(flows.undo)
    recall = _method(flows.recall)
    context = _method(flows.context)
    add = _method(flows.add)
    update = _method(flows.update)
    list_memories = _method(flows.list_memories)
    show = _method(flows.show)
    explain = _method(flows.explain)
    forget = _method(flows.forget)
    restore = _method(flows.restore)
    write_diary = _method(flows.write_diary)
    agents = _method(flows.agents)
    status = _method(flows.status)
    doctor = _method(flows.doctor)
    reembed = _method(long_flows.reembed)
    import_memories = _method(long_flows.import_memories)
    backup = _method(long_flows.backup)
    migrate = _method(long_flows.migrate)

    def export_memories(self, agent_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Every memory as a record, read while it is being sent."""
        records = Records(self._origin)
        with self._opened(flows.export_call(agent_id)) as response:
            if not response.is_success:
                check(answer_of(response, self._origin, response.read()))
            for chunk in response.iter_bytes():
                yield from records.of(chunk)
            yield from records.end()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    outcome = self._do(step)
                except BaseException as error:  # noqa: BLE001 - the flow ends what it began, then it is raised
                    step = flow.throw(error)
                else:
                    step = flow.send(outcome)
        except StopIteration as end:
            value: T = end.value
            return value

    def _do(self, step: Step) -> object:
        match step:
            case Call():
                return self._send(step)
            case Download(call, file):
                return self._send(call, file.write)
            case Pause(seconds):
                time.sleep(seconds)
                return None
            case Work(run):
                return run()

    def _send(self, call: Call, into: Callable[[bytes], object] | None = None) -> Answer:
        with self._opened(call) as response:
            if into is None or not response.is_success:
                return answer_of(response, self._origin, response.read())
            for chunk in response.iter_bytes():
                into(chunk)
            return answer_of(response, self._origin, b"")

    @contextmanager
    def _opened(self, call: Call) -> Iterator[httpx.Response]:
        """The response to a call, its content still to be read; closed in the end. Raises ``UnreachableError``."""
        try:
            response = self._http.send(request(self._http, self._origin, call), stream=True)
            with closing(response):
                yield response
        except httpx.HTTPError as error:
            raise lost(error, self._origin) from error
