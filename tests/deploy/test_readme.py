"""deploy/README.md: what it shows to copy is complete, and names things by the names they have."""

import re
from pathlib import Path
from typing import Any

import yaml

from autodream.config import DEFAULT_PORT, MAX_BODY_BYTES
from autodream.service.http import figures, metrics
from autodream.settings.table import SETTINGS_BY_VARIABLE

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
TEXT = (DEPLOY / "README.md").read_text(encoding="utf-8")
FENCES = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.M | re.S)


def shown(language: str, word: str) -> str:
    """The one fence of this language that holds this word."""
    [body] = [body for name, body in FENCES if name == language and word in body]
    return body


def exposed() -> set[str]:
    """Names of the metrics, as Prometheus sees them, read from the code that makes them."""
    source = "".join(Path(str(module.__file__)).read_text(encoding="utf-8") for module in (figures, metrics))
    made = set(re.findall(r'"autodream_(\w+)"', source))
    made |= set(re.findall(r'^ +\(\s*"(\w+)",\s*"', source, re.M))
    return {f"autodream_{name}" for name in made}


def rules() -> list[dict[str, Any]]:
    [group] = yaml.safe_load(shown("yaml", "alert:"))["groups"]
    return list(group["rules"])


def test_every_file_for_users_is_in_the_table() -> None:
    table = TEXT.partition("## Which one for whom")[2].partition("\n## ")[0]
    linked = set(re.findall(r"\]\(([^)]+)\)", table))
    there = {path.relative_to(DEPLOY).as_posix() for path in DEPLOY.rglob("*") if path.is_file()}
    wanted = {name for name in there if name.endswith((".timer", ".crontab", ".yml", ".yaml", "Dockerfile"))}
    wanted = {name for name in wanted if not name.startswith("openclaw-plugin/")}
    assert wanted <= linked
    assert {"systemd/autodream.service", "systemd/user/autodream.service"} <= linked


def test_alerts_ask_for_figures_that_exist() -> None:
    known = exposed()
    assert {"autodream_undigested_blocks", "autodream_jobs", "autodream_figures_ok"} <= known
    for rule in rules():
        asked = set(re.findall(r"\bautodream_\w+", rule["expr"]))
        assert asked <= known, rule["alert"]
        assert asked or "up{" in rule["expr"]


def test_alerts_say_what_to_look_at() -> None:
    assert len({rule["alert"] for rule in rules()}) == len(rules()) >= 3
    for rule in rules():
        assert re.search(r"autodream \w+|health/ready|tomorrow", rule["annotations"]["summary"])


def test_the_scrape_example_asks_the_default_port_with_a_token() -> None:
    [job] = yaml.safe_load(shown("yaml", "scrape_configs"))["scrape_configs"]
    assert job["static_configs"] == [{"targets": [f"127.0.0.1:{DEFAULT_PORT}"]}]
    assert job["authorization"]
    assert [rule for rule in rules() if f'job="{job["job_name"]}"' in rule["expr"]]


def test_both_proxies_point_to_the_default_port_and_keep_the_host() -> None:
    nginx, caddy = shown("nginx", "server"), shown("text", "reverse_proxy")
    assert f"proxy_pass http://127.0.0.1:{DEFAULT_PORT};" in nginx
    assert "proxy_set_header Host $host;" in nginx
    assert f"client_max_body_size {MAX_BODY_BYTES // 1024**2}m;" in nginx
    assert f"reverse_proxy 127.0.0.1:{DEFAULT_PORT}" in caddy
    assert nginx.count("{") == nginx.count("}")


def test_the_settings_for_compose_are_settings_or_the_compose_files_own() -> None:
    names = re.findall(r"^([A-Z_]+)=", shown("text", "AGENTS_DIR"), re.M)
    compose = (DEPLOY / "docker-compose.yml").read_text(encoding="utf-8")
    own = set(re.findall(r"\$\{(\w+)", compose))
    assert set(names) <= set(SETTINGS_BY_VARIABLE) | own
    assert set(re.findall(r"\$\{(\w+):\?", compose)) <= set(names)  # whatever compose insists on is told


def test_copied_files_exist() -> None:
    for name in re.findall(r"\bdeploy/[\w./-]+\w", "".join(body for _, body in FENCES)):
        assert (ROOT / name).exists() or name == "deploy/.env", name


def test_numbers_that_units_hold_are_the_ones_told() -> None:
    assert "OnCalendar=*-*-* 02..06:05:00" in (DEPLOY / "systemd/autodream-dream.timer").read_text("utf-8")
    assert "started at 02:05 and again every hour until 06:05" in " ".join(TEXT.split())
    [uid] = re.findall(r"--uid (\d+)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    assert f"runs as user {uid}" in TEXT
