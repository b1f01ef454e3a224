"""What a glance tells apart, the comparison word by word would have kept apart, too."""

from itertools import combinations

import pytest

from autodream.guard.outline import may_change
from autodream.guard.relation import relation
from autodream.guard.renewal import may_renew
from tests.guard.invented import statements
from tests.guard.lookalikes import LOOKALIKES
from tests.guard.test_renewal import KEPT, RENEWED

SENTENCES = [text for language in ("en", "zh") for text, _ in statements(language, fillings=1)]
PAIRS = [*combinations(SENTENCES, 2), *LOOKALIKES, *RENEWED, *KEPT]


def test_no_change_of_a_value_is_overlooked() -> None:
    apart = [(a, b) for a, b in PAIRS if not may_change(a, b)]
    assert len(apart) > len(PAIRS) / 10  # it tells a good part apart
    assert [pair for pair in apart if relation(*pair).kind == "value_change"] == []


def test_no_renewal_is_overlooked() -> None:
    assert all(may_renew(newer, older) for older, newer in RENEWED)
    assert sum(not may_renew(newer, older) for older, newer in PAIRS) > len(PAIRS) / 2


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("Crane 4 was moved to bay 7 at 06:10", "Crane 5 was moved to bay 9 at 07:20", False),
        ("The relay listens on port 7001", "The relay listens on port 7002", True),
        ("The relay went from port 7001 to 7002", "The relay uses port 7001 and 3 workers, 2 cores", True),
        ("Port 7001, 3 workers. The relay is slow.", "Port 7002, 4 workers. The relay is slow.", True),
    ],
    ids=["several values", "one value", "what moves", "several clauses"],
)
def test_only_plain_statements_with_several_other_values_are_told_apart(
    a: str, b: str, expected: bool
) -> None:
    assert may_change(a, b) is may_change(b, a) is expected
