"""The description: complete, with examples, true to what is in force, and made of nothing that is loaded."""

import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from autodream.api import Api
from autodream.service import requests
from tests.service.http.serving import Served, serving

ROUTES = {
    ("get", "/"),
    ("get", "/health/live"),
    ("get", "/health/ready"),
    ("get", "/metrics"),
    ("post", "/v1/recall"),
    ("post", "/v1/memories"),
    ("get", "/v1/memories"),
    ("get", "/v1/memories/{id}"),
    ("patch", "/v1/memories/{id}"),
    ("delete", "/v1/memories/{id}"),
    ("get", "/v1/memories/{id}/explain"),
    ("post", "/v1/memories/{id}/restore"),
    ("post", "/v1/diary"),
    ("post", "/v1/context"),
    ("post", "/v1/jobs/digest"),
    ("post", "/v1/jobs/dream"),
    ("get", "/v1/jobs"),
    ("get", "/v1/jobs/{id}"),
    ("post", "/v1/jobs/{id}/undo"),
    ("get", "/v1/agents"),
    ("get", "/v1/status"),
    ("get", "/v1/doctor"),
    ("post", "/v1/reembed"),
    ("post", "/v1/migrate"),
    ("get", "/v1/export"),
    ("post", "/v1/import"),
    ("get", "/v1/backup"),
}
BODIES = {
    ("post", "/v1/recall"): (requests.RecallRequest, "recall"),
    ("post", "/v1/memories"): (requests.AddRequest, "add"),
    ("patch", "/v1/memories/{id}"): (requests.EditRequest, "update"),
    ("post", "/v1/diary"): (requests.DiaryRequest, "write_diary"),
    ("post", "/v1/context"): (requests.ContextRequest, "context"),
    ("post", "/v1/jobs/digest"): (requests.DigestRequest, "digest"),
    ("post", "/v1/jobs/dream"): (requests.DreamRequest, "dream"),
    ("post", "/v1/migrate"): (requests.MigrateRequest, "migrate"),
}
QUERIES = {
    ("get", "/v1/memories"): (requests.ListRequest, "list_memories"),
    ("get", "/v1/jobs"): (requests.JobsRequest, "jobs"),
    ("delete", "/v1/memories/{id}"): (requests.ForgetRequest, "forget"),
    ("get", "/v1/export"): (requests.OfAgentRequest, "export_memories"),
    ("post", "/v1/import"): (requests.OfAgentRequest, "import_memories"),
}
NOT_ASKED = {"self", "progress", "id_", "records"}  # of the library's parameters: they stand elsewhere


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all cases."""
    with serving(tmp_path_factory.mktemp("openapi")) as made:
        yield made


@pytest.fixture(scope="module")
def document(served: Served) -> dict[str, Any]:
    return served.get("/openapi.json").json()


def operations(document: dict[str, Any]) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield (method, path), operation


def test_every_route_is_described(document: dict[str, Any]) -> None:
    described = dict(operations(document))
    assert set(described) == ROUTES
    for operation in described.values():
        assert operation["summary"]
        assert len(operation["description"]) > 20
    assert len({operation["operationId"] for operation in described.values()}) == len(ROUTES)


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    pending: list[Any] = [document]
    seen = 0
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            if "$ref" in value:
                seen += 1
                assert value["$ref"].removeprefix("#/components/schemas/") in schemas
            pending += value.values()
        elif isinstance(value, list):
            pending += value
    assert seen > 100


@pytest.mark.parametrize("route", BODIES)
def test_a_body_is_its_model_with_a_valid_example(document: dict[str, Any], route: tuple[str, str]) -> None:
    model, _ = BODIES[route]
    content = dict(operations(document))[route]["requestBody"]["content"]["application/json"]
    assert content["schema"] == {"$ref": f"#/components/schemas/{model.__name__}"}
    assert set(document["components"]["schemas"][model.__name__]["properties"]) == {
        field.alias or name for name, field in model.model_fields.items()
    }
    model.model_validate(content["example"], strict=True)


@pytest.mark.parametrize("route", QUERIES)
def test_a_query_is_its_model(document: dict[str, Any], route: tuple[str, str]) -> None:
    model, _ = QUERIES[route]
    given = dict(operations(document))[route]["parameters"]
    assert {each["name"] for each in given if each["in"] == "query"} == set(model.model_fields)
    assert all(each.get("description") for each in given)


@pytest.mark.parametrize(("model", "method"), [*BODIES.values(), *QUERIES.values()])
def test_what_can_be_asked_is_what_the_library_takes(
    model: type[requests.RecallRequest], method: str
) -> None:
    taken = inspect.signature(getattr(Api, method)).parameters.keys() - NOT_ASKED
    assert set(model.model_fields) == taken


def test_every_field_is_described(document: dict[str, Any]) -> None:
    for name, schema in document["components"]["schemas"].items():
        if name.endswith("Request"):
            for field, about in schema["properties"].items():
                assert about.get("description"), f"{name}.{field}"


def test_every_route_tells_its_answer_and_its_errors(document: dict[str, Any]) -> None:
    for (method, path), operation in operations(document):
        codes = set(operation["responses"])
        if path == "/" or path.startswith("/health"):
            continue
        assert codes & {"200", "201", "202"}, path
        assert {"401", "403", "422", "503"} <= codes, path
        assert method != "post" or {"409"} & codes or path in ("/v1/recall", "/v1/context"), path
        assert "{id}" not in path or "404" in codes, path
        for code in codes & {"400", "401", "403", "404", "409", "413", "422", "503"}:
            schema = operation["responses"][code]["content"]["application/json"]["schema"]
            assert schema == {"$ref": "#/components/schemas/ErrorBody"}


def test_a_token_may_be_given(document: dict[str, Any]) -> None:
    assert document["components"]["securitySchemes"]["token"] == {"type": "http", "scheme": "bearer"}
    assert document["security"] == [{}, {"token": []}]


def test_the_recalls_of_an_answer_match_their_description(served: Served, document: dict[str, Any]) -> None:
    served.world.app.add("The gateway listens on port 8231.", agent_id="dev")
    [found] = served.post("/v1/recall", {"query": "gateway", "explain": True}).json()["results"]
    schema = document["components"]["schemas"]["Recalled"]
    assert set(found) == set(schema["properties"])
    assert set(schema["required"]) == set(found) - {"score_details"}


def test_nothing_is_exported_to_where_the_environment_says() -> None:
    """FastAPI would hand requests, bodies included, to OpenTelemetry when this variable is set (F57)."""
    code = (
        "import autodream.service.http.application as http, fastapi;"
        "seen = [];"
        "init = fastapi.FastAPI.__init__;"
        "fastapi.FastAPI.__init__ = lambda self, **k: seen.append(k['telemetry']) or init(self, **k);"
        "from types import SimpleNamespace as N; from pathlib import Path; from autodream.config import Settings;"
        "app = http.make_http(N(parts=None), Settings(data_dir=Path('x')), None);"
        "assert not app._native_telemetry.enabled();"
        "print(sorted(seen[0].items()))"
    )
    env = {
        **os.environ,
        "FASTAPI_OTEL_AUTO_CONFIGURE": "true",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
    }
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    assert "True" not in done.stdout
