"""Filters as conditions, and mem0's filter dictionaries as the same."""

from datetime import date

import pytest

from autodream.store.base import ANY_STATUS, Filter
from autodream.store.conditions import (
    All,
    AnyOf,
    Between,
    Empty,
    In,
    Not,
    NotIn,
    Text,
    condition_of,
    from_mem0,
)
from autodream.store.engines.edge_filters import edge_filter
from autodream.store.engines.server_filters import server_filter


def test_no_filter_is_no_condition() -> None:
    assert condition_of(Filter(statuses=ANY_STATUS)) == All(())
    assert condition_of(Filter(statuses=())) == All(())
    assert edge_filter(All(())) is None
    assert server_filter(None) is None


def test_active_is_what_is_not_called_otherwise() -> None:
    assert condition_of(Filter()) == All((Not(In("status", ("superseded", "retired"))),))


def test_only_active_rows_may_lack_a_status() -> None:
    [unwanted, wanted] = condition_of(Filter(statuses=("retired",))).parts
    assert unwanted == Not(In("status", ("active", "superseded")))
    assert wanted == In("status", ("retired",))


def test_shared_widens_the_agent_by_experience() -> None:
    parts = condition_of(Filter(agent_id="dev", shared=True)).parts
    assert parts[0] == AnyOf((In("agent_id", ("dev",)), In("category", ("experience",))))
    assert condition_of(Filter(shared=True)) == condition_of(Filter())


def test_the_last_day_of_all_is_a_valid_bound() -> None:
    where = condition_of(Filter(since="0001-01-01", until="9999-12-31", statuses=()))
    [within] = where.parts
    assert isinstance(within, AnyOf)
    assert within.parts[0] == Between("day_ordinal", gte=1, lte=date.max.toordinal())


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (None, None),
        ({}, None),
        ({"agent_id": "*"}, None),
        ({"agent_id": "dev"}, All((In("agent_id", ("dev",)),))),
        ({"agent_id": ["a", "b"]}, All((In("agent_id", ("a", "b")),))),
        ({"n": {"gte": 1, "lt": 5}}, All((Between("n", gte=1, lt=5),))),
        ({"t": {"gt": "2026-04-01T00:00:00Z"}}, All((Between("t", gt="2026-04-01T00:00:00Z"),))),
        ({"k": {"eq": 1}}, All((In("k", (1,)),))),
        ({"k": {"ne": "x"}}, All((NotIn("k", ("x",)),))),
        ({"k": {"in": ["x"]}}, All((In("k", ("x",)),))),
        ({"k": {"nin": ["x"]}}, All((NotIn("k", ("x",)),))),
        ({"k": {"contains": "x"}}, All((Text("k", "x"),))),
        ({"AND": [{"a": 1}, {"b": 2}]}, All((All((In("a", (1,)),)), All((In("b", (2,)),))))),
        ({"$or": [{"a": 1}], "OR": [{"a": 1}]}, All((AnyOf((All((In("a", (1,)),)),)),))),
        ({"NOT": [{"a": 1}]}, All((Not(All((In("a", (1,)),))),))),
    ],
)
def test_mem0_filters_are_understood(filters: dict[str, object] | None, expected: object) -> None:
    assert from_mem0(filters) == expected


def test_an_unknown_operator_is_refused() -> None:
    with pytest.raises(ValueError, match="unsupported filter operator 'like'"):
        from_mem0({"k": {"like": "x"}})


def test_every_condition_has_a_form_in_both_engines() -> None:
    everything = All(
        (
            In("a", ("x", "y")),
            NotIn("a", ("z",)),
            Between("n", gte=1, lt=3.5),
            Between("t", gt="2026-04-01T00:00:00Z"),
            Empty("e"),
            Text("d", "word"),
            AnyOf((In("a", ("x",)), All((In("b", (True,)), Not(Empty("c")))))),
        )
    )
    ids = ("00000000-0000-0000-0000-000000000001",)
    assert len(edge_filter(everything).must) == len(server_filter(everything).must) == 7
    assert len(edge_filter(everything, ids).must) == 2
    assert len(server_filter(everything, ids).must) == 8
    assert len(edge_filter(None, ids).must) == 1
