"""Routes about memories: each answers what the library answers."""

import json
from typing import Any

import pytest

from tests.service.http.serving import DAY, FACT, OTHER, Served, error_of


def add(served: Served, text: str = FACT, agent: str = "dev", **more: Any) -> dict[str, Any]:
    response = served.post("/v1/memories", {"text": text, "agent_id": agent, **more})
    assert response.status_code == 201, response.text
    return response.json()


def test_add_answers_the_memory_as_the_library_shows_it(served: Served) -> None:
    memory = add(
        served, category="keys", memory_type="short_term", day="2026-04-10", metadata={"a": [1, None]}
    )
    assert memory == json.loads(json.dumps(served.world.app.show(memory["id"])))
    assert (memory["memory"], memory["category"], memory["run_id"]) == (FACT, "keys", "2026-04-10")
    assert memory["metadata"] == {"a": [1, None]}


def test_add_takes_the_defaults_of_the_command(served: Served) -> None:
    memory = add(served)
    assert (memory["memory_type"], memory["category"], memory["day"], memory["source"]) == (
        "long_term",
        "note",
        DAY,
        "api",
    )


def test_the_same_added_again_is_one_memory(served: Served) -> None:
    assert add(served)["id"] == add(served)["id"]
    assert len(served.world.everything()) == 1


def test_add_may_introduce_an_agent(served: Served) -> None:
    add(served, agent="代理-7")
    assert "代理-7" in [agent["agent_id"] for agent in served.get("/v1/agents").json()["agents"]]


def test_recall_answers_what_the_library_answers(served: Served) -> None:
    add(served)
    add(served, OTHER)
    found = served.post("/v1/recall", {"query": "keys of depot 7", "agent_id": "dev"}).json()
    expected = served.world.app.recall("keys of depot 7", agent_id="dev")
    assert found["results"] == json.loads(json.dumps(expected["results"]))
    assert found["results"][0]["memory"] == FACT
    assert found["query"] == "keys of depot 7"
    assert found["took_ms"] >= 0


def test_recall_takes_every_option(served: Served) -> None:
    add(served, memory_type="short_term", category="keys", day="2026-04-09")
    add(served, OTHER, category="crane", day="2026-04-10")
    options = {
        "query": FACT,
        "agent_id": "dev",
        "categories": ["keys"],
        "memory_type": "short_term",
        "since": "2026-04-09",
        "until": "2026-04-09",
        "top_k": 1,
        "min_score": 0.1,
        "include_superseded": True,
        "explain": True,
    }
    [found] = served.post("/v1/recall", options).json()["results"]
    assert found["memory"] == FACT
    assert found["score_details"]
    assert served.post("/v1/recall", {**options, "since": "2026-04-10"}).json()["results"] == []


def test_recall_writes_characters_as_they_are(served: Served) -> None:
    add(served, "生产库端口改为 5433 🌸")
    response = served.post("/v1/recall", {"query": "端口"})
    assert "生产库端口改为 5433 🌸" in response.content.decode("utf-8")


def test_list_pages_to_the_end(served: Served) -> None:
    texts = sorted(add(served, f"Crate {n} stands in hall {n}.")["memory"] for n in range(7))
    seen: list[str] = []
    cursor = ""
    for _ in range(4):
        page = served.get(f"/v1/memories?agent_id=dev&limit=2{cursor}").json()
        seen += [memory["memory"] for memory in page["memories"]]
        cursor = f"&cursor={page['next_cursor']}"
    assert sorted(seen) == texts
    assert page["next_cursor"] is None


def test_list_takes_every_filter(served: Served) -> None:
    kept = add(served, category="keys", day="2026-04-09", memory_type="short_term")
    add(served, OTHER, category="crane", day="2026-04-10")
    assert served.client.delete(f"/v1/memories/{kept['id']}").status_code == 200
    query = (
        "agent_id=dev&categories=keys&categories=other&memory_type=short_term&day=2026-04-09&status=retired"
    )
    assert [m["id"] for m in served.get(f"/v1/memories?{query}").json()["memories"]] == [kept["id"]]
    assert served.get("/v1/memories?categories=keys").json()["memories"] == []
    assert len(served.get("/v1/memories?status=all").json()["memories"]) == 2


def test_show_and_explain(served: Served) -> None:
    memory = add(served)
    assert served.get(f"/v1/memories/{memory['id']}").json() == memory
    story = served.get(f"/v1/memories/{memory['id']}/explain").json()
    assert story["memory"] == memory
    assert [step["op"] for step in story["history"]] == ["add"]


def test_edit_changes_what_is_named_and_nothing_else(served: Served) -> None:
    memory = add(served, metadata={"a": 1})
    edited = served.ask("PATCH", f"/v1/memories/{memory['id']}", {"text": OTHER}).json()
    assert edited == {**memory, "memory": OTHER, "updated_at": edited["updated_at"]}
    again = served.ask("PATCH", f"/v1/memories/{memory['id']}", {"category": "crane"}).json()
    assert (again["memory"], again["category"]) == (OTHER, "crane")


def test_forget_and_restore(served: Served) -> None:
    memory = add(served)
    path = f"/v1/memories/{memory['id']}"
    assert served.ask("DELETE", path).json()["status"] == "retired"
    assert served.post("/v1/recall", {"query": FACT}).json()["results"] == []
    assert served.post(f"{path}/restore").json()["status"] == "active"
    assert len(served.post("/v1/recall", {"query": FACT}).json()["results"]) == 1


def test_purge_erases_one(served: Served) -> None:
    gone, kept = add(served), add(served, OTHER)
    response = served.ask("DELETE", f"/v1/memories/{gone['id']}?purge=true")
    assert (response.status_code, response.json()) == (200, {"id": gone["id"], "purged": True})
    assert [memory.id for memory in served.world.everything()] == [kept["id"]]
    assert served.get(f"/v1/memories/{gone['id']}").status_code == 404


@pytest.mark.parametrize("value", ["maybe", "2", ""])
def test_a_purge_that_is_not_clearly_asked_for_erases_nothing(served: Served, value: str) -> None:
    memory = add(served)
    response = served.ask("DELETE", f"/v1/memories/{memory['id']}?purge={value}")
    assert response.status_code == 422
    assert error_of(response)["field"] == "purge"
    assert served.get(f"/v1/memories/{memory['id']}").json()["status"] == "active"


def test_diary_and_context_reach_the_library(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def write_diary(agent_id: str, **options: Any) -> dict[str, Any]:
        asked.append((agent_id, options))
        return {"path": "memory/2026-04-11.md", "line_start": 1, "line_end": 2, "duplicate": False}

    def context(agent_id: str, **options: Any) -> dict[str, Any]:
        asked.append((agent_id, options))
        return {"text": "", "memory_ids": []}

    monkeypatch.setattr(served.world.app, "write_diary", write_diary, raising=False)
    monkeypatch.setattr(served.world.app, "context", context, raising=False)
    messages = [{"role": "user", "content": "hello", "at": "2026-04-11T19:00:00+08:00"}]
    written = served.post("/v1/diary", {"agent_id": "dev", "messages": messages, "event_id": "e1"})
    assert (written.status_code, written.json()["line_end"]) == (201, 2)
    assert (
        served.post("/v1/context", {"agent_id": "dev", "query": "keys", "max_chars": 300}).status_code == 200
    )
    assert asked == [
        ("dev", {"messages": messages, "event_id": "e1"}),
        ("dev", {"query": "keys", "max_chars": 300}),
    ]
