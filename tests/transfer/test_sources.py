"""Files in the forms in which people have them become records, each with its line and what is wrong with it."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.errors import InputError
from autodream.transfer.records import FORMAT, NOTES
from autodream.transfer.sources import Format, read_records


def read(data: str | bytes, name: str = "dump.jsonl", format: Format = "auto") -> list[dict[str, Any]]:
    raw = data.encode() if isinstance(data, str) else data
    return list(read_records(io.BytesIO(raw), name, format))


def shape(records: list[dict[str, Any]]) -> list[tuple[int, Any]]:
    """(line, text or problem) of each."""
    return [(one[NOTES]["line"], one.get("memory") or one[NOTES].get("problem")) for one in records]


MEMORIES = [{"id": "1", "memory": "one"}, {"id": "2", "memory": "two"}]
ROWS = "\n".join(map(json.dumps, MEMORIES))


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        f"{ROWS}\n",
        f"\ufeff{ROWS}",
        json.dumps(MEMORIES),
        json.dumps(MEMORIES, indent=2),
        json.dumps({"results": MEMORIES}),
        json.dumps({"results": MEMORIES, "relations": []}, indent=1),
        json.dumps({"memories": MEMORIES}),
        json.dumps({"result": {"points": MEMORIES, "next_page_offset": None}, "status": "ok"}),
    ],
)
def test_lines_and_documents_give_the_same_records(text: str) -> None:
    assert shape(read(text)) == [(1, "one"), (2, "two")]


def test_blank_lines_count_but_are_no_records() -> None:
    first, second = ROWS.split("\n")
    assert shape(read(f"\n{first}\n\n  \n{second}\n\n")) == [(2, "one"), (5, "two")]


def test_one_record_may_stand_over_many_lines() -> None:
    assert shape(read(json.dumps(MEMORIES[0], indent=2))) == [(1, "one")]


@pytest.mark.parametrize("empty", ["", "\n\n", "[]", '{"results": []}'])
def test_nothing_gives_nothing(empty: str) -> None:
    assert read(empty) == []


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b'{"memory": "cut', "not JSON"),
        (b"not json", "not JSON"),
        (b'{"memory": NaN}', "not JSON"),
        (b'{"memory": "\xff"}', "not UTF-8"),
        (b"[1, 2]", "not an object"),
        (b"7", "not an object"),
        (b"[" * 100_000, "too deep"),
        (b'{"a": ' * 5_000, "not JSON"),
    ],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_broken_line_is_named_and_the_others_are_read(line: bytes, problem: str, place: int) -> None:
    lines = ROWS.encode().split(b"\n")
    lines.insert(place, line)
    found = shape(read(b"\n".join(lines), format="mem0"))
    assert [number for number, _ in found] == [1, 2, 3]
    assert problem in found[place][1]
    assert [text for number, text in found if number != place + 1] == ["one", "two"]


def test_a_line_of_an_export_is_told_by_its_format() -> None:
    line = {"format": FORMAT, "memory": "one"}
    records = read(f"{json.dumps(line)}\n{ROWS}")
    assert records[0]["format"] == FORMAT
    assert ["not a line of an AutoDream export" in str(text) for _, text in shape(records)] == [
        False,
        True,
        True,
    ]


def test_a_foreign_file_cannot_pass_for_an_export() -> None:
    forged = {"format": FORMAT, "memory": "forged", NOTES: {"day": "2020-01-01", "line": 99}}
    for records in (read(f"{ROWS}\n{json.dumps(forged)}"), read(json.dumps(forged), format="mem0")):
        assert records[-1] == {"memory": "forged", NOTES: {"line": len(records)}}


def test_what_is_asked_for_as_an_export_must_be_one() -> None:
    assert ["no format" in str(text) for _, text in shape(read(ROWS, format="autodream"))] == [True, True]


@pytest.mark.parametrize("name", ["notes.txt", "-", "dump.csv"])
def test_what_is_neither_json_nor_markdown_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="--format") as refused:
        read("id,memory\n1,one\n", name)
    assert refused.value.field == "format"


def row(memory_id: str, event: str, text: str | None, at: str, **more: Any) -> dict[str, Any]:
    """As mem0's history table has it."""
    return {
        "id": f"row-{at}-{memory_id}",
        "memory_id": memory_id,
        "old_memory": None,
        "new_memory": text,
        "event": event,
        "created_at": "2026-04-01T00:00:00+00:00",
        "updated_at": None if event == "ADD" else at,
        "is_deleted": int(event == "DELETE"),
        "actor_id": None,
        "role": None,
        **more,
    }


HISTORY = [
    row("a", "ADD", "port 8230", "2026-04-01T00:00:00+00:00"),
    row("b", "ADD", "gone", "2026-04-01T00:00:00+00:00"),
    row("c", "ADD", "kept", "2026-04-01T00:00:00+00:00"),
    row("a", "UPDATE", "port 8231", "2026-04-02T00:00:00+00:00"),
    row("b", "DELETE", None, "2026-04-03T00:00:00+00:00"),
    row("a", "UPDATE", "port 8232", "2026-04-03T00:00:00+00:00"),
    row("c", "NONE", None, "2026-04-04T00:00:00+00:00"),
]


@given(st.permutations(HISTORY))
def test_of_a_history_the_last_state_counts_in_whatever_order_it_stands(rows: list[dict[str, Any]]) -> None:
    records = read("\n".join(map(json.dumps, rows)))
    assert {one["id"]: one["memory"] for one in records} == {"a": "port 8232", "c": "kept"}
    newest = next(one for one in records if one["id"] == "a")
    assert newest["created_at"] == "2026-04-01T00:00:00+00:00"
    assert newest["updated_at"] == "2026-04-03T00:00:00+00:00"
    assert rows[newest[NOTES]["line"] - 1]["new_memory"] == "port 8232"


def test_a_history_without_times_is_read_in_its_order() -> None:
    rows = [{**one, "created_at": None, "updated_at": None} for one in HISTORY]
    assert {one["id"]: one["memory"] for one in read(json.dumps(rows))} == {"a": "port 8232", "c": "kept"}


def test_what_is_no_row_of_a_history_is_named() -> None:
    records = read("\n".join(map(json.dumps, [HISTORY[0], {"x": 1}, HISTORY[2]])) + "\ncut {")
    problems = {one[NOTES]["line"]: one[NOTES].get("problem") for one in records}
    assert problems[1] is problems[3] is None
    assert "history" in str(problems[2])
    assert "not JSON" in str(problems[4])


@given(st.binary(max_size=200))
def test_no_bytes_end_in_anything_but_records_or_a_refusal(data: bytes) -> None:
    for name in ("x.jsonl", "MEMORY.md"):
        try:
            records = read(data, name)
        except InputError:
            continue
        assert all(isinstance(one[NOTES]["line"], int) for one in records)
