"""``autodream serve`` as a process: start, stop, one at a time, and what timers do in it."""

import json
import signal
import stat
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from autodream.journal.db import Journal
from tests.support.fake_llm import Request, serving

from .served import Served

STOPPED_WITHIN = 10.0  # seconds; the promise
NOW = "2026-04-19T09:00:00+00:00"


def serve(root: Path, *options: str, day: str | None = None, **settings: str) -> Served:
    """A service of one agent, who wrote one line on ``day`` (today by default)."""
    memory = root / "dev" / "memory"
    memory.mkdir(parents=True)
    file = memory / f"{day or datetime.now(UTC).date().isoformat()}.md"
    file.write_text("- The gateway listens on port 8443.\n", encoding="utf-8")
    given = {"llm": "rules", "timezone": "UTC", "min_new_bytes": "1", **settings}
    return Served(root / "data", *options, agents=f"dev={root / 'dev'}", **given)


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service without timers."""
    root = tmp_path_factory.mktemp("quiet")
    with serve(root, "--no-timers", day="2026-04-18", now=NOW) as running:
        yield running


def test_it_answers_at_the_port_it_found_and_says_so(quiet: Served) -> None:
    assert httpx.get(f"{quiet.ready['url']}/health/ready").status_code == 200
    assert quiet.ready["pid"] == quiet.process.pid
    assert quiet.ready["agents"] == ["dev"]
    assert quiet.ready["next_due"] == {}
    assert quiet.ready["data_dir"] == str(quiet.data_dir)


def test_its_file_is_for_its_user_only(quiet: Served) -> None:
    assert stat.S_IMODE((quiet.data_dir / "service.json").stat().st_mode) == 0o600
    assert quiet.found["url"] == quiet.ready["url"]
    assert quiet.found["pid"] == quiet.process.pid
    assert quiet.found["settings"]["agents"]["value"].startswith("dev=")
    assert quiet.found["token"] not in json.dumps(quiet.ready) + quiet.log.read_text("utf-8")


def test_a_second_service_on_the_data_dir_is_refused(quiet: Served) -> None:
    second = quiet.command("serve", "--port", "0")
    assert second.returncode == 3
    assert second.stdout == ""
    line = second.stderr.splitlines()[-1]
    assert line.startswith(
        f"autodream: a service already runs on {quiet.data_dir} (process {quiet.process.pid} "
    )
    assert httpx.get(f"{quiet.ready['url']}/health/live").status_code == 200


def test_without_timers_nothing_runs_by_itself(quiet: Served) -> None:
    """I11: there is text to read and a night to run, and both stay where they are."""
    with quiet.client() as client:
        [agent] = client.status()["agents"]
        assert agent["undigested"]
        assert client.jobs()["jobs"] == []
    with Journal.open(quiet.data_dir / "state.db") as journal:
        assert journal.memos.get("timer:digest:dev") is None
        assert journal.memos.get("timer:dream:dev") is None


def test_timers_run_and_a_signal_stops_everything(tmp_path: Path) -> None:
    with serve(tmp_path) as served:
        until = time.monotonic() + 60
        with served.client() as client:
            while not {"digest", "dream"} <= {job["kind"] for job in client.jobs()["jobs"]}:
                assert time.monotonic() < until, served.log.read_text("utf-8")
                time.sleep(0.05)
        begun = time.monotonic()
        assert served.stop(signal.SIGTERM) == 0
        assert time.monotonic() - begun < STOPPED_WITHIN
    assert not (tmp_path / "data" / "service.json").exists()
    lines = [json.loads(line) for line in served.log.read_text("utf-8").splitlines()]
    told = [line["message"] for line in lines if line["logger"] == "autodream.service.timers"]
    assert any(message.startswith("timer dream of dev: n-") for message in told)
    assert "port 8443" not in served.log.read_text("utf-8")  # a request id may hold the digits
    with Journal.open(tmp_path / "data" / "state.db") as journal:
        assert [holder.name for holder in journal.leases.holders()] == []
        assert journal.jobs.running() == ()


def test_a_second_signal_ends_it_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    """In the middle of a question that is never answered."""
    asked, over = threading.Event(), threading.Event()

    def silent(_: Request) -> Exception:
        asked.set()
        over.wait(60)
        return ConnectionError()

    with serving(silent) as model:
        served = serve(tmp_path, "--no-timers", day="2026-04-18", now=NOW, llm="openai", llm_model="fake")
        served.env |= {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "unused"}
        with served:
            posted = httpx.post(
                f"{served.ready['url']}/v1/jobs/digest",
                json={"final": True},
                headers={"Authorization": f"Bearer {served.found['token']}"},
            )
            assert posted.status_code == 202
            assert asked.wait(60)
            served.process.send_signal(signal.SIGTERM)
            until = time.monotonic() + 30
            while (served.data_dir / "service.json").exists():
                assert time.monotonic() < until
                time.sleep(0.01)
            assert served.process.poll() is None, "it waits for the job"
            assert served.stop(signal.SIGTERM) == 0
        over.set()
    served.env["AUTODREAM_LLM"] = "rules"
    with served as again, again.client() as client:
        assert client.job(posted.json()["job_id"])["status"] == "interrupted"
        assert client.digest(final=True)["status"] == "ok"
        assert [m["memory"] for m in client.list_memories()["memories"]] == [
            "The gateway listens on port 8443."
        ]
        assert again.stop() == 0


def test_days_that_no_timer_reads_are_told_once_with_what_reads_them(tmp_path: Path) -> None:
    with serve(tmp_path, day="2026-01-05", now=NOW) as running:
        httpx.get(f"{running.ready['url']}/health/ready")
        told = [line for line in running.log.read_text("utf-8").splitlines() if "digest --all" in line]
    assert len(told) == 1
    assert "dev has 1 diary days before the window (2026-01-05 … 2026-01-05)" in told[0]


def test_a_service_without_timers_reads_nothing_and_says_nothing_of_it(tmp_path: Path) -> None:
    with serve(tmp_path, "--no-timers", day="2026-01-05", now=NOW) as running:
        httpx.get(f"{running.ready['url']}/health/ready")
    assert "digest --all" not in running.log.read_text("utf-8")
