"""``autodream bench``: the product measured through its own public ways, on public data or on a built-in miniature."""

__all__: list[str] = []
