"""The systemd units: what they run, what they may touch, what their exit codes mean, when the timers fire."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import typer.main

from autodream import errors
from autodream.cli.arguments import hoist
from autodream.cli.commands import app
from autodream.config import STOP_WITHIN

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
SYSTEM_SERVICES = sorted(FOLDER.glob("*.service"))
SERVICES = [*SYSTEM_SERVICES, *sorted(FOLDER.glob("user/*.service"))]
TIMERS = sorted(FOLDER.glob("*.timer"))
UNITS = [*SERVICES, *TIMERS]
COMMANDS = typer.main.get_command(app).commands

ANALYZE = shutil.which("systemd-analyze")
SECTIONS = {"Unit", "Service", "Timer", "Install"}
# What a hardened unit says, and what a person's own manager can enforce without root.
HARDENED = {
    "NoNewPrivileges": "yes",
    "LockPersonality": "yes",
    "MemoryDenyWriteExecute": "yes",
    "RestrictRealtime": "yes",
    "RestrictSUIDSGID": "yes",
    "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    "SystemCallArchitectures": "native",
}
CONFINED = {
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectKernelModules": "yes",
    "ProtectControlGroups": "yes",
    "RestrictNamespaces": "yes",
    "CapabilityBoundingSet": "",
}


def parsed(unit: Path) -> dict[str, dict[str, list[str]]]:
    """Section -> key -> its values in order; fails on a line that is neither."""
    found: dict[str, dict[str, list[str]]] = {}
    section = ""
    for line in unit.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        if heading := re.fullmatch(r"\[(\w+)\]", line):
            section = heading[1]
            assert section not in found, f"{unit.name}: {section} twice"
            found[section] = {}
            continue
        key, sign, value = line.partition("=")
        assert sign, f"{unit.name}: {line}"
        assert re.fullmatch(r"[A-Z]\w+", key), f"{unit.name}: {line}"
        found[section].setdefault(key, []).append(value)
    return found


def one(unit: Path, section: str, key: str) -> str:
    [value] = parsed(unit)[section][key]
    return value


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_has_the_sections_of_its_kind(unit: Path) -> None:
    found = parsed(unit)
    assert set(found) <= SECTIONS
    assert found["Unit"]["Description"]
    assert ("Timer" in found) == (unit.suffix == ".timer")
    assert ("Service" in found) == (unit.suffix == ".service")


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: str(unit.relative_to(FOLDER)))
def test_a_service_runs_a_command_that_exists(unit: Path) -> None:
    program, *arguments = one(unit, "Service", "ExecStart").split()
    assert program.endswith("/bin/autodream")
    assert program.startswith(("/opt/", "%h/"))
    words = hoist(arguments)
    COMMANDS[words[0]].make_context(words[0], words[1:]).close()  # refuses what it does not know


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: str(unit.relative_to(FOLDER)))
def test_a_service_is_hardened(unit: Path) -> None:
    service = parsed(unit)["Service"]
    wanted = HARDENED | (CONFINED if unit in SYSTEM_SERVICES else {})
    assert {key: service.get(key) for key in wanted} == {key: [value] for key, value in wanted.items()}
    assert service["SystemCallFilter"] == ["@system-service", "~@privileged"]
    assert service["SystemCallErrorNumber"] == ["EPERM"]  # a refused call fails; it does not kill


@pytest.mark.parametrize("unit", SYSTEM_SERVICES, ids=lambda unit: unit.name)
def test_a_system_service_is_nobody_special_and_keeps_its_data_to_itself(unit: Path) -> None:
    service = parsed(unit)["Service"]
    assert service["User"] == ["autodream"]
    assert service["StateDirectory"] == ["autodream"]
    assert service["StateDirectoryMode"] == ["0700"]
    assert service["Environment"] == ["AUTODREAM_DATA_DIR=/var/lib/autodream"]
    assert service["EnvironmentFile"] == ["-/etc/autodream/autodream.env"]
    assert service["ReadWritePaths"] == ["-/srv/agents"]


def test_the_three_system_services_are_confined_alike() -> None:
    def confinement(unit: Path) -> dict[str, list[str]]:
        text = unit.read_text(encoding="utf-8")
        start = text.index("StateDirectory=")
        keys = re.findall(r"^(\w+)=", text[start : text.find("[Install]") % len(text)], re.M)
        return {key: parsed(unit)["Service"][key] for key in keys}

    first, *others = [confinement(unit) for unit in SYSTEM_SERVICES]
    assert len(SYSTEM_SERVICES) == 3
    assert len(first) > 20
    assert all(other == first for other in others)


@pytest.mark.parametrize("unit", [FOLDER / "autodream.service", FOLDER / "user" / "autodream.service"])
def test_the_service_comes_back_except_from_a_setting_that_is_wrong(unit: Path) -> None:
    service = parsed(unit)["Service"]
    assert service["Restart"] == ["on-failure"]
    assert service["RestartPreventExitStatus"] == [str(errors.EXIT_BAD_INPUT)]
    assert "SuccessExitStatus" not in service  # busy at the start is tried again
    assert int(service["TimeoutStopSec"][0]) > max(10, STOP_WITHIN.total_seconds())


@pytest.mark.parametrize("name", ["digest", "dream"])
def test_a_job_that_finds_everything_busy_is_no_failure_and_a_failed_one_is(name: str) -> None:
    service = parsed(FOLDER / f"autodream-{name}.service")["Service"]
    assert service["Type"] == ["oneshot"]
    assert service["SuccessExitStatus"] == [str(errors.EXIT_BUSY)]
    assert service["ExecStart"] == [f"/opt/autodream/bin/autodream {name}"]
    assert "Restart" not in service  # the timer comes again
    assert "Install" not in parsed(FOLDER / f"autodream-{name}.service")  # its timer is what is enabled


@pytest.mark.parametrize("timer", TIMERS, ids=lambda unit: unit.name)
def test_a_timer_has_its_service_and_makes_up_what_was_missed(timer: Path) -> None:
    assert timer.with_suffix(".service").exists()
    assert one(timer, "Timer", "Persistent") == "true"
    assert one(timer, "Install", "WantedBy") == "timers.target"


def test_the_timers_fire_apart() -> None:
    assert one(FOLDER / "autodream-digest.timer", "Timer", "OnCalendar") == "*:00/15"
    assert one(FOLDER / "autodream-dream.timer", "Timer", "OnCalendar") == "*-*-* 02..06:05:00"
    assert 5 not in range(0, 60, 15)  # a digest that holds the agents would cost the night an hour


# -- systemd's own opinion, where systemd is installed; what stands above is checked everywhere


def runnable(folder: Path) -> list[str]:
    """Copies of the system units whose programs exist on this machine."""
    names = []
    for unit in [*SYSTEM_SERVICES, *TIMERS]:
        text = re.sub(r"/opt/autodream/bin/autodream", "/bin/true", unit.read_text(encoding="utf-8"))
        copy = folder / unit.name
        copy.write_text(text, encoding="utf-8")
        names.append(str(copy))
    return names


def analyze(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    env = {**os.environ, **environment}
    return subprocess.run(
        [ANALYZE, *arguments], capture_output=True, text=True, timeout=60, check=False, env=env
    )


if ANALYZE is not None:

    def test_systemd_finds_nothing_wrong(tmp_path: Path) -> None:
        checked = analyze("verify", *runnable(tmp_path))
        assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")

    def test_systemd_finds_nothing_wrong_with_the_unit_of_one_person(tmp_path: Path) -> None:
        text = (FOLDER / "user" / "autodream.service").read_text(encoding="utf-8")
        copy = tmp_path / "autodream.service"
        copy.write_text(re.sub(r"%h/\S+/autodream ", "/bin/true ", text), encoding="utf-8")
        checked = analyze("verify", "--user", str(copy), XDG_RUNTIME_DIR=str(tmp_path))
        assert (checked.returncode, checked.stdout + checked.stderr) == (0, "")

    def test_systemd_would_notice_a_wrong_unit(tmp_path: Path) -> None:
        names = runnable(tmp_path)
        wrong = Path(names[0])
        wrong.write_text(wrong.read_text(encoding="utf-8").replace("PrivateTmp=", "PrivateTemp="), "utf-8")
        assert "PrivateTemp" in analyze("verify", *names).stderr

    @pytest.mark.parametrize("timer", TIMERS, ids=lambda unit: unit.name)
    def test_systemd_understands_the_times(timer: Path) -> None:
        assert analyze("calendar", one(timer, "Timer", "OnCalendar")).returncode == 0

    def test_systemd_calls_the_exposure_low(tmp_path: Path) -> None:
        runnable(tmp_path)
        offline = ("security", "--offline=true", "--threshold=20")  # of 100; exit 1 above it
        assert analyze(*offline, str(tmp_path / "autodream.service")).returncode == 0
