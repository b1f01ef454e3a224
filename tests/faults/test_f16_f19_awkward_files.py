"""F16, F17, F19 and the rest of ``awkward/``, through the product: nothing stops, nothing is rewritten."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from autodream.models import Memory
from tests.support.scenes import echo_world, shown_lines
from tests.support.world import World

AWKWARD = Path(__file__).parent.parent / "diaries" / "awkward"
FILES: list[dict[str, Any]] = json.loads((AWKWARD / "expected.json").read_text(encoding="utf-8"))["files"]
NOW = "2026-06-03T09:00:00+08:00"


def squeezed(text: str) -> str:
    return "".join(text.split()).casefold()


class Digested:
    """The folder, digested once with ``--all --final``, and what became of it."""

    def __init__(self, root: Path, reasoner: str) -> None:
        self.world = echo_world(root, now=NOW) if reasoner == "echo" else World(root, now=NOW)
        shutil.copytree(AWKWARD / "memory", self.folder, dirs_exist_ok=True)
        self.report = self.world.entry(self.world.digest(all_days=True, final=True))
        self.memories = self.world.memories()

    @property
    def folder(self) -> Path:
        return self.world.workspaces["dev"] / "memory"

    def of_file(self, path: str) -> list[Memory]:
        return [m for m in self.memories if any(evidence.path == path for evidence in m.evidence)]


@pytest.fixture(scope="module", params=["echo", "rules"])
def digested(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Digested:
    return Digested(tmp_path_factory.mktemp("awkward"), request.param)


each_file = pytest.mark.parametrize("file", FILES, ids=[file["file"][7:] for file in FILES])
with_texts = pytest.mark.parametrize(
    "file", [f for f in FILES if f["must_find"]], ids=[f["file"][7:] for f in FILES if f["must_find"]]
)


@with_texts
def test_f16_good_text_of_each_file_is_remembered_with_its_evidence(
    digested: Digested, file: dict[str, Any]
) -> None:
    memories = digested.of_file(file["file"])
    said = [m.text + "\n" + "\n".join(e.quote for e in m.evidence) for m in memories]
    for words in file["must_find"]:
        assert any(squeezed(words) in squeezed(each) for each in said), (words, said)
    assert {m.run_id for m in memories} == {file["day"]}


@with_texts
def test_f16_good_text_of_each_file_is_recalled(digested: Digested, file: dict[str, Any]) -> None:
    for words in file["must_find"]:
        options = {"since": file["day"], "until": file["day"]}
        hits = digested.world.app.recall(words, agent_id="dev", **options)["results"]
        shown = [hit["memory"] + digested.world.app.explain(hit["id"])["evidence"][0]["text"] for hit in hits]
        assert any(squeezed(words) in squeezed(each) for each in shown), (words, shown)


@each_file
def test_f16_what_must_not_be_stored_is_nowhere(digested: Digested, file: dict[str, Any]) -> None:
    """Marks and control signs are looked for in the file's own memories, words in all."""
    for words in file["must_not_store"]:
        memories = digested.world.everything() if squeezed(words)[3:] else digested.of_file(file["file"])
        found = [memory.text for memory in memories if words.casefold() in memory.text.casefold()]
        assert not [text for text in found if not (file.get("allow_quote") and is_quoted(words, text))], found


def is_quoted(words: str, text: str) -> bool:
    """Whether a memory only repeats what somebody wrote, in quotation marks, after saying who."""
    before, mark, inside = text.partition('"')
    return bool(before.strip() and mark) and words in inside


@each_file
def test_f16_a_warning_names_the_file_where_one_is_due(digested: Digested, file: dict[str, Any]) -> None:
    named = [w for w in digested.report["warnings"] if w["path"] == file["file"]]
    assert bool(named) == file["report"], named
    assert len({w["code"] for w in named}) == len(named)


@each_file
def test_f16_no_file_is_rewritten(digested: Digested, file: dict[str, Any]) -> None:
    data = (digested.world.workspaces["dev"] / file["file"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == file["sha256"]
    assert len(data) == file["bytes"]


def test_f16_findings_are_warnings_not_failures(digested: Digested) -> None:
    assert digested.report["status"] == "ok"
    assert digested.report["errors"] == []
    again = digested.world.entry(digested.world.digest(all_days=True, final=True))
    assert again["status"] == "nothing"
    assert [m.id for m in digested.world.memories()] == [m.id for m in digested.memories]


def test_f19_every_file_of_a_day_is_read_and_no_other(digested: Digested) -> None:
    wanted = {f["file"] for f in FILES if f["kind"] == "diary"}
    read = set(digested.report["files"])
    assert {f["file"] for f in FILES if f["must_find"]} <= read <= wanted
    ignored = {f["file"] for f in FILES if f["kind"] == "ignored"}
    assert not any(e.path in ignored for m in digested.memories for e in m.evidence)
    day = [path for path in digested.report["files"] if "2026-05-22" in path or "20260522" in path]
    assert day[0] == "memory/2026-05-22.md"
    assert len(day) == 4


def test_f16_evidence_counts_lines_by_newlines_alone(digested: Digested) -> None:
    for file in FILES:
        if "evidence_line" not in file:
            continue
        line = file["evidence_line"]
        [memory] = [m for m in digested.of_file(file["file"]) if line["text"] in m.text]
        assert memory.evidence[0].line_start == line["line"]


def test_f17_nothing_leaves_the_reader_that_is_no_text(digested: Digested) -> None:
    for pass_ in ("facts", "tasks"):
        for line in shown_lines(digested.world, pass_):
            line.encode("utf-8")
            assert not any(ord(sign) < 32 and sign != "\t" for sign in line)


def test_f16_one_bad_workspace_stops_no_other(tmp_path: Path) -> None:
    world = echo_world(tmp_path, now=NOW, agents=("alpha", "beta", "gamma"))
    paths = [
        world.write("2026-06-02", "\ufeff- The kiln runs at 910 degrees.\r\n".encode(), agent="alpha"),
        world.write(
            "2026-06-02",
            "- 仓库门禁由孙倩管理。\n- 门禁卡编号从 310 开始。\n".encode("gb18030"),
            agent="beta",
        ),
        world.write("2026-06-02", b"- Bay 7 is free.\n\xff\xfe bad\n- Bay 8 is taken.\n", agent="gamma"),
    ]
    before = [path.read_bytes() for path in paths]
    report = world.digest(final=True)
    assert report["status"] == "ok"
    texts = {agent: " ".join(world.texts(agent_id=agent)) for agent in world.workspaces}
    assert "The kiln runs at 910 degrees." in texts["alpha"]
    assert "孙倩" in texts["beta"]
    assert "Bay 7 is free." in texts["gamma"]
    assert "Bay 8 is taken." in texts["gamma"]
    codes = {entry["agent_id"]: [w["code"] for w in entry["warnings"]] for entry in report["agents"]}
    assert codes == {"alpha": [], "beta": ["guessed_encoding"], "gamma": ["bad_bytes"]}
    assert [path.read_bytes() for path in paths] == before
