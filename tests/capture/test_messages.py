"""Messages are checked at the door: what is wrong is named, and nothing is written."""

import os
from pathlib import Path
from typing import Any

import pytest

from autodream.capture.messages import Item, from_messages, from_text
from autodream.config import MAX_BODY_BYTES
from autodream.errors import InputError, UnknownAgentError
from tests.support.world import World

OK = {"role": "user", "content": "port 8231"}


def item(**message: Any) -> Item:
    [made] = from_messages([{**OK, **message}], ())
    return made


@pytest.mark.parametrize(
    ("role", "voice"),
    [
        *(("user", "user"), ("Human", "user"), ("assistant", "agent"), ("model", "agent")),
        *(("tool", "program"), ("toolResult", "program"), ("function", "program"), ("custom", "program")),
    ],
)
def test_only_users_and_assistants_speak(role: str, voice: str) -> None:
    made = item(role=role)
    assert made.voice == voice
    assert (made.text, made.hidden) == (
        ("", f"[{role}]\nport 8231") if voice == "program" else ("port 8231", "")
    )


@pytest.mark.parametrize("role", ["system", "developer", "System"])
def test_nothing_is_kept_of_what_an_agent_was_told_to_be(role: str) -> None:
    assert item(role=role) == Item("program", "")


def test_parts_of_a_message() -> None:
    made = item(
        role="assistant",
        content=[
            {"type": "thinking", "thinking": "which port was it"},
            {"type": "text", "text": "It is 8231."},
            {"type": "tool_use", "id": "t1", "name": "exec", "input": {"cmd": "ss -l"}},
            {"type": "output_text", "text": "Checked."},
            {"type": "something new", "value": 7},
            {"no type": 1},
        ],
    )
    assert made.text == "It is 8231.\nChecked."
    assert made.hidden == "[tool_use]\nname: exec\ncmd: ss -l\n[something new]\nvalue: 7\n[part]\nno type: 1"


def test_a_poll_of_the_runtime_leaves_nothing() -> None:
    made = item(content="Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.")
    assert (made.text, made.hidden, made.poll) == ("", "", True)


def test_a_message_is_known_again_whatever_stood_around_it_and_whenever_it_came() -> None:
    plain = item()
    envelope = 'Sender (untrusted metadata):\n```json\n{"id": 1}\n```\n\n'
    assert item(content=f"{envelope}port 8231", at="2026-04-11T10:00:00Z").key == plain.key
    assert item(content=[{"type": "text", "text": "port 8231"}]).key == plain.key
    assert (
        len({plain.key, item(content="port 8232").key, item(role="assistant").key, item(role="tool").key})
        == 4
    )


BAD: list[tuple[Any, str]] = [
    ([], "messages"),
    ("text", "messages"),
    ({"role": "user"}, "messages"),
    ([OK, "text"], "messages.1"),
    ([{**OK, "name": "x"}], "messages.0"),
    ([{"content": "x"}], "messages.0.role"),
    ([{**OK, "role": ""}], "messages.0.role"),
    ([{**OK, "role": "r" * 65}], "messages.0.role"),
    ([{**OK, "role": 1}], "messages.0.role"),
    ([{"role": "user"}], "messages.0.content"),
    ([{**OK, "content": None}], "messages.0.content"),
    ([{**OK, "content": 7}], "messages.0.content"),
    ([{**OK, "content": ["text"]}], "messages.0.content"),
    ([OK, {**OK, "at": "yesterday"}], "messages.1.at"),
    ([{**OK, "at": "2026-04-11T10:00:00"}], "messages.0.at"),
    ([{**OK, "at": "2026-02-30T10:00:00Z"}], "messages.0.at"),
    ([{**OK, "at": "0001-01-01T00:00:00Z"}], "messages.0.at"),
    ([{**OK, "at": "9999-12-31T23:59:59Z"}], "messages.0.at"),
    ([{**OK, "at": "1900-01-01T00:00:00+23:59"}], "messages.0.at"),  # elsewhere the day before is no diary's
    ([{**OK, "at": 1_775_000_000}], "messages.0.at"),
    ([OK] * 1_001, "messages"),
    ([{**OK, "content": "x" * MAX_BODY_BYTES}, OK], "messages"),
]


@pytest.mark.parametrize(("messages", "field"), BAD, ids=lambda value: str(value)[:40])
def test_bad_messages_are_refused_whole(tmp_path: Path, messages: Any, field: str) -> None:
    world = World(tmp_path)
    with pytest.raises(InputError) as caught:
        world.app.write_diary("dev", messages=messages, event_id="e")
    assert caught.value.field == field
    assert os.listdir(world.workspaces["dev"] / "memory") == []
    assert world.journal.events.parts("dev", "e") == ()


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\x00", "<think>only a thought</think>", 7, "x" * (MAX_BODY_BYTES + 1)]
)
def test_bad_texts_are_refused(text: Any) -> None:
    with pytest.raises(InputError) as caught:
        from_text(text, ())
    assert caught.value.field == "text"


@pytest.mark.parametrize("event_id", ["", "e" * 201, "a\nb", "a\x00b", "half \ud83c", 7])
def test_bad_event_ids_are_refused(tmp_path: Path, event_id: Any) -> None:
    world = World(tmp_path)
    with pytest.raises(InputError) as caught:
        world.app.write_diary("dev", text="port 8231", event_id=event_id)
    assert caught.value.field == "event_id"


def test_either_a_text_or_messages(tmp_path: Path) -> None:
    world = World(tmp_path)
    for given in ({}, {"text": "port 8231", "messages": [OK]}):
        with pytest.raises(InputError, match="either"):
            world.app.write_diary("dev", **given)


@pytest.mark.parametrize(
    ("agent", "kind"), [("other", UnknownAgentError), ("../dev", InputError), ("*", InputError)]
)
def test_only_agents_with_a_workspace_have_diaries(
    tmp_path: Path, agent: str, kind: type[InputError]
) -> None:
    world = World(tmp_path)
    world.app.add("known by a memory alone", agent_id="other")
    with pytest.raises(kind):
        world.app.write_diary(agent, text="port 8231")


def test_a_workspace_that_is_gone_is_named(tmp_path: Path) -> None:
    world = World(tmp_path)
    (world.workspaces["dev"] / "memory").rmdir()
    world.workspaces["dev"].rmdir()
    with pytest.raises(InputError, match="does not exist") as caught:
        world.app.write_diary("dev", text="port 8231")
    assert caught.value.field == "workspace"
