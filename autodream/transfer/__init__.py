"""Memories in and out: export, import, backup, restore and the move to another engine."""

__all__: list[str] = []
