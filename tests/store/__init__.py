"""The store: one contract for every engine, and what only one engine can do."""
