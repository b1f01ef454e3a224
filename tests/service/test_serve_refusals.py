"""What ``serve`` refuses before anything is opened or changed."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.config import Settings
from autodream.errors import ConfigError, LeaseHeldError
from autodream.journal.db import Journal
from autodream.service import serve as module


def never(_: Any) -> None:
    raise AssertionError("the service started")


def serve(settings: Settings, host: str = "127.0.0.1", port: int = 0) -> None:
    module.serve(settings, host=host, port=port, ready=never)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", llm="rules")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_f56_an_open_address_without_a_token_is_refused(settings: Settings, host: str) -> None:
    with pytest.raises(ConfigError, match="AUTODREAM_TOKEN"):
        serve(settings, host)
    assert not settings.data_dir.exists()


@pytest.mark.parametrize("host", ["192.0.2.1", "no such host", "-", "x" * 70, "a..b"])
def test_an_address_that_is_not_this_machines_is_bad_input(tmp_path: Path, host: str) -> None:
    settings = Settings(data_dir=tmp_path / "data", llm="rules", token="a long random text")
    with pytest.raises(ConfigError, match="cannot listen on") as caught:
        serve(settings, host)
    assert caught.value.field == "host"


def test_a_port_in_use_is_bad_input(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port} on 127.0.0.1 is in use") as caught:
            serve(settings, port=port)
    assert caught.value.field == "port"


@pytest.fixture
def elsewhere(settings: Settings) -> Iterator[Journal]:
    """The journal as another process has it open."""
    with Journal.open(settings.data_dir / "state.db") as journal:
        yield journal


@pytest.mark.parametrize("qdrant", ["embedded", "http://127.0.0.1:1"])
def test_a_second_service_is_refused_whatever_the_engine(
    tmp_path: Path, elsewhere: Journal, qdrant: str
) -> None:
    from datetime import UTC, datetime
    from os import getpid

    settings = Settings(data_dir=tmp_path / "data", llm="rules", qdrant=qdrant)
    held = elsewhere.leases.hold(module.LEASE, at=lambda: datetime.now(UTC))
    with held, pytest.raises(LeaseHeldError, match=rf"a service already runs on .* \(process {getpid()} on "):
        serve(settings)
    assert not (settings.data_dir / "engine").exists()
    assert not (settings.data_dir / "service.json").exists()


def test_what_is_refused_leaves_no_lease_behind(settings: Settings, elsewhere: Journal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ConfigError):
        serve(settings, port=taken.getsockname()[1])
    assert elsewhere.leases.holders() == ()
