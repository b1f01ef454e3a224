"""docs/http.md names what there is, and nothing that there is not."""

import re
from pathlib import Path
from typing import Any

import pytest

from autodream import errors
from autodream.service import requests
from tests.service.http.serving import Served
from tests.service.http.test_openapi import ROUTES

PAGE = (Path(__file__).parents[3] / "docs" / "http.md").read_text(encoding="utf-8")


def asked(line: str) -> tuple[str, str]:
    """The method and path of a curl command."""
    path = re.search(r"localhost:8230(/[^\s'\"?]*)", line)
    assert path, line
    shown = re.sub(r"\$(ID|JOB)\b", "{id}", path[1])
    method = re.search(r"-X (\w+)", line)
    return (method[1].lower() if method else "post" if " -d " in line or "--data" in line else "get"), shown


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    joined = re.sub(r",\n\s+", ", ", "\n".join(blocks).replace("\\\n", " "))
    return [line for line in joined.splitlines() if line.startswith("curl ")]


def test_every_route_has_a_command_that_was_run() -> None:
    assert {asked(line) for line in commands()} == ROUTES - {("get", "/")}


def test_every_body_shown_is_taken(served: Served) -> None:
    models = {
        "/v1/recall": requests.RecallRequest,
        "/v1/context": requests.ContextRequest,
        "/v1/diary": requests.DiaryRequest,
        "/v1/memories": requests.AddRequest,
        "/v1/jobs/digest": requests.DigestRequest,
        "/v1/jobs/dream": requests.DreamRequest,
        "/v1/migrate": requests.MigrateRequest,
        "/v1/memories/{id}": requests.EditRequest,
    }
    seen = set()
    for line in commands():
        if body := re.search(r" -d '(.*)'", line):
            _, path = asked(line)
            models[path].model_validate_json(body[1], strict=True)
            seen.add(path)
    assert seen == set(models)


@pytest.mark.parametrize("path", ["/v1/recall", "/v1/jobs/digest", "/v1/jobs/dream"])
def test_every_option_stands_in_its_table(path: str) -> None:
    model = {
        "/v1/recall": requests.RecallRequest,
        "/v1/jobs/digest": requests.DigestRequest,
        "/v1/jobs/dream": requests.DreamRequest,
    }[path]
    for name, field in model.model_fields.items():
        assert re.search(rf"^\|[^|]*`{field.alias or name}`", PAGE, re.M), name


def test_every_metric_stands_in_the_table(served: Served) -> None:
    text = served.get("/metrics").text
    families = set(re.findall(r"^# TYPE autodream_(\w+) ", text, re.M))
    table = PAGE[PAGE.index("| metric |") : PAGE.index("Agents beyond")]
    named = set(
        re.findall(r"`([a-z_]+)`", "\n".join(row.split("|")[1] for row in table.splitlines()[2:] if row))
    )
    assert named == families


def test_every_code_of_the_table_exists() -> None:
    table = PAGE[PAGE.index("| status | `code` |") : PAGE.index("After any 4xx")]
    told: set[Any] = set(
        re.findall(r"`([a-z_]+)`", "\n".join(row.split("|")[2] for row in table.splitlines() if row))
    )
    for code in told - {"code"}:
        assert errors.error_of(code, "x").code == code
