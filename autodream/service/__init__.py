"""The service: timers, HTTP (``http``) and MCP (``mcp``) over one ``App``, as one process (``serve``).

What can be asked stands in ``requests``. Heavy imports wait in the modules.
"""

__all__: list[str] = []
