"""Tests of autodream.journal."""
