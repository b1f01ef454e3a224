"""``autodream serve`` where it takes longer: a model that hangs, a server engine, stops while it starts."""

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest

from tests.service.served import Served, environment
from tests.service.test_serve import NOW, STOPPED_WITHIN, serve
from tests.support.fake_llm import Request, serving
from tests.support.qdrant_double import QdrantDouble

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("by_timer", [False, True])
def test_a_stop_during_a_long_question_is_over_in_time_and_loses_nothing(
    tmp_path: Path, by_timer: bool
) -> None:
    asked, over = threading.Event(), threading.Event()

    def silent(_: Request) -> Exception:
        asked.set()
        over.wait(120)
        return ConnectionError()

    options = () if by_timer else ("--no-timers",)
    served = serve(tmp_path, *options, day="2026-04-18", now=NOW, llm="openai", llm_model="fake")
    with serving(silent) as model:
        served.env |= {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "unused"}
        with served:
            if not by_timer:
                httpx.post(
                    f"{served.ready['url']}/v1/jobs/digest",
                    json={"final": True},
                    headers={"Authorization": f"Bearer {served.found['token']}"},
                ).raise_for_status()
            assert asked.wait(60)
            begun = time.monotonic()
            assert served.stop(signal.SIGTERM) == 0
            took = time.monotonic() - begun
        over.set()
    assert took < STOPPED_WITHIN
    assert not (served.data_dir / "service.json").exists()
    served.env["AUTODREAM_LLM"] = "rules"
    served.command_line = [*served.command_line, "--no-timers"]
    with served as again, again.client() as client:
        jobs = client.jobs()["jobs"]
        assert jobs
        assert {job["status"] for job in jobs} <= {"interrupted", "partial", "failed", "ok"}
        assert client.digest(final=True, again=True, date="2026-04-18")["status"] == "ok"
        [memory] = client.list_memories()["memories"]
        assert memory["memory"] == "The gateway listens on port 8443."
        assert again.stop() == 0


def test_an_open_request_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    """A client that sends half a request and keeps the connection."""
    import socket

    with serve(tmp_path, "--no-timers") as served:
        host, port = served.ready["url"].removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as half:
            half.sendall(b"POST /v1/recall HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
            time.sleep(0.2)
            begun = time.monotonic()
            assert served.stop(signal.SIGTERM) == 0
            assert time.monotonic() - begun < STOPPED_WITHIN


def test_interrupt_from_the_keyboard_is_a_stop(tmp_path: Path) -> None:
    with serve(tmp_path) as served:
        assert served.stop(signal.SIGINT) == 0
    assert not (served.data_dir / "service.json").exists()


def test_two_services_cannot_share_a_data_dir_beside_a_qdrant_server_either(tmp_path: Path) -> None:
    with QdrantDouble() as double, serve(tmp_path, qdrant=double.url) as first:
        second = first.command("serve", "--port", "0")
        assert second.returncode == 3
        assert f"process {first.process.pid} " in second.stderr
        assert first.stop() == 0


def test_a_service_starts_before_its_qdrant_server(tmp_path: Path) -> None:
    with serve(tmp_path, "--no-timers", qdrant="http://127.0.0.1:1") as served:
        assert httpx.get(f"{served.ready['url']}/health/live").status_code == 200
        assert httpx.get(f"{served.ready['url']}/health/ready", timeout=60).status_code == 503
        assert served.stop() == 0


@pytest.mark.parametrize("after", [0.0, 0.1, 0.3, 0.6, 1.0])
def test_a_stop_while_it_starts_is_a_stop(tmp_path: Path, after: float) -> None:
    served = serve(tmp_path)
    process = subprocess.Popen(
        served.command_line, env=served.env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while not (tmp_path / "data" / "state.db").exists():
        assert time.monotonic() < until
        time.sleep(0.005)
    time.sleep(after)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    assert not (tmp_path / "data" / "service.json").exists()


def test_a_command_that_has_the_engine_keeps_a_service_from_starting(tmp_path: Path) -> None:
    served = serve(tmp_path)
    hold = (
        "import sys; from pathlib import Path; from autodream.store.engines.folder import CollectionFolder\n"
        f"folder = CollectionFolder(Path({str(tmp_path / 'data' / 'engine' / 'autodream')!r}))\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", hold],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tmp_path / "data"),
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == b"held\n"
        ended = served.command("serve", "--port", "0")
        holder.stdin.close()
    assert ended.returncode == 3
    assert f"pid {holder.pid}" in ended.stderr
    assert not (tmp_path / "data" / "service.json").exists()


def test_ipv6_loopback_is_served_and_found(tmp_path: Path) -> None:
    if not Path("/proc/net/if_inet6").exists():
        return
    served: Served = serve(tmp_path, "--host", "::1", "--no-timers")
    with served:
        assert served.ready["url"].startswith("http://[::1]:")
        assert served.command("agents", "--json").returncode == 0
        assert served.stop() == 0


def test_people_get_a_few_lines(tmp_path: Path) -> None:
    served = serve(tmp_path)
    command = [part for part in served.command_line if part != "--json"]
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen(command, env=served.env, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(6)]
        process.terminate()
    assert lines[0] == "AutoDream is ready. Ctrl-C stops it.\n"
    told = dict(line.strip().split(maxsplit=1) for line in lines[1:4])
    assert told["address"].endswith(f"(process {process.pid})")
    assert told["data"] == str(tmp_path / "data")
    assert told["agents"] == "dev"
    assert lines[4].startswith("  next digest")
    assert lines[5].startswith("  next dream")
    assert process.returncode == 0
