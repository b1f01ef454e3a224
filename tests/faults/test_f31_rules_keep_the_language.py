"""F31 · Chinese in, English out: the rules keep the diary's language and its identifiers."""

import pytest

from autodream.text import is_han
from tests.reasoning.rules.evaluate import facts_of, tasks_of


@pytest.mark.parametrize(
    "line",
    [
        "- ledger-sync 的 API 端口是 8230,健康检查走 /healthz。",
        "- ✅ 修复 SFTP 下载的重试",
        "- The tidewatch collector exposes metrics on port 9464.",
        "- Kafka:差异事件走 topic recon.diff.v2,保留 72 小时。",
    ],
)
def test_f31_language_and_identifiers_stay(line: str) -> None:
    [text] = [*facts_of(line), *(text for _, text in tasks_of(line))]
    assert is_han(text) == is_han(line)
    assert text in line


def test_f31_types_and_titles_follow_the_line() -> None:
    assert [kind for kind, _ in tasks_of("- ✅ 修复登录超时\n- ✅ Fixed the login timeout")] == [
        "修复",
        "Fix",
    ]
