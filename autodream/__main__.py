"""``python -m autodream`` is the same as ``autodream``."""

import sys

from autodream.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(main())
