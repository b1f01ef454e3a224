import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autodream import mem0_env


def test_mem0_is_silenced_and_kept_in_the_data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEM0_TELEMETRY", "True")
    monkeypatch.setenv("MEM0_DIR", "/elsewhere")
    for _ in range(2):
        mem0_env.prepare(tmp_path)
    assert os.environ["MEM0_TELEMETRY"] == "False"
    assert os.environ["MEM0_DIR"] == str(tmp_path / "mem0")
    assert list(tmp_path.iterdir()) == []
    assert not logging.getLogger("mem0.utils.spacy_models").isEnabledFor(logging.WARNING)


def test_importing_the_reasoner_imports_no_heavy_library() -> None:
    code = (
        "import sys, autodream.reasoning.factory, autodream.reasoning.llm;"
        "print([name for name in ('mem0', 'openai', 'qdrant_client', 'httpx') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_first_use_of_mem0_leaves_the_home_folder_alone(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from autodream.config import Settings;"
        "from autodream.reasoning.providers import build_llm;"
        f"build_llm(Settings(data_dir=Path({str(tmp_path / 'data')!r}), llm='openai', llm_model='m',"
        "openai_base_url='http://127.0.0.1:9/v1')).prepare()"
    )
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "HOME": str(home)})
    assert list(home.iterdir()) == []


def test_i11_the_vector_store_imported_alone_leaves_telemetry_off(tmp_path: Path) -> None:
    code = "import autodream.store.vector_store, mem0.memory.telemetry as t; print(t.MEM0_TELEMETRY)"
    environ = {name: value for name, value in os.environ.items() if name != "MEM0_TELEMETRY"}
    environ["HOME"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
