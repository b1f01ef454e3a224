"""The API against requests made from its own description, right and wrong ones: no answer is a server's error.

Schemathesis is used as a library. Ids and agents that exist are put into a share of the requests: made-up ones
would be refused at the door. ``scripts/test-slow`` runs many more, on the embedded engine.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from autodream.shapes import ErrorBody
from autodream.store.factory import open_store
from tests.service.http.serving import DAY, FACT, OTHER, Served, serving

load_all_checks()
CHECKED = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    ]
)
REFUSED = CHECKS.get_by_names(["negative_data_rejection"])
QUIET = [HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, store=open_store) as made:
        yield filled(made)


def filled(served: Served) -> Served:
    served.world.write(DAY, f"- {FACT}\n- ✅ Sealed vault 11.\n")
    served.world.digest(final=True)
    served.world.app.add(OTHER, agent_id="dev")
    served.world.app.add("Shared: hall 9 is closed.", agent_id="ops", category="experience")
    return served


def fuzz(served: Served, examples: int) -> Counter[int]:
    """How many requests got which status."""
    statuses: Counter[int] = Counter()
    schema = schemathesis.openapi.from_dict(served.app.openapi())
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.label == "POST /v1/import":
            continue  # its lines are no JSON document: fuzzed below
        modes = [GenerationMode.POSITIVE] if operation.label != "POST /v1/migrate" else []  # it asks a server
        modes += [GenerationMode.NEGATIVE] if operation.body or operation.query else []
        for mode in modes:
            ask_all(served, operation.as_strategy(generation_mode=mode), examples, statuses)
    return statuses


def ask_all(served: Served, cases: Any, examples: int, statuses: Counter[int]) -> None:
    known = [memory.id for memory in served.world.everything()]
    known += [job["job_id"] for job in served.world.app.jobs()["jobs"]]

    @seed(7)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=QUIET,
        phases=[Phase.generate],
    )
    @given(
        case=cases,
        id_=st.sampled_from([None, *known]),
        agent=st.sampled_from([None, "dev", "ops"]),
    )
    def ask(case: Any, id_: str | None, agent: str | None) -> None:
        right = case.meta is None or case.meta.generation.mode is GenerationMode.POSITIVE
        if right and id_ is not None and "id" in (case.path_parameters or {}):
            case.path_parameters["id"] = id_
        if right and isinstance(case.body, dict):
            make_real(case.body, agent)
        response = send(served, case)
        statuses[response.status_code] += 1
        too_large = response.status_code == 413  # whatever else is wrong with it
        case.validate_response(response, checks=CHECKED if too_large else CHECKED + REFUSED)

    ask()


def make_real(body: dict[str, Any], agent: str | None) -> None:
    """Name an agent that exists."""
    if agent is not None and "agent_id" in body:
        body["agent_id"] = agent
    if agent is not None and "agent_ids" in body:
        body["agent_ids"] = [agent]


def send(served: Served, case: Any) -> Any:
    made = case.as_transport_kwargs(base_url="http://127.0.0.1:8230")
    taken = {name: made[name] for name in ("method", "url", "headers", "params", "json") if name in made}
    if made.get("data") is not None:
        taken["content"] = made["data"]
    return served.client.request(**taken)


def test_no_request_is_answered_with_a_servers_error(world: Served) -> None:
    statuses = fuzz(world, 3)
    assert sum(statuses.values()) > 100
    assert not [status for status in statuses if status >= 500]
    assert {200, 404, 422} <= set(statuses)


@pytest.mark.slow
def test_no_request_of_many_is_answered_with_a_servers_error(tmp_path: Path) -> None:
    with serving(tmp_path, store=open_store) as served:
        statuses = fuzz(filled(served), 400)
    print(f"{sum(statuses.values())} requests: {dict(sorted(statuses.items()))}")
    assert sum(statuses.values()) > 10_000
    assert not [status for status in statuses if status >= 500]


@seed(7)
@settings(
    max_examples=40,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    phases=[Phase.generate],
)
@given(
    body=st.one_of(
        st.binary(max_size=200),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=20,
        ).map(lambda value: json.dumps(value).encode()),
    ),
    path=st.sampled_from(["/v1/recall", "/v1/memories", "/v1/diary", "/v1/jobs/dream", "/v1/import"]),
)
def test_no_body_at_all_is_answered_with_a_servers_error(world: Served, body: bytes, path: str) -> None:
    response = world.raw(path, body, "application/x-ndjson" if path == "/v1/import" else "application/json")
    assert response.status_code < 500
    if response.status_code >= 400:
        assert set(response.json()) == set(ErrorBody.__annotations__)
