"""The command table: the global options and every command, in the order in which help lists them."""

from pathlib import Path
from typing import Annotated

import typer

from autodream.cli import bench, data, ledger, mcp, memories, serve, system, work
from autodream.cli.options import examples, flag
from autodream.cli.output import print_json, write
from autodream.cli.shell import Shell

__all__ = ["app"]

app = typer.Typer(
    name="autodream",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(
    invoke_without_command=True,
    epilog=examples(
        "autodream demo                    # see it work, without any configuration",
        "autodream digest                  # read what is new in the diaries",
        "autodream recall 'which port'     # ask the memory",
        "autodream status                  # what is done, due and blocked",
    ),
)
def root(
    context: typer.Context,
    json: Annotated[bool, flag("--json", help="Print exactly one JSON document on stdout.")] = False,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="Read this autodream.toml.")
    ] = None,
    data_dir: Annotated[
        str | None, typer.Option("--data-dir", metavar="DIR", help="Where engine files and journal live.")
    ] = None,
    verbose: Annotated[bool, flag("-v", "--verbose", help="Log to stderr; tracebacks.")] = False,
    version: Annotated[bool, flag("--version", help="Print the version and exit.")] = False,
) -> None:
    """Vector memory for AI agents, made from their diaries: explained, undoable, nothing lost."""
    context.obj = Shell(json=json, verbose=verbose, config=config, data_dir=data_dir)
    if version:
        from autodream import __version__

        print_json({"version": __version__}) if json else write(f"autodream {__version__}\n")
        raise typer.Exit
    if context.invoked_subcommand is None:
        if json:
            raise typer.BadParameter("a command is missing")
        context.get_help()


for module, panel in (
    (work, "Work"),
    (memories, "Memories"),
    (ledger, "Ledger"),
    (data, "Data"),
    (serve, "Service"),
    (mcp, "Service"),
    (system, "System"),
    (bench, "System"),
):
    for name, command, epilog in module.COMMANDS:
        app.command(name, epilog=epilog, rich_help_panel=panel)(command)
