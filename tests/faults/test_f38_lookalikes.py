"""F38: different facts never become one, at whatever similarity; one fact in two wordings does."""

import pytest

from autodream.guard.relation import relation
from autodream.reasoning.base import MergeGroup
from autodream.reasoning.rules.merge import merge
from tests.support.factories import make_memory

LOOKALIKES = [
    ("The gateway listens on 8443", "The gateway listens on 8444"),
    ("The review is on 15 October", "The review is on 16 October"),
    ("The service must be drained", "The service need not be drained"),
    ("Ana is on call", "Bea is on call"),
    ("Step 3: stop all writers", "Step 4: stop all writers"),
    ("PR 260 was merged", "PR 480 was merged"),
    ("The rent goes up", "The rent goes down"),
    ("The call is on Wednesday", "The call is on Friday"),
    ("We chose SQLite over Postgres", "We chose fastembed over OpenAI"),
    ("陈默审批退款", "陈墨审批退款"),
]


@pytest.mark.parametrize(("a", "b"), LOOKALIKES)
def test_f38_lookalikes_stay_two(a: str, b: str) -> None:
    assert relation(a, b).kind in ("conflict", "value_change", "unrelated")
    (answer,) = merge([MergeGroup((make_memory(a), make_memory(b)))])
    assert answer.member_ids == ()


def test_f38_one_fact_in_two_wordings_becomes_one() -> None:
    members = (make_memory("金额一律用整数分"), make_memory("钱以分为单位的整型保存"))
    (answer,) = merge([MergeGroup(members)])
    assert answer.member_ids == (members[0].id, members[1].id)
