"""AutoDream: vector memory for AI agents, made from their diaries.

::

    import os
    from pathlib import Path
    from autodream import App, load_settings

    app = App.open(load_settings({}, os.environ, Path.cwd()))
    app.digest()
    app.recall("which port does the gateway use")["results"]

``Client`` and ``AsyncClient`` have the same methods and ask a running service::

    Client("http://127.0.0.1:8230").recall("which port does the gateway use")["results"]

A name is imported when it is first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autodream.app import App
    from autodream.client import AsyncClient, Client
    from autodream.config import Settings
    from autodream.errors import (
        AutoDreamError,
        BusyError,
        ConfigError,
        FailedError,
        InputError,
        NotFoundError,
    )
    from autodream.models import Evidence, Memory
    from autodream.progress import Progress
    from autodream.settings.load import load as load_settings

    __version__: str

__all__ = [
    "App",
    "AsyncClient",
    "AutoDreamError",
    "BusyError",
    "Client",
    "ConfigError",
    "Evidence",
    "FailedError",
    "InputError",
    "Memory",
    "NotFoundError",
    "Progress",
    "Settings",
    "__version__",
    "load_settings",
]

_HOMES = {
    "App": "app",
    "AsyncClient": "client",
    "AutoDreamError": "errors",
    "BusyError": "errors",
    "Client": "client",
    "ConfigError": "errors",
    "Evidence": "models",
    "FailedError": "errors",
    "InputError": "errors",
    "Memory": "models",
    "NotFoundError": "errors",
    "Progress": "progress",
    "Settings": "config",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("autodream")
        except PackageNotFoundError:  # a source tree that was never installed
            return "0+unknown"
    if name == "load_settings":
        return import_module("autodream.settings.load").load
    if name in _HOMES:
        return getattr(import_module(f"autodream.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'autodream' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
