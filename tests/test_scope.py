"""What one agent sees of a world of two: its own, what is shared, and no trace of the rest (F55)."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from autodream.api import Api
from autodream.errors import AccessError, AutoDreamError, InputError, NotFoundError, UnknownAgentError
from autodream.scope import AgentView
from autodream.store.base import ANY_STATUS
from tests.support.scenes import echo_world
from tests.support.world import World

CANARY = "Zanzibarra"  # stands in everything of blog that is not shared
NOBODY = "3f0c2f63-6ab6-5e0e-9d53-0a1c4f4f7f52"
NIGHT = "2026-04-19T02:00:00+08:00"


@dataclass(frozen=True)
class Ids:
    """What there is in the world, by whom it may be seen."""

    own: str
    own_diary: str
    private: str
    private_diary: str
    shared: str
    shared_diary: str  # of a diary, made shared by an edit
    shared_superseded: str
    shared_retired: str
    jobs: dict[str, str]  # a job of each kind


@dataclass
class Scene:
    world: World
    view: AgentView
    ids: Ids

    @property
    def api(self) -> Api:
        return cast(Api, self.world.app)


def last_job(world: World, kind: str) -> str:
    return next(job["job_id"] for job in world.app.jobs()["jobs"] if job["kind"] == kind)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """For tests that change nothing, or are refused."""
    made = make_scene(tmp_path_factory.mktemp("scene"))
    yield made
    made.world.close()


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Scene]:
    """For tests that change something."""
    made = make_scene(tmp_path)
    yield made
    made.world.close()


def make_scene(root: Path) -> Scene:
    world = echo_world(root, agents=("blog", "dev"))
    app = world.app
    world.write("2026-04-10", "- The gateway listens on port 8231.\n", agent="dev")
    world.write(
        "2026-04-10", f"- {CANARY} keeps the keys of depot 7.\n- {CANARY} lends the crane.\n", agent="blog"
    )
    digest = app.digest(final=True)
    assert {entry["status"] for entry in digest["agents"]} == {"ok"}
    of_blog = sorted(memory.id for memory in world.memories(agent_id="blog"))
    [of_dev] = [memory.id for memory in world.memories(agent_id="dev")]
    own = app.add("Releases are cut on Thursdays.", agent_id="dev")["id"]
    own_job = last_job(world, "add")
    private = app.add(f"{CANARY} is the password of nobody.", agent_id="blog", metadata={"by": CANARY})["id"]
    private_job = last_job(world, "add")
    shared = app.add(
        "Retry an upload with a new key.", agent_id="blog", category="experience", metadata={"tool": "s3"}
    )["id"]
    app.update(of_blog[0], text="Cranes need an hour to warm up.", category="experience")
    old = app.add("The proxy needs a restart after 2 days.", agent_id="blog", category="experience")["id"]
    retired = app.add(f"Never trust {CANARY}.", agent_id="blog", category="experience")["id"]
    app.forget(retired)
    supersede(world, old, by=private)
    world.at(NIGHT)
    dream = app.dream()
    jobs = {"digest": digest["job_id"], "dream": dream["job_id"], "own": own_job, "private": private_job}
    ids = Ids(own, of_dev, private, of_blog[1], shared, of_blog[0], old, retired, cast(dict[str, str], jobs))
    return Scene(world, AgentView(cast(Api, app), "dev"), ids)


def supersede(world: World, id_: str, *, by: str) -> None:
    """As a night would: the memory is covered by another of its agent."""
    from autodream.memories import superseded
    from autodream.models import Change, Operation

    before = world.backend.get([id_])[id_]
    job = world.journal.jobs.start("dream", [before.agent_id], None, world.clock.stamp())
    operation = Operation("supersede", before, superseded(before, by, world.clock.stamp()), f"by {CANARY}")
    done = world.parts.applier.apply(job, before.agent_id, "consolidate", [Change((operation,))])
    assert done.applied
    world.journal.jobs.finish(job, "ok", {}, world.clock.stamp())


def test_the_scene_holds_what_must_not_be_seen(scene: Scene) -> None:
    """Else the tests below could not fail."""
    everything = json.dumps([scene.api.list_memories(status="all"), scene.api.status(), scene.api.jobs()])
    assert CANARY in everything
    assert CANARY in json.dumps(scene.api.explain(scene.ids.shared_diary))
    assert CANARY in json.dumps(scene.api.job(scene.ids.jobs["digest"]))
    assert scene.api.job(scene.ids.jobs["dream"])["agent_ids"] == ["blog", "dev"]


# -- nothing leaks -----------------------------------------------------------------------------------------------


def pages(view: Api) -> Iterator[Any]:
    """Everything that can be listed, page by page."""
    cursor = None
    while True:
        page = view.list_memories(status="all", limit=1, cursor=cursor)
        yield page
        cursor = page["next_cursor"]
        if cursor is None:
            break
    while True:
        jobs = view.jobs(limit=1, cursor=cursor)
        yield jobs
        yield from (view.job(job["job_id"]) for job in jobs["jobs"])
        cursor = jobs["next_cursor"]
        if cursor is None:
            break


def answers(scene: Scene) -> Iterator[Any]:
    """All that the view tells, asked in every way; errors too."""
    view = scene.view
    yield from pages(view)
    for query in (CANARY.lower(), "keys of depot 7", "gateway port", "restart proxy", "crane", "password"):
        yield view.recall(query, top_k=200, include_superseded=True, explain=True)
        yield view.recall(query, agent_id="dev", categories=["experience"], memory_type="long_term")
        yield view.context("dev", query=query, max_chars=50_000)
    yield view.context("dev", max_chars=50_000)
    calls: list[Callable[[], Any]] = [view.agents, view.status, lambda: list(view.export_memories())]
    ids = [getattr(scene.ids, name) for name in Ids.__annotations__ if name != "jobs"] + [NOBODY]
    for id_ in ids:
        calls += [lambda id_=id_: view.show(id_), lambda id_=id_: view.explain(id_)]
    for job in scene.ids.jobs.values():
        calls += [lambda job=job: view.job(job), lambda job=job: view.jobs(cursor=job)]
        calls.append(lambda job=job: view.undo(job))
    for other in ("blog", "ghost"):
        calls += [
            lambda o=other: view.recall("x", agent_id=o),
            lambda o=other: view.list_memories(agent_id=o),
        ]
        calls += [lambda o=other: view.digest([o]), lambda o=other: view.dream(["dev", o])]
        calls += [lambda o=other: view.jobs(o), lambda o=other: view.add("x", agent_id=o)]
    for call in calls:
        try:
            yield call()
        except AutoDreamError as error:
            yield [error.code, str(error), error.field]
    yield view.digest(all_days=True, final=True, dry_run=True)
    yield view.dream(date="2026-04-20", dry_run=True)


def test_f55_no_answer_holds_anything_of_the_other_agent(fresh: Scene) -> None:
    told = [json.dumps(answer, ensure_ascii=False) for answer in answers(fresh)]
    hidden = [CANARY, str(fresh.world.workspaces["blog"])]
    for text in told:
        assert not [word for word in hidden if word in text]
    together = "\n".join(told)
    assert "Retry an upload with a new key." in together  # what is shared is seen
    assert "The gateway listens on port 8231." in together


def test_f55_ids_of_hidden_memories_are_never_told(scene: Scene) -> None:
    """Errors repeat the id that was asked for; nothing else brings one up."""
    view, ids = scene.view, scene.ids
    told = json.dumps(
        [
            list(pages(view)),
            view.recall(CANARY, top_k=200, include_superseded=True, explain=True),
            view.explain(ids.shared_diary),
            view.explain(ids.shared_superseded),
            view.explain(ids.own_diary),
            list(view.export_memories()),
        ]
    )
    for id_ in (ids.private, ids.private_diary, ids.shared_retired):
        assert id_ not in told


# -- memories ----------------------------------------------------------------------------------------------------


def test_recall_finds_the_own_memories_and_the_shared_ones(scene: Scene) -> None:
    found = {
        hit["id"]: hit for hit in scene.view.recall("upload key crane gateway release", top_k=200)["results"]
    }
    ids = scene.ids
    assert {ids.own, ids.own_diary, ids.shared, ids.shared_diary} == set(found)
    assert found[ids.shared]["metadata"] == {"tool": "s3"}
    assert found[ids.shared]["agent_id"] == "blog"
    assert found[ids.own_diary]["evidence"]


def test_recall_gives_what_an_operator_gets_who_asks_for_the_agent(scene: Scene) -> None:
    of_view = scene.view.recall("crane gateway", top_k=5)["results"]
    of_operator = scene.api.recall("crane gateway", agent_id="dev", top_k=5)["results"]
    assert [(hit["id"], hit["score"]) for hit in of_view] == [
        (hit["id"], hit["score"]) for hit in of_operator
    ]


def test_where_a_shared_memory_comes_from_is_not_shared(scene: Scene) -> None:
    of_diary = scene.ids.shared_diary
    assert scene.api.show(of_diary)["evidence"]
    assert scene.view.show(of_diary)["evidence"] == []
    story = scene.view.explain(of_diary)
    assert story["memory"]["memory"] == "Cranes need an hour to warm up."
    assert (story["evidence"], story["history"], story["merged_from"], story["merged_into"]) == (
        [],
        [],
        [],
        None,
    )
    [hit] = [hit for hit in scene.view.recall("crane", top_k=200)["results"] if hit["id"] == of_diary]
    assert hit["evidence"] == []


def test_a_superseded_shared_memory_does_not_name_what_superseded_it(scene: Scene) -> None:
    assert scene.api.show(scene.ids.shared_superseded)["superseded_by"] == scene.ids.private
    shown = scene.view.show(scene.ids.shared_superseded)
    assert (shown["status"], shown["superseded_by"]) == ("superseded", None)


@pytest.mark.parametrize("which", ["private", "private_diary", "shared_retired"])
@pytest.mark.parametrize("ask", ["show", "explain"])
def test_f55_a_hidden_memory_is_answered_like_an_unknown_one(scene: Scene, which: str, ask: str) -> None:
    id_ = getattr(scene.ids, which)
    assert scene.api.show(id_)["id"] == id_
    with pytest.raises(NotFoundError) as hidden:
        getattr(scene.view, ask)(id_)
    with pytest.raises(NotFoundError) as unknown:
        getattr(scene.view, ask)(NOBODY)
    assert str(hidden.value).replace(id_, NOBODY) == str(unknown.value)
    assert hidden.value.field == unknown.value.field


@pytest.mark.parametrize(
    "which", ["private", "shared", "shared_diary", "shared_superseded", "shared_retired"]
)
@pytest.mark.parametrize(
    "change",
    [
        lambda view, id_: view.update(id_, text="mine now"),
        lambda view, id_: view.forget(id_),
        lambda view, id_: view.forget(id_, purge=True),
        lambda view, id_: view.restore(id_),
    ],
    ids=["update", "forget", "purge", "restore"],
)
def test_f55_memories_of_others_cannot_be_changed_shared_or_not(
    scene: Scene, which: str, change: Callable[[AgentView, str], object]
) -> None:
    id_ = getattr(scene.ids, which)
    before, jobs = scene.api.show(id_), len(scene.api.jobs(limit=1000)["jobs"])
    with pytest.raises(NotFoundError, match="no memory has the id"):
        change(scene.view, id_)
    assert scene.api.show(id_) == before
    assert len(scene.api.jobs(limit=1000)["jobs"]) == jobs


def test_an_agent_lists_shows_edits_forgets_and_restores_its_own(fresh: Scene) -> None:
    view, own = fresh.view, fresh.ids.own
    assert {memory["id"] for memory in view.list_memories()["memories"]} == {own, fresh.ids.own_diary}
    assert view.update(own, text="Releases are cut on Fridays.")["memory"] == "Releases are cut on Fridays."
    assert [event["op"] for event in view.explain(own)["history"]] == ["add", "update"]
    assert view.forget(own)["status"] == "retired"  # type: ignore[typeddict-item]
    assert view.restore(own)["status"] == "active"
    assert view.forget(own, purge=True) == {"id": own, "purged": True}


def test_what_an_agent_adds_is_its_own_and_what_it_shares_others_read(fresh: Scene) -> None:
    added = fresh.view.add("Wrap long calls in a retry.", agent_id="dev", category="experience")
    assert added["agent_id"] == "dev"
    blog = AgentView(fresh.api, "blog")
    assert added["id"] in {hit["id"] for hit in blog.recall("retry", top_k=200)["results"]}
    with pytest.raises(NotFoundError):
        blog.forget(added["id"])
    missing = fresh.view.add("Nobody was named.", agent_id=cast(str, None))
    assert missing["agent_id"] == "dev"


def test_a_context_is_made_of_the_own_memories_and_the_shared_ones(scene: Scene) -> None:
    ids = scene.ids
    told = scene.view.context("dev", query="upload with a new key, gateway port", max_chars=50_000)
    assert ids.shared in told["memory_ids"]
    assert ids.own_diary in told["memory_ids"]
    newest = scene.view.context(cast(str, None), max_chars=50_000)
    for context in (told, newest):
        assert set(context["memory_ids"]) <= {ids.own, ids.own_diary, ids.shared, ids.shared_diary}
        assert "Zanzi" not in context["text"]


def test_a_diary_entry_goes_into_the_own_diary_and_an_event_is_the_agents_own(fresh: Scene) -> None:
    """The same event id of another agent is another event: nothing tells that it exists."""
    first = fresh.api.write_diary("blog", text=f"{CANARY} called.", event_id="call-1")
    written = fresh.view.write_diary("dev", text="Ana called.", event_id="call-1")
    assert (first["duplicate"], written["duplicate"]) == (False, False)
    assert fresh.view.write_diary(cast(str, None), text="Ana called.", event_id="call-1")["duplicate"]
    diary = fresh.world.workspaces["dev"] / written["path"]
    assert "Ana called." in diary.read_text(encoding="utf-8")
    assert CANARY not in diary.read_text(encoding="utf-8")
    assert "Ana" not in (fresh.world.workspaces["blog"] / first["path"]).read_text(encoding="utf-8")


def test_export_gives_the_own_memories_alone(scene: Scene) -> None:
    exported = list(scene.view.export_memories())
    assert {record["agent_id"] for record in exported} == {"dev"}
    assert len(exported) == len(scene.world.memories(agent_id="dev", statuses=ANY_STATUS))
    assert {record["agent_id"] for record in scene.api.export_memories()} == {"dev", "blog"}


# -- naming agents -----------------------------------------------------------------------------------------------

NAMING: list[tuple[str, Callable[[AgentView, str], object]]] = [
    ("recall", lambda view, name: view.recall("x", agent_id=name)),
    ("context", lambda view, name: view.context(name)),
    ("list", lambda view, name: view.list_memories(agent_id=name)),
    ("add", lambda view, name: view.add("x", agent_id=name)),
    ("jobs", lambda view, name: view.jobs(name)),
    ("digest", lambda view, name: view.digest([name])),
    ("digest of both", lambda view, name: view.digest(["dev", name])),
    ("dream", lambda view, name: view.dream([name])),
    ("diary", lambda view, name: view.write_diary(name, text="x")),
    ("export", lambda view, name: view.export_memories(name)),
]


@pytest.mark.parametrize("call", [call for _, call in NAMING], ids=[name for name, _ in NAMING])
def test_f55_another_agent_is_unknown_whether_it_exists_or_not(
    scene: Scene, call: Callable[[AgentView, str], object]
) -> None:
    jobs = len(scene.api.jobs(limit=1000)["jobs"])
    with pytest.raises(UnknownAgentError) as there:
        call(scene.view, "blog")
    with pytest.raises(UnknownAgentError) as nowhere:
        call(scene.view, "golb")
    assert str(there.value).replace("blog", "golb") == str(nowhere.value)
    assert len(scene.api.jobs(limit=1000)["jobs"]) == jobs
    assert not [memory for memory in scene.world.everything() if memory.agent_id == "golb"]


@pytest.mark.parametrize("name", ["", "*", "../blog", "Dev ", "dev\0", "d" * 65])
@pytest.mark.parametrize("call", [call for _, call in NAMING], ids=[name for name, _ in NAMING])
def test_f54_what_is_no_agent_id_is_refused(
    scene: Scene, call: Callable[[AgentView, str], object], name: str
) -> None:
    with pytest.raises(InputError, match="agent id") as refused:
        call(scene.view, name)
    assert type(refused.value) is InputError


@pytest.mark.parametrize("name", ["", "*", "a/b", " dev"])
def test_f54_a_view_needs_an_agent_id(scene: Scene, name: str) -> None:
    with pytest.raises(InputError):
        AgentView(scene.api, name)


def test_ids_are_compared_exactly(scene: Scene) -> None:
    with pytest.raises(UnknownAgentError):
        scene.view.list_memories(agent_id="Dev")


# -- jobs --------------------------------------------------------------------------------------------------------


def test_a_job_for_several_agents_is_told_as_the_part_of_one(scene: Scene) -> None:
    job = scene.view.job(scene.ids.jobs["digest"])
    assert job["agent_ids"] == ["dev"]
    assert {operation["agent_id"] for operation in job["operations"]} == {"dev"}
    [entry] = job["report"]["agents"]
    assert (entry["agent_id"], entry["facts"]["added"]) == ("dev", 1)
    assert set(job["report"]) == {"job_id", "status", "agents"}  # no calls, tokens, seconds of all together
    whole = scene.api.job(scene.ids.jobs["digest"])
    assert len(whole["report"]["agents"]) == 2
    assert "llm" in whole["report"]


def test_what_became_of_others_does_not_show_in_the_status(tmp_path: Path) -> None:
    world = echo_world(tmp_path, agents=("blog", "dev"))
    for agent in ("blog", "dev"):
        world.write("2026-04-10", f"- Crate 7 of {agent} came in.\n", agent=agent)
    (world.workspaces["blog"] / "memory" / "2026-04-10.md").unlink()
    (world.workspaces["blog"] / "memory").rmdir()
    (world.workspaces["blog"] / "memory").write_text("no folder")
    world.workspaces["blog"].joinpath("memory").unlink()
    world.workspaces["blog"].rmdir()
    job_id = cast(str, world.app.digest(final=True)["job_id"])
    assert world.app.job(job_id)["status"] == "partial"
    view = AgentView(cast(Api, world.app), "dev")
    assert view.job(job_id)["status"] == "ok"
    assert view.jobs()["jobs"][0]["report"]["status"] == "ok"
    world.close()


def test_an_error_of_a_job_for_several_is_not_told(fresh: Scene) -> None:
    jobs, stamp = fresh.world.journal.jobs, fresh.world.clock.stamp()
    job = jobs.start("digest", ["blog", "dev"], None, stamp)
    jobs.finish(job, "failed", {"job_id": job, "status": "failed", "error": f"{CANARY} broke"}, stamp)
    told = fresh.view.job(job)
    assert (told["status"], told["report"]) == ("failed", {"job_id": job, "status": "failed", "agents": []})


def test_a_job_of_the_agent_alone_is_told_whole(fresh: Scene) -> None:
    fresh.world.write("2026-04-18", "- Crate 12 came in.\n", agent="dev")
    report = fresh.view.digest(final=True)
    assert [entry["agent_id"] for entry in report["agents"]] == ["dev"]
    job_id = cast(str, report["job_id"])
    assert fresh.view.job(job_id) == fresh.api.job(job_id)
    assert fresh.view.job(job_id)["report"]["llm"] == report["llm"]


def test_the_ledger_holds_the_jobs_for_the_agent_page_by_page(scene: Scene) -> None:
    seen, cursor = [], None
    while True:
        page = scene.view.jobs(limit=2, cursor=cursor)
        seen += [job["job_id"] for job in page["jobs"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert {scene.ids.jobs["digest"], scene.ids.jobs["dream"], scene.ids.jobs["own"]} <= set(seen)
    assert scene.ids.jobs["private"] not in seen
    assert seen == [job["job_id"] for job in scene.view.jobs()["jobs"]]


def test_f55_a_job_of_another_is_unknown_also_as_a_cursor(scene: Scene) -> None:
    private, nobody = scene.ids.jobs["private"], "a-20260411T200000-ffffff"
    for ask, kind in (
        (scene.view.job, NotFoundError),
        (scene.view.undo, NotFoundError),
        (lambda job: scene.view.jobs(cursor=job), InputError),
    ):
        with pytest.raises(kind) as hidden:
            ask(private)
        with pytest.raises(kind) as unknown:
            ask(nobody)
        assert type(hidden.value) is type(unknown.value) is kind
        assert str(hidden.value).replace(private, nobody) == str(unknown.value)


def test_an_agent_undoes_its_own_jobs_and_none_that_touched_others(fresh: Scene) -> None:
    active = {memory.id for memory in fresh.world.memories()}
    for job in ("digest", "dream", "private"):
        with pytest.raises(NotFoundError):
            fresh.view.undo(fresh.ids.jobs[job])
    assert {memory.id for memory in fresh.world.memories()} == active
    undone = fresh.view.undo(fresh.ids.jobs["own"])
    assert undone["undone"] == 1
    assert fresh.api.show(fresh.ids.own)["status"] == "retired"
    assert fresh.view.undo(undone["job_id"])["undone"] == 1
    assert fresh.api.show(fresh.ids.own)["status"] == "active"


def test_a_night_of_the_agent_is_its_own(fresh: Scene) -> None:
    fresh.world.at("2026-04-20T02:00:00+08:00")
    report = fresh.view.dream()
    assert [entry["agent_id"] for entry in report["agents"]] == ["dev"]


def test_who_waits_for_the_start_of_a_job_is_told_its_id(fresh: Scene) -> None:
    fresh.world.write("2026-04-18", "- Crate 13 came in.\n", agent="dev")
    told: list[str] = []
    report = fresh.view.digest(final=True, started=told.append)
    assert told == [report["job_id"]]
    night = fresh.world.at("2026-04-21T02:00:00+08:00") and fresh.view.dream(started=told.append)
    assert told[1:] == [night["job_id"]]


# -- the rest ----------------------------------------------------------------------------------------------------


def test_status_and_agents_tell_of_the_agent_alone(scene: Scene) -> None:
    status = scene.view.status()
    assert [agent["agent_id"] for agent in status["agents"]] == ["dev"]
    assert (status["settings"], status["warnings"]) == ({}, [])
    assert [agent["agent_id"] for agent in scene.view.agents()["agents"]] == ["dev"]


@pytest.mark.parametrize(
    "call",
    [
        lambda view: view.doctor(),
        lambda view: view.reembed(),
        lambda view: view.import_memories([]),
        lambda view: view.import_memories([], agent_id="dev"),
        lambda view: view.backup(Path("copy")),
        lambda view: view.migrate("http://127.0.0.1:1"),
    ],
)
def test_what_concerns_everybody_is_the_operators(scene: Scene, call: Callable[[AgentView], object]) -> None:
    with pytest.raises(AccessError, match="operator's token"):
        call(scene.view)


def test_closing_a_view_leaves_the_application_open(scene: Scene) -> None:
    scene.view.close()
    assert scene.api.show(scene.ids.own)["id"] == scene.ids.own


def test_an_agent_nobody_knows_yet_sees_nothing_and_may_begin(fresh: Scene) -> None:
    view = AgentView(fresh.api, "newcomer")
    assert view.agents() == {"agents": []}
    assert view.status()["agents"] == []
    with pytest.raises(UnknownAgentError):
        view.list_memories()
    view.add("The newcomer begins.", agent_id="newcomer")
    assert [memory["memory"] for memory in view.list_memories()["memories"]] == ["The newcomer begins."]
