"""A memory and its payload are two forms of one thing."""

import hashlib
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from autodream.models import Evidence, Memory
from autodream.store.payload import memory_of, ordinal, payload_of
from tests.support.factories import make_memory

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
_KEYS = st.text(max_size=12) | st.sampled_from(
    ["data", "status", "metadata", "sequence", "evidence", "run_id", "day_ordinal", "day"]
)
_DAYS = st.dates().map(lambda day: day.isoformat())
_EVIDENCE = st.builds(
    Evidence,
    st.text(max_size=9),
    st.integers(1, 99),
    st.integers(1, 99),
    _DAYS,
    st.text(),
    st.integers(0, 9),
    st.text(),
)


@given(
    text=st.text(min_size=1),
    metadata=st.dictionaries(_KEYS, _JSON, max_size=5),
    run_id=st.none() | _DAYS,
    day=_DAYS,
    evidence=st.lists(_EVIDENCE, max_size=3).map(tuple),
    superseded_by=st.none() | st.uuids().map(str),
    sequence=st.none() | st.integers(1, 10**6),
)
def test_nothing_is_lost_on_the_way(
    text: str, metadata: dict[str, Any], run_id: str | None, **fields: Any
) -> None:
    kind = "short_term" if run_id else "long_term"
    memory = make_memory(text, metadata=metadata, run_id=run_id, memory_type=kind, **fields)

    assert memory_of(memory.id, payload_of(memory)) == memory


def test_the_payload_has_mem0_layout() -> None:
    memory = make_memory("网关端口", metadata={"task_type": "修复"})
    payload = payload_of(memory)

    assert payload["data"] == "网关端口"
    assert payload["hash"] == hashlib.md5("网关端口".encode(), usedforsecurity=False).hexdigest()
    assert (payload["user_id"], payload["agent_id"], payload["run_id"]) == ("boss", "dev", "2026-04-10")
    assert payload["task_type"] == "修复"
    assert "metadata" not in payload


def test_absent_values_have_no_key() -> None:
    promoted = make_memory(memory_type="long_term")
    assert {"run_id", "run_ordinal", "superseded_by"}.isdisjoint(payload_of(promoted))


def test_days_are_numbers_for_ranges_and_other_run_ids_are_not() -> None:
    memory = make_memory(day="2026-04-11", run_id="2026-04-10")
    payload = payload_of(memory)
    assert payload["day_ordinal"] - payload["run_ordinal"] == 1
    assert [ordinal(text) for text in ("session-42", "2026-02-30", "20260411", "", None)] == [None] * 5


def test_a_bare_row_gets_defaults() -> None:
    memory = memory_of("x", {"data": "tea", "created_at": "2026-04-11T23:30:00-07:00"})
    assert memory == Memory(
        id="x",
        text="tea",
        memory_type="long_term",
        category="note",
        agent_id="",
        user_id="",
        run_id=None,
        day="2026-04-12",
        source="mem0",
        status="active",
        created_at="2026-04-11T23:30:00-07:00",
        updated_at="2026-04-11T23:30:00-07:00",
    )


def test_odd_values_of_others_do_not_break_reading() -> None:
    payload = {
        "data": None,
        "memory_type": "procedural_memory",
        "status": 7,
        "created_at": "yesterday",
        "run_id": "session-42",
        "evidence": ["text", {"path": "memory/a.md", "unknown": 1}],
        "metadata": ["not", "a", "mapping"],
    }
    memory = memory_of("x", payload)
    assert (memory.text, memory.memory_type, memory.status) == ("", "short_term", "active")
    assert (memory.day, memory.run_id) == ("1970-01-01", "session-42")
    assert memory.evidence == (Evidence("memory/a.md", 1, 1, ""),)
    assert memory.metadata == {}


def test_entries_whose_name_is_taken_travel_aside() -> None:
    memory = make_memory(metadata={"status": "odd", "mood": "good"})
    payload = payload_of(memory)
    assert (payload["status"], payload["mood"], payload["metadata"]) == ("active", "good", {"status": "odd"})
    assert memory_of(memory.id, payload_of(replace(memory, status="retired"))).status == "retired"
