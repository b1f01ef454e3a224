"""A process that dies between any two steps of a write, and what is left."""
