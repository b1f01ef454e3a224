"""Text to vectors: the built-in models, mem0's providers, and the scale that makes cosines comparable."""

__all__: list[str] = []
