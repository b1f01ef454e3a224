"""The plugin in a real OpenClaw: run by ``scripts/test-openclaw``, never by pytest."""
