"""The start page: one short text, nothing loaded from anywhere."""

from html import escape
from typing import Final

__all__ = ["start_page_of"]

_HERE: Final = "localhost:8230"  # stands in the text for the name by which the service was called
_START_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>AutoDream</title>
<style>body{font:1em/1.5 system-ui,sans-serif;max-width:38em;margin:3em auto;padding:0 1em}</style>
<h1>AutoDream</h1>
<p>A memory for AI agents, made from their diaries. This is the service of one installation: it digests diaries
every few minutes, dreams every night, and answers over HTTP and MCP.</p>
<ul>
<li><a href="/openapi.json">/openapi.json</a>: every route, its fields and answers (OpenAPI)</li>
<li><a href="/health/ready">/health/ready</a>: whether engine, state database and embedder are usable</li>
<li><a href="/metrics">/metrics</a>: figures for Prometheus</li>
<li>/mcp: the tools for agents (MCP, streamable HTTP)</li>
</ul>
<p>Ask for a memory:</p>
<pre>curl -s localhost:8230/v1/recall -H 'Content-Type: application/json' \\
  -d '{"query": "which port does the gateway use"}'</pre>
<p>Where tokens are configured, everything but this page and /health needs one:
<code>Authorization: Bearer TOKEN</code>.</p>
</html>
"""


def start_page_of(host: str) -> str:
    """The page, with an example that asks the service by the name and port it was called by."""
    return _START_PAGE.replace(_HERE, escape(host or _HERE))
