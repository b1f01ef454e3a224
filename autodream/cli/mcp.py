"""mcp: the memory as tools for an agent that starts this command."""

from typing import TYPE_CHECKING

import typer

from autodream.cli import shell as shells
from autodream.cli.options import Agent, examples
from autodream.cli.shell import check_agent, shell_of
from autodream.errors import EXIT_OK

if TYPE_CHECKING:
    from autodream.api import Api

__all__ = ["COMMANDS"]


def mcp(context: typer.Context, agent: Agent = None) -> int:
    """Serve the memory as MCP tools on stdin and stdout, to an agent that starts this command."""
    agent_id = check_agent(agent)
    settings = shell_of(context).settings()  # a wrong setting ends the start, not the first call
    from autodream.service.mcp_stdio import serve_stdio

    def open_api(read_only: bool) -> "Api":
        return shells.open_app(settings, read_only=read_only)

    serve_stdio(open_api, agent_id)
    return EXIT_OK


COMMANDS = (
    (
        "mcp",
        mcp,
        examples(
            "autodream mcp                              # every agent's memories",
            "autodream mcp --agent dev                  # only what dev may see",
            "claude mcp add autodream -- autodream mcp --agent dev",
        ),
    ),
)
