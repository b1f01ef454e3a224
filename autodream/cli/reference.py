"""``python -m autodream.cli.reference`` prints docs/cli.md, from the commands themselves."""

import sys
from typing import Any

__all__ = ["reference"]


def reference() -> str:
    """Every command with its arguments, options, defaults and examples, as Markdown."""
    import typer.main

    from autodream.cli.commands import app

    group: Any = typer.main.get_command(app)
    parts = [_HEAD, _options(group), "", _EXIT_CODES]
    for name, command in group.commands.items():
        usage = " ".join(
            [f"autodream {name}", *(one.metavar for one in command.params if not _is_option(one))]
        )
        parts += ["", f"## {name}", "", command.help, "", f"`{usage}`", "", _options(command)]
        parts += ["```console", *_examples(command.epilog), "```"]
    return "\n".join(parts) + "\n"


def _is_option(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "option")


def _options(command: Any) -> str:
    rows = [_row(one) for one in command.params if _is_option(one)]
    return "\n".join(["| option | default | meaning |", "|---|---|---|", *rows, ""]) if rows else ""


def _row(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in option.opts)
    values = option.metavar or "\\|".join(_choices(option))
    needed = "required" if option.required else _default(option.default)
    return f"| {names}{' ' + values if values else ''} | {needed} | {option.help} |"


def _choices(option: Any) -> list[str]:
    return [str(getattr(one, "value", one)) for one in option.type_descriptor.choices or ()]


def _default(value: Any) -> str:
    return "" if value is None or value is False or value == [] else f"`{value}`"


def _examples(epilog: str) -> list[str]:
    lines = epilog.replace("\\[", "[").split("\n")
    return [line.strip() for line in lines[1 : lines.index("")]]


_HEAD = """# Commands

<!-- Written by `python -m autodream.cli.reference`; change autodream/cli/ instead. -->

`autodream [--json] [--config FILE] [--data-dir DIR] [-v] COMMAND ...`; `python -m autodream` is the same.
These options are accepted before and after the command's name. An argument that begins with `-` goes after
`--`.

With `--json` there is exactly one JSON document on stdout; logs and errors go to stderr, and an error also
prints `{"error": {"code", "message", "field"}}`. Without it, the texts of memories that are printed into a
pipe (by `recall`, `list`, `show`, `explain`, `add`, `forget`, `restore`, `job` and dry runs) stand between
`<!-- autodream:context:start -->` and `<!-- autodream:context:end -->`, so that they are not digested again
when an agent pastes them into its diary. Colours are used on a terminal only, and not with `NO_COLOR`.
"""

_EXIT_CODES = """## Exit codes

| code | meaning |
|---|---|
| 0 | done, including "nothing to do" |
| 1 | bad input or configuration; nothing was changed |
| 2 | failed or partial: something must be retried, nothing is lost |
| 3 | busy: another job holds the lease, or another process the engine |
| 130 | interrupted with Ctrl-C; what is open is completed by the next command |"""

if __name__ == "__main__":
    sys.stdout.write(reference())
