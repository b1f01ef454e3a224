"""What a digest or a night tells of itself, pasted back into a diary, makes no memory; what only looks like it may."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from autodream.cli.view_work import show_digest, show_dream
from autodream.diary.strip import strip
from tests.support.world import World

DIARY = "- Boss decided that the audit log is kept for 90 days.\n- The port of the gateway is 8443.\n"


def shown(show: Any, report: Any) -> str:
    out = io.StringIO()
    show(Console(file=out, width=100), report)
    return out.getvalue()


def test_reports_pasted_back_make_no_memory(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("2026-04-11", DIARY)
    digest = world.digest(final=True)
    night = world.at("2026-04-18T02:00:00+08:00").app.dream()
    before = world.texts()
    assert before
    reports = [
        *(json.dumps(report, ensure_ascii=False, indent=2) for report in (digest, night)),
        *(json.dumps(report, ensure_ascii=False) for report in (digest, night)),
        shown(show_digest, digest),
        shown(show_dream, night),
    ]
    world.at("2026-04-18T20:00:00+08:00").write("2026-04-18", "\n\n".join(["# 2026-04-18", *reports, ""]))
    world.digest(final=True)
    assert world.texts() == before


@pytest.mark.parametrize(
    "text",
    [
        "nginx  ok  restarted at 10:00",
        "job d-20260417T233000-9afabc failed because the disk was full",
        "dev said: 3 new blocks were poured today",
        '{\n  "job_id": "build-17",\n  "status": "green"\n}',
        '{\n  "job_id": "d-20260417T233000-9afabc",\nand it never ended',
    ],
)
def test_what_others_write_stays(text: str, tmp_path: Path) -> None:
    assert "\n".join(row.text for row in strip(text).rows) == text
    world = World(tmp_path)
    world.write("2026-04-11", f"{text}\n")
    assert world.digest(final=True)["agents"][0]["blocks_new"] > 0


def test_what_follows_a_report_is_read() -> None:
    report = json.dumps({"job_id": "d-20260417T233000-9afabc", "agents": [{}]}, indent=2)
    assert [row.text for row in strip(f"before\n{report}\nafter").rows] == ["before", "after"]
    assert [row.no for row in strip(f"before\n{report}\nafter").rows] == [1, report.count("\n") + 3]
