"""Tests of autodream.changes."""
