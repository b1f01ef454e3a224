"""recall, add, list, show, explain, forget, restore: the memories themselves."""

from typing import Annotated

import typer

from autodream.cli.options import (
    Agent,
    Categories,
    Cursor,
    Day,
    Limit,
    MemoryId,
    MemoryType,
    NeededAgent,
    Status,
    TypeFilter,
    examples,
    flag,
)
from autodream.cli.output import wrapped
from autodream.cli.shell import check_agent, check_agents, check_day, shell_of
from autodream.config import DEFAULT_CATEGORY, DEFAULT_LIMIT, DEFAULT_TOP_K, MAX_ADDED_CHARS, MAX_TOP_K
from autodream.errors import EXIT_OK

__all__ = ["COMMANDS"]

_TYPE = typer.Option("--type", help="Which tier.")


def recall(
    context: typer.Context,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What you want to know, in any words.")],
    agent: Agent = None,
    category: Categories = None,
    memory_type: Annotated[TypeFilter, _TYPE] = "all",
    since: Annotated[
        str | None, typer.Option("--since", metavar="D", help="Only diary days from this one on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="D", help="Only diary days up to this one.")
    ] = None,
    top_k: Annotated[
        int, typer.Option("-k", metavar="N", min=1, max=MAX_TOP_K, help="At most so many results.")
    ] = DEFAULT_TOP_K,
    min_score: Annotated[
        float,
        typer.Option("--min-score", metavar="X", min=0.0, max=1.0, help="0.5 and above: likely relevant."),
    ] = 0.0,
    include_superseded: Annotated[
        bool, flag("--include-superseded", help="Also what a newer memory replaced.")
    ] = False,
    explain: Annotated[bool, flag("--explain", help="Show how each score came about.")] = False,
) -> int:
    """Search the memories by meaning and by words."""
    from autodream.cli.view_memories import show_recall

    agent_id, first, last = check_agent(agent), check_day(since, "since"), check_day(until, "until")
    shell_of(context).run(
        lambda app: app.recall(
            query,
            agent_id=agent_id,
            categories=tuple(category or ()),
            memory_type=memory_type,
            since=first,
            until=last,
            top_k=top_k,
            min_score=min_score,
            include_superseded=include_superseded,
            explain=explain,
        ),
        wrapped(show_recall),
    )
    return EXIT_OK


def add(
    context: typer.Context,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help=f"One statement, at most {MAX_ADDED_CHARS:,} characters.")
    ],
    agent: NeededAgent,
    category: Annotated[
        str, typer.Option("--category", metavar="C", help="Its category.")
    ] = DEFAULT_CATEGORY,
    memory_type: Annotated[MemoryType, _TYPE] = "long_term",
    day: Day = None,
) -> int:
    """Store one memory as given; the same text again gives the memory that is there."""
    from autodream.cli.view_memories import show_memory

    name, on = check_agents([agent])[0], check_day(day, "day")
    shell_of(context).run(
        lambda app: app.add(text, agent_id=name, category=category, memory_type=memory_type, day=on),
        wrapped(show_memory),
    )
    return EXIT_OK


def list_memories(
    context: typer.Context,
    agent: Agent = None,
    category: Categories = None,
    memory_type: Annotated[TypeFilter, _TYPE] = "all",
    day: Day = None,
    status: Annotated[Status, typer.Option("--status", help="Which of them.")] = "active",
    limit: Limit = DEFAULT_LIMIT,
    cursor: Cursor = None,
) -> int:
    """Page through the memories; nothing is hidden."""
    from autodream.cli.view_memories import show_page

    agent_id, on = check_agent(agent), check_day(day, "day")
    shell_of(context).run(
        lambda app: app.list_memories(
            agent_id=agent_id,
            categories=tuple(category or ()),
            memory_type=memory_type,
            day=on,
            status=status,
            limit=limit,
            cursor=cursor,
        ),
        wrapped(show_page),
        read_only=True,
    )
    return EXIT_OK


def show(context: typer.Context, memory_id: MemoryId) -> int:
    """Show one memory."""
    from autodream.cli.view_memories import show_memory

    shell_of(context).run(lambda app: app.show(memory_id), wrapped(show_memory), read_only=True)
    return EXIT_OK


def explain(context: typer.Context, memory_id: MemoryId) -> int:
    """Tell a memory's whole story: its diary lines, and every change with its reason."""
    from autodream.cli.view_memories import show_story

    shell_of(context).run(lambda app: app.explain(memory_id), wrapped(show_story), read_only=True)
    return EXIT_OK


def forget(
    context: typer.Context,
    memory_id: MemoryId,
    purge: Annotated[bool, flag("--purge", help="Erase it for good: this cannot be undone.")] = False,
) -> int:
    """Retire a memory: recall does not find it any more, restore brings it back."""
    from autodream.cli.view_memories import show_forgotten

    view = show_forgotten if purge else wrapped(show_forgotten)
    shell_of(context).run(lambda app: app.forget(memory_id, purge=purge), view)
    return EXIT_OK


def restore(context: typer.Context, memory_id: MemoryId) -> int:
    """Bring a forgotten memory back."""
    from autodream.cli.view_memories import show_restored

    shell_of(context).run(lambda app: app.restore(memory_id), wrapped(show_restored))
    return EXIT_OK


_ID = "0b6f2c1e-8f5e-5d0a-9a3c-2f0d5c7b1a44"

COMMANDS = (
    (
        "recall",
        recall,
        examples(
            "autodream recall 'which port does the gateway use'",
            "autodream recall 登录超时 --agent dev --category task -k 3",
            "autodream recall deploys --since 2026-04-01 --type long_term --explain",
        ),
    ),
    (
        "add",
        add,
        examples(
            "autodream add 'Releases are cut on Thursdays' --agent dev",
            "autodream add 'Retry with a new key' --agent dev --category experience",
        ),
    ),
    (
        "list",
        list_memories,
        examples(
            "autodream list --agent dev --type short_term --day 2026-04-17",
            "autodream list --status superseded --limit 20",
        ),
    ),
    ("show", show, examples(f"autodream show {_ID}")),
    ("explain", explain, examples(f"autodream explain {_ID}")),
    ("forget", forget, examples(f"autodream forget {_ID}", f"autodream forget {_ID} --purge")),
    ("restore", restore, examples(f"autodream restore {_ID}")),
)
