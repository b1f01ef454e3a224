"""The two engines below mem0: one inside the process, one behind a Qdrant URL."""

__all__: list[str] = []
