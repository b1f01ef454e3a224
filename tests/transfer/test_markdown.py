"""OpenClaw's MEMORY.md: every statement alone, under its headings, without marks that are no words."""

import pytest

from autodream.errors import InputError
from autodream.transfer.markdown import read_markdown
from autodream.transfer.records import NOTES

from .conftest import Make


def told(text: str, **options: tuple[str, ...]) -> list[tuple[int, str]]:
    return [(one[NOTES]["line"], one["memory"]) for one in read_markdown(text.encode(), **options)]


def texts(text: str) -> list[str]:
    return [memory for _, memory in told(text)]


MEMORY = """---
tags: [identity]
---

# MEMORY.md - Your Long-Term Memory

Ana lives in Bonn. She speaks German.

## Key Learnings

### Preferences
- Tea, never coffee
- **Language:** answers in German
- [ ] ask about the bike
- [x] moved to Bonn

### 部署
- 先灰度再全量。
"""


def test_statements_stand_under_their_headings() -> None:
    assert told(MEMORY) == [
        (7, "Ana lives in Bonn. She speaks German."),
        (12, "Key Learnings / Preferences: Tea, never coffee"),
        (13, "Key Learnings / Preferences: Language: answers in German"),
        (14, "Key Learnings / Preferences: [ ] ask about the bike"),
        (15, "Key Learnings / Preferences: [x] moved to Bonn"),
        (18, "Key Learnings / 部署: 先灰度再全量。"),
    ]


@pytest.mark.parametrize(
    "title",
    ["MEMORY.md", "MEMORY.md - Jarvis", "Long-Term Memory", "Memory", "🧠 Memory", "长期记忆", "Your Memory"],
)
def test_the_files_own_title_is_no_context(title: str) -> None:
    assert texts(f"# {title}\n\n- Tea, never coffee\n") == ["Tea, never coffee"]


@pytest.mark.parametrize("title", ["Memory leaks", "Memory search", "Memories of Bonn"])
def test_a_title_that_says_something_is_context(title: str) -> None:
    assert texts(f"# {title}\n\n- Tea, never coffee\n") == [f"{title}: Tea, never coffee"]


PROMOTED = """# Long-Term Memory

## Promoted From Short-Term Memory (2026-08-22)

<!-- openclaw-memory-promotion:memory:memory/2026-08-16.md:6:9 -->
- Bonn: The office moved; keys are with Ana [score=0.812 recalls=0 avg=0.620 source=memory/2026-08-16.md:6-9]
<!-- openclaw-memory-promotion:memory:memory/2026-03-15-1400.md:2:5 -->
- ## Audit - Risks All items are accepted: [score=0.866 recalls=3 avg=0.917 source=memory/2026-03-15-1400.md:2-5]
- A hand-written note [score=0.9]
"""


def test_what_dreaming_promoted_loses_its_signals_and_keeps_its_source() -> None:
    first, second, third = read_markdown(PROMOTED.encode())
    assert first["memory"] == "Bonn: The office moved; keys are with Ana"
    assert first[NOTES]["day"] == "2026-08-16"
    [evidence] = first[NOTES]["evidence"]
    assert (evidence["path"], evidence["line_start"], evidence["line_end"]) == ("memory/2026-08-16.md", 6, 9)
    assert second["memory"] == "Audit - Risks All items are accepted:"
    assert second[NOTES]["day"] == "2026-03-15"
    assert third["memory"] == "A hand-written note"
    assert third[NOTES] == {"line": 9, "day": "2026-08-22"}


@pytest.mark.parametrize("path", ["../../etc/2026-08-16.md", "/etc/2026-08-16.md", "memory/../2026-08-16.md"])
def test_a_source_elsewhere_is_no_evidence(make: Make, path: str) -> None:
    text = f"- Keys are with Ana [score=0.8 recalls=0 avg=0.6 source={path}:1-2]\n"
    world = make("here")
    report = world.app.import_memories(read_markdown(text.encode()), agent_id="dev")
    assert all(memory.evidence == () for memory in world.everything())
    assert report["added"] + len(report["rejected"]) == 1


def test_managed_blocks_comments_and_heartbeats_are_not_read() -> None:
    text = (
        "- Tea, never coffee\n"
        "<!-- openclaw:dreaming:light:start -->\n- Candidate: x\n<!-- openclaw:dreaming:light:end -->\n"
        "<!-- autodream:context:start -->\n- Recalled: y\n<!-- autodream:context:end -->\n"
        "<!-- a comment -->\n<think>hidden</think>\nHEARTBEAT_OK\n"
        "<!-- mine:start -->\n- Hidden when asked\n<!-- mine:end -->\n"
    )
    assert "- Candidate" not in str(texts(text))
    assert told(text, ignore_blocks=("mine",)) == [(1, "Tea, never coffee")]


def test_a_short_list_is_one_statement_a_long_one_is_told_part_by_part() -> None:
    assert texts("- **Skills:**\n  - search\n  - telegram\n") == ["Skills: search; telegram"]
    long = "".join(
        f"  - item number {n} with some more words to make it longer than a line\n" for n in range(6)
    )
    found = texts(f"## Tools\n- Skills:\n{long}")
    assert len(found) == 6
    assert found[0] == "Tools / Skills: item number 0 with some more words to make it longer than a line"


def test_a_statement_that_leads_a_long_list_is_kept_itself() -> None:
    long = "".join(
        f"  - item number {n} with some more words to make it longer than a line\n" for n in range(6)
    )
    assert texts(f"- Three skills are installed\n{long}")[0] == "Three skills are installed"


def test_tables_are_told_row_by_row_with_the_names_of_their_columns() -> None:
    text = "## Hosts\n\n| host | ip |\n|---|---|\n| alpha | 10.0.0.1 |\n| beta | |\n"
    assert told(text) == [(5, "Hosts: host: alpha; ip: 10.0.0.1"), (6, "Hosts: host: beta")]


def test_a_long_paragraph_becomes_runs_of_sentences() -> None:
    sentence = "The gateway restarts at night and takes a minute. "
    found = texts(sentence * 20)
    assert len(found) > 2
    assert all(len(text) <= 300 and text.endswith(".") for text in found)
    assert " ".join(found).count("gateway") == 20


def test_a_heading_with_a_date_gives_the_day() -> None:
    [record] = read_markdown(b"## Roles \xe2\x80\x94 2026-05-07\n\nHermes leads.\n")
    assert record[NOTES]["day"] == "2026-05-07"
    [record] = read_markdown(b"## Roles 2026-02-30\n\nHermes leads.\n")
    assert "day" not in record[NOTES]


def test_names_and_paths_stay_byte_for_byte() -> None:
    assert texts("- `__init__.py` and src/**/*.py and __main__ stay\n") == [
        "`__init__.py` and src/**/*.py and __main__ stay"
    ]


def test_a_listing_stays_as_it_stands() -> None:
    assert "```sh\nmake   deploy\n```" in texts("- Deploy with:\n\n```sh\nmake   deploy\n```\n")[0]


def test_other_encodings_are_read_and_binary_is_refused() -> None:
    assert [r["memory"] for r in read_markdown("- Tee, nie Kaffee\n".encode("utf-16"))] == ["Tee, nie Kaffee"]
    with pytest.raises(InputError):
        list(read_markdown(bytes(range(256)) * 20))


def test_secrets_do_not_get_in(make: Make) -> None:
    key = "AKIA" + "ABCDEFGH12345678"
    assert key not in str(list(read_markdown(f"- key {key}\n".encode())))


def test_the_file_again_changes_nothing_and_a_new_line_is_added(make: Make) -> None:
    world = make("here")
    added = world.app.import_memories(read_markdown(MEMORY.encode()), agent_id="dev")
    later = world.at("2026-06-01T10:00:00+08:00")
    again = later.app.import_memories(read_markdown(MEMORY.encode()), agent_id="dev")
    more = later.app.import_memories(read_markdown(f"{MEMORY}- 回滚要两人\n".encode()), agent_id="dev")
    assert (added["added"], again["added"], again["known"], more["added"]) == (6, 0, 6, 1)
    assert {memory.metadata["imported_from"] for memory in world.everything()} == {"MEMORY.md"}


def test_without_an_agent_every_line_is_refused_by_number(make: Make) -> None:
    report = make("here").app.import_memories(read_markdown(MEMORY.encode()))
    assert [one["line"] for one in report["rejected"]] == [7, 12, 13, 14, 15, 18]
    assert all("--agent" in one["reason"] for one in report["rejected"])
