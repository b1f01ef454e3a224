"""Bad input gets the same error from the application and through the service: class, code and exit code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from autodream.api import Api
from autodream.client import Client
from autodream.errors import (
    AutoDreamError,
    InputError,
    NotFoundError,
    UnknownAgentError,
)
from tests.support.live_service import live_service
from tests.support.world import World

NOBODY = "3f0c2f63-6ab6-5e0e-9d53-0a1c4f4f7f52"
LONG = "x" * 20_001
HALF = "half \ud83d"


@dataclass
class Twins:
    world: World
    app: Api
    client: Client
    id: str


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    world = World(tmp_path_factory.mktemp("twins"), agents=("dev", "ops"))
    world.write("2026-04-10", "- The gateway listens on port 8231.\n")
    id_ = world.app.add("Imke keeps the keys of depot 7.", agent_id="dev")["id"]
    with live_service(world) as url, Client(url) as client:
        yield Twins(world, cast(Api, world.app), client, id_)
    world.close()


Call = Callable[[Any, str], object]
BAD: list[tuple[str, type[AutoDreamError], Call]] = [
    ("recall: empty", InputError, lambda api, _: api.recall("")),
    ("recall: blank", InputError, lambda api, _: api.recall(" \n")),
    ("recall: too long", InputError, lambda api, _: api.recall(LONG)),
    ("recall: half a character", InputError, lambda api, _: api.recall(HALF)),
    ("recall: k 0", InputError, lambda api, _: api.recall("x", top_k=0)),
    ("recall: k 201", InputError, lambda api, _: api.recall("x", top_k=201)),
    ("recall: k 10,000", InputError, lambda api, _: api.recall("x", top_k=10_000)),
    ("recall: min_score -0.1", InputError, lambda api, _: api.recall("x", min_score=-0.1)),
    ("recall: min_score 1.1", InputError, lambda api, _: api.recall("x", min_score=1.1)),
    ("recall: min_score nan", InputError, lambda api, _: api.recall("x", min_score=float("nan"))),
    ("recall: no day", InputError, lambda api, _: api.recall("x", since="yesterday")),
    ("recall: no such day", InputError, lambda api, _: api.recall("x", until="2026-02-30")),
    ("recall: a day too short", InputError, lambda api, _: api.recall("x", since="2026-4-1")),
    ("recall: no type", InputError, lambda api, _: api.recall("x", memory_type="medium")),
    ("recall: empty category", InputError, lambda api, _: api.recall("x", categories=[""])),
    ("recall: long category", InputError, lambda api, _: api.recall("x", categories=["c" * 65])),
    ("recall: 65 categories", InputError, lambda api, _: api.recall("x", categories=["c"] * 65)),
    ("recall: nobody", UnknownAgentError, lambda api, _: api.recall("x", agent_id="nobody")),
    ("recall: a wild card", InputError, lambda api, _: api.recall("x", agent_id="*")),
    ("recall: a path", InputError, lambda api, _: api.recall("x", agent_id="../dev")),
    ("recall: an empty agent", InputError, lambda api, _: api.recall("x", agent_id="")),
    ("recall: a long agent", InputError, lambda api, _: api.recall("x", agent_id="a" * 300)),
    ("recall: half an agent", InputError, lambda api, _: api.recall("x", agent_id=HALF)),
    ("context: nobody", UnknownAgentError, lambda api, _: api.context("nobody")),
    ("context: too small", InputError, lambda api, _: api.context("dev", max_chars=199)),
    ("context: too large", InputError, lambda api, _: api.context("dev", max_chars=50_001)),
    ("context: long query", InputError, lambda api, _: api.context("dev", query=LONG)),
    ("add: empty", InputError, lambda api, _: api.add("", agent_id="dev")),
    ("add: blank", InputError, lambda api, _: api.add(" \t", agent_id="dev")),
    ("add: too long", InputError, lambda api, _: api.add(LONG, agent_id="dev")),
    ("add: NUL", InputError, lambda api, _: api.add("a\0b", agent_id="dev")),
    ("add: half a character", InputError, lambda api, _: api.add(HALF, agent_id="dev")),
    ("add: a path for an agent", InputError, lambda api, _: api.add("x", agent_id="a/b")),
    ("add: an empty category", InputError, lambda api, _: api.add("x", agent_id="dev", category="")),
    ("add: a long category", InputError, lambda api, _: api.add("x", agent_id="dev", category="c" * 65)),
    ("add: a category of lines", InputError, lambda api, _: api.add("x", agent_id="dev", category="a\nb")),
    ("add: no such day", InputError, lambda api, _: api.add("x", agent_id="dev", day="2026-02-30")),
    ("add: no type", InputError, lambda api, _: api.add("x", agent_id="dev", memory_type="all")),
    ("add: NaN", InputError, lambda api, _: api.add("x", agent_id="dev", metadata={"a": float("nan")})),
    ("add: no JSON", InputError, lambda api, _: api.add("x", agent_id="dev", metadata={"a": {1}})),
    ("add: half in metadata", InputError, lambda api, _: api.add("x", agent_id="dev", metadata={HALF: 1})),
    ("update: nobody", NotFoundError, lambda api, _: api.update(NOBODY, text="x")),
    ("update: empty", InputError, lambda api, id_: api.update(id_, text="")),
    ("update: too long", InputError, lambda api, id_: api.update(id_, text=LONG)),
    ("update: an empty category", InputError, lambda api, id_: api.update(id_, category="")),
    ("list: limit 0", InputError, lambda api, _: api.list_memories(limit=0)),
    ("list: limit 1001", InputError, lambda api, _: api.list_memories(limit=1001)),
    ("list: no cursor", InputError, lambda api, _: api.list_memories(cursor="made up")),
    ("list: no status", InputError, lambda api, _: api.list_memories(status="gone")),
    ("list: no type", InputError, lambda api, _: api.list_memories(memory_type="")),
    ("list: no day", InputError, lambda api, _: api.list_memories(day="2026-00-01")),
    ("list: empty category", InputError, lambda api, _: api.list_memories(categories=[""])),
    ("list: nobody", UnknownAgentError, lambda api, _: api.list_memories(agent_id="nobody")),
    ("show: nobody", NotFoundError, lambda api, _: api.show(NOBODY)),
    ("show: no id", NotFoundError, lambda api, _: api.show("*")),
    ("show: empty", NotFoundError, lambda api, _: api.show("")),
    ("show: dots", NotFoundError, lambda api, _: api.show("..")),
    ("show: a path", NotFoundError, lambda api, _: api.show("../../etc/passwd")),
    ("show: NUL", NotFoundError, lambda api, _: api.show("a\0b")),
    ("show: half a character", NotFoundError, lambda api, _: api.show(HALF)),
    ("show: very long", NotFoundError, lambda api, _: api.show("x" * 100_000)),
    ("explain: nobody", NotFoundError, lambda api, _: api.explain(NOBODY)),
    ("forget: nobody", NotFoundError, lambda api, _: api.forget(NOBODY)),
    ("forget: empty", NotFoundError, lambda api, _: api.forget("")),
    ("forget: search", NotFoundError, lambda api, _: api.forget("search", purge=True)),
    ("restore: nobody", NotFoundError, lambda api, _: api.restore(NOBODY)),
    ("jobs: limit 0", InputError, lambda api, _: api.jobs(limit=0)),
    ("jobs: limit -1", InputError, lambda api, _: api.jobs(limit=-1)),
    ("jobs: limit 1001", InputError, lambda api, _: api.jobs(limit=1001)),
    ("jobs: no cursor", InputError, lambda api, _: api.jobs(cursor="d-1")),
    ("jobs: nobody", UnknownAgentError, lambda api, _: api.jobs("nobody")),
    ("job: nobody", NotFoundError, lambda api, _: api.job("d-1")),
    ("job: empty", NotFoundError, lambda api, _: api.job("")),
    ("undo: nobody", NotFoundError, lambda api, _: api.undo("d-1")),
    ("digest: nobody", UnknownAgentError, lambda api, _: api.digest(["nobody"])),
    ("digest: a path", InputError, lambda api, _: api.digest(["dev", "../dev"])),
    ("digest: no day", InputError, lambda api, _: api.digest(date="2026-02-30")),
    ("digest: again without a day", InputError, lambda api, _: api.digest(again=True)),
    ("digest: all and a day", InputError, lambda api, _: api.digest(date="2026-04-10", all_days=True)),
    ("dream: nobody", UnknownAgentError, lambda api, _: api.dream(["nobody"])),
    ("dream: no day", InputError, lambda api, _: api.dream(date="tonight")),
    ("dream: no step", InputError, lambda api, _: api.dream(steps=["sleep"])),
    ("diary: nobody", UnknownAgentError, lambda api, _: api.write_diary("nobody", text="x")),
    ("diary: nothing", InputError, lambda api, _: api.write_diary("dev")),
    ("diary: both", InputError, lambda api, _: api.write_diary("dev", text="x", messages=[])),
    ("diary: empty", InputError, lambda api, _: api.write_diary("dev", text=" ")),
    ("diary: an empty event", InputError, lambda api, _: api.write_diary("dev", text="x", event_id="")),
    ("diary: a long event", InputError, lambda api, _: api.write_diary("dev", text="x", event_id="e" * 201)),
    ("diary: no role", InputError, lambda api, _: api.write_diary("dev", messages=[{"content": "x"}])),
    ("export: nobody", UnknownAgentError, lambda api, _: list(api.export_memories("nobody"))),
    ("export: a wild card", InputError, lambda api, _: list(api.export_memories("*"))),
    ("import: no agent id", InputError, lambda api, _: api.import_memories([], agent_id="*")),
    (
        "import: no agent id either",
        InputError,
        lambda api, _: api.import_memories([{"memory": "x"}], agent_id="a/b"),
    ),
    ("migrate: nowhere", InputError, lambda api, _: api.migrate("")),
    ("migrate: no URL", InputError, lambda api, _: api.migrate("elsewhere")),
]


def raised(call: Call, api: object, id_: str) -> AutoDreamError:
    with pytest.raises(AutoDreamError) as caught:
        call(api, id_)
    return caught.value


def state(world: World) -> tuple[Any, ...]:
    diaries = {path: path.read_bytes() for path in sorted(world.root.glob("workspace-*/memory/*"))}
    return world.everything(), world.app.jobs(limit=1000)["jobs"], diaries


@pytest.mark.parametrize(("kind", "call"), [one[1:] for one in BAD], ids=[one[0] for one in BAD])
def test_bad_input_is_the_same_error_in_process_and_over_http(
    twins: Twins, kind: type[AutoDreamError], call: Call
) -> None:
    before = state(twins.world)
    here, there = raised(call, twins.app, twins.id), raised(call, twins.client, twins.id)
    assert isinstance(here, kind)
    assert (type(there), there.code, there.exit_code) == (type(here), here.code, here.exit_code)
    assert str(there)
    assert state(twins.world) == before


def test_a_folder_in_use_is_the_same_error(twins: Twins, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    for api in (twins.app, twins.client):
        with pytest.raises(InputError, match="new or empty") as caught:
            api.backup(tmp_path)
        assert caught.value.field == "folder"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
