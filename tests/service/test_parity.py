"""One option, one name, one default, one limit: on the command line, over HTTP, as an MCP tool, in Python.

Whoever adds an option to one of them has to add it to all of them, or to say below why it is missing somewhere.
"""

import enum
import inspect
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Union, get_args, get_origin

import annotated_types
import pytest
import typer.main
from fastapi import FastAPI
from pydantic import BaseModel

from autodream.api import Api
from autodream.cli.commands import app as command_line
from autodream.service import requests
from autodream.service.http.application import make_http
from autodream.service.mcp.tools import TOOLS, ExplainArguments, ForgetArguments, input_schema
from autodream.service.runner import Runner
from tests.support.world import World

COMMANDS: Mapping[str, Any] = typer.main.get_command(command_line).commands  # type: ignore[attr-defined]
BY_ID = frozenset({"id_", "job_id"})


@dataclass(frozen=True)
class Surface:
    """Where one method of ``Api`` is offered; options by the names of its parameters."""

    route: str | None
    model: type[BaseModel] | None = None  # what the route takes, beside an id in its path
    command: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)  # of the command: option -> parameter
    not_typed: Mapping[str, str] = field(default_factory=dict)  # parameters the command lacks, and why
    only_typed: Mapping[str, str] = field(default_factory=dict)  # options only the command has, and why
    tool: str | None = None
    tool_model: type[BaseModel] | None = None
    not_sent: frozenset[str] = frozenset()  # parameters that are no option of a request


AGENT = {"--agent": "agent_id"}
TYPE = {"--type": "memory_type"}
FILTERS = {**AGENT, "--category": "categories", **TYPE}
PAGES = {"--limit": "limit", "--cursor": "cursor"}
SURFACES: dict[str, Surface] = {
    "recall": Surface(
        "POST /v1/recall",
        requests.RecallRequest,
        "recall",
        {
            **FILTERS,
            "query": "query",
            "--since": "since",
            "--until": "until",
            "-k": "top_k",
            "--min-score": "min_score",
            "--include-superseded": "include_superseded",
            "--explain": "explain",
        },
        tool="recall",
        tool_model=requests.RecallRequest,
    ),
    "context": Surface(
        "POST /v1/context", requests.ContextRequest, tool="context", tool_model=requests.ContextRequest
    ),
    "add": Surface(
        "POST /v1/memories",
        requests.AddRequest,
        "add",
        {"text": "text", **AGENT, "--category": "category", **TYPE, "--day": "day"},
        not_typed={"metadata": "a JSON object: the contract has no option for it"},
        tool="remember",
        tool_model=requests.AddRequest,
    ),
    "list_memories": Surface(
        "GET /v1/memories",
        requests.ListRequest,
        "list",
        {**FILTERS, "--day": "day", "--status": "status", **PAGES},
        tool="list_memories",
        tool_model=requests.ListRequest,
    ),
    "show": Surface("GET /v1/memories/{id}", None, "show", {"memory_id": "id_"}),
    "update": Surface("PATCH /v1/memories/{id}", requests.EditRequest),
    "explain": Surface(
        "GET /v1/memories/{id}/explain",
        None,
        "explain",
        {"memory_id": "id_"},
        tool="explain",
        tool_model=ExplainArguments,
    ),
    "forget": Surface(
        "DELETE /v1/memories/{id}",
        requests.ForgetRequest,
        "forget",
        {"memory_id": "id_", "--purge": "purge"},
        tool="forget",
        tool_model=ForgetArguments,
    ),
    "restore": Surface("POST /v1/memories/{id}/restore", None, "restore", {"memory_id": "id_"}),
    "write_diary": Surface(
        "POST /v1/diary",
        requests.DiaryRequest,
        "note",
        {"text": "text", **AGENT},
        not_typed={"messages": "a person notes a text", "event_id": "nobody repeats a note unseen"},
        tool="write_diary",
        tool_model=requests.DiaryRequest,
    ),
    "digest": Surface(
        "POST /v1/jobs/digest",
        requests.DigestRequest,
        "digest",
        {
            "--agent": "agent_ids",
            "--date": "date",
            "--all": "all_days",
            "--final": "final",
            "--again": "again",
            "--dry-run": "dry_run",
        },
        only_typed={"--today": "says what is the default"},
    ),
    "dream": Surface(
        "POST /v1/jobs/dream",
        requests.DreamRequest,
        "dream",
        {"--agent": "agent_ids", "--date": "date", "--step": "steps", "--dry-run": "dry_run"},
    ),
    "jobs": Surface("GET /v1/jobs", requests.JobsRequest, "jobs", {**AGENT, **PAGES}),
    "job": Surface(
        "GET /v1/jobs/{id}",
        requests.JobRequest,
        "job",
        {"job_id": "job_id"},
        not_typed={
            "operations": "for programs that wait for its end; the ledger (jobs) shows jobs without them"
        },
    ),
    "undo": Surface("POST /v1/jobs/{id}/undo", None, "undo", {"job_id": "job_id"}),
    "agents": Surface("GET /v1/agents", None, "agents"),
    "status": Surface("GET /v1/status", None, "status"),
    "doctor": Surface("GET /v1/doctor", None, "doctor"),
    "reembed": Surface("POST /v1/reembed", None, "reembed"),
    "migrate": Surface("POST /v1/migrate", requests.MigrateRequest, "migrate", {"--to": "to"}),
    "export_memories": Surface(
        "GET /v1/export",
        requests.OfAgentRequest,
        "export",
        AGENT,
        only_typed={"--output": "over HTTP the answer is the file"},
    ),
    "import_memories": Surface(
        "POST /v1/import",
        requests.OfAgentRequest,
        "import",
        {**AGENT, "file": "records"},
        only_typed={"--format": "files are read by the command, records are sent"},
        not_sent=frozenset({"records"}),
    ),
    "backup": Surface("GET /v1/backup", None, "backup", {"folder": "folder"}, not_sent=frozenset({"folder"})),
    "close": Surface(None),
}
# Commands that ask nothing of ``Api``, and routes that serve no method of it.
OF_THEIR_OWN = {"bench", "demo", "serve", "mcp", "restore-backup"}
PAGES_AND_HEALTH = {"GET /", "GET /health/live", "GET /health/ready", "GET /metrics"}


@dataclass(frozen=True)
class Option:
    """What two surfaces must agree on."""

    default: Any
    choices: frozenset[str] = frozenset()
    low: float | None = None
    high: float | None = None


NEEDED = "needed"


def with_options(surface: str) -> list[str]:
    return [name for name, one in SURFACES.items() if getattr(one, surface) is not None]


def choices_of(annotation: Any) -> frozenset[str]:
    """The words of a Literal or Enum, wherever it stands in a type."""
    if get_origin(annotation) is Literal:
        return frozenset(get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return frozenset(one.value for one in annotation)
    return frozenset().union(*map(choices_of, get_args(annotation)))


def is_optional(annotation: Any) -> bool:
    return get_origin(annotation) in (Union, types.UnionType) and type(None) in get_args(annotation)


def plain(default: Any) -> Any:
    """Nothing, said in one way."""
    return [] if default in ((), [], None) else default


def of_api(name: str) -> dict[str, Option]:
    signature = inspect.signature(getattr(Api, name))
    return {
        one.name: Option(
            NEEDED if one.default is one.empty else plain(one.default), choices_of(one.annotation)
        )
        for one in signature.parameters.values()
        if one.name not in ("self", "progress")  # a callback does not travel
    }


def of_model(model: type[BaseModel]) -> dict[str, Option]:
    options = {}
    for name, info in model.model_fields.items():
        low = next((one.ge for one in info.metadata if isinstance(one, annotated_types.Ge)), None)
        high = next((one.le for one in info.metadata if isinstance(one, annotated_types.Le)), None)
        default = NEEDED if info.is_required() else plain(info.get_default(call_default_factory=True))
        options[name] = Option(default, choices_of(info.annotation), low, high)  # type: ignore[arg-type]
    return options


def of_command(name: str) -> dict[str, Option]:
    return {
        one.opts[0]: Option(
            NEEDED if one.required else plain(one.default),
            choices_of(one.type_descriptor.annotation),
            one.min,
            one.max,
        )
        for one in COMMANDS[name].params
    }


def of_schema(schema: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """Name -> (needed, default, limits) of a JSON schema's properties."""
    needed = schema.get("required", ())
    return {name: described(one, name in needed) for name, one in schema.get("properties", {}).items()}


LIMITS = ("minimum", "maximum", "minLength", "maxLength", "maxItems", "pattern", "enum", "format")


def described(schema: Mapping[str, Any], needed: bool) -> tuple[Any, ...]:
    limits = {
        (key, str(value))
        for part in (schema, *schema.get("anyOf", ()), schema.get("items", {}))
        for key, value in part.items()
        if key in LIMITS
    }
    return needed, plain(schema.get("default")), frozenset(limits)


# -- names, defaults, choices ------------------------------------------------------------------------------------


def test_every_method_has_its_place() -> None:
    methods = {name for name, value in vars(Api).items() if inspect.isfunction(value) and name[0] != "_"}
    assert set(SURFACES) == methods


def test_every_command_and_tool_has_its_method() -> None:
    assert {one.command for one in SURFACES.values() if one.command} | OF_THEIR_OWN == set(COMMANDS)
    assert {one.tool for one in SURFACES.values() if one.tool} == set(TOOLS)
    for one in SURFACES.values():
        if one.tool:
            assert TOOLS[one.tool].arguments is one.tool_model


@pytest.mark.parametrize("name", with_options("model"))
def test_http_takes_what_the_api_takes(name: str) -> None:
    surface = SURFACES[name]
    assert surface.model is not None
    asked, offered = of_api(name), of_model(surface.model)
    assert set(asked) - BY_ID - surface.not_sent == set(offered)
    for option, found in offered.items():
        assert (found.default, found.choices) == (
            asked[option].default,
            asked[option].choices or found.choices,
        ), option


@pytest.mark.parametrize("name", [name for name, one in SURFACES.items() if one.model is None])
def test_what_has_no_options_has_none_in_python(name: str) -> None:
    assert set(of_api(name)) - SURFACES[name].not_sent <= {"id_", "job_id"}


@pytest.mark.parametrize("name", with_options("tool_model"))
def test_a_tool_takes_what_http_takes(name: str) -> None:
    surface = SURFACES[name]
    assert surface.tool_model is not None
    assert surface.tool is not None
    taken = of_model(surface.tool_model)
    by_id = {"id"} if BY_ID & set(of_api(name)) else set()
    assert set(taken) - by_id == set(of_model(surface.model) if surface.model else {})
    assert set(input_schema(TOOLS[surface.tool])["properties"]) == set(taken)


@pytest.mark.parametrize("name", with_options("command"))
def test_a_command_takes_what_the_api_takes(name: str) -> None:
    surface = SURFACES[name]
    assert surface.command is not None
    typed, asked = of_command(surface.command), of_api(name)
    assert set(typed) == set(surface.options) | set(surface.only_typed)
    assert set(surface.options.values()) == set(asked) - set(surface.not_typed)
    assert not set(surface.not_typed) & set(surface.options.values())
    model = of_model(surface.model) if surface.model else {}
    for option, parameter in surface.options.items():
        found, wanted = typed[option], asked[parameter]
        positional = not option.startswith("-")
        needed = found.default == NEEDED or (positional and wanted.default == NEEDED)
        assert needed == (wanted.default == NEEDED) or name == "write_diary", option
        if not needed:
            assert found.default == wanted.default, option
        limits = model.get(parameter, wanted)
        assert found.choices == (wanted.choices or limits.choices), option
        assert (found.low, found.high) == (limits.low, limits.high), option


@pytest.mark.parametrize("name", with_options("command"))
def test_a_command_hands_on_no_other_default_than_its_own(name: str) -> None:
    """The function's own default is what typer shows."""
    callback = COMMANDS[SURFACES[name].command or ""].callback
    shown = {one.name: one for one in COMMANDS[SURFACES[name].command or ""].params}
    for parameter in inspect.signature(inspect.unwrap(callback)).parameters.values():
        if parameter.name in shown and parameter.default is not parameter.empty:
            assert plain(shown[parameter.name].default) == plain(parameter.default), parameter.name


# -- what the service says of itself -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    world = World(tmp_path_factory.mktemp("parity"))
    yield make_http(world.app, world.settings, Runner())
    world.close()


def routes(http: FastAPI) -> dict[str, Mapping[str, Any]]:
    return {
        f"{verb.upper()} {path}": operation
        for path, verbs in http.openapi()["paths"].items()
        for verb, operation in verbs.items()
    }


def taken_by(http: FastAPI, operation: Mapping[str, Any]) -> dict[str, tuple[Any, ...]]:
    """What a route takes by query and body, as its description says."""
    queries = [one for one in operation.get("parameters", ()) if one["in"] == "query"]
    taken = {one["name"]: described(one["schema"], one.get("required", False)) for one in queries}
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if schema is not None:
        taken |= of_schema(http.openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    return taken


def test_every_route_has_its_method(http: FastAPI) -> None:
    assert set(routes(http)) == {one.route for one in SURFACES.values() if one.route} | PAGES_AND_HEALTH


@pytest.mark.parametrize("name", with_options("route"))
def test_a_route_takes_its_model_and_nothing_else(http: FastAPI, name: str) -> None:
    surface = SURFACES[name]
    operation = routes(http)[surface.route or ""]
    taken = taken_by(http, operation)
    expected = of_schema(surface.model.model_json_schema(by_alias=True)) if surface.model else {}
    assert taken == expected
    by_path = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "path"}
    assert by_path == ({"id"} if BY_ID & set(of_api(name)) else set())


@pytest.mark.parametrize("name", with_options("tool"))
def test_a_tool_says_the_same_limits_as_its_route(http: FastAPI, name: str) -> None:
    surface = SURFACES[name]
    said = of_schema(input_schema(TOOLS[surface.tool or ""]))
    taken = taken_by(http, routes(http)[surface.route or ""])
    assert {key: value for key, value in said.items() if key != "id"} == taken


def test_descriptions_are_the_same_wherever_an_option_is_described(http: FastAPI) -> None:
    """A reader of one reference learns what a reader of another learns."""
    for surface in SURFACES.values():
        if surface.tool is None or surface.model is None:
            continue
        of_tool = input_schema(TOOLS[surface.tool])["properties"]
        of_route = surface.model.model_json_schema()["properties"]
        for option, described_ in of_route.items():
            assert of_tool[option].get("description") == described_.get("description"), option
