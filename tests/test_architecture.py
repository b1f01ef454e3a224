"""Arrows point one way: a module imports from its own layer and from those below it, never from above."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "autodream"
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors", "text", "progress", "disk", "mem0_env"}),
    frozenset({"shapes_of_jobs"}),
    frozenset({"config", "clock", "models", "shapes"}),
    frozenset({"memories", "workspace", "openclaw", "settings"}),
    frozenset({"embedding", "diary", "guard"}),
    frozenset({"reasoning", "store"}),
    frozenset({"journal"}),
    frozenset({"changes"}),
    frozenset({"parts", "evidence"}),
    frozenset({"digest", "dream", "recall"}),
    frozenset({"api"}),
    frozenset({"builders", "reports", "runs", "by_hand", "explain", "health", "capture", "context"}),
    frozenset({"transfer"}),
    frozenset({"app", "scope", "client"}),
    frozenset({"service", "bench"}),
    frozenset({"cli"}),
    frozenset({"__main__", "__init__"}),
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted(PACKAGE.rglob("*.py"))
# The command line hands the environment to the settings; paths in OpenClaw's file name its variables; the others tame
# the libraries they call.
TOUCHES_ENVIRONMENT = {"cli", "openclaw", "mem0_env", "reasoning", "embedding", "bench"}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported_parts(tree: ast.Module) -> Iterator[str]:
    """The first name below ``autodream`` of every import, wherever it stands."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "autodream":
            yield from (alias.name for alias in node.names if alias.name in LEVEL)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("autodream."):
            yield (node.module or "").split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (
                alias.name.split(".")[1] for alias in node.names if alias.name.startswith("autodream.")
            )


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_from_below(path: Path) -> None:
    part = part_of(path)
    assert part in LEVEL, f"{part} belongs to no layer yet: give it one"
    for other in imported_parts(ast.parse(path.read_text(encoding="utf-8"))):
        assert LEVEL[other] <= LEVEL[part], f"{part} must not import {other}"


def test_every_layer_names_parts_that_exist() -> None:
    assert {part_of(path) for path in MODULES} == set(LEVEL)


def test_what_http_and_mcp_share_knows_neither() -> None:
    """Else the tools on stdio would load the web framework, and a command that looks for the service, too."""
    shared = [path for path in (PACKAGE / "service").glob("*.py") if path.name != "serve.py"]
    doors = {
        f"{path.name}: {node.module}"
        for path in shared
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith(("autodream.service.http", "autodream.service.mcp"))
    }
    assert len(shared) > 5
    assert doors == set()


def test_the_environment_is_touched_in_few_places() -> None:
    readers = {
        part_of(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
    }
    assert readers <= TOUCHES_ENVIRONMENT


def test_only_the_applier_changes_the_store() -> None:
    writers = {
        part_of(path)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in {"put", "erase"}
        and ast.unparse(node.func.value).endswith("store")
    }
    assert writers <= {"changes", "bench"}  # a bench loads many at once
