"""The public names: sorted, importable, and nothing else."""

import importlib
import pkgutil
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

import autodream
from autodream import mem0_env


def test_all_is_sorted_and_every_name_can_be_imported() -> None:
    assert autodream.__all__ == sorted(autodream.__all__)
    for name in autodream.__all__:
        assert getattr(autodream, name) is not None


def test_all_is_what_can_be_seen() -> None:
    seen = {name for name in dir(autodream) if not name.startswith("_")}
    modules = {module.name for module in pkgutil.iter_modules(autodream.__path__)}
    helpers = {"Any", "TYPE_CHECKING", "import_module"}
    assert seen - modules - helpers == set(autodream.__all__) - {"__version__"}


def test_every_home_of_a_name_declares_it() -> None:
    for name, home in autodream._HOMES.items():
        assert name in importlib.import_module(f"autodream.{home}").__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Apps"):
        _ = autodream.Apps  # type: ignore[attr-defined]


def test_the_version_is_that_of_the_installed_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.version", lambda name: f"1.2 of {name}")
    assert autodream.__version__ == "1.2 of autodream"

    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert autodream.__version__ == "0+unknown"


def test_every_module_has_a_docstring_and_all(tmp_path: Path) -> None:
    mem0_env.prepare(tmp_path)  # one of them imports mem0
    for module in pkgutil.walk_packages(autodream.__path__, "autodream."):
        if module.ispkg or module.name == "autodream.__main__":
            continue
        loaded = importlib.import_module(module.name)
        assert loaded.__doc__, module.name
        assert isinstance(getattr(loaded, "__all__", None), list), module.name
