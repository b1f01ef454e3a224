"""The HTTP API: ``application`` puts it together; a route is a function in one of the ``routes_*`` modules."""

__all__: list[str] = []
