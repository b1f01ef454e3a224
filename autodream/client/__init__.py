"""Clients of the service, with the methods of ``App``: one that blocks, one to await."""

from autodream.client.aio import AsyncClient
from autodream.client.sync import Client

__all__ = ["AsyncClient", "Client"]
