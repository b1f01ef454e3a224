"""F29: a paraphrase must not drift. Its numbers, ids, dates, versions and negation stand in its sources."""

import pytest

from autodream.guard.rewrite import check_rewrite


@pytest.mark.parametrize("cover", [True, False])
@pytest.mark.parametrize(
    ("source", "drifted"),
    [
        ("连接超时 12 秒后重连", "连接超时 20 秒后重连"),
        ("Do not restart the relay at noon", "Restart the relay at noon"),
        ("The fix is commit 7c41e9d", "The fix is commit 7c41e"),
        ("Release 2.4.1 is live since 3 May", "Release 2.4.1 is live since 5 May"),
    ],
)
def test_f29_a_drifted_rewrite_is_rejected(source: str, drifted: str, cover: bool) -> None:
    assert check_rewrite(drifted, [source], cover=cover)
    assert check_rewrite(source, [source], cover=cover) is None
