"""The command line: a thin shell over ``autodream.app``. Its entry is ``main``; imports wait until then."""

__all__ = ["main"]


def main() -> int:
    """Run the command line on ``sys.argv``; returns the exit code."""
    import sys

    from autodream.cli.run import run

    return run(sys.argv[1:])
