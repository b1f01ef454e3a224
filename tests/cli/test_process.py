"""The command line as a process: start-up, pipes, signals, streams, scripts."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAKE = """
import sys
from autodream.cli import shell
from autodream.cli.run import run
from tests.cli.fake_app import FakeApp, memory
many = [memory(memory="x" * 100) for _ in range(20000)]
app = FakeApp(list_memories={"memories": many, "next_cursor": None})
shell.open_app = app.open
"""
RUN = f"{FAKE}\nsys.exit(run(sys.argv[1:]))"


def start(code: str, *arguments: str, **options: object) -> "subprocess.Popen[bytes]":
    env = {name: value for name, value in os.environ.items() if not name.startswith("AUTODREAM_")}
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**env, "PYTHONPATH": str(ROOT), **options.pop("env", {})},  # type: ignore[dict-item]
        **options,  # type: ignore[call-overload]
    )


def test_help_into_a_closed_pipe_is_no_failure() -> None:
    with start(f"import time\ntime.sleep(0.5)\n{RUN}", "--help") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_closed_pipe_is_no_traceback(options: list[str]) -> None:
    with start(RUN, "list", *options) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.parametrize("command", ["list", "list --json", "--help", "list --bogus", "list --json --bogus"])
@pytest.mark.parametrize("streams", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full"])
def test_streams_that_are_closed_or_full_are_no_traceback(command: str, streams: str) -> None:
    shell = f'"$0" -W error -c "$1" {command} {streams}'
    ended = subprocess.run(
        ["/bin/sh", "-c", shell, sys.executable, RUN],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
    )
    lost = streams == ">/dev/full"
    assert ended.returncode == (1 if "bogus" in command else 2 if lost else 0), ended.stderr
    assert len(ended.stderr.splitlines()) <= 1
    assert "unexpected" not in ended.stderr


CLOSED = """
import os
run(["list"])
file = os.open("/dev/zero", os.O_RDONLY)
sys.exit(0 if file > 2 else 9)
"""


def test_no_file_takes_the_place_of_a_closed_stream() -> None:
    """What a library prints to stderr would be written into the state database."""
    ended = subprocess.run(
        ["/bin/sh", "-c", '"$0" -c "$1" <&- >&- 2>&-', sys.executable, FAKE + CLOSED],
        check=False,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
    )
    assert ended.returncode == 0


SLOW = """
import time
def digest(*args, **options):
    sys.stderr.write("go" + chr(10))
    sys.stderr.flush()
    time.sleep(60)
app.digest = digest
sys.exit(run(["digest"]))
"""


def test_ctrl_c_exits_130_without_a_word() -> None:
    process = start(FAKE + SLOW)
    assert process.stderr is not None
    assert process.stderr.readline() == b"go\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


def test_output_is_utf8_whatever_the_locale() -> None:
    process = start(RUN, "show", "x", env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    assert "网关端口改为 8231" in out.decode("utf-8")


def test_help_imports_nothing_heavy() -> None:
    heavy = ["mem0", "qdrant_client", "qdrant_edge", "numpy", "openai", "pydantic", "autodream.app", "json5"]
    code = (
        "import sys\nfrom autodream.cli.run import run\nassert run(['--help']) == 0\n"
        f"sys.stderr.write(' '.join(name for name in {heavy!r} if name in sys.modules))"
    )
    process = start(code)
    out, err = process.communicate()
    assert b"recall" in out
    # typer 0.29 checks values with pydantic, once there is a value to check
    assert err.decode().split() in ([], ["pydantic"])


def test_status_imports_nothing_that_reads_compares_or_asks(tmp_path: Path) -> None:
    idle = ["autodream.guard", "autodream.recall", "autodream.dream.night", "autodream.digest.round", "mem0"]
    code = (
        "import sys\nfrom autodream.cli.run import run\n"
        f"assert run(['--data-dir', {str(tmp_path / 'data')!r}, 'status', '--json']) == 0\n"
        f"sys.stderr.write(' '.join(name for name in {idle!r} if name in sys.modules))"
    )
    (tmp_path / "memory").mkdir()
    out, err = start(code, env={"AUTODREAM_WORKSPACE": str(tmp_path), "AUTODREAM_LLM": "rules"}).communicate()
    assert json.loads(out)["agents"][0]["agent_id"] == "main"
    assert err == b""


def test_importing_the_package_imports_no_part_of_it() -> None:
    shown = "' '.join(name for name in sys.modules if name.startswith('autodream'))"
    out, _ = start(f"import sys, autodream; sys.stdout.write({shown})").communicate()
    assert out == b"autodream"


SCRIPT = "import sys; from autodream.cli import main; sys.exit(main())"


@pytest.mark.parametrize("arguments", [["-m", "autodream"], ["-c", SCRIPT]])
def test_the_module_and_the_console_script_are_the_same(arguments: list[str]) -> None:
    command = [sys.executable, *arguments, "--version"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=True)
    assert done.stdout.startswith(b"autodream ")


def test_the_console_script_is_declared() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"autodream": "autodream.cli:main"}


@pytest.mark.parametrize(
    ("script", "arguments", "command"),
    [
        ("auto_digest.py", ["--today"], "digest"),
        ("auto_digest.py", [], "digest"),
        ("auto_dream.py", [], "dream"),
    ],
)
def test_the_scripts_are_the_commands(script: str, arguments: list[str], command: str) -> None:
    path = str(ROOT / "scripts" / script)
    argv = f"import runpy\nsys.argv = {[path, *arguments, '--json']!r}\n"
    process = start(f"{FAKE}{argv}runpy.run_path({path!r}, run_name='__main__')")
    out, err = process.communicate()
    assert (process.returncode, err) == (0, b"")
    plain, _ = start(RUN, command, "--json").communicate()
    assert out == plain
