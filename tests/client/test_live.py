"""Both clients against a real service: jobs to their end, streams, tokens, threads, a service that goes away."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from autodream.app import App
from autodream.client import AsyncClient, Client, flows
from autodream.client import long_flows as long
from autodream.errors import (
    AccessError,
    BudgetError,
    LeaseHeldError,
    NotFoundError,
    UnknownAgentError,
    UnreachableError,
)
from autodream.journal.leases import agent_lease
from autodream.progress import Progress
from autodream.store.factory import open_store
from tests.support.live_service import OPERATOR, live_service
from tests.support.scenes import echo_world
from tests.support.world import World

TOKENS = (("dev-token", "dev"), ("ops-token", "ops"))


@dataclass
class Live:
    world: World
    url: str

    def client(self, token: str | None = OPERATOR) -> Client:
        return Client(self.url, token)

    def asks(self, call: Callable[[AsyncClient], Any], token: str | None = OPERATOR) -> Any:
        async def run() -> Any:
            with anyio.fail_after(60):
                async with AsyncClient(self.url, token) as client:
                    return await call(client)

        return anyio.run(run)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    world = echo_world(tmp_path, agents=("dev", "ops"), token="t", tokens=TOKENS)
    world.write("2026-04-10", "- The gateway listens on port 8231.\n- Imke keeps the keys of depot 7.\n")
    world.write("2026-04-10", "- The crane at depot 9 is greased on Mondays.\n", agent="ops")
    with live_service(world) as url:
        yield Live(world, url)
    world.close()


# -- jobs --------------------------------------------------------------------------------------------------------


def test_a_digest_and_a_night_return_their_reports(live: Live) -> None:
    told: list[Progress] = []
    with live.client() as client:
        digest = client.digest(final=True, progress=told.append)
        assert [entry["facts"]["added"] for entry in digest["agents"]] == [2, 1]
        assert digest == client.job(cast(str, digest["job_id"]))["report"]
        night = client.dream(date="2026-04-19", steps=["promote"])
        assert (night["status"], night["job_id"] is None) == ("ok", False)
        assert client.dream(date="2026-04-19", steps=["promote"])["job_id"] is None  # done already
    assert told[0] == Progress("digest", 0)


def test_a_digest_with_nothing_to_do_and_a_dry_run_leave_no_row(live: Live) -> None:
    with live.client() as client:
        plan = client.digest(["dev"], final=True, dry_run=True)
        assert (plan["job_id"], len(plan["plan"])) == (None, 2)
        client.digest(final=True)
        assert client.digest()["status"] == "nothing"
        assert len(client.jobs()["jobs"]) == 1


def test_the_awaited_digest_returns_the_same(live: Live) -> None:
    report = live.asks(lambda client: client.digest(["dev"], final=True))
    with live.client() as client:
        assert client.job(report["job_id"])["report"] == report


def test_a_busy_agent_is_told_as_in_process(live: Live) -> None:
    leases, clock = live.world.journal.leases, live.world.clock
    with leases.hold(agent_lease("dev"), at=clock.now), live.client() as client:
        for api in (cast(Any, live.world.app), client):
            with pytest.raises(LeaseHeldError) as caught:
                api.digest(["dev"], final=True)
            assert caught.value.exit_code == 3
        with pytest.raises(LeaseHeldError):
            live.asks(lambda one: one.dream(["dev"], date="2026-04-19"))


def test_what_breaks_a_whole_job_is_raised_with_its_class(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise BudgetError("the token budget is used up; tomorrow it goes on")

    monkeypatch.setattr("autodream.runs.digest_entry", broken)
    with live.client() as client, pytest.raises(BudgetError, match="tomorrow it goes on"):
        client.digest(final=True)
    assert live.world.app.jobs()["jobs"][0]["status"] == "failed"


def test_a_job_that_takes_longer_than_an_answer_may_is_followed(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time limit is one for answers, not for work."""
    gate = threading.Event()
    looks: list[str] = []
    entry = __import__("autodream.runs", fromlist=["digest_entry"]).digest_entry

    def slow(*args: Any) -> Any:
        gate.wait(30)
        return entry(*args)

    monkeypatch.setattr("autodream.runs.digest_entry", slow)

    def tell(progress: Progress) -> None:
        looks.append(progress.what)
        if len(looks) == 8:
            gate.set()

    with Client(live.url, OPERATOR, timeout=0.5) as client:
        assert client.digest(final=True, progress=tell)["status"] == "ok"
    assert len(looks) >= 8


# -- streams -----------------------------------------------------------------------------------------------------


def test_an_export_comes_line_by_line_and_imports_elsewhere(live: Live, tmp_path: Path) -> None:
    with live.client() as client:
        client.digest(final=True)
        client.add("half a line \u2028 and a half \x85 more", agent_id="dev")
        exported = list(client.export_memories())
        assert exported == list(live.world.app.export_memories())
        assert {one["agent_id"] for one in client.export_memories("ops")} == {"ops"}
        lines = client.export_memories()
        next(lines)
        lines.close()  # type: ignore[attr-defined]  # a generator; a reader may stop early
        assert client.agents()["agents"]
    other = World(tmp_path / "other", agents=("dev", "ops"))
    with live_service(other) as url, Client(url) as client:
        told: list[Progress] = []
        report = client.import_memories(iter(exported), progress=told.append)
        assert (report["status"], report["added"]) == ("ok", len(exported))
        assert told[-1].done == len(exported)
        again = client.import_memories(exported)
        assert (again["status"], again["known"], again["job_ids"]) == ("nothing", len(exported), [])
        assert list(client.export_memories()) == exported
    other.close()


def test_an_awaited_export_is_iterated(live: Live) -> None:
    live.world.digest(final=True)

    async def collected(client: AsyncClient) -> list[dict[str, Any]]:
        return [record async for record in client.export_memories("dev")]

    async def first(client: AsyncClient) -> dict[str, Any]:
        lines = client.export_memories()
        async for record in lines:
            await lines.aclose()  # type: ignore[attr-defined]
            return record
        raise AssertionError

    assert live.asks(collected) == list(live.world.app.export_memories("dev"))
    assert live.asks(first)["agent_id"] in {"dev", "ops"}

    async def of_nobody(client: AsyncClient) -> list[dict[str, Any]]:
        return [record async for record in client.export_memories("nobody")]

    with pytest.raises(UnknownAgentError):
        live.asks(of_nobody)


def test_rejected_records_are_named_by_their_line_in_all_pieces(live: Live) -> None:
    good = [{"memory": f"Crate {n} came in. {'x' * 2_000}", "agent_id": "dev"} for n in range(140)]
    records = [*good[:70], {"agent_id": "dev"}, *good[70:], ["no object"]]
    with live.client() as client:
        over_http = client.import_memories(records)
    assert [one["line"] for one in over_http["rejected"]] == [71, 142]
    assert (over_http["added"], over_http["status"]) == (140, "partial")
    assert len(over_http["job_ids"]) > 1  # one piece would be larger than the service takes
    known = live.world.app.import_memories(records)
    assert known["rejected"] == over_http["rejected"]


def test_a_backup_is_fetched_by_both_and_is_what_the_application_makes(tmp_path: Path) -> None:
    world = World(tmp_path / "world", store=open_store)
    world.app.add("Imke keeps the keys of depot 7.", agent_id="dev")
    live = Live(world, "")
    with live_service(world) as url, Client(url, OPERATOR) as client:
        live.url = url
        reports = [
            world.app.backup(tmp_path / "app"),
            client.backup(tmp_path / "sync"),
            live.asks(lambda client: client.backup(tmp_path / "async")),
        ]
    world.close()
    assert [report["folder"] for report in reports] == [
        str(tmp_path / name) for name in ("app", "sync", "async")
    ]
    assert len({(report["memories"], frozenset(report)) for report in reports}) == 1
    names = [sorted(path.name for path in (tmp_path / name).iterdir()) for name in ("app", "sync", "async")]
    assert names[0] == names[1] == names[2]


# -- tokens ------------------------------------------------------------------------------------------------------


def test_without_a_token_or_with_a_wrong_one_there_is_no_access(live: Live) -> None:
    for token in (None, "wrong"):
        with live.client(token) as client:
            for call in (client.agents, client.status, lambda c=client: c.recall("x"), client.doctor):
                with pytest.raises(AccessError) as caught:
                    call()
                assert caught.value.exit_code == 1
            with pytest.raises(AccessError):
                list(client.export_memories())
        with pytest.raises(AccessError):
            live.asks(lambda client: client.recall("x"), token)


def test_f55_an_agents_token_sees_the_agent(live: Live) -> None:
    live.world.digest(final=True)
    of_ops = live.world.memories(agent_id="ops")[0].id
    with live.client("dev-token") as client:
        assert {hit["agent_id"] for hit in client.recall("depot", top_k=200)["results"]} == {"dev"}
        assert [agent["agent_id"] for agent in client.agents()["agents"]] == ["dev"]
        with pytest.raises(NotFoundError):
            client.show(of_ops)
        with pytest.raises(UnknownAgentError):
            client.recall("x", agent_id="ops")
        with pytest.raises(AccessError):
            client.doctor()
        live.world.write("2026-04-11", "- Crate 12 came in.\n")
        report = client.digest(final=True)
        assert [entry["agent_id"] for entry in report["agents"]] == ["dev"]


# -- many at once, and nobody ------------------------------------------------------------------------------------


def test_one_client_serves_many_threads(live: Live) -> None:
    live.world.digest(final=True)
    problems: list[BaseException] = []
    with live.client() as client:
        expected = client.recall("depot", agent_id="dev")["results"]

        def work(number: int) -> None:
            try:
                for n in range(5):
                    assert client.recall("depot 7", agent_id="ops")["results"]
                    client.add(f"Thread {number} stored crate {n}.", agent_id=f"thread-{number}")
            except BaseException as error:  # noqa: BLE001 - whatever it is, the test shall name it
                problems.append(error)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not problems
        assert client.recall("depot", agent_id="dev")["results"] == expected
    assert len(live.world.memories(categories=("note",))) == 40


def test_many_awaited_calls_run_together(live: Live) -> None:
    live.world.digest(final=True)

    async def gathered(client: AsyncClient) -> list[int]:
        counts: list[int] = []

        async def one() -> None:
            counts.append(len((await client.recall("depot"))["results"]))

        async with anyio.create_task_group() as group:
            for _ in range(16):
                group.start_soon(one)
        return counts

    assert len(set(live.asks(gathered))) == 1


def test_a_service_that_went_away_is_told_and_one_that_came_back_is_found(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    with live_service(world) as url:
        client = Client(url, OPERATOR)
        assert client.agents()["agents"]
    with pytest.raises(UnreachableError, match="no service answers"):
        client.agents()
    client.close()
    world.close()


def test_who_gives_a_client_back_can_not_use_it_any_more(live: Live) -> None:
    client = live.client()
    client.close()
    with pytest.raises(RuntimeError, match="closed"):
        client.agents()


def test_the_flows_are_the_whole_of_both_clients() -> None:
    """A method that one client would do for itself could differ from the other's."""
    by_hand = {"export_memories", "close", "__init__", "__enter__", "__exit__", "__aenter__", "__aexit__"}
    for kind in (Client, AsyncClient):
        methods = {name for name, value in vars(kind).items() if callable(value) and not name.startswith("_")}
        assert {
            name for name in methods - by_hand if not hasattr(flows, name) and not hasattr(long, name)
        } == set()
        for name in methods - by_hand:
            flow = getattr(flows, name, None) or getattr(long, name)
            assert getattr(kind, name).__wrapped__ is flow


def test_the_application_is_the_twin(live: Live) -> None:
    """The same code works with either."""

    def use(api: App | Client) -> list[str]:
        api.digest(["dev"], final=True)
        return [hit["memory"] for hit in api.recall("port", agent_id="dev", top_k=1)["results"]]

    with live.client() as client:
        assert use(client) == use(live.world.app) == ["The gateway listens on port 8231."]
