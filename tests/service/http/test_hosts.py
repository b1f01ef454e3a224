"""Which Host and Origin headers are those of this service."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from autodream.config import Settings
from autodream.errors import ConfigError
from autodream.service.http.hosts import Hosts, check_exposure
from autodream.text import is_loopback
from tests.service.http.serving import FACT, OPERATOR, Served, error_of, serving

OWN = [
    "localhost",
    "localhost:8230",
    "LOCALHOST:1",
    "127.0.0.1",
    "127.0.0.1:9",
    "[::1]",
    "[::1]:8230",
    "localhost.",
]
FOREIGN = [
    "evil.example",
    "evil.example:8230",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "evil.example#localhost",
    "localhost@evil.example",
    "localhost/evil",
    "localhost?x",
    "localhost:x",
    "localhost:99999999",
    "",
    ":8230",
    "[::1",
    "[::2]",
    "0.0.0.0",
    "127.0.0.2",
    "10.0.0.7",
    "autodream",
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all cases."""
    with serving(tmp_path_factory.mktemp("hosts")) as made:
        yield made


@pytest.mark.parametrize("host", OWN)
def test_the_loopbacks_names_are_its_own_with_any_port(host: str) -> None:
    assert Hosts("127.0.0.1").allows_host(host)


@pytest.mark.parametrize("host", FOREIGN)
def test_any_other_host_is_foreign_to_a_loopback(host: str) -> None:
    assert not Hosts("127.0.0.1").allows_host(host)


def test_no_host_at_all_is_no_browsers() -> None:
    assert Hosts("127.0.0.1").allows_host(None)


@pytest.mark.parametrize("bound", ["0.0.0.0", "::", "192.168.1.5", "box.example"])
def test_beyond_the_loopback_addresses_and_plain_names_are_near(bound: str) -> None:
    hosts = Hosts(bound, ["memory.example"])
    for host in ("10.0.0.7:8230", "[fe80::1]:8230", "autodream:8230", "localhost", "Memory.Example"):
        assert hosts.allows_host(host), host
    for host in (
        "evil.example",
        "autodream.evil.example",
        "memory.example.evil.example",
        "10.0.0.7.evil.example",
    ):
        assert not hosts.allows_host(host), host


def test_the_bound_name_is_its_own() -> None:
    assert Hosts("box.example").allows_host("box.example:8230")
    assert not Hosts("box.example").allows_host("other.example")


@pytest.mark.parametrize(
    "origin", ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8230", "http://memory.example"]
)
def test_pages_of_its_own_names_may_ask(origin: str) -> None:
    assert Hosts("127.0.0.1", ["memory.example"]).allows_origin(origin, "localhost:8230")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://localhost.evil.example",
        "http://localhost@evil.example",
        "http://evil.example/localhost",
        "null",
        "",
        "file://",
        "file://localhost",
        "chrome-extension://abcdef",
        "http://",
        "http://10.0.0.7",
        "localhost",
    ],
)
def test_pages_of_other_sites_may_not(origin: str) -> None:
    assert not Hosts("127.0.0.1").allows_origin(origin, "localhost:8230")
    assert not Hosts("0.0.0.0").allows_origin(origin, "192.168.1.5:8230")


def test_a_page_that_the_service_is_called_by_may_ask() -> None:
    assert Hosts("0.0.0.0").allows_origin("http://10.0.0.7:8230", "10.0.0.7:8230")
    assert Hosts("0.0.0.0").allows_origin(None, "10.0.0.7:8230")


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.5", False),
        ("box.example", False),
        ("", False),
    ],
)
def test_what_only_this_machine_reaches(host: str, loopback: bool) -> None:
    assert is_loopback(host) == loopback


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "box", ""])
def test_another_address_needs_the_operators_token(host: str) -> None:
    check_exposure(Settings(data_dir=Path("unused"), token="x"), host)
    check_exposure(Settings(data_dir=Path("unused")), "127.0.0.1")
    with pytest.raises(ConfigError, match="AUTODREAM_TOKEN"):
        check_exposure(Settings(data_dir=Path("unused"), tokens=(("d", "dev"),)), host)


@pytest.mark.parametrize("host", [host for host in FOREIGN if host and host.isascii()])
@pytest.mark.parametrize(("method", "path"), [("GET", "/"), ("GET", "/health/live"), ("POST", "/v1/recall")])
def test_a_foreign_host_is_403_on_every_route(served: Served, host: str, method: str, path: str) -> None:
    response = served.ask(method, path, headers={"Host": host})
    assert (response.status_code, error_of(response)["field"]) == (403, "Host")


def test_a_foreign_origin_is_403_and_changes_nothing(served: Served) -> None:
    body = {"text": FACT, "agent_id": "dev"}
    for origin in ("http://evil.example", "null"):
        response = served.post("/v1/memories", body, headers={"Origin": origin})
        assert (response.status_code, error_of(response)["field"]) == (403, "Origin")
    assert served.world.everything() == []
    assert served.post("/v1/memories", body, headers={"Origin": "http://localhost:8230"}).status_code == 201


def test_two_host_headers_are_refused(served: Served) -> None:
    headers = [("Host", "localhost"), ("Host", "evil.example")]
    assert served.client.get("/health/live", headers=headers).status_code == 403


def test_a_foreign_host_is_refused_whatever_the_token(tmp_path: Path) -> None:
    with serving(tmp_path, token=OPERATOR, host="0.0.0.0", allowed_hosts=("memory.example",)) as served:
        asked = served.as_(OPERATOR)
        assert asked.get("/v1/memories", headers={"Host": "evil.example"}).status_code == 403
        assert asked.get("/v1/memories", headers={"Host": "memory.example"}).status_code == 200
        assert asked.get("/v1/memories", headers={"Host": "10.1.2.3:8230"}).status_code == 200


def test_nothing_invites_other_sites(served: Served) -> None:
    preflight = {"Origin": "http://localhost:3000", "Access-Control-Request-Method": "DELETE"}
    response = served.ask("OPTIONS", "/v1/memories/x", headers=preflight)
    assert response.status_code == 405
    assert not [name for name in response.headers if name.startswith("access-control")]
