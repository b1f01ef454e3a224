"""``python -m autodream.settings`` prints docs/configuration.md."""

import sys

from autodream.settings.describe import reference

__all__: list[str] = []

if __name__ == "__main__":
    sys.stdout.write(reference())
