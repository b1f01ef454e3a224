"""F20: each real file once per agent, loops are harmless, what leads outside is refused by name."""

from autodream.diary.files import find_days


def workspace(root, name):
    (root / name / "memory").mkdir(parents=True)
    return root / name


def test_f20_two_workspaces_may_share_a_folder_beside_them(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "2026-04-11.md").write_text("- the port is 8231\n")
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "memory").symlink_to(tmp_path / "shared")
        (tmp_path / "shared" / f"again-{name}").symlink_to(tmp_path / "shared")
        found = find_days(tmp_path / name, subfolders=True)
        assert [file.path for file in found.days["2026-04-11"]] == ["memory/2026-04-11.md"]
        assert found.warnings == ()


def test_f20_loops_are_harmless(tmp_path):
    home = workspace(tmp_path, "a")
    (home / "memory" / "2026-04-11.md").write_text("x\n")
    (home / "memory" / "loop").symlink_to(home / "memory")
    (home / "memory" / "up").symlink_to(home)
    (home / "memory" / "2026-04-12.md").symlink_to("2026-04-12.md")
    found = find_days(home, subfolders=True)
    assert [file.path for file in found.days["2026-04-11"]] == ["memory/2026-04-11.md"]
    assert [(warning.path, warning.code) for warning in found.warnings] == [
        ("memory/2026-04-12.md", "unreadable")
    ]


def test_f20_a_link_that_leaves_the_workspace_is_refused_by_name(tmp_path):
    home = workspace(tmp_path, "a")
    outside = tmp_path / "elsewhere" / "deep"
    outside.mkdir(parents=True)
    (outside / "2026-04-11.md").write_text("theirs\n")
    (home / "memory" / "ext").symlink_to(outside)
    (home / "memory" / "2026-04-11.md").symlink_to(outside / "2026-04-11.md")
    for subfolders in (False, True):
        found = find_days(home, subfolders=subfolders)
        assert found.days == {}
        assert {(warning.path, warning.code) for warning in found.warnings} == {
            ("memory/ext", "link_outside"),
            ("memory/2026-04-11.md", "link_outside"),
        }
        assert all(warning.path in warning.message for warning in found.warnings)


def test_f20_the_memory_of_another_agent_is_not_read_through_a_link(tmp_path):
    other = workspace(tmp_path, "b")
    (other / "memory" / "2026-04-11.md").write_text("theirs\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "memory").symlink_to(other / "memory")
    found = find_days(tmp_path / "a", subfolders=False)
    assert found.days == {}
    assert [(warning.path, warning.code) for warning in found.warnings] == [("memory", "link_outside")]
