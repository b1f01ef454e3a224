"""Many short phrasings of finished work and of mere statements, as other people might write them."""

import pytest

from tests.reasoning.rules.evaluate import facts_of, tasks_of

FINISHED = """
Dev | - ✅ Implemented cursor pagination for the orders API
Dev | - [x] Built a CLI that imports bank statements
Fix | - ✅ Resolved the memory leak in the image worker
Fix | - Fixed flaky login test by waiting for the cookie
Fix | - [x] Patched the race in the session cache (commit 8d21f0a)
Docs | - [x] Wrote the onboarding guide for new volunteers
Docs | - ✅ Documented the restore procedure in wiki/restore
Docs | - Updated CHANGELOG for 3.2
Config | - ✅ Changed the nginx timeout to 75 s
Config | - [x] Enabled HSTS on all hosts
Config | - Set up a cron job for the nightly export
Config | - ✅ Added an alert rule for queue length above 500
Config | - [x] Rotated the backup schedule to Sundays
Deploy | - ✅ Rolled out search 5.1 to all regions
Deploy | - [x] Released mobile app 7.0.3
Deploy | - Deployed hotfix 2.1.4 to production at 14:20
Deploy | - Shipped the new checkout to 10% of users
Analysis | - ✅ Analysed last month's churn: 60% left in week one
Analysis | - [x] Investigated the spike in 502s, it was the health checks
Analysis | - Benchmarked zstd against gzip, zstd is 3x faster
Other | - ✅ Paid the hosting invoice for May
Other | - [x] Called the dentist, appointment on 3 June
开发 | - ✅ 实现订单列表的游标分页
开发 | - [x] 开发了银行流水导入工具
开发 | - 完成用户画像模块的开发
修复 | - ✅ 解决图片服务内存泄漏
修复 | - [x] 修了登录页在 Safari 上白屏的问题
修复 | - 已修复库存为负的 bug,提交 8d21f0a
文档 | - ✅ 补充了恢复流程的文档
文档 | - [x] 撰写新人上手指南
文档 | - 更新 CHANGELOG 到 3.2
配置 | - ✅ 把 nginx 超时改为 75 秒
配置 | - [x] 所有主机开启 HSTS
配置 | - 新增告警规则:队列长度超过 500 报警
配置 | - ✅ 设置每晚导出的定时任务
部署 | - ✅ 搜索服务 5.1 全量上线
部署 | - [x] 发布移动端 7.0.3
部署 | - 14:20 把 2.1.4 部署到生产环境
部署 | - 新版结账页灰度发布到 10% 用户
分析 | - ✅ 分析上月流失:六成在第一周离开
分析 | - [x] 排查 502 突增,原因是健康检查
分析 | - 对比了 zstd 和 gzip,前者快三倍
其他 | - ✅ 缴了 5 月的服务器费用
其他 | - [x] 打电话约了牙医,6 月 3 日
其他 | - ✅ 参加了安全培训
"""
STATED = """
- The staging cluster runs Kubernetes 1.31 with three nodes.
- Rosa is on leave until Thursday.
- Invoices must be approved by two people.
- Our DNS provider is Northwind.
- The review of the contract is scheduled for 14 May.
- 合同评审安排在 5 月 14 日。
- 发票需要两人审批。
- 测试集群跑的是 Kubernetes 1.31。
- 部署脚本放在 deploy/ 目录下。
- 修复方案还在讨论。
- 文档由小李维护。
- 上线窗口是每周二晚上。
- Deployments happen on Tuesdays only.
- The fix is planned for June.
- Added sugar is not allowed in the recipes.
"""


@pytest.mark.parametrize("line", FINISHED.strip().split("\n"))
def test_finished_work_is_told_by_kind(line: str) -> None:
    kind, text = line.split(" | ")
    assert [found for found, _ in tasks_of(text)] == [kind]


@pytest.mark.parametrize("line", STATED.strip().split("\n"))
def test_statements_about_work_are_facts(line: str) -> None:
    assert tasks_of(line) == []
    assert facts_of(line) == [line[2:]]
