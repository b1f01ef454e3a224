"""The two JSON forms of a memory."""

import json

from hypothesis import given
from hypothesis import strategies as st

from autodream.journal.records import (
    content_hash,
    dump,
    load_memory,
    memory_from_record,
    memory_to_json,
    memory_to_record,
)
from autodream.models import Evidence, Memory
from tests.support.factories import make_evidence, make_memory

text = st.text(max_size=20)
number = st.integers(0, 2**31)
evidence = st.builds(Evidence, text, number, number, text, text, number, text)
json_value = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)
memories = st.builds(
    Memory,
    id=text,
    text=text,
    memory_type=st.sampled_from(["short_term", "long_term"]),
    category=text,
    agent_id=text,
    user_id=text,
    run_id=st.none() | text,
    day=text,
    source=text,
    status=st.sampled_from(["active", "superseded", "retired"]),
    created_at=text,
    updated_at=text,
    superseded_by=st.none() | text,
    evidence=st.lists(evidence, max_size=3).map(tuple),
    metadata=st.dictionaries(text, json_value, max_size=3),
    sequence=st.none() | number,
)


@given(memories)
def test_a_record_gives_the_memory_back(memory: Memory) -> None:
    assert memory_from_record(memory_to_record(memory)) == memory
    assert load_memory(dump(memory_to_record(memory))) == memory


def test_a_record_of_an_older_version_has_no_place_among_what_was_added() -> None:
    memory = make_memory("The relay listens on port 7001")
    record = memory_to_record(memory)
    assert "sequence" not in record
    assert memory_from_record(record) == memory


@given(memories, memories)
def test_equal_content_has_an_equal_hash_and_other_content_another(a: Memory, b: Memory) -> None:
    assert content_hash(a) == content_hash(memory_from_record(json.loads(json.dumps(memory_to_record(a)))))
    assert (content_hash(a) == content_hash(b)) == (memory_to_record(a) == memory_to_record(b))


def test_lists_and_tuples_of_metadata_are_the_same_content() -> None:
    listed, tupled = make_memory(metadata={"days": ["a"]}), make_memory(metadata={"days": ("a",)})
    assert content_hash(listed) == content_hash(tupled)


def test_a_lone_surrogate_can_be_kept() -> None:
    memory = make_memory("half \ud83c a flower", id="m")
    assert load_memory(dump(memory_to_record(memory))) == memory
    dump(memory_to_record(memory)).encode()


def test_readable_text_is_kept_readable() -> None:
    assert "网关" in dump(memory_to_record(make_memory("网关重启完成")))


def test_the_public_form_is_that_of_the_contract() -> None:
    memory = make_memory(
        "[修复] 登录超时", category="task", evidence=(make_evidence(line_start=12, line_end=14, quote="q"),)
    )
    assert memory_to_json(memory) == {
        "id": memory.id,
        "memory": "[修复] 登录超时",
        "memory_type": "short_term",
        "category": "task",
        "agent_id": "dev",
        "user_id": "boss",
        "run_id": "2026-04-10",
        "day": "2026-04-10",
        "source": "auto_digest",
        "status": "active",
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "superseded_by": None,
        "evidence": [{"path": "memory/2026-04-10.md", "line_start": 12, "line_end": 14, "day": "2026-04-10"}],
        "metadata": {},
    }


@given(memories)
def test_the_public_form_is_json(memory: Memory) -> None:
    assert json.loads(json.dumps(memory_to_json(memory))) == memory_to_json(memory)
