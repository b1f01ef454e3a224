"""MCP: the tools are defined in ``tools``, offered by ``server``, and reached over ``stdio`` or ``http``."""

__all__: list[str] = []
