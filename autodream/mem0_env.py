"""What mem0 reads from the environment at its first import, set before that import (I11).

Without this mem0 sends telemetry, opens a second store whose lock breaks a second process, and writes to
``~/.mem0``.
"""

import logging
import os
import threading
from importlib import import_module
from pathlib import Path

__all__ = ["load", "prepare", "silence"]

_loading = threading.Lock()


def silence() -> None:
    """Switch mem0's telemetry off; call before importing mem0. Idempotent."""
    os.environ["MEM0_TELEMETRY"] = "False"
    # Its spaCy hint at first use worries users: neither spaCy nor fastembed is wanted here.
    logging.getLogger("mem0.utils.spacy_models").setLevel(logging.CRITICAL)


def prepare(data_dir: Path) -> None:
    """Switch mem0's telemetry off and point its files into ``data_dir``; call before importing mem0.

    Idempotent. The folder is not created here: mem0 makes it when it has something to write.
    """
    silence()
    os.environ["MEM0_DIR"] = str(data_dir / "mem0")


def load(data_dir: Path) -> None:
    """Prepare, then import mem0 whole: what is imported from it afterwards may be, by several threads at once.

    Its modules import each other in circles: two threads that begin at different ends fail with ``KeyError`` or a
    deadlock error, and both passes of a digest begin at once.
    """
    with _loading:
        prepare(data_dir)
        import_module("mem0")
