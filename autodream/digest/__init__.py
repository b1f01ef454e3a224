"""Digest: from what is new in an agent's diary to short-term memories of its day."""
