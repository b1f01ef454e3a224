"""Records of mem0 become long-term memories; nothing in them can say what only AutoDream decides."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autodream.models import Memory
from autodream.transfer.records import FORMAT
from tests.support.factories import make_memory

from .conftest import Make

ID = make_memory("some memory of mem0").id
# As get_all() of mem0 2.2 gives it.
RECORD: dict[str, Any] = {
    "id": ID,
    "memory": "Ana prefers tea.",
    "hash": "0d5c1f",
    "created_at": "2026-03-31T23:30:00-08:00",
    "updated_at": "2026-04-02T08:00:00-08:00",
    "user_id": "ana",
    "agent_id": "dev",
    "run_id": "chat-17",
    "metadata": {"category": "preference", "level": 3},
}


def one(make: Make, record: Any, **options: Any) -> Memory:
    world = make("here")
    report = world.app.import_memories([record], **options)
    assert report["rejected"] == []
    [memory] = world.everything()
    return memory


def refused(make: Make, record: Any, **options: Any) -> str:
    world = make("here")
    report = world.app.import_memories([record], **options)
    assert world.everything() == []
    [rejected] = report["rejected"]
    assert rejected["line"] == 1
    return str(rejected["reason"])


def test_a_result_of_get_all_keeps_what_it_says(make: Make) -> None:
    memory = one(make, RECORD)
    assert (memory.id, memory.text, memory.agent_id, memory.user_id) == (ID, "Ana prefers tea.", "dev", "ana")
    assert (memory.memory_type, memory.category, memory.source) == ("long_term", "preference", "import")
    assert (memory.status, memory.run_id, memory.superseded_by) == ("active", None, None)
    assert memory.day == "2026-04-01"  # in Asia/Shanghai
    assert memory.created_at == "2026-04-01T15:30:00+08:00"
    assert memory.updated_at == "2026-04-03T00:00:00+08:00"
    assert memory.metadata == {"level": 3, "run_id": "chat-17"}


def test_a_point_keeps_its_payload(make: Make) -> None:
    payload = {
        "data": "Ana prefers tea.",
        "hash": "x",
        "text_lemmatized": "ana prefer tea",
        "agent_id": "dev",
        "created_at": "2026-04-01T00:00:00+00:00",
        "text": "a key of the user's own",
        "day": "Monday",
        "level": 3,
    }
    for record in ({"id": ID, "payload": payload, "vector": [0.1] * 4}, {"id": ID, **payload}):
        memory = one(make, record)
        assert (memory.id, memory.text, memory.day) == (ID, "Ana prefers tea.", "2026-04-01")
        assert memory.metadata == {"text": "a key of the user's own", "day": "Monday", "level": 3}
        make_again = memory  # each in a world of its own
        assert make_again.source == "import"


@pytest.mark.parametrize("key", ["memory", "data", "text"])
def test_the_text_may_have_any_of_mem0s_names(make: Make, key: str) -> None:
    assert one(make, {key: "Ana prefers tea.", "agent_id": "dev"}).text == "Ana prefers tea."


def test_an_agent_is_the_records_own_or_the_one_that_is_named(make: Make) -> None:
    without = {key: value for key, value in RECORD.items() if key != "agent_id"}
    assert one(make, RECORD, agent_id="blog").agent_id == "dev"
    assert one(make, without, agent_id="blog").agent_id == "blog"


def test_without_an_agent_a_record_is_refused(make: Make) -> None:
    assert "--agent" in refused(make, {"memory": "Ana prefers tea."})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"memory": None}, "no text"),
        ({"memory": ""}, "empty"),
        ({"memory": "a\0b"}, "NUL"),
        ({"memory": "x" * 20_001}, "20001"),
        ({"agent_id": "*"}, "agent id"),
        ({"agent_id": 7}, "agent_id"),
        ({"user_id": "a\nb"}, "user_id"),
        ({"metadata": [1]}, "metadata"),
        ({"metadata": {"n": 10**30}}, "metadata"),
        ({"metadata": {"categories": [1]}}, "categories"),
        ({"created_at": "0001-01-02T00:00:00+00:00"}, "1900"),
        ({"metadata": {"day_ordinal": 739_000}}, "autodream export"),
        ({"payload": {"data": "x", "day_ordinal": 739_000}}, "autodream export"),
    ],
)
def test_what_cannot_be_a_memory_is_refused_with_its_reason(make: Make, change: Any, reason: str) -> None:
    assert reason in refused(make, {**RECORD, **change})


INTERNAL = {
    "status": "retired",
    "source": "auto_digest",
    "superseded_by": ID,
    "memory_type": "short_term",
    "evidence": [{"path": "../../etc/passwd", "line_start": 1, "line_end": 1, "day": "2026-04-01"}],
    "run_ordinal": 1,
    "metadata": {"x": 1},
}


@pytest.mark.parametrize("where", ["top", "metadata", "payload"])
def test_internal_fields_cannot_be_forged(make: Make, where: str) -> None:
    record: dict[str, Any] = {"id": ID, "memory": "Ana prefers tea.", "agent_id": "dev"}
    record = {
        "top": {**record, **INTERNAL},
        "metadata": {**record, "metadata": INTERNAL},
        "payload": {"id": ID, "payload": {**record, **INTERNAL}},
    }[where]
    memory = one(make, record)
    assert (memory.status, memory.source, memory.superseded_by) == ("active", "import", None)
    assert (memory.memory_type, memory.evidence, memory.run_id) == ("long_term", (), None)


def test_nothing_internal_is_forged_in_the_store_itself(make: Make) -> None:
    world = make("here", real=True)
    world.app.import_memories(
        [{"id": ID, "memory": "Ana prefers tea.", "agent_id": "dev", "metadata": INTERNAL}]
    )
    [memory] = world.everything()
    assert (memory.status, memory.source, memory.superseded_by) == ("active", "import", None)
    assert memory.metadata["status"] == "retired"
    assert world.app.list_memories()["memories"][0]["id"] == ID


@pytest.mark.parametrize("category", ["experience", "reflection", "", "x" * 70, 5])
def test_a_category_that_is_not_of_others_becomes_a_note(make: Make, category: Any) -> None:
    memory = one(make, {**RECORD, "metadata": {"category": category}})
    assert memory.category == "note"
    assert memory.metadata["category"] == category


def test_a_foreign_memory_is_never_shared_with_other_agents(make: Make) -> None:
    world = make("here", real=True, agents=("dev", "blog"))
    shared = {"category": "experience", "categories": ["experience"]}
    world.app.import_memories([{**RECORD, "metadata": shared}])
    assert world.app.recall("tea", agent_id="blog")["results"] == []
    assert world.app.recall("tea", agent_id="dev")["results"][0]["id"] == ID


def test_without_an_id_the_text_gives_one_that_is_the_same_next_time(make: Make) -> None:
    world = make("here")
    records = [
        {"memory": "Ana prefers tea.", "agent_id": "dev", "id": id_} for id_ in (None, "17", "not-a-uuid")
    ]
    assert world.app.import_memories(records)["added"] == 1
    later = world.at("2026-05-30T10:00:00+08:00").app.import_memories(records)
    assert (later["status"], later["known"]) == ("nothing", 3)


def test_a_text_that_is_there_under_another_id_is_known(make: Make) -> None:
    world = make("here")
    kept = world.app.add("Ana prefers tea", agent_id="dev")["id"]
    gone = world.app.add("The old office is in Bonn.", agent_id="dev")["id"]
    world.app.forget(gone)
    copies = [RECORD, {**RECORD, "id": make_memory("copy").id, "memory": "The old office is in Bonn."}]
    assert world.app.import_memories(copies)["known"] == 2
    assert {memory.id for memory in world.everything()} == {kept, gone}


def test_copies_within_a_dump_are_one_memory(make: Make) -> None:
    world = make("here")
    copies = [{**RECORD, "id": make_memory(f"copy {n}").id} for n in range(5)]
    report = world.app.import_memories(copies)
    assert (report["added"], report["known"]) == (1, 4)


def test_the_same_text_of_two_agents_is_two_memories(make: Make) -> None:
    world = make("here")
    both = [{"memory": "Ana prefers tea.", "agent_id": agent} for agent in ("dev", "blog")]
    assert world.app.import_memories(both)["added"] == 2


def test_secrets_are_redacted(make: Make) -> None:
    key = "ghp_" + "a1B2" * 9
    memory = one(make, {**RECORD, "memory": f"Token {key}", "metadata": {key: {"deep": f"x {key}"}}})
    assert key not in json.dumps([memory.text, dict(memory.metadata)])


def test_a_format_of_the_users_own_is_metadata(make: Make) -> None:
    assert one(make, {**RECORD, "format": "markdown"}).metadata["format"] == "markdown"
    assert "another version" in refused_again({**RECORD, "format": "autodream/9"}, make)
    assert FORMAT != "autodream/9"


def refused_again(record: Any, make: Make) -> str:
    world = make("again")
    return str(world.app.import_memories([record])["rejected"][0]["reason"])


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["data", "a.b", "", "status", "categories"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from autodream.store.factory import open_store
    from tests.support.world import World

    world = World(tmp_path_factory.mktemp("real"), store=open_store)
    yield world
    world.close()


METADATA = st.dictionaries(
    st.text(max_size=8) | st.sampled_from(["data", "a.b", "", "day", "metadata"]), JSON, max_size=4
)


@settings(max_examples=5, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.lists(METADATA, min_size=40, max_size=60))
def test_any_metadata_is_kept_as_it_is_or_refused(real: Any, found: list[dict[str, Any]]) -> None:
    """What the engine could not give back would be found at reading back, and block the agent."""
    there = len(real.everything())
    records = [
        {"memory": f"Fact {there} of {number}.", "agent_id": "dev", "metadata": one}
        for number, one in enumerate(found)
    ]
    report = real.app.import_memories(records)
    assert report["added"] + len(report["rejected"]) == len(records)
    assert len(real.everything()) == there + report["added"]
    assert not real.journal.operations.pending()
