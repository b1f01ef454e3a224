"""Recall, over the product: what is newer comes first, and asking never fails."""

import sqlite3
from contextlib import closing
from itertools import permutations
from pathlib import Path

import pytest

from autodream.config import KEYWORD_WEIGHT
from autodream.store.factory import open_store
from tests.support.factories import make_memory, memory_id
from tests.support.scenes import echo_world


def test_each_newer_value_stands_before_the_older_ones(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    for day in range(11, 17):
        world.at(f"2026-04-{day}T20:00:00+08:00").write(
            f"2026-04-{day}", f"- The oven of hall 2 runs at {day * 9} degrees.\n- Row {day} is full.\n"
        )
        world.digest()
    found = [
        hit["memory"] for hit in world.app.recall("oven of hall 2")["results"] if "oven" in hit["memory"]
    ]
    assert found == [f"The oven of hall 2 runs at {day * 9} degrees." for day in range(16, 10, -1)]


def test_a_lifted_result_keeps_the_score_of_what_it_overtakes(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    for day in (11, 12, 13):
        world.write(f"2026-04-{day}", f"- Day {day}.\n")
    world.at("2026-04-14T08:00:00+08:00").digest()
    scores = [hit["score"] for hit in world.app.recall("Day 11")["results"]]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3


@pytest.mark.parametrize("query", ["8444", "8444?", "MCH-20771", "8444 MCH-20771"])
def test_a_bare_identifier_finds_what_names_it_before_anything_alike(tmp_path: Path, query: str) -> None:
    world = echo_world(tmp_path)
    world.write(
        "2026-04-11",
        "- 预发环境网关的端口是 8444,机器编号 MCH-20771,证书由内部 CA 签发。\n"
        "- | 8 | 55 | 140 | 0 |\n- | 64 | 390 | 1310 | 41 |\n- 8443\n- MCH-20772\n- 8445?\n",
    )
    world.at("2026-04-12T08:00:00+08:00").digest()
    first, *others = world.app.recall(query)["results"]
    assert "8444" in first["memory"]
    assert first["score"] >= 0.8
    assert all(other["score"] < 0.5 for other in others)


def test_an_identifier_within_a_question_leaves_meaning_its_weight(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    world.write("2026-04-11", "- The oven of hall 2 runs at 99 degrees.\n")
    world.at("2026-04-12T08:00:00+08:00").digest()
    details = world.app.recall("how hot is the oven of hall 2", explain=True)["results"][0]["score_details"]
    assert details["weights"]["meaning"] == 1 - KEYWORD_WEIGHT


def test_an_identifier_is_found_among_many_that_sound_nearer(tmp_path: Path) -> None:
    world = echo_world(tmp_path, store=open_store)
    lines = [f"- The oven of hall {chr(97 + n % 26)}{chr(97 + n // 26)} was cleaned.\n" for n in range(90)]
    world.write("2026-04-11", "".join([*lines, "- Crate 7713 stays behind the gate.\n"]))
    world.at("2026-04-12T08:00:00+08:00").digest()
    found = world.app.recall("was the oven of hall aa cleaned with crate 7713", top_k=3)["results"]
    world.close()
    assert any("7713" in hit["memory"] for hit in found)


def test_a_journal_that_takes_no_note_of_it_refuses_no_recall(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A full disk (F50): that something was asked is worth less than the answer."""
    world = echo_world(tmp_path)
    world.write("2026-04-11", "- The oven of hall 2 runs at 910 degrees.\n")
    world.digest(final=True)
    with closing(sqlite3.connect(world.settings.data_dir / "state.db")) as state:
        state.execute("DROP TABLE recalls")  # as a full disk: what is there can be read
        state.commit()
    [hit] = world.app.recall("oven of hall 2")["results"]
    assert hit["memory"] == "The oven of hall 2 runs at 910 degrees."
    assert "could not be kept" in caplog.text
    assert "oven" not in caplog.text


@pytest.mark.parametrize("copies", [29, 60, 150])
@pytest.mark.parametrize("top_k", [1, 5, 10])
def test_many_repeats_of_one_statement_leave_no_place_free(tmp_path: Path, copies: int, top_k: int) -> None:
    world = echo_world(tmp_path, store=open_store)
    same = [
        make_memory("The staging gateway listens on port 8443", id=memory_id(f"copy {n}"))
        for n in range(copies)
    ]
    other = [make_memory(f"The oven of hall {chr(97 + n)} was cleaned") for n in range(20)]
    vectors = world.embedder.passages([memory.text for memory in (*same, *other)])
    world.backend.put(list(zip((*same, *other), vectors, strict=True)))
    found = [hit["memory"] for hit in world.app.recall("staging gateway port", top_k=top_k)["results"]]
    world.close()
    assert len(found) == len(set(found)) == top_k
    assert found[0] == same[0].text


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("8444", "箱子8444走了"),
        ("7c41e9d", "回退了7c41e9d"),
        ("4月18日", "4月18日体检。"),
        ("/etc/nginx/nginx.conf", "先看 /etc/nginx/nginx.conf 。"),
    ],
)
def test_an_identifier_is_read_behind_forty_that_share_every_other_word(
    tmp_path: Path, asked: str, holds: str
) -> None:
    world = echo_world(tmp_path, store=open_store)
    things = "网关 账单 总账 发票 调度 邮件 搜索 缓存 队列 代理".split()  # noqa: SIM905 - a list of words
    far = [
        make_memory(f"{a}和{b}在预发环境{c}服务的端口位于防火墙{a}区") for a, b, c in permutations(things, 3)
    ][::3]
    memories = [*far, make_memory(holds)]
    vectors = world.embedder.passages([memory.text for memory in memories])
    world.backend.put(list(zip(memories, vectors, strict=True)))
    query = f"{'和'.join(things)}在预发环境服务的端口位于防火墙哪个区,{asked}?"
    found = [hit["memory"] for hit in world.app.recall(query)["results"]]
    world.close()
    assert holds in found
