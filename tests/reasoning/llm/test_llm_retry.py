from typing import Any

import pytest

from autodream.config import LLM_BACKOFF
from autodream.errors import (
    AutoDreamError,
    BadAnswerError,
    BudgetError,
    CutAnswerError,
    ModelUnavailableError,
)
from autodream.reasoning.retry import Retry, classify


class HttpError(Exception):
    def __init__(self, status: int, message: str = "scripted", headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.response = type("Response", (), {"status_code": status, "headers": headers or {}})()


class APIConnectionError(Exception):
    pass


class APITimeoutError(APIConnectionError):
    pass


def retrying(*outcomes: Any) -> tuple[Any, int, list[float]]:
    """Result or error of a request with the outcomes, how often it was made, and the pauses."""
    slept: list[float] = []
    made = []
    left = list(outcomes)

    def request() -> Any:
        made.append(1)
        outcome = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    retry = Retry("the model x", "SOME_KEY", sleep=slept.append, jitter=lambda: 1.0)
    try:
        result: Any = retry.call(request)
    except AutoDreamError as error:
        result = error
    return result, len(made), slept


@pytest.mark.parametrize("failure", [HttpError(429), HttpError(503), HttpError(529), ConnectionResetError()])
def test_a_passing_failure_is_waited_for(failure: Exception) -> None:
    assert retrying(failure, failure, "fine") == ("fine", 3, [LLM_BACKOFF, 2 * LLM_BACKOFF])


def test_after_three_tries_it_is_unavailable() -> None:
    error, made, _ = retrying(HttpError(503))
    assert isinstance(error, ModelUnavailableError)
    assert made == 3
    assert "the model x" in str(error)


def test_retry_after_is_honoured() -> None:
    assert retrying(HttpError(429, headers={"retry-after": "7"}), "fine") == ("fine", 2, [7.0])


def test_a_retry_after_beyond_patience_gives_up_at_once() -> None:
    error, made, slept = retrying(HttpError(429, headers={"retry-after": "3600"}))
    assert isinstance(error, ModelUnavailableError)
    assert (made, slept) == (1, [])


def test_a_retry_after_that_is_a_date_falls_back_to_the_pause() -> None:
    headers = {"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}
    assert retrying(HttpError(429, headers=headers), "fine")[2] == [LLM_BACKOFF]


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_names_its_setting_and_not_the_key(status: int) -> None:
    error, made, _ = retrying(HttpError(status, "Incorrect API key provided: sk-abc"))
    assert isinstance(error, ModelUnavailableError)
    assert made == 1
    assert "SOME_KEY" in str(error)
    assert "sk-abc" not in str(error)


@pytest.mark.parametrize(
    ("failure", "expected"),
    [
        (HttpError(404, "no such model"), ModelUnavailableError),
        (HttpError(429, "insufficient_quota: check your plan"), ModelUnavailableError),
        (HttpError(500), ModelUnavailableError),
        (APITimeoutError("timed out"), ModelUnavailableError),
        (RuntimeError("anything"), ModelUnavailableError),
        (HttpError(400, "content policy"), BadAnswerError),
        (HttpError(413), CutAnswerError),
        (HttpError(400, "This model's maximum context length is 4096 tokens"), CutAnswerError),
    ],
)
def test_what_does_not_pass_by_itself_is_asked_once(failure: Exception, expected: type[Exception]) -> None:
    error, made, slept = retrying(failure)
    assert isinstance(error, expected)
    assert (made, slept) == (1, [])


def test_a_key_in_a_providers_message_is_not_passed_on() -> None:
    key = "sk-proj-" + "aB3dE5gH" * 5
    error, _, _ = retrying(HttpError(400, f"API key {key} is not valid"))
    assert key not in str(error)
    assert "is not valid" in str(error)


def test_our_own_errors_pass_unchanged() -> None:
    budget = BudgetError("used up")
    assert retrying(budget)[0] is budget


def test_a_lost_connection_is_told_from_a_timeout() -> None:
    assert classify(APIConnectionError("refused")).kind == "passing"
    assert classify(APITimeoutError("slow")).kind == "other"


def test_jitter_spreads_the_default_pause() -> None:
    factors = {Retry("x", "y").jitter() for _ in range(20)}
    assert len(factors) > 1
    assert all(0.5 <= factor <= 1.5 for factor in factors)
