#!/usr/bin/env python3
"""One night: ``auto_dream.py`` is ``autodream dream``, and takes its options too."""

import sys

from autodream.cli.run import run

if __name__ == "__main__":
    sys.exit(run(["dream", *sys.argv[1:]]))
