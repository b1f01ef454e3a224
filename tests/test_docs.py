"""The documentation is true where a machine can tell: links, commands, options, names, numbers."""

import ast
import importlib
import inspect
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
import typer

from autodream import config, errors
from autodream.cli.arguments import hoist
from autodream.cli.commands import app as command_line
from autodream.models import Block, Chunk, ChunkLine, Line
from autodream.reasoning.prompts.facts import facts_prompt
from autodream.reasoning.prompts.tasks import tasks_prompt
from autodream.reasoning.tokens import estimate_tokens

ROOT = Path(__file__).parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "deploy" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
OWN = [page for page in PAGES if page.name not in {"configuration.md", "cli.md"}]  # not generated
IDS = [str(page.relative_to(ROOT)) for page in PAGES]
OWN_IDS = [str(page.relative_to(ROOT)) for page in OWN]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def flowing(name: str) -> str:
    """A page with its line breaks taken out, to look for sentences."""
    return " ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())


def prose(page: Path) -> str:
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def fences(page: Path, language: str) -> list[str]:
    return [body for name, body in FENCE.findall(page.read_text(encoding="utf-8")) if name == language]


def anchors(page: Path) -> set[str]:
    """Heading anchors as GitHub makes them."""
    titles = re.findall(r"^#+ (.+)$", prose(page), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def links(page: Path) -> Iterator[str]:
    yield from LINK.findall(prose(page))


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_relative_links_resolve(page: Path) -> None:
    for link in links(page):
        if re.match(r"https?://", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_and_picture_of_docs_is_linked_from_the_readme() -> None:
    linked = {
        (ROOT / link.partition("#")[0]).resolve() for link in links(ROOT / "README.md") if "://" not in link
    }
    assert {path for path in (ROOT / "docs").iterdir() if path.suffix in {".md", ".svg"}} <= linked


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_fences_are_closed(page: Path) -> None:
    assert page.read_text(encoding="utf-8").count("\n```") % 2 == 0


@pytest.mark.parametrize("page", OWN, ids=OWN_IDS)
def test_no_unfinished_or_inflated_words(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    marks = ("TO" + "DO", "FIX" + "ME", "TB" + "D", "lorem ipsum", "coming soon")
    fog = (
        "seamless",
        "blazing",
        "powerful",
        "cutting-edge",
        "state-of-the-art",
        "revolutionary",
        "leverage",
        "robust",
    )
    for word in (*marks, *fog):
        assert not re.search(rf"\b{word}", text, re.I), word


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_no_path_of_somebodys_machine(page: Path) -> None:
    allowed = r"path/|api/|ops/|lab/|v1/|dev/|etc/|opt/|srv/|var/|usr/|mnt/|agents/|health/|collections/"
    assert not re.findall(rf"(?<![\w.:/~$}}\"<])/(?!{allowed})[a-z]+/\S*", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", OWN, ids=OWN_IDS)
def test_dashes_are_rare_and_lines_are_short(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count("\u2014") <= 2
    assert all(len(line) <= 160 for line in text.splitlines() if not line.startswith("|"))


@pytest.mark.parametrize("page", OWN, ids=OWN_IDS)
def test_named_files_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:autodream|tests|scripts|docs)/[\w./-]*)[^`]*`", text)
    named += re.findall(r"^(scripts/[\w-]+)", text, re.M)
    for name in named:
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_named_settings_exist(page: Path) -> None:
    from autodream.settings.table import SETTINGS_BY_VARIABLE

    for name in set(re.findall(r"\bAUTODREAM_[A-Z_]+\b", page.read_text(encoding="utf-8"))):
        assert name in SETTINGS_BY_VARIABLE or f"{name}*" in page.read_text(encoding="utf-8"), name


def invocations(page: Path) -> Iterator[list[str]]:
    """The arguments of every `autodream …` in shell fences, crontab lines and inline code."""
    text = page.read_text(encoding="utf-8")
    shell = "\n".join(fences(page, "bash") + fences(page, "text"))
    found = re.findall(r"^(?:[\d*/]+ +){0,5}(autodream .*)$", shell, re.M)
    found += re.findall(r"`(autodream [^`]+)`", FENCE.sub("", text))
    for line in found:
        yield shlex.split(line, comments=True)[1:]


@pytest.mark.parametrize("page", OWN, ids=OWN_IDS)
def test_commands_and_their_options_exist(page: Path) -> None:
    commands = typer.main.get_command(command_line).commands
    for arguments in invocations(page):
        words = [word for word in hoist(arguments) if word not in {"--json", "-v"}]
        if words in (["--version"], ["--help"]):
            continue
        assert words[0] in commands, arguments
        commands[words[0]].make_context(words[0], words[1:]).close()  # parses, and refuses unknown options


def test_every_command_is_told_of_somewhere() -> None:
    told = {word for page in OWN for arguments in invocations(page) for word in arguments}
    table = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    commands = set(typer.main.get_command(command_line).commands)
    assert {name for name in commands - told if f"`{name}`" not in table} <= {"demo"}  # scripts/run runs it


@pytest.mark.parametrize("page", OWN, ids=OWN_IDS)
def test_python_examples_compile(page: Path) -> None:
    for body in fences(page, "python"):
        for node in ast.walk(ast.parse(body)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autodream"):
                module = importlib.import_module(node.module or "")
                assert all(hasattr(module, alias.name) for alias in node.names), ast.unparse(node)


def test_figures_of_the_documents_are_those_of_the_configuration() -> None:
    text = flowing("how-it-decides.md")
    settings = {name: field.default for name, field in config.Settings.__dataclass_fields__.items()}
    assert f"at most {config.CHUNK_TOKENS} tokens" in text
    assert f"at most {config.MAX_MEMORY_CHARS} characters" in text
    assert f"below {settings['min_new_bytes']:,} new bytes" in text
    assert f"calibrated similarity {settings['similarity']} and above" in text
    assert f"no neighbour at {config.RELATED} or above" in text
    assert f"the next {settings['consolidate_batch']} long-term memories" in text
    assert f"max({config.NIGHT_CAP_LEAST}, {config.NIGHT_CAP_SHARE:.0%})".replace("%", " %") in text
    assert (settings["promote_after_days"], config.MIN_INSIGHT_DAYS, config.HELD_ROUNDS) == (
        7,
        2,
        4,
    )  # said in words


@pytest.mark.parametrize("text", ["The broker listens on port 18830.", "库存同步服务监听端口 7310。"])
def test_the_fixed_part_of_the_extraction_prompts_is_about_what_the_readme_says(text: str) -> None:
    line = ChunkLine(3, text, "new", "memory/2026-03-02.md", "h")
    chunk = Chunk("scout", "2026-03-02", (line,), (Block("h", "2026-03-02", line.path, (Line(3, text),)),))
    fixed = -2 * estimate_tokens(text)
    for prompt in (facts_prompt(chunk), tasks_prompt(chunk)):
        fixed += sum(estimate_tokens(message["content"]) for message in prompt.messages)
        fixed += estimate_tokens(json.dumps(prompt.schema))
    assert "examples included, is about 1,300 tokens together" in " ".join(
        (ROOT / "README.md").read_text(encoding="utf-8").split()
    )
    assert 1_250 <= fixed <= 1_400


def test_retry_pauses_are_as_the_operations_page_says() -> None:
    text = flowing("operations.md")
    assert [pause.total_seconds() / 60 for pause in config.RETRY_PAUSES] == [15, 60, 240, 480]
    assert "15 minutes and then an hour apart" in text
    assert "grow to four hours and eight hours" in text
    assert config.POISON_TRIES == 3
    assert "tried three times" in text


def test_exit_codes_are_as_the_operations_page_says() -> None:
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d) \| ([\w ]+)", text, re.M)
    assert [int(code) for code, _ in rows] == [
        errors.EXIT_OK,
        errors.EXIT_BAD_INPUT,
        errors.EXIT_FAILED,
        errors.EXIT_BUSY,
    ]


def test_error_classes_of_the_python_page_exist_and_keep_their_tree() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    for row in re.findall(r"^\| `(\w+Error)` \(([^)]*)\)", text, re.M):
        base = getattr(errors, row[0])
        for name in re.findall(r"`(\w+)`", row[1]):
            assert issubclass(getattr(errors, name), base)


def test_methods_of_the_python_page_have_these_signatures() -> None:
    from autodream.api import Api

    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    table = text.partition("## Methods")[2].partition("## ")[0]
    shown = re.findall(r"`(\w+)\(([^`]*)\)`", "".join(re.findall(r"^\|.*$", table, re.M)))
    methods = {name for name, value in vars(Api).items() if name[0] != "_" and inspect.isfunction(value)}
    assert {name for name, _ in shown} == methods
    for name, arguments in shown:
        declared = ast.parse(f"def f({arguments}): pass").body[0]
        assert isinstance(declared, ast.FunctionDef)
        names = [arg.arg for arg in (*declared.args.args, *declared.args.kwonlyargs)]
        parameters = inspect.signature(getattr(Api, name)).parameters
        assert names == [parameter for parameter in parameters if parameter != "self"], name


def test_invariants_named_by_contributing_have_tests() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    prefixes = re.findall(r"`(test_i\d\d_)`", text)
    assert prefixes == [f"test_i{number:02}_" for number in range(1, 13)]
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for prefix in prefixes:
        assert f"def {prefix}" in tests, prefix


def test_the_picture_is_well_formed_and_described() -> None:
    root = ElementTree.parse(ROOT / "docs" / "life-of-a-memory.svg").getroot()
    names = {child.tag.rpartition("}")[2] for child in root}
    assert {"title", "desc"} <= names
    assert not [part for part in root.iter() if part.tag.endswith(("script", "image"))]
