"""The service: timers, HTTP and MCP over one ``App``. Heavy imports wait in the modules."""

__all__: list[str] = []
