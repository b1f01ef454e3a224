"""The one writer: plans become journaled, verified effects, and can be undone."""
