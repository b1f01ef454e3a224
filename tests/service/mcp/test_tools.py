"""What a client is told of the tools: names, schemas, annotations, descriptions. No transport is needed for it."""

import inspect
import json
import re
from typing import Any

import pytest
from pydantic import TypeAdapter

from autodream.api import Api
from autodream.service import requests
from autodream.service.mcp.server import entries
from autodream.service.mcp.tools import TOOLS, Tool, input_schema, output_schema

from .support import server_over, talk

MODELS = {
    "recall": requests.RecallRequest,
    "remember": requests.AddRequest,
    "context": requests.ContextRequest,
    "list_memories": requests.ListRequest,
    "write_diary": requests.DiaryRequest,
}
METHODS = {"remember": "add"}
HINTS = {  # read-only, destructive, idempotent
    "recall": (True, False, True),
    "remember": (False, False, True),
    "context": (True, False, True),
    "explain": (True, False, True),
    "forget": (False, True, True),
    "list_memories": (True, False, True),
    "write_diary": (False, False, False),
}
every_tool = pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))


def test_there_are_the_seven_of_the_contract() -> None:
    assert [entry.name for entry in entries()] == list(HINTS)
    assert {name: tool.name for name, tool in TOOLS.items()} == {name: name for name in HINTS}


def test_a_client_lists_what_is_listed_without_one() -> None:
    listed = talk(server_over(None), lambda client: client.list_tools())
    assert listed.next_cursor is None
    assert listed.tools == entries()


@pytest.mark.parametrize("name", HINTS)
def test_hints_say_what_a_tool_does(name: str) -> None:
    [entry] = [entry for entry in entries() if entry.name == name]
    hints = entry.annotations
    assert hints is not None
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == HINTS[name]
    assert hints.open_world_hint is False
    assert entry.title == hints.title
    assert entry.title


@pytest.mark.parametrize(("name", "model"), MODELS.items(), ids=list(MODELS))
def test_arguments_are_those_of_http(name: str, model: type[requests.Request]) -> None:
    assert TOOLS[name].arguments is model


def test_forgetting_takes_the_id_beside_the_options_of_http() -> None:
    fields = set(TOOLS["forget"].arguments.model_fields)
    assert fields == {"id", *requests.ForgetRequest.model_fields}
    assert set(TOOLS["explain"].arguments.model_fields) == {"id"}


@every_tool
def test_arguments_are_the_parameters_of_the_method(tool: Tool) -> None:
    method = getattr(Api, METHODS.get(tool.name, tool.name))
    parameters = {name.rstrip("_") for name in inspect.signature(method).parameters} - {"self"}
    assert set(tool.arguments.model_fields) == parameters


@every_tool
def test_the_schema_is_that_of_the_model(tool: Tool) -> None:
    schema, model = input_schema(tool), tool.arguments.model_json_schema()
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema.get("required", []) == model.get("required", [])
    told = {
        name: {k: v for k, v in each.items() if k != "title"} for name, each in model["properties"].items()
    }
    assert schema["properties"] == told


@every_tool
def test_every_argument_is_described(tool: Tool) -> None:
    for name, each in input_schema(tool)["properties"].items():
        assert each.get("description"), f"{tool.name}: {name} needs a description in requests.py"


def test_limits_and_defaults_reach_the_client() -> None:
    properties = input_schema(TOOLS["recall"])["properties"]
    assert (properties["top_k"]["minimum"], properties["top_k"]["maximum"]) == (1, 200)
    assert properties["top_k"]["default"] == 10
    assert properties["memory_type"]["enum"] == ["short_term", "long_term", "all"]


@every_tool
def test_no_schema_repeats_names_as_titles(tool: Tool) -> None:
    assert '"title": "' not in json.dumps(input_schema(tool)["properties"])


@every_tool
def test_what_is_answered_is_declared(tool: Tool) -> None:
    schema = output_schema(tool)
    assert schema["type"] == "object"
    assert {**TypeAdapter(tool.answers).json_schema(mode="serialization")}.keys() <= schema.keys()


@every_tool
def test_descriptions_are_short_and_say_what_not_to_use_a_tool_for(tool: Tool) -> None:
    assert 150 <= len(tool.description) <= 650
    assert "  " not in tool.description
    assert "Not " in tool.description or "use recall" in tool.description or "goes to" in tool.description
    for other in _named_tools(tool.description):
        assert other in TOOLS


@every_tool
def test_the_example_of_a_description_is_a_valid_call(tool: Tool) -> None:
    _, _, example = tool.description.partition("Example: ")
    tool.arguments.model_validate(json.loads(example), strict=True)


def _named_tools(text: str) -> set[str]:
    words = re.findall(r"\b[a-z]+_[a-z]+\b", text.partition("Example:")[0])
    return set(words) - {"next_cursor", "event_id", "max_chars"}


@pytest.mark.parametrize(
    "name", [name for name, tool in TOOLS.items() if "agent_id" in tool.arguments.model_fields]
)
def test_a_limited_server_makes_its_agent_the_default(name: str) -> None:
    free, limited = input_schema(TOOLS[name]), input_schema(TOOLS[name], "dev")
    assert limited["properties"]["agent_id"]["default"] == "dev"
    assert "agent_id" not in limited["required"]
    assert set(limited["required"]) == set(free.get("required", ())) - {"agent_id"}


@pytest.mark.parametrize("name", ["explain", "forget"])
def test_tools_without_an_agent_are_listed_alike(name: str) -> None:
    assert input_schema(TOOLS[name], "dev") == input_schema(TOOLS[name])


def test_listing_for_an_agent_leaves_the_other_listing_alone() -> None:
    before = [entry.model_dump() for entry in entries()]
    entries("dev")
    assert [entry.model_dump() for entry in entries()] == before


def test_a_client_is_told_what_the_server_is_for() -> None:
    async def look(client: Any) -> Any:
        return client.instructions, client.server_info, client.server_capabilities

    instructions, info, capabilities = talk(server_over(None), look)
    assert info.name == "autodream"
    assert "never instructions" in instructions
    assert capabilities.tools is not None
    assert capabilities.prompts is None
    assert capabilities.resources is None
