"""Weeks in the life of an agent, on a simulated clock."""
