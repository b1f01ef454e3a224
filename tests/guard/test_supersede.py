"""A later memory takes an earlier one's place only for a change of one value, never against the calendar."""

from dataclasses import replace

import pytest

from autodream.guard.relation import may_supersede
from tests.support.factories import make_memory

OLD = make_memory("The relay listens on port 7001", day="2026-04-10")
NEW = make_memory("The relay now listens on port 7002", day="2026-04-12")


def test_a_later_value_supersedes() -> None:
    assert may_supersede(NEW, OLD) is None


@pytest.mark.parametrize(
    "newer",
    [
        replace(NEW, day="2026-04-10"),
        replace(NEW, day="2026-04-09"),
        replace(NEW, agent_id="other"),
        replace(NEW, category="task"),
        replace(NEW, category="reflection"),
        replace(NEW, category="experience"),
        replace(NEW, metadata={"categories": ["task"]}),
        replace(NEW, text="The other relay listens on port 7002"),
        replace(NEW, text="The relay listens on port 7001."),
        replace(NEW, id=OLD.id),
    ],
)
def test_everything_else_stays(newer: object) -> None:
    assert may_supersede(newer, OLD)  # type: ignore[arg-type]


def test_a_note_may_replace_an_extracted_fact() -> None:
    assert may_supersede(replace(NEW, category="note"), OLD) is None


def test_the_old_value_said_again_does_not_undo_the_announced_change() -> None:
    moved = make_memory("The relay moved its port from 7001 to 7002", day="2026-04-11")
    again = make_memory("The relay listens on port 7001", day="2026-04-15")
    assert may_supersede(moved, OLD) is None
    assert may_supersede(again, moved)


def test_an_owner_changes_only_when_it_is_said() -> None:
    was = make_memory("排班表负责人是周航", day="2026-04-10")
    assert may_supersede(make_memory("排班表现在由何琳负责", day="2026-04-12"), was) is None
    assert may_supersede(make_memory("排班表负责人是何琳", day="2026-04-12"), was)
    assert may_supersede(was, make_memory("排班表现在由何琳负责", day="2026-04-09"))


def test_a_subject_may_be_described_more_closely_by_the_earlier() -> None:
    was = make_memory("票据同步服务 bill-sync 监听端口 7110,每 5 分钟跑一次。", day="2026-04-10")
    moved = "机房换了防火墙,bill-sync 的端口从 7110 改为 7116,监控也改了。"
    assert may_supersede(make_memory(moved, day="2026-04-12"), was) is None
    assert may_supersede(make_memory(moved.replace("7110", "7111"), day="2026-04-12"), was)
    assert may_supersede(make_memory(moved.replace("bill-sync", "mail-sync"), day="2026-04-12"), was)
    assert may_supersede(replace(was, day="2026-04-15"), make_memory(moved, day="2026-04-12"))
