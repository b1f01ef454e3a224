"""What every engine must do, through the store's Protocol."""

import uuid
from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pytest

from autodream.errors import InputError
from autodream.models import Evidence, Memory
from autodream.store.base import ANY_STATUS, Best, Filter
from autodream.store.engines.base import Found, Query
from autodream.store.payload import places
from tests.store.conftest import Bench
from tests.support.embedders import CountingEmbedder
from tests.support.factories import make_memory, memory_id

pytestmark = pytest.mark.filterwarnings("error")


def texts(memories: object) -> set[str]:
    return {memory.text for memory in memories}  # type: ignore[attr-defined]


def test_a_memory_comes_back_field_by_field(bench: Bench) -> None:
    rich = make_memory(
        "网关端口改为 8444,不再用 8443",
        category="task",
        metadata={
            "task_type": "修复",
            "categories": ["task", "note"],
            "days": ["2026-04-09"],
            "nested": {"a": [1, None, {"b": 2.5}]},
            "empty": [],
            "nothing": None,
            "status": "a caller's word",
            "data": "another",
            "metadata": "a third",
        },
        evidence=(
            Evidence("memory/2026-04-10.md", 3, 5, "2026-04-10", "b" * 32, 1, "端口 8444"),
            Evidence("memory/a b.md", 1, 1, "2026-04-09"),
        ),
        superseded_by=str(uuid.uuid4()),
        status="superseded",
    )
    plain = make_memory("plain", memory_type="long_term", evidence=(), metadata={})
    store = bench.open()
    bench.put(store, rich, plain)

    assert store.get([rich.id, plain.id]) == {rich.id: rich, plain.id: plain}
    assert bench.reopen().get([rich.id])[rich.id] == rich


def test_unknown_and_malformed_ids_are_simply_not_there(bench: Bench) -> None:
    store = bench.open()
    memory = make_memory()
    bench.put(store, memory)

    assert list(store.get([str(uuid.uuid4()), "nope", "", "*", memory.id.upper(), memory.id])) == [memory.id]
    assert store.get([]) == {}
    assert store.vectors(["nope"]) == {}


def test_a_put_without_a_vector_keeps_the_stored_one(bench: Bench) -> None:
    store = bench.open()
    memory = make_memory()
    bench.put(store, memory)
    promoted = make_memory(id=memory.id, memory_type="long_term", source="auto_dream_promotion")
    before = store.vectors([memory.id])[memory.id]

    store.put([(promoted, None)])

    assert store.get([memory.id]) == {memory.id: promoted}
    assert np.allclose(store.vectors([memory.id])[memory.id], before, atol=1e-6)


def test_a_put_without_a_vector_of_a_vanished_memory_embeds_it(bench: Bench) -> None:
    store = bench.open()
    memory = make_memory()

    store.put([(memory, None)])

    expected = bench.embedder.passages([memory.text])[0]
    assert np.allclose(store.vectors([memory.id])[memory.id], expected, atol=1e-6)


def test_of_two_writes_of_one_id_in_a_batch_the_last_counts(bench: Bench) -> None:
    store = bench.open()
    first, second = make_memory("one"), make_memory("two")
    second = make_memory("two", id=first.id)

    bench.put(store, first, second)

    assert store.get([first.id])[first.id].text == "two"
    assert store.count(Filter()) == 1


def test_a_new_text_is_found_by_its_own_words_and_no_longer_by_the_old(bench: Bench) -> None:
    store = bench.open()
    memory = make_memory("the gateway listens on 8443")
    bench.put(store, memory)
    bench.put(store, make_memory("the gateway listens on 9001", id=memory.id))

    [new] = store.search(bench.embedder.query("9001"), "9001", Filter(), 5)
    [old] = store.search(bench.embedder.query("8443"), "8443", Filter(), 5)

    assert new.keyword > 0
    assert old.keyword == 0


# -- filters --------------------------------------------------------------------------------------------


@pytest.fixture
def mixed(bench: Bench) -> Bench:
    memories = [
        make_memory("short 10", run_id="2026-04-10", day="2026-04-10"),
        make_memory("short 11 task", run_id="2026-04-11", day="2026-04-11", category="task"),
        make_memory(
            "long old", memory_type="long_term", day="2026-03-01", category="note", evidence=LINES_OF_OLD
        ),
        make_memory(
            "long both", memory_type="long_term", metadata={"categories": ["note", "task"]}, category="x"
        ),
        make_memory("long reflection", memory_type="long_term", category="reflection"),
        make_memory(
            "superseded", memory_type="long_term", status="superseded", superseded_by=memory_id("long old")
        ),
        make_memory("retired", status="retired"),
        make_memory("other agent", agent_id="blog", memory_type="long_term"),
        make_memory("shared", agent_id="blog", memory_type="long_term", category="experience"),
        make_memory(
            "not shared", agent_id="blog", memory_type="long_term", metadata={"categories": ["experience"]}
        ),
    ]
    bench.put(bench.open(), *memories)
    return bench


LINES_OF_OLD = tuple(Evidence("memory/2026-03-01.md", line, line, "2026-03-01") for line in (7, 40))
[PLACE, _] = places(make_memory("long old", evidence=LINES_OF_OLD))

FILTERS: list[tuple[Filter, set[str]]] = [
    (Filter(agent_id="dev", memory_type="short_term"), {"short 10", "short 11 task"}),
    (Filter(agent_id="dev", memory_type="long_term"), {"long old", "long both", "long reflection"}),
    (Filter(agent_id="blog"), {"other agent", "shared", "not shared"}),
    (Filter(agent_id="*"), set()),
    (Filter(agent_id="dev", shared=True, memory_type="long_term", categories=("experience",)), {"shared"}),
    (Filter(agent_id="dev", categories=("task",)), {"short 11 task", "long both"}),
    (Filter(agent_id="dev", memory_type="long_term", not_categories=("reflection", "task")), {"long old"}),
    (Filter(agent_id="dev", statuses=("superseded", "retired")), {"superseded", "retired"}),
    (Filter(agent_id="dev", statuses=("retired",)), {"retired"}),
    (Filter(statuses=ANY_STATUS, superseded_by=memory_id("long old")), {"superseded"}),
    (Filter(agent_id="dev", statuses=("superseded",), superseded_by=memory_id("long old")), {"superseded"}),
    (Filter(superseded_by=memory_id("long old")), set()),  # it is not active
    (Filter(agent_id="blog", statuses=ANY_STATUS, superseded_by=memory_id("long old")), set()),
    (Filter(statuses=ANY_STATUS, superseded_by=memory_id("superseded")), set()),
    (Filter(statuses=ANY_STATUS, superseded_by=""), set()),
    (Filter(agent_id="dev", around=(PLACE - 90, PLACE + 2)), {"long old"}),
    (Filter(agent_id="dev", around=(PLACE + 3, PLACE - 3)), set()),
    (Filter(agent_id="blog", around=(PLACE,)), set()),
    (Filter(agent_id="dev", run_id="2026-04-11"), {"short 11 task"}),
    (Filter(agent_id="dev", run_until="2026-04-10"), {"short 10"}),
    (Filter(agent_id="dev", run_until="2026-04-09"), set()),
    (Filter(agent_id="dev", since="2026-04-11"), {"short 11 task"}),
    (Filter(agent_id="dev", until="2026-03-01"), {"long old"}),
    (Filter(agent_id="dev", since="2026-04-10", until="2026-04-10", memory_type="short_term"), {"short 10"}),
]


def test_every_filter_means_the_same_for_every_question(mixed: Bench) -> None:
    store = mixed.opened[0]
    vector = mixed.embedder.query("anything")
    for where, expected in FILTERS:
        assert texts(store.scroll(where).memories) == expected, where
        assert store.count(where) == len(expected), where
        assert texts(hit.memory for hit in store.nearest([vector], where, 50)[0]) == expected, where
        assert texts(hit.memory for hit in store.search(vector, "nothing said", where, 50)) == expected, where


def test_no_field_of_a_filter_is_overlooked() -> None:
    """A field that an engine ignores matches everything: a purge of what one memory covers would erase all."""
    asked = {field.name for field in fields(Filter) for where, _ in FILTERS if getattr(where, field.name)}
    assert asked == {field.name for field in fields(Filter)}


def test_any_status_and_no_agent_mean_everything(mixed: Bench) -> None:
    assert mixed.opened[0].count(Filter(statuses=ANY_STATUS)) == 10
    assert mixed.opened[0].count(Filter(statuses=())) == 10


def test_tallies_count_values(mixed: Bench) -> None:
    store = mixed.opened[0]

    assert store.tally("agent_id", Filter()) == {"dev": 5, "blog": 3}
    assert store.tally("memory_type", Filter(agent_id="dev")) == {"short_term": 2, "long_term": 3}
    assert store.tally("category", Filter(agent_id="dev")) == {
        "short_term": 1,
        "task": 1,
        "note": 1,
        "x": 1,
        "reflection": 1,
    }
    assert store.tally("run_id", Filter(agent_id="dev")) == {"2026-04-10": 1, "2026-04-11": 1}


# -- pages ----------------------------------------------------------------------------------------------


def test_pages_go_by_id_and_survive_changes_behind_and_before_the_cursor(bench: Bench) -> None:
    store = bench.open()
    memories = sorted((make_memory(f"memory {n}") for n in range(7)), key=lambda memory: memory.id)
    bench.put(store, *memories)

    first = store.scroll(Filter(), None, 3)
    store.erase([memories[0].id, memories[2].id])  # also the cursor itself
    rest = store.scroll(Filter(), first.next, 10)

    assert [m.id for m in first.memories] == [m.id for m in memories[:3]]
    assert [m.id for m in rest.memories] == [m.id for m in memories[3:]]
    assert rest.next is None


def test_a_full_last_page_has_no_next(bench: Bench) -> None:
    store = bench.open()
    bench.put(store, *(make_memory(f"memory {n}") for n in range(4)))
    page = store.scroll(Filter(), None, 2)

    assert store.scroll(Filter(), page.next, 2).next is None
    assert store.scroll(Filter(agent_id="nobody")).memories == ()


def test_what_is_no_cursor_is_an_input_error(bench: Bench) -> None:
    with pytest.raises(InputError, match="is not a cursor") as caught:
        bench.open().scroll(Filter(), "page 2")
    assert caught.value.field == "cursor"


# -- nearness -------------------------------------------------------------------------------------------


def test_nearest_answers_each_vector_best_first_in_one_round_trip(bench: Bench) -> None:
    store = bench.open()
    bench.put(
        store, *(make_memory(text) for text in ("port 8443 is open", "port 8444 is open", "红烧肉要放冰糖"))
    )
    vectors = bench.embedder.passages(["port 8443 is open", "红烧肉要放冰糖"])

    port, pork = store.nearest(vectors, Filter(), 2)

    assert port[0].memory.text == "port 8443 is open"
    assert port[0].cosine == pytest.approx(1, abs=1e-4)
    assert port[0].cosine > port[1].cosine > 0.5
    assert pork[0].memory.text == "红烧肉要放冰糖"
    assert store.nearest([], Filter(), 5) == []


def test_search_fills_in_both_scores_for_the_union(bench: Bench) -> None:
    store = bench.open()
    filler = [make_memory(f"weather report number {n} of the harbour") for n in range(30)]
    bench.put(store, make_memory("ticket MCH-20771 was closed"), *filler)

    hits = store.search(bench.embedder.query("weather of the harbour"), "MCH-20771", Filter(), 3)

    by_text = {hit.memory.text: hit for hit in hits}
    ticket = by_text.pop("ticket MCH-20771 was closed")
    assert ticket.keyword > 0
    assert ticket.cosine != 0
    expected = store.nearest([bench.embedder.query("weather of the harbour")], Filter(), 31)[0]
    cosines = {hit.memory.id: hit.cosine for hit in expected}
    assert ticket.cosine == pytest.approx(cosines[ticket.memory.id], abs=1e-4)
    assert len(by_text) == 3
    assert all(hit.keyword == 0 and hit.cosine > 0 for hit in by_text.values())


def test_only_the_best_are_returned_when_asked_for(bench: Bench) -> None:
    store = bench.open()
    bench.put(store, *(make_memory(f"weather report {n} of the harbour, by MCH-{n}") for n in range(40)))
    vector = bench.embedder.query("weather report 3")

    def weigh(cosine: float, keyword: float, exact: float = 0.0) -> float:
        assert 0 <= keyword <= 1
        assert exact == 0
        return 0.5 * cosine + 0.5 * keyword

    everything = store.search(vector, "MCH-7 report", Filter(), 15)
    best = store.search(vector, "MCH-7 report", Filter(), 15, best=Best(4, weigh))

    top = max(hit.keyword for hit in everything)
    ranked = sorted(everything, key=lambda hit: -weigh(hit.cosine, hit.keyword / top))
    assert len(everything) >= 15
    assert [round(weigh(h.cosine, h.keyword / top), 4) for h in best] == [
        round(weigh(h.cosine, h.keyword / top), 4) for h in ranked[:4]
    ]
    assert best[0].memory.text.endswith("MCH-7")
    assert {hit.memory.id: hit for hit in everything}[best[0].memory.id].memory == best[0].memory
    assert store.search(vector, "the", Filter(agent_id="nobody"), 5, best=Best(4, weigh)) == []


def test_who_holds_an_identifier_is_read_whatever_else_is_asked(bench: Bench) -> None:
    store = bench.open()
    ward = [
        f"{word} report of the harbour, quay {chr(97 + n)}"
        for n in range(12)
        for word in ("rain", "fog", "wind")
    ]
    bench.put(store, *map(make_memory, [*ward, "Crate 8444 left."]))
    text = "rain report fog report wind report of the harbour, quay a, quay b, quay c, quay d, quay e, 8444"
    vector = bench.embedder.query(text)
    best = Best(4, lambda cosine, keyword, exact: cosine + keyword + 3 * exact, "8444")
    assert "Crate 8444 left." in {
        hit.memory.text for hit in store.search(vector, text, Filter(), 5, best=best)
    }
    assert store.search(vector, "", Filter(), 5, best=best)


def test_what_leaves_the_filter_while_a_search_reads_is_not_found(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = bench.open()
    port, quay = (
        make_memory("The crane of quay 3 stands still"),
        make_memory("The crane of quay 4 stands still"),
    )
    bench.put(store, port, quay)
    query, rounds = store.engine.query, []

    def superseded_between(queries: Sequence[Query]) -> list[list[Found]]:
        found = query(queries)
        if not rounds:
            bench.put(store, replace(port, status="superseded", superseded_by=quay.id))
        rounds.append(queries)
        return found

    monkeypatch.setattr(store.engine, "query", superseded_between)
    best = Best(4, lambda cosine, keyword, exact: cosine + keyword + exact)
    hits = store.search(bench.embedder.query("crane"), "crane", Filter(), 5, best=best)
    assert [hit.memory for hit in hits] == [quay]
    assert len(rounds) == 2


EXACT = ("8444", "MCH-20771", "7c41e9d", "AUTO_CLOSE_1C", "recon.diff.v2", "2026-04-17", "PR 480", "v2.1.13")


def test_exact_identifiers_are_found_by_keyword_alone(bench: Bench) -> None:
    store = bench.open()
    wanted = {name: make_memory(f"对账服务:见 {name},已处理") for name in EXACT}
    near = [
        "8443",
        "MCH-20772",
        "7c41e9e",
        "AUTO_CLOSE_1D",
        "recon.diff.v3",
        "2026-04-16",
        "PR 260",
        "v2.1.3",
    ]
    bench.put(store, *wanted.values(), *(make_memory(f"对账服务:见 {name},已处理") for name in near))
    blind = np.full(bench.embedder.dims, bench.embedder.dims**-0.5, dtype=np.float32)

    for name, memory in wanted.items():
        hits = sorted(store.search(blind, name, Filter(), 20), key=lambda hit: -hit.keyword)
        assert hits[0].memory == memory, name
        assert hits[0].keyword > hits[1].keyword, name


def test_chinese_is_found_by_its_words(bench: Bench) -> None:
    store = bench.open()
    bench.put(store, make_memory("网关端口改为8231"), make_memory("用户喜欢喝咖啡"))
    vector = bench.embedder.query("x")

    for query, text in (
        ("端口是多少", "网关端口改为8231"),
        ("8231", "网关端口改为8231"),
        ("咖啡", "用户喜欢喝咖啡"),
    ):
        best = max(store.search(vector, query, Filter(), 5), key=lambda hit: hit.keyword)
        assert best.memory.text == text
        assert best.keyword > 0


def test_rarity_is_counted_within_the_agent(bench: Bench) -> None:
    store = bench.open()
    crowd = [make_memory(f"Caroline number {n}", agent_id="blog") for n in range(40)]
    bench.put(store, *crowd, make_memory("Caroline paints"), make_memory("Melanie runs"))
    hits = store.search(bench.embedder.query("x"), "Caroline Melanie", Filter(agent_id="dev"), 5)
    scores = {hit.memory.text: hit.keyword for hit in hits}

    assert scores["Caroline paints"] == pytest.approx(scores["Melanie runs"], rel=1e-3)


def test_a_query_of_stop_words_still_has_neighbours(bench: Bench) -> None:
    store = bench.open()
    bench.put(store, make_memory("the gateway"))

    [hit] = store.search(bench.embedder.query("who is it"), "who is it", Filter(), 5)

    assert hit.keyword == 0


def test_searching_an_empty_store_finds_nothing(bench: Bench) -> None:
    assert bench.open().search(bench.embedder.query("x"), "x", Filter(agent_id="dev"), 5) == []


# -- writing what, and how often ------------------------------------------------------------------------


def test_erase_removes_the_memory_and_its_history(bench: Bench) -> None:
    store = bench.open()
    gone, kept = make_memory("zyzzyva secret"), make_memory("kept")
    bench.put(store, gone, kept)

    store.erase([gone.id, str(uuid.uuid4())])

    assert store.get([gone.id, kept.id]) == {kept.id: kept}
    assert store.mem0.history(gone.id) == []
    assert [row["new_memory"] for row in store.mem0.history(kept.id)] == ["kept"]
    assert bench.reopen().count(Filter()) == 1


def test_nothing_is_embedded_that_has_a_vector(bench: Bench) -> None:
    counting = CountingEmbedder(bench.embedder)
    store = bench.open(counting)
    memory = make_memory()
    store.put([(memory, bench.embedder.passages([memory.text])[0])])
    store.put([(memory, None)])
    store.nearest(list(store.vectors([memory.id]).values()), Filter(), 5)
    store.scroll(Filter())

    assert counting.calls == 0


def test_mem0_history_tells_new_texts_only(bench: Bench) -> None:
    store = bench.open()
    memory = make_memory("first")
    bench.put(store, memory)
    store.put([(make_memory("first", status="retired"), None)])
    bench.put(store, make_memory("second", id=memory.id))

    rows = store.mem0.history(memory.id)

    assert [(row["event"], row["old_memory"], row["new_memory"]) for row in rows] == [
        ("ADD", None, "first"),
        ("UPDATE", "first", "second"),
    ]


def test_an_empty_put_asks_nothing_of_anyone(bench: Bench) -> None:
    store = bench.open()
    store.put([])
    assert store._mem0 is None  # not even mem0 is imported for it


def test_a_thousand_memories_are_written_and_paged(bench: Bench) -> None:
    store = bench.open()
    memories: list[Memory] = [make_memory(f"memory number {n}") for n in range(1_000)]
    bench.put(store, *memories)

    assert store.count(Filter()) == 1_000
    assert len(store.scroll(Filter(), None, 1_000).memories) == 1_000
