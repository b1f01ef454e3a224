"""What a newer memory takes over from the one it supersedes: what stays true, never its lines for a new value."""

from autodream.config import MAX_MEMORY_CHARS
from autodream.dream.succession import successor, taken_over
from tests.support.factories import make_evidence, make_memory

AT = "2026-04-20T02:00:00+08:00"


def test_clauses_that_stay_true_live_on_without_the_older_lines() -> None:
    older = make_memory("relay-hub 的端口是 7001,日志在 /var/relay。", day="2026-04-10")
    newer = make_memory("relay-hub 的端口从 7001 改为 7002。", day="2026-04-14")
    heir = successor(newer, older, AT)
    assert heir.text == "relay-hub 的端口从 7001 改为 7002;日志在 /var/relay。"
    assert (heir.id, heir.evidence, heir.day) == (newer.id, newer.evidence, newer.day)
    assert [operation.op for operation in taken_over(newer, older, AT)] == ["update"]
    assert successor(heir, older, AT).text == heir.text


def test_a_fact_said_anew_takes_the_older_lines_over() -> None:
    older = make_memory(
        "Photos live in s3://pics, old photos get deleted next week",
        day="2026-04-10",
        evidence=(make_evidence(quote="old", line_start=1, line_end=1),),
    )
    newer = make_memory("Photos live in s3://pics, the old photos are gone", day="2026-04-18")
    heir = successor(newer, older, AT)
    assert heir.text == newer.text
    assert set(heir.evidence) == {*newer.evidence, *older.evidence}
    assert [operation.op for operation in taken_over(newer, older, AT)] == ["evidence"]


def test_nothing_is_taken_over_from_another_statement() -> None:
    older = make_memory("The ferry leaves at 07:15, tickets cost 4 euros.", day="2026-04-10")
    newer = make_memory("The depot closes at 19:00.", day="2026-04-14")
    assert successor(newer, older, AT) is newer
    assert taken_over(newer, older, AT) == ()


def test_no_text_grows_beyond_a_statement() -> None:
    older = make_memory(
        "relay-hub 的端口是 7001,日志在 /var/relay" + "很长" * MAX_MEMORY_CHARS, day="2026-04-10"
    )
    newer = make_memory("relay-hub 的端口从 7001 改为 7002。", day="2026-04-14")
    assert successor(newer, older, AT).text == newer.text
