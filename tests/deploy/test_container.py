"""The Dockerfile, by the rules that hadolint checks, and what enters the image."""

import ast
import fnmatch
import json
import re
import tomllib
from pathlib import Path

import pytest
import typer.main

from autodream.cli.commands import app
from autodream.config import DEFAULT_PORT
from autodream.settings.table import SETTINGS_BY_VARIABLE

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
IGNORED = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def instructions() -> list[tuple[str, str]]:
    """(instruction, arguments) in order; continued lines joined, comments left out."""
    kept = "\n".join(line for line in TEXT.splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", " ", kept)
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in joined.splitlines() if line.strip()]


def stages() -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = []
    for name, arguments in instructions():
        if name == "FROM":
            found.append([])
        found[-1].append((name, arguments))
    return found


def final(name: str) -> list[str]:
    return [arguments for found, arguments in stages()[-1] if found == name]


def all_of(name: str) -> list[str]:
    return [arguments for found, arguments in instructions() if found == name]


def test_it_knows_every_instruction_it_uses() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "LABEL", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL"}
    assert {name for name, _ in instructions()} == known | {"HEALTHCHECK", "ENTRYPOINT", "CMD"}


def test_both_stages_start_from_one_pinned_small_glibc_image() -> None:
    bases = {arguments.split(" ")[0] for arguments in all_of("FROM")}
    assert len(stages()) == 2
    assert len(bases) == 1
    [base] = bases
    name, _, tag = base.partition(":")
    assert name == "python"
    assert re.fullmatch(
        r"3\.\d+-slim-\w+", tag
    )  # never latest; not alpine, whose libc the engine's wheel refuses
    assert "alpine" not in tag


def test_its_python_is_one_the_package_allows() -> None:
    minor = re.search(r"python:3\.(\d+)", TEXT)
    least = re.search(r">=3\.(\d+)", PROJECT["requires-python"])
    assert minor
    assert least
    assert int(minor[1]) >= int(least[1])


def test_it_runs_as_a_numbered_user_who_is_not_root() -> None:
    [user] = final("USER")
    uid, _, gid = user.partition(":")
    assert int(uid) > 1000
    assert int(gid) > 1000
    [made] = [arguments for arguments in final("RUN") if "useradd" in arguments]
    assert f"--uid {uid} " in made
    assert f"--gid {gid} " in made
    names = [name for name, _ in stages()[-1]]
    assert names.index("USER") < names.index("ENTRYPOINT")
    assert "RUN" not in names[names.index("USER") :]


def test_nothing_is_compiled_and_no_package_manager_leaves_its_lists() -> None:
    for run in all_of("RUN"):
        assert not re.search(r"\b(apt-get|apt|curl|wget|sudo|gcc|git)\b", run)
        assert "pip install" not in run or {"--no-cache-dir", "--only-binary=:all:"} <= set(run.split())
        assert "pip wheel" not in run or "--no-deps" in run
    assert (
        "pip uninstall" in all_of("RUN")[1]
    )  # the final image has no installer of its own in the environment


def test_copy_not_add_and_from_the_build_stage_only_the_environment() -> None:
    assert not all_of("ADD")
    assert final("COPY") == ["--from=build /opt/autodream /opt/autodream"]


def test_working_folders_are_absolute() -> None:
    assert all(folder.startswith("/") for folder in all_of("WORKDIR"))


@pytest.mark.parametrize("name", ["ENTRYPOINT", "CMD", "VOLUME"])
def test_exec_form(name: str) -> None:
    [arguments] = final(name)
    words = json.loads(arguments)
    assert words
    assert all(isinstance(word, str) for word in words)


def test_it_serves_beyond_loopback_on_the_default_port() -> None:
    [entry], [command] = final("ENTRYPOINT"), final("CMD")
    assert json.loads(entry) == ["autodream"]
    command_name, *options = json.loads(command)
    commands = typer.main.get_command(app).commands
    context = commands[command_name].make_context(command_name, options)
    assert context.params["host"] == "0.0.0.0"
    context.close()
    assert final("EXPOSE") == [str(DEFAULT_PORT)]
    assert final("STOPSIGNAL") == ["SIGTERM"]


def test_the_health_check_is_python_and_asks_the_live_route() -> None:
    [check] = final("HEALTHCHECK")
    options, _, command = check.partition("CMD ")
    program, flag, code = json.loads(command)
    assert (program, flag) == ("python", "-c")
    ast.parse(code)
    assert f"http://127.0.0.1:{DEFAULT_PORT}/health/live" in code
    within, inner = re.search(r"--timeout=(\d+)s", options), re.search(r"timeout=(\d+)\)", code)
    assert within
    assert inner
    assert int(inner[1]) < int(within[1])  # it says why before it is killed


def test_the_environment_holds_settings_that_exist_and_no_secret() -> None:
    [environment] = final("ENV")
    given = dict(pair.split("=", 1) for pair in environment.split())
    ours = {name for name in given if name.startswith("AUTODREAM_")}
    assert ours == {"AUTODREAM_DATA_DIR"}
    assert ours <= set(SETTINGS_BY_VARIABLE)
    assert [given["AUTODREAM_DATA_DIR"]] == json.loads(final("VOLUME")[0]) == final("WORKDIR")
    assert "TOKEN" not in environment
    assert "KEY" not in environment


def test_the_image_is_named_by_its_version_wherever_it_is_named() -> None:
    for name in ("Dockerfile", "docker-compose.yml", "kubernetes/autodream.yaml"):
        text = (ROOT / "deploy" / name).read_text(encoding="utf-8")
        tags = re.findall(r"\bautodream:(\d[\w.]*)", text)
        assert tags, name
        assert set(tags) == {PROJECT["version"]}, name


# -- what enters the build, and the wheel


def sent(path: str) -> bool:
    """Whether Docker sends this file to the build: the last pattern that matches it, or a folder above it, decides."""
    kept = True
    for line in IGNORED.splitlines():
        if not line or line.startswith("#"):
            continue
        pattern, wanted = line.lstrip("!"), line.startswith("!")
        parts = Path(path).parts
        heads = ["/".join(parts[: end + 1]) for end in range(len(parts))]
        names = [pattern, pattern.removeprefix("**/")]
        if any(fnmatch.fnmatchcase(head, name) for head in heads for name in names) or (
            pattern.startswith("**/") and any(fnmatch.fnmatchcase(part, names[1]) for part in parts)
        ):
            kept = wanted
    return kept


def files() -> list[str]:
    """Files of the checkout that are worth a decision: the top, and every folder that holds code or documents."""
    folders = [ROOT / name for name in ("autodream", "deploy", "docs", "scripts", "tests/deploy", ".ci")]
    found = [*ROOT.iterdir(), *(path for folder in folders for path in folder.rglob("*"))]
    return [path.relative_to(ROOT).as_posix() for path in found if path.is_file()]


def test_what_the_build_copies_is_sent_and_nothing_else_is() -> None:
    copied = [word.rstrip("/") for arguments in all_of("COPY")[:2] for word in arguments.split()[:-1]]
    assert set(copied) == {"pyproject.toml", "README.md", "LICENSE", "autodream"}
    for name in files():
        ours = name.startswith("autodream/") and not name.endswith(".pyc")
        assert sent(name) == (name in copied or ours), name


@pytest.mark.parametrize(
    "name", [".env", "deploy/.env", ".git/config", "autodream/__pycache__/a.pyc", "a.pyc"]
)
def test_secrets_history_and_leftovers_are_not_sent(name: str) -> None:
    assert not sent(name)


def test_the_build_needs_nothing_that_is_not_copied() -> None:
    assert {PROJECT["readme"], *PROJECT["license-files"]} <= {"README.md", "LICENSE"}


def test_no_file_of_the_package_is_left_out_of_the_wheel() -> None:
    """hatchling leaves out what .gitignore names; data files stand among the code."""
    data = [name for name in files() if name.startswith("autodream/") and not name.endswith((".py", ".pyc"))]
    assert {name.split("/")[1] for name in data} >= {"sample"}
    left_out = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()]
    for name in data:
        assert not [
            part for part in Path(name).parts for pattern in left_out if fnmatch.fnmatchcase(part, pattern)
        ]
    assert PROJECT["name"] == "autodream"
