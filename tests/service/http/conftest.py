"""An open service and one with tokens, for every test of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.http.serving import OPERATOR, TOKENS, Served, serving


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """On the loopback, without tokens."""
    with serving(tmp_path) as made:
        yield made


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Served]:
    """With an operator's token and one for each of two agents; asked by the operator."""
    with serving(tmp_path, token=OPERATOR, tokens=TOKENS) as made:
        yield made.as_(OPERATOR)
