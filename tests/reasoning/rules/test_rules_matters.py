"""Pairs of days that tell of one matter, each in other words: how many are found, and as what."""

from autodream.reasoning.base import Insight
from autodream.reasoning.rules.reflect import reflect
from autodream.reasoning.rules.summary import summarise_day
from tests.reasoning.rules.evaluate import chunks_of

H = "### [09:00] Session dev:main\n"
MATTERS = [
    (
        "repeated_error",
        "- The nightly sync died with ECONNRESET at 01:12, restarted by hand.",
        "- Nightly sync down with ECONNRESET once more, at 01:40.",
    ),
    (
        "repeated_error",
        "- Scanner in hall 2 shows code F14 and does not feed paper.",
        "- Hall 2 scanner: F14 again, rollers cleaned.",
    ),
    (
        "repeated_error",
        "- pytest hangs in test_stream on the Mac runner, killed after 30 minutes.",
        "- test_stream hung on the Mac runner another time.",
    ),
    (
        "repeated_error",
        "- Two orders were charged twice after the webhook was retried.",
        "- Another double charge: the webhook was retried and nobody deduplicates.",
    ),
    (
        "repeated_error",
        "- The mail queue stood still because the disk quota of /var/spool was reached.",
        "- Mail queue stuck again, quota of /var/spool.",
    ),
    (
        "own_slip",
        "- I booked the wrong terminal for Mr Sato, my oversight.",
        "- Again the wrong terminal for Mr Sato, I did not read the ticket.",
    ),
    (
        "own_slip",
        "- Pushed to main directly instead of opening a pull request, my bad.",
        "- Oops, pushed straight to main again without a pull request.",
    ),
    (
        "own_slip",
        "- I left the staging flag on in the release build. My fault.",
        "- Shipped the release build with the staging flag on, entirely my mistake.",
    ),
    (
        "user_correction",
        f"{H}- Boss: summary?\n- dev: Here is the full history of the project, from the start.\n- Boss: "
        f"Shorter please, three lines are enough.",
        f"{H}- Boss: status?\n- dev: Let me walk you through everything that happened since Monday.\n- "
        f"Boss: Three lines, I said.",
    ),
    (
        "user_correction",
        f"{H}- Boss: is it booked?\n- dev: Booked the cheapest flight.\n- Boss: I don't want layovers, "
        f"book direct flights.",
        f"{H}- Boss: and Oslo?\n- dev: Booked via Frankfurt, 80 euro cheaper.\n- Boss: Direct flights "
        f"only, how many times.",
    ),
    (
        "user_correction",
        f"{H}- Boss: draft?\n- dev: I used the passive voice throughout.\n- Boss: Use active voice, not "
        f"passive.",
        f"{H}- Boss: and the blog?\n- dev: It was written in passive voice.\n- Boss: Please, active voice.",
    ),
    (
        "detour",
        "- Chased the login bug through the proxy and the cookies for three hours; it was the clock of "
        "the phone. Check the clock first.",
        "- Login bug: two hours on cookies and proxy before looking at the phone's clock.",
    ),
    (
        "detour",
        "- Rebuilt the whole image to find the missing font, a waste: fc-list would have told me at once.",
        "- Again rebuilt the image because of the missing font, should have run fc-list.",
    ),
    ("repeated_error", "- 凌晨同步报 ECONNRESET 挂了,手工重启。", "- 同步又挂在 ECONNRESET,01:40。"),
    ("repeated_error", "- 二号厅扫描仪显示 F14,不进纸。", "- 二号厅扫描仪还是 F14,清了滚轮。"),
    (
        "repeated_error",
        "- 两笔订单在 webhook 重试后被重复扣款。",
        "- 又有一笔重复扣款,还是 webhook 重试没有去重。",
    ),
    (
        "repeated_error",
        "- 邮件队列不动了,/var/spool 配额满。",
        "- 邮件队列再次不动,原因同上:/var/spool 配额。",
    ),
    ("own_slip", "- 航站楼订错了,是我没看清机票。", "- 又把航站楼订错,没仔细看机票,我的责任。"),
    ("own_slip", "- 发版时把测试开关带上去了,怪我。", "- 发版又带上了测试开关,自己没检查。"),
    (
        "user_correction",
        f"{H}- Boss: 总结呢?\n- dev: 从项目开始说起,一共经历了三个阶段。\n- Boss: 太长了,三行就够。",
        f"{H}- Boss: 进度?\n- dev: 周一到今天发生了很多事情。\n- Boss: 说过了,三行就够。",
    ),
    (
        "user_correction",
        f"{H}- Boss: 票订了?\n- dev: 订了最便宜的。\n- Boss: 不要中转,只订直飞。",
        f"{H}- Boss: 奥斯陆呢?\n- dev: 从法兰克福转,便宜 80 欧。\n- Boss: 只要直飞,别再订中转。",
    ),
    (
        "user_correction",
        f"{H}- Boss: 稿子?\n- dev: 全文用了书面语。\n- Boss: 口语一点,别用书面语。",
        f"{H}- Boss: 公众号那篇?\n- dev: 用书面语写好了。\n- Boss: 我要的是口语,不是书面语。",
    ),
    (
        "detour",
        "- 登录问题查代理、查 cookie 三个小时,其实是手机时间不准。先看时间。",
        "- 登录问题又查了两小时 cookie 和代理,才想起看手机时间。",
    ),
    (
        "detour",
        "- 为了找缺的字体重做了整个镜像,白做了,fc-list 一看便知。",
        "- 又为缺字体重做镜像,早该跑 fc-list。",
    ),
]


def found(first: str, second: str) -> list[Insight]:
    days = [("2026-04-12", first), ("2026-04-15", second)]
    return reflect([summarise_day(chunks_of(text, day)) for day, text in days], [])


def test_nine_of_ten_matters_are_found() -> None:
    missed = [first for _, first, second in MATTERS if len(found(first, second)) != 1]
    assert len(missed) <= len(MATTERS) * 0.1, missed


def test_nearly_all_have_their_dimension() -> None:
    told = [(dimension, found(first, second)) for dimension, first, second in MATTERS]
    wrong = [insights for dimension, insights in told if insights and insights[0].dimension != dimension]
    assert len(wrong) <= len(MATTERS) * 0.1, wrong


def test_different_matters_are_kept_apart() -> None:
    english = [matter for matter in MATTERS if matter[1].isascii() and matter[0] != "user_correction"]
    uncalled = []
    for one in english:
        for other in english:
            if one is not other:
                uncalled += found(one[1], other[2])
    assert len(uncalled) <= 2, uncalled
