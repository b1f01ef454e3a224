import pytest

from autodream.reasoning.dates import foreign_date

DAY = "2026-04-11"  # a Saturday


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The gateway moved to port 8231.", "gateway on port 8231"),
        ("Deployed on 2026-04-11.", "deployed"),
        ("验收在 2026-04-12。", "明天验收"),
        ("The deploy of 2026-04-10 was rolled back.", "yesterday's deploy was rolled back"),
        ("评审在 2026-04-13。", "后天评审"),
        ("Release on 2026-04-14.", "release in 3 days"),
        ("Review on 2026-04-17.", "review on Friday"),
        ("评审在 4月15日。", "下周三评审"),
        ("The certificate ends on 30 June 2026.", "certificate valid until 2026-06-30"),
        ("The certificate ends on June 30, 2026.", "cert until 30.6."),
        ("证书 2026年6月30日 到期。", "证书 6月30日 到期"),
        ("Founded on 2019-02-03.", "founded on Feb 3rd, 2019"),
        ("Version 1.2.3 of 10.4.2 was used.", "version 1.2.3"),
        ("It may take 3 hours; in May 40 users came.", "may take 3 hours"),
    ],
)
def test_dates_of_the_source_and_those_that_follow_from_its_words_pass(text: str, source: str) -> None:
    assert foreign_date(text, source, DAY) is None


@pytest.mark.parametrize(
    ("text", "source", "words"),
    [
        ("Today is 27 June 2025: the gateway moved.", "the gateway moved", "27 June 2025"),
        ("On 2025-04-11 the gateway moved.", "the gateway moved", "2025-04-11"),
        ("验收在 2026-04-15。", "明天验收", "2026-04-15"),
        ("The deploy of 2026-04-13 was rolled back.", "yesterday's deploy was rolled back", "2026-04-13"),
        ("今天是2025年6月27日。", "网关改了", "2025年6月27日"),
        ("Moved on June 27.", "moved", "June 27"),
        ("到期日 7月1日。", "证书 2026-06-30 到期", "7月1日"),
        ("The certificate ends on 2027-06-30.", "certificate until 2026-06-30", "2027-06-30"),
    ],
)
def test_a_date_from_nowhere_is_named(text: str, source: str, words: str) -> None:
    assert foreign_date(text, source, DAY) == words
