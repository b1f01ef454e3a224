"""``python -m autodream.settings`` prints docs/configuration.md; with ``--env``, deploy/.env.example."""

import sys

from autodream.settings.describe import env_example, reference

__all__: list[str] = []

if __name__ == "__main__":
    sys.stdout.write(env_example() if "--env" in sys.argv[1:] else reference())
