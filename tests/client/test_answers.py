"""What a client makes of an answer: the value, the error that was raised over there, or plain words."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream import errors
from autodream.client.answers import Answer, Records, check, value_of
from autodream.errors import (
    AccessError,
    AutoDreamError,
    BusyError,
    ConfigError,
    FailedError,
    InputError,
    NotFoundError,
    UnreachableError,
)

HERE = "http://127.0.0.1:8230"


def answer(status: int, document: object) -> Answer:
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    return Answer(status, content, HERE)


def told(code: str, message: str = "why; do this", field: str | None = "text") -> dict[str, object]:
    return {"error": {"code": code, "message": message, "field": field}}


def kinds(kind: type[AutoDreamError]) -> list[type[AutoDreamError]]:
    return [kind, *(each for child in kind.__subclasses__() for each in kinds(child))]


# An incomplete answer holds answers that do not travel: it comes back as the bad answer that it is.
TRAVELLING = [
    kind
    for kind in dict.fromkeys(kinds(AutoDreamError)[1:])
    if kind.__module__ == errors.__name__ and kind is not errors.IncompleteAnswerError
]


@pytest.mark.parametrize("kind", TRAVELLING, ids=lambda kind: kind.__name__)
def test_every_error_comes_back_as_what_it_was(kind: type[AutoDreamError]) -> None:
    status = 422 if issubclass(kind, InputError) else 409 if issubclass(kind, BusyError) else 503
    with pytest.raises(AutoDreamError) as caught:
        check(answer(status, told(kind.code)))
    assert type(caught.value) is kind
    assert (str(caught.value), caught.value.field) == ("why; do this", "text")
    assert caught.value.exit_code == kind.exit_code


def test_an_incomplete_answer_comes_back_as_a_bad_one() -> None:
    with pytest.raises(errors.BadAnswerError):
        check(answer(503, told(errors.IncompleteAnswerError.code)))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InputError),
        (401, AccessError),
        (403, AccessError),
        (404, NotFoundError),
        (405, InputError),
        (409, BusyError),
        (413, InputError),
        (422, InputError),
        (500, FailedError),
        (503, FailedError),
    ],
)
def test_a_code_of_the_door_alone_is_read_by_its_status(status: int, kind: type[AutoDreamError]) -> None:
    with pytest.raises(AutoDreamError) as caught:
        check(answer(status, told("of_tomorrow", field=None)))
    assert type(caught.value) is kind
    assert caught.value.field is None


def test_a_plain_failure_keeps_its_code() -> None:
    with pytest.raises(FailedError) as caught:
        check(answer(409, told("failed")))
    assert type(caught.value) is FailedError


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308, 304])
def test_a_redirect_is_not_followed(status: int) -> None:
    with pytest.raises(ConfigError, match=r"redirects to https://elsewhere\.example/; give") as caught:
        value_of(Answer(status, b"", HERE, "https://elsewhere.example/"), "results")
    assert caught.value.field == "url"


@pytest.mark.parametrize(
    "content",
    [b"<html>hello</html>", b"", b"\xff\xfe", b"[1]", b'"text"', b"null", b"{", b'{"results_": []}'],
)
def test_an_answer_of_somebody_else_says_so(content: bytes) -> None:
    with pytest.raises(ConfigError, match="is not AutoDream; correct the address"):
        value_of(answer(200, content), "results")


@pytest.mark.parametrize(
    "content",
    [
        b"<html>",
        b'{"detail": "Not Found"}',
        b'{"error": "no"}',
        b'{"error": {"code": "x"}}',
        b"[]",
        b'{"error": null}',
    ],
)
def test_an_error_of_somebody_else_says_so(content: bytes) -> None:
    with pytest.raises(ConfigError, match=r"status 404\) is not AutoDream"):
        check(answer(404, content))
    with pytest.raises(UnreachableError, match="answers 502"):
        check(answer(502, content))
    with pytest.raises(UnreachableError, match="answers 429"):
        check(answer(429, content))


def test_a_document_nested_too_deeply_is_no_answer() -> None:
    with pytest.raises(ConfigError):
        value_of(answer(200, b"[" * 200_000))


def test_what_went_well_is_given_back() -> None:
    assert value_of(answer(200, {"results": [1]}), "results") == {"results": [1]}
    assert value_of(answer(201, {}), "") == {}


# -- records -----------------------------------------------------------------------------------------------------


def read(content: bytes, cuts: list[int]) -> list[dict[str, object]]:
    records = Records(HERE)
    found = []
    edges = [0, *sorted(cuts), len(content)]
    for start, end in pairwise(edges):
        found += records.of(content[start:end])
    return [*found, *records.end()]


@given(
    st.lists(
        st.dictionaries(st.text(max_size=5), st.text(max_size=20) | st.integers() | st.none(), max_size=3)
    ),
    st.lists(st.integers(0, 400), max_size=10),
    st.booleans(),
)
def test_records_are_the_same_however_the_stream_is_cut(
    records: list[dict[str, object]], cuts: list[int], ended: bool
) -> None:
    """Texts hold line separators of Unicode too: only a line feed ends a record."""
    lines = [json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") for record in records]
    content = b"\n".join(lines) + (b"\n" if ended and lines else b"")
    expected = [json.loads(line) for line in lines]
    assert read(content, [min(cut, len(content)) for cut in cuts]) == expected


def test_a_separator_within_a_text_ends_no_record() -> None:
    assert read('{"a": "x\u2028y\x85z"}\n\n{"b": 1}'.encode(), []) == [{"a": "x\u2028y\x85z"}, {"b": 1}]


@pytest.mark.parametrize("line", [b'{"a": 1', b"[1]", b"x", b"\xff"])
def test_a_line_that_is_no_record_is_a_failure(line: bytes) -> None:
    with pytest.raises(FailedError, match="repeat the export"):
        read(b'{"a": 1}\n' + line, [])
