"""Embedders: cleaning, caching, scale, the built-in models."""
