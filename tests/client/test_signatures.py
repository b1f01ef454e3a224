"""Whoever answers, the methods are the same: ``Api``, ``App``, both clients, a view."""

import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from autodream.api import Api
from autodream.app import App
from autodream.client import AsyncClient, Client
from autodream.scope import AgentView

METHODS = [
    name for name, value in vars(Api).items() if not name.startswith("_") and inspect.isfunction(value)
]
STARTED = {
    App: {"digest", "dream"},
    AgentView: {"digest", "dream"},
}  # the service's own wish, see docs/python.md


def signature_of(owner: type, name: str) -> inspect.Signature:
    """Without what only those have who begin jobs for others."""
    found = inspect.signature(getattr(owner, name))
    extra = {"started"} if name in STARTED.get(owner, ()) else set()
    parameters = [one for one in found.parameters.values() if one.name not in extra]
    assert len(found.parameters) == len(parameters) + len(extra)
    return found.replace(parameters=parameters)


def test_the_methods_are_known() -> None:
    assert len(METHODS) == 24
    assert {"recall", "digest", "export_memories", "close"} <= set(METHODS)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("owner", [App, Client, AgentView])
def test_parameters_defaults_and_types_are_those_of_the_api(owner: type, name: str) -> None:
    assert signature_of(owner, name) == inspect.signature(getattr(Api, name))


@pytest.mark.parametrize("name", METHODS)
def test_the_awaitable_twin_differs_only_in_being_awaited(name: str) -> None:
    expected = inspect.signature(getattr(Api, name))
    if name == "export_memories":
        expected = expected.replace(return_annotation=AsyncIterator[dict[str, Any]])
        assert inspect.signature(Api.export_memories).return_annotation == Iterator[dict[str, Any]]
        assert inspect.isasyncgenfunction(AsyncClient.export_memories)
    else:
        assert inspect.iscoroutinefunction(getattr(AsyncClient, name))
    assert inspect.signature(getattr(AsyncClient, name)) == expected


@pytest.mark.parametrize("owner", [App, Client, AsyncClient, AgentView])
def test_nobody_offers_more_than_the_api(owner: type) -> None:
    own = {
        App: {"open", "parts"},
        AgentView: {"agent_id", "only"},
    }
    offered = {name for name in vars(owner) if not name.startswith("_")}
    assert offered - own.get(owner, set()) <= set(METHODS)
    assert set(METHODS) <= offered


@pytest.mark.parametrize("owner", [Client, AsyncClient])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_of_a_client_is_told_in_its_help(owner: type, name: str) -> None:
    method = getattr(owner, name)
    assert inspect.getdoc(method)
    assert method.__name__ == name


def test_an_argument_that_does_not_exist_is_a_type_error_at_once() -> None:
    with Client("http://127.0.0.1:9") as client, pytest.raises(TypeError, match="top_kk"):
        client.recall("x", top_kk=3)  # type: ignore[call-arg]
