#!/usr/bin/env python3
"""One digest round: ``auto_digest.py [--today]`` is ``autodream digest [--today]``, with its options."""

import sys

from autodream.cli.run import run

if __name__ == "__main__":
    sys.exit(run(["digest", *sys.argv[1:]]))
