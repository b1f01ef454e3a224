"""docker-compose.yml: AutoDream beside a Qdrant that nobody else reaches."""

import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from autodream.config import DEFAULT_PORT, STOP_WITHIN
from autodream.settings.table import SETTINGS_BY_VARIABLE

ROOT = Path(__file__).parents[2]
FILE = ROOT / "deploy" / "docker-compose.yml"
TEXT = FILE.read_text(encoding="utf-8")
DOCUMENT: dict[str, Any] = yaml.safe_load(TEXT)
OURS, QDRANT = DOCUMENT["services"]["autodream"], DOCUMENT["services"]["qdrant"]
# Of the compose specification, what is used here
TOP = {"name", "services", "volumes"}
SERVICE = {
    "build", "cap_drop", "depends_on", "env_file", "environment", "expose", "healthcheck", "image",
    "ports", "read_only", "restart", "security_opt", "stop_grace_period", "tmpfs", "user", "volumes",
}  # fmt: skip
HEALTHCHECK = {"test", "interval", "timeout", "start_period", "retries"}


def seconds(text: str) -> int:
    assert re.fullmatch(r"\d+s", text)
    return int(text[:-1])


def test_only_keys_of_the_specification() -> None:
    assert set(DOCUMENT) <= TOP
    for service in (OURS, QDRANT):
        assert set(service) <= SERVICE
        assert set(service["healthcheck"]) == HEALTHCHECK
    assert set(DOCUMENT["services"]) == {"autodream", "qdrant"}


def test_our_image_is_built_from_the_checkout() -> None:
    assert (FILE.parent / OURS["build"]["context"]).resolve() == ROOT
    assert (ROOT / OURS["build"]["dockerfile"]).is_file()


def test_qdrant_has_the_minor_version_of_the_client() -> None:
    name, _, tag = QDRANT["image"].partition(":")
    assert name == "qdrant/qdrant"
    pinned = re.search(r"qdrant-client~=(\d+\.\d+)\.", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pinned
    assert re.fullmatch(rf"v{re.escape(pinned[1])}\.\d+", tag)


def test_qdrant_is_reached_by_autodream_only_and_reports_to_nobody() -> None:
    assert "ports" not in QDRANT
    assert QDRANT["environment"]["QDRANT__TELEMETRY_DISABLED"] == "true"
    assert QDRANT["environment"]["QDRANT__SERVICE__API_KEY"] == OURS["environment"]["QDRANT_API_KEY"]
    port = OURS["environment"]["AUTODREAM_QDRANT"].rpartition(":")[2]
    assert QDRANT["expose"] == [port]
    assert OURS["environment"]["AUTODREAM_QDRANT"].startswith("http://qdrant:")


def test_the_service_is_published_on_loopback_only() -> None:
    assert OURS["ports"] == [f"127.0.0.1:{DEFAULT_PORT}:{DEFAULT_PORT}"]


def test_secrets_must_be_given_and_stand_nowhere_in_the_file() -> None:
    for name in ("AUTODREAM_TOKEN", "QDRANT_API_KEY"):
        assert re.fullmatch(rf"\$\{{{name}:\?[^}}]+\}}", OURS["environment"][name])
    assert re.fullmatch(r"\$\{AGENTS_DIR:\?[^}]+\}:/agents", OURS["volumes"][1])


def test_every_variable_of_ours_is_a_setting() -> None:
    assert set(OURS["environment"]) <= set(SETTINGS_BY_VARIABLE)


def test_what_must_last_is_in_named_volumes() -> None:
    used = {entry.partition(":")[0] for service in (OURS, QDRANT) for entry in service["volumes"]}
    assert {name for name in used if not name.startswith("$")} == set(DOCUMENT["volumes"])
    assert f"data:{OURS['environment']['AUTODREAM_DATA_DIR']}" in OURS["volumes"]
    assert "qdrant:/qdrant/storage" in QDRANT["volumes"]


def test_autodream_waits_for_a_healthy_qdrant_and_both_come_back() -> None:
    assert OURS["depends_on"] == {"qdrant": {"condition": "service_healthy"}}
    assert OURS["restart"] == QDRANT["restart"] == "unless-stopped"
    assert seconds(OURS["stop_grace_period"]) > max(10, STOP_WITHIN.total_seconds())


def test_autodream_is_confined() -> None:
    assert OURS["read_only"] is True
    assert OURS["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in OURS["security_opt"]
    assert OURS["tmpfs"] == ["/tmp"]
    # A second container of the same name would take this one's leases for those of a dead process.
    assert not {"hostname", "network_mode", "pid"} & set(OURS)


def test_the_user_may_be_another_but_keeps_the_group_that_opens_the_data() -> None:
    dockerfile = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    [gid] = re.findall(r"groupadd --gid (\d+)", dockerfile)
    assert OURS["user"] == f"${{AGENTS_UID:-{gid}}}:{gid}"
    assert f"--group={gid} --mode=0770 /data" in dockerfile


# -- the check of Qdrant's health is a line of bash: it is run against a stand-in


@contextmanager
def ready_route(status: int) -> Iterator[int]:
    """A server whose /readyz answers with ``status``; gives its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/readyz" else 404)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def health(port: int) -> int:
    kind, program, *arguments = QDRANT["healthcheck"]["test"]
    assert (kind, program) == ("CMD", "bash")
    bash = shutil.which("bash")
    assert bash
    command = [bash, *(argument.replace("/6333", f"/{port}") for argument in arguments)]
    return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode


@pytest.mark.parametrize(("status", "well"), [(200, True), (503, False)])
def test_qdrants_health_is_what_its_ready_route_says(status: int, well: bool) -> None:
    with ready_route(status) as port:
        assert (health(port) == 0) is well


def test_a_qdrant_that_does_not_listen_is_not_healthy() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        assert health(free.getsockname()[1]) != 0
