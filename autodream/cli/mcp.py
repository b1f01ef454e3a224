"""mcp: the memory as tools for an agent that starts this command."""

import typer

from autodream.cli.options import Agent, examples
from autodream.cli.shell import check_agent, shell_of
from autodream.errors import EXIT_OK

__all__ = ["COMMANDS"]


def mcp(context: typer.Context, agent: Agent = None) -> int:
    """Serve the memory as MCP tools on stdin and stdout, to an agent that starts this command."""
    shell, agent_id = shell_of(context), check_agent(agent)
    shell.settings()  # a wrong setting ends the start, not the first call
    from autodream.service.mcp.stdio import serve_stdio

    serve_stdio(lambda read_only: shell.app(read_only=read_only), agent_id)
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
