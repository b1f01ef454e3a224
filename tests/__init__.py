"""Tests of autodream."""
