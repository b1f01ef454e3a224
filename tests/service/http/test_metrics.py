"""What Prometheus is told: right counts, few labels, never a text."""

import re
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from autodream.errors import StorageError
from autodream.service.http import figures
from autodream.service.http.figures import Figures, FiguresCollector, figures_of
from autodream.store.base import Filter
from tests.service.http.serving import DAY, FACT, OTHER, Served, serving

Sample = tuple[str, frozenset[tuple[str, str]]]


def samples(served: Served) -> dict[Sample, float]:
    response = served.get("/metrics")
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/plain; version=")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(response.text)
        for sample in family.samples
    }


def value(found: dict[Sample, float], name: str, **labels: str) -> float | None:
    return found.get((f"autodream_{name}", frozenset(labels.items())))


@pytest.fixture
def busy(served: Served) -> Served:
    """A service that was used: memories, a digest, text that waits, recalls, failures."""
    served.world.write(DAY, f"- {FACT}\n")
    served.world.digest(final=True)
    served.post("/v1/memories", {"text": OTHER, "agent_id": "ops"})
    served.world.append(DAY, "- Crate 7 came to hall 9.\n- Crate 8 came to hall 9.\n")
    for query in ("keys", "crane"):
        served.post("/v1/recall", {"query": query})
    served.post("/v1/recall", {"query": ""})
    return served


def test_memories_jobs_and_what_waits(busy: Served) -> None:
    found = samples(busy)
    assert value(found, "memories", agent="dev", type="short_term") == 1
    assert value(found, "memories", agent="ops", type="long_term") == 1
    assert value(found, "jobs", kind="digest", status="ok") == 1
    assert value(found, "jobs", kind="add", status="ok") == 1
    assert value(found, "undigested_blocks", agent="dev") == 2
    assert value(found, "undigested_blocks", agent="ops") == 0
    assert value(found, "blocked", agent="dev") == 0
    assert value(found, "figures_ok") == 1


def test_recalls_and_requests(busy: Served) -> None:
    found = samples(busy)
    assert value(found, "recalls_total") == 2
    assert value(found, "recall_seconds_count") == 2
    assert value(found, "http_requests_total", method="POST", route="/v1/recall", status="200") == 2
    assert value(found, "http_requests_total", method="POST", route="/v1/recall", status="422") == 1
    assert value(found, "http_request_seconds_count", route="/v1/memories") == 1


def test_the_age_of_the_last_effective_job(busy: Served) -> None:
    busy.world.at("2026-04-11T20:10:00+08:00")
    found = samples(busy)
    assert value(found, "last_effective_job_age_seconds", agent="dev", kind="digest") == 600
    assert value(found, "last_effective_job_age_seconds", agent="dev", kind="dream") is None


def test_tokens_and_what_is_left_of_the_budget(tmp_path: Path) -> None:
    from autodream.reasoning.base import ModelCall

    with serving(tmp_path, daily_token_budget=1000) as served:
        for tokens in (300, 900):
            call = ModelCall("facts", "1", "model", tokens - 100, 100, 0.1, True)
            served.world.journal.usage.record(call, agent_id="dev", job_id=None, day=DAY, at="2026")
        found = samples(served)
    assert value(found, "llm_tokens_today", agent="dev") == 1200
    assert value(found, "llm_token_budget_left", agent="dev") == 0
    assert value(found, "llm_token_budget_left", agent="ops") == 1000


def test_failures_are_counted_by_code_and_bad_input_is_none(
    busy: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def storage(*_: Any, **__: Any) -> Any:
        raise StorageError("full")

    def mistake(*_: Any, **__: Any) -> Any:
        raise KeyError("full")

    monkeypatch.setattr(busy.world.app, "show", storage)
    monkeypatch.setattr(busy.world.app, "explain", mistake)
    busy.get("/v1/memories/x")
    busy.get("/v1/memories/x/explain")
    found = samples(busy)
    failures = {key[1]: count for key, count in found.items() if key[0] == "autodream_failures_total"}
    assert failures == {frozenset({("code", "storage")}): 1, frozenset({("code", "internal")}): 1}


def test_no_text_path_or_id_is_told(busy: Served) -> None:
    canary = "quixotic-canary"
    memory = busy.post("/v1/memories", {"text": canary, "agent_id": "dev", "category": canary}).json()
    busy.post("/v1/recall", {"query": canary})
    busy.get(f"/v1/memories/{memory['id']}")
    busy.get(f"/{canary}")
    busy.ask(canary.upper(), "/v1/recall")
    busy.get(f"/v1/jobs/{canary}")
    text = busy.get("/metrics").text
    assert canary.lower() not in text.lower()
    assert memory["id"] not in text
    assert str(busy.world.root) not in text
    routes = set(re.findall(r'route="([^"]*)"', text))
    assert routes <= {
        "/metrics",
        "/v1/recall",
        "/v1/memories",
        "/v1/memories/{id}",
        "/v1/jobs/{id}",
        "(none)",
    }
    assert set(re.findall(r'method="([^"]*)"', text)) <= {"GET", "POST", "OTHER"}


def test_many_agents_are_counted_together(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_MOST_AGENTS", 3)
    for n in range(6):
        for m in range(6 - n):
            served.world.app.add(f"Crate {m} of hall {n}.", agent_id=f"a{n}")
    counted = figures_of(served.world.parts).memories
    assert counted == {
        ("a0", "long_term"): 6,
        ("a1", "long_term"): 5,
        ("a2", "long_term"): 4,
        ("(others)", "long_term"): 6,
    }
    assert sum(counted.values()) == served.world.backend.count(Filter())


def test_two_applications_count_apart(tmp_path: Path) -> None:
    with serving(tmp_path / "a") as one, serving(tmp_path / "b") as two:
        one.post("/v1/recall", {"query": "x"})
        assert value(samples(one), "recalls_total") == 1
        assert value(samples(two), "recalls_total") == 0


def test_a_store_that_fails_leaves_the_counters(busy: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise StorageError("away")

    monkeypatch.setattr(busy.world.backend, "tally", fail)
    found = samples(busy)
    assert value(found, "figures_ok") == 0
    assert value(found, "recalls_total") == 2
    assert value(found, "memories", agent="dev", type="short_term") is None


def test_figures_are_kept_for_a_while() -> None:
    counted: list[int] = []

    def count() -> Figures:
        counted.append(1)
        return Figures(jobs={("digest", "ok"): len(counted)})

    collector = FiguresCollector(count)
    assert collector.describe() == []
    first, second = list(collector.collect()), list(collector.collect())
    assert counted == [1]
    assert first == second


def test_figures_are_counted_anew_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "_KEPT", -1.0)
    counted: list[int] = []
    collector = FiguresCollector(lambda: counted.append(1) or Figures())
    list(collector.collect())
    list(collector.collect())
    assert counted == [1, 1]
