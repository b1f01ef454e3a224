"""Where memories live: a mem0 object whose vector store is an embedded engine or a Qdrant server."""

__all__: list[str] = []
