# ruff: noqa: E501  (tables of sentences)
"""Invented diary lines of several clauses: facts said anew, values that changed, and lines that only read alike.

Written before the clause layer was, on topics of no diary. One pair a line, older text first.
"""

__all__ = ["NEAR_MISSES", "OTHER_SUBJECTS", "RESTATED", "UPDATES", "pairs"]


def pairs(table: str) -> list[tuple[str, str]]:
    """The (older, newer) texts of a table."""
    lines = [line.split(" | ") for line in table.strip().splitlines()]
    return [(older.strip(), newer.strip()) for older, newer in lines]


RESTATED = {
    "zh": """
图片统一压成 WebP 再入库,原图保留三十天。 | 入库前图片都要转成 WebP 格式,原图只留 30 天。
夜间备份每天 01:15 启动,写到 /backup/pg-main,保留七份。 | 数据库每天凌晨一点一刻备份(01:15),目标目录 /backup/pg-main。
所有消息主题都以 wh.v2. 打头,老主题已经停用。 | Kafka 主题名统一用 wh.v2. 前缀,老主题停用了。
短信验证码有效期是 5 分钟,同一手机号每天最多 10 条。 | 验证码 5 分钟过期,每个手机号一天最多发 10 条。
老板:工作时间 9:00 到 18:00 不要重启打印服务。 | 提醒大家:9:00 到 18:00 工作时间内,谁都不许重启打印服务。
日志一律用 UTC 时间,不写本地时间。 | 所有日志的时间都按 UTC 记,不用本地时间。
订单号由 12 位数字组成,前两位是仓库编号。 | 订单编号统一 12 位数字,开头两位为仓库编号。
结论:体检报告保存 15 年,纸质件扫描后销毁。 | 体检报告要保存 15 年;纸质版扫描完就销毁。
接口限流是每秒 200 次,超过返回 429。 | API 每秒最多 200 次请求,超出的返回 429。
客户头像放在 s3://pic-store/avatar,尺寸限制 2 MB。 | 头像统一上传到 s3://pic-store/avatar,单张不超过 2 MB。
每周五 17:00 出周报,发到 report@lark.example。 | 周报在每周五 17:00 生成,收件人 report@lark.example。
烤箱温控每 10 秒采样一次,数据写入 oven_temp 表。 | 温控数据每隔 10 秒采一次,落在 oven_temp 表里。
密码至少 12 位,必须包含数字。 | 登录密码最少 12 位,而且必须带数字。
合同编号一律以 HT- 开头,旧编号不再使用。 | 所有合同的编号都以 HT- 打头,旧编号停用了。
冷库温度保持在零下 18 度,超出 2 度就报警。 | 冷库要保持 -18 度,偏差超过 2 度报警。
谁负责值班表?排班由沈悦负责。 | 排班表这边一直是沈悦在管。
会员积分一年后过期,过期前 30 天短信提醒。 | 积分有效期一年,到期前 30 天发短信提醒用户。
镜像只推到 registry.mint.example,不要用 Docker Hub。 | 注意:镜像统一推送到 registry.mint.example,不允许用 Docker Hub。
病历导出走 /v2/records/export,单次最多 500 条。 | 导出病历用 /v2/records/export 接口,每次不超过 500 条。
缓存 TTL 设为 300 秒,热门商品除外。 | 商品缓存 300 秒过期,热门商品不在此列。
灌溉每天 05:40 开始,持续 20 分钟,雨天跳过。 | 每天清晨五点四十(05:40)浇水,浇 20 分钟。
视频转码用 H.265,码率上限 4 Mbps。 | 转码统一 H.265,码率不超过 4 Mbps,旧视频不重转。
""",
    "en": """
Photos are stored as WebP, and the originals are kept for thirty days. | We keep every photo as WebP; originals stay for 30 days.
The nightly backup starts at 01:15 and writes to /backup/pg-main, seven copies are kept. | Backup of the database runs every night at 01:15, target /backup/pg-main.
Every topic name starts with wh.v2., old topics are no longer used. | All Kafka topics begin with wh.v2. and the old topics are not used any more.
SMS codes expire after 5 minutes, at most 10 codes per number and day. | A login code sent by SMS is valid for 5 minutes; one number gets at most 10 a day.
Boss: do not restart the print service during office hours, 9:00 to 18:00. | Reminder: from 9:00 to 18:00, office hours, nobody restarts the print service.
All log lines carry UTC times, never local time. | Logs are written with UTC timestamps, not with local time.
An order number has 12 digits, the first two are the warehouse. | Order numbers consist of 12 digits; the first two digits name the warehouse.
Decision: X-ray reports are kept for 15 years and paper copies are shredded after scanning. | X-ray reports have to be kept for 15 years, paper gets shredded once it is scanned.
The API is limited to 200 requests per second, beyond that it answers 429. | API rate limit: 200 requests per second, everything above gets a 429.
Avatars are uploaded to s3://pic-store/avatar, at most 2 MB each. | Avatar files live in s3://pic-store/avatar and must not exceed 2 MB.
The weekly report goes out every Friday at 17:00 to report@lark.example. | Every Friday at 17:00 the weekly report is sent to report@lark.example.
The oven sensor is sampled every 10 seconds and writes to oven_temp. | Oven readings are taken every 10 seconds, they land in the table oven_temp.
Passwords must have at least 12 characters and contain a digit. | A password needs at least 12 characters, one of them a digit.
Contract numbers always start with HT-, the old scheme is no longer used. | All contract numbers begin with HT-; the old scheme is gone.
The cold room stays at -18 degrees, an alarm fires beyond 2 degrees off. | We keep the cold room at -18 degrees; more than 2 degrees off raises an alarm.
Who runs the roster? The roster is run by Hilde. | Hilde runs the roster, as before.
Loyalty points expire after one year, customers get an SMS 30 days before. | Points are valid for one year, and 30 days before they expire the customer gets an SMS.
Images are pushed only to registry.mint.example, never to Docker Hub. | Note: push images to registry.mint.example only, not to Docker Hub.
Exports of patient records use /v2/records/export, at most 500 per call. | To export patient records call /v2/records/export; the maximum is 500 per call.
The product cache lives for 300 seconds, except for bestsellers. | Product cache entries expire after 300 seconds, bestsellers excepted.
Irrigation starts at 05:40 every day and runs for 20 minutes, it is skipped when it rains. | Each morning at 05:40 the irrigation starts, for 20 minutes.
Videos are transcoded to H.265 with at most 4 Mbps. | All videos get transcoded to H.265, the bitrate is at most 4 Mbps, old videos stay as they are.
""",
}

# The later text gives one value of the older anew, or says that its plan is done.
UPDATES = {
    "zh": """
printer-hub 的管理端口是 9180,日志在 /var/log/hub。 | 9180 和监控冲突。printer-hub 的管理端口从 9180 改为 9185,防火墙规则也改了。
门诊值班谁负责?看了表,门诊值班负责人是许岚。 | 门诊值班负责人从许岚换成邵安,今天(2026-03-09)起生效。
库存低于 20 件触发补货,每天检查两次。 | 补货太频繁,和老板商量后把补货阈值从 20 件调到 12 件。
会议室预约系统的域名是 room.oak.example,走内网。 | 会议室预约系统的域名从 room.oak.example 改为 meet.oak.example,旧域名保留一个月。
备份保留 14 天,存在北京机房。 | 磁盘紧张,备份保留时间从 14 天改成 7 天。
周会定在周二 10:00,地点三楼。 | 周会从周二改到周四,还是 10:00,地点不变。
抽检比例是 5%,每批都抽。 | 客诉变多了,抽检比例从 5% 提高到 8%,本周起执行。
网关超时 3 秒,不重试。 | 上游变慢,网关超时从 3 秒调整为 6 秒。
主播房间上限 50 人,超出排队。 | 房间上限现在是 80 人,老配置已删除。
商品图放在 s3://shop-img/v1,旧图片下周二删除。 | 商品图放在 s3://shop-img/v1,旧图片已经删除。
调度器监听 7710 端口,只对内网开放。 | 调度器端口从 7710 换成 7720,只对内网开放。
""",
    "en": """
The printer hub listens on port 9180, logs go to /var/log/hub. | 9180 clashes with monitoring. The printer hub moved its port from 9180 to 9185, firewall rules included.
Who runs the outpatient roster? Checked the table, the outpatient roster is run by Hilde. | Handover: the outpatient roster is now run by Selma, Hilde moved to the ward.
Stock below 20 boxes triggers an order, checked twice a day. | Too many orders. Agreed with Boss: the stock threshold goes from 20 boxes to 12 boxes.
The room booking system is at room.oak.example, intranet only. | The room booking system moved from room.oak.example to meet.oak.example, the old name works for a month.
Backups are kept for 14 days, in the Berlin data centre. | Disks are filling up. Backups are now kept for 7 days.
The weekly meeting is on Tuesday at 10:00, third floor. | The weekly meeting moved from Tuesday to Thursday, same time and place.
The sampling rate is 5%, every batch is sampled. | More complaints: the sampling rate goes from 5% to 8% this week.
The gateway timeout is 3 seconds, no retries. | Upstream got slower, so the gateway timeout was raised from 3 seconds to 6 seconds.
A room holds at most 50 guests, the rest has to queue. | A room now holds at most 80 guests, the old config is gone.
Product images live in s3://shop-img/v1, old images get deleted next Tuesday. | Product images live in s3://shop-img/v1, the old images are deleted.
The scheduler listens on port 7710, intranet only. | The scheduler now listens on port 7720, intranet only.
""",
}

NEAR_MISSES = {
    "zh": """
测试环境打印服务监听 9180,日志写到 /var/log/hub。 | 预发环境打印服务监听 9180,日志写到 /var/log/hub。
备份每天 01:15 启动,写到 /backup/pg-main。 | 备份每天 01:15 启动,写到 /backup/pg-user。
短信验证码 5 分钟过期,每天最多 10 条。 | 邮件验证码 5 分钟过期,每天最多 10 条。
日志用 UTC 时间,不写本地时间。 | 日志用本地时间,不写 UTC 时间。
发布前必须先停 worker,再跑迁移。 | 发布前必须先跑迁移,再停 worker。
退货由许岚审批,超过 800 元要复核。 | 退货由许兰审批,超过 800 元要复核。
工作时间不要重启打印服务,9:00 到 18:00。 | 工作时间可以重启打印服务,9:00 到 18:00。
每周五 17:00 出周报,发给财务。 | 每周五 17:00 出周报,发给法务。
手册第 3 步停掉全部任务,然后备份。 | 手册第 4 步停掉全部任务,然后备份。
接口限流每秒 200 次,超过返回 429。 | 接口限流每秒 200 次,超过返回 503。
体检报告保存 15 年,纸质件扫描后销毁。 | 体检报告保存 15 年,纸质件扫描后不销毁。
缓存 TTL 300 秒,热门商品除外。 | 缓存 TTL 300 分钟,热门商品除外。
合同由甲方寄给乙方,三天内签回。 | 合同由乙方寄给甲方,三天内签回。
冷库温度超过 2 度报警,短信通知值班。 | 冷库温度低于 2 度报警,短信通知值班。
一期验收定在 3 月 9 日,地点杭州。 | 二期验收定在 3 月 9 日,地点杭州。
图片压成 WebP,原图保留 30 天。 | 图片压成 WebP,缩略图保留 30 天。
旧主题月底删除,新主题前缀 wh.v2.。 | 旧主题月底归档,新主题前缀 wh.v2.。
订单服务重试 3 次,间隔 5 秒。 | 账单服务重试 3 次,间隔 5 秒。
灌溉每天 05:40 开始,雨天跳过。 | 灌溉每天 05:40 开始,雨天也不跳过。
老板:周报抄送林苗,不抄送林淼。 | 老板:周报抄送林淼,不抄送林苗。
从仓库 A 调 20 箱到仓库 B,周三到。 | 从仓库 B 调 20 箱到仓库 A,周三到。
密码至少 12 位,必须带数字。 | 密码至少 12 位,不必带数字。
视频转码用 H.265,码率上限 4 Mbps。 | 视频转码用 H.264,码率上限 4 Mbps。
头像放在 s3://pic-store/avatar,限 2 MB。 | 头像放在 s3://pic-store/avatar,限 20 MB。
日志保留 30 天,指标保留 90 天。 | 日志保留 90 天,指标保留 30 天。
mint-api 1.4.0 部署到测试环境,重启两个实例。 | mint-api 1.4.1 部署到测试环境,重启两个实例。
支付回调最多等 12 秒,失败重试 3 次。 | 退款回调最多等 12 秒,失败重试 3 次。
导出病历走 /v2/records/export,单次最多 500 条。 | 导入病历走 /v2/records/import,单次最多 500 条。
库存服务由沈悦负责,订单服务由许岚负责。 | 库存服务由许岚负责,订单服务由沈悦负责。
重启打印服务需要审批,值班也不例外。 | 重启打印服务不需要审批,值班也不例外。
每天 04:30 上传账单到 SFTP,目录 /inbound/x。 | 每天 04:30 从 SFTP 下载账单,目录 /inbound/x。
只有管理员能删订单,其他人只能看。 | 只有管理员能看订单,其他人不能删。
主库写入走 10.1.2.3,读走从库。 | 从库写入走 10.1.2.3,读走主库。
发票服务今天很慢。重试间隔是 5 秒,最多 3 次。 | 登录代理刚上线。重试间隔是 5 秒,最多 3 次。
停掉队列,再跑归档。 | 跑归档,再停掉队列。
周会定在周二 10:00,地点三楼。 | 周会定在周二 10:00,已取消。
导出任务写磁盘,间隔 5 秒重试。 | 通知任务发邮件,间隔 5 秒重试。
仓库主管审批调拨,超过 50 箱要签字。 | 仓库主管审批报废,超过 50 箱要签字。
""",
    "en": """
The staging print service listens on 9180, logs go to /var/log/hub. | The production print service listens on 9180, logs go to /var/log/hub.
The backup starts at 01:15 and writes to /backup/pg-main. | The backup starts at 01:15 and writes to /backup/pg-user.
SMS codes expire after 5 minutes, at most 10 a day. | Email codes expire after 5 minutes, at most 10 a day.
Logs use UTC, never local time. | Logs use local time, never UTC.
Stop the workers first, then run the migration. | Run the migration first, then stop the workers.
Returns are approved by Hilde, above 800 euros they are reviewed. | Returns are approved by Hilda, above 800 euros they are reviewed.
Do not restart the print service during office hours, 9:00 to 18:00. | It is fine to restart the print service during office hours, 9:00 to 18:00.
The weekly report is made on Friday at 17:00, it goes to finance. | The weekly report is made on Friday at 17:00, it goes to legal.
Runbook step 3 stops all jobs, then a backup is made. | Runbook step 4 stops all jobs, then a backup is made.
The API is limited to 200 requests per second, beyond that it answers 429. | The API is limited to 200 requests per second, beyond that it answers 503.
X-ray reports are kept for 15 years, paper copies are shredded. | X-ray reports are kept for 15 years, paper copies are not shredded.
Cache entries live for 300 seconds, except for bestsellers. | Cache entries live for 300 minutes, except for bestsellers.
The buyer sends the contract to the seller, it is due in three days. | The seller sends the contract to the buyer, it is due in three days.
Above 2 degrees the cold room raises an alarm, the shift gets an SMS. | Below 2 degrees the cold room raises an alarm, the shift gets an SMS.
Phase one is accepted on 9 March, in Lyon. | Phase two is accepted on 9 March, in Lyon.
Photos are stored as WebP, originals are kept for 30 days. | Photos are stored as WebP, thumbnails are kept for 30 days.
Old topics get deleted at the end of the month, new ones start with wh.v2. | Old topics get archived at the end of the month, new ones start with wh.v2.
The order service retries 3 times and waits 5 seconds in between. | The invoice service retries 3 times and waits 5 seconds in between.
Irrigation starts at 05:40 every day, it is skipped when it rains. | Irrigation starts at 05:40 every day, it is not skipped when it rains.
Boss: copy Ilse on the report, not Elsa. | Boss: copy Elsa on the report, not Ilse.
Move 20 boxes from hall A to hall B, they arrive on Wednesday. | Move 20 boxes from hall B to hall A, they arrive on Wednesday.
Passwords need at least 12 characters, a digit is required. | Passwords need at least 12 characters, a digit is not required.
Videos are transcoded to H.265, at most 4 Mbps. | Videos are transcoded to H.264, at most 4 Mbps.
Avatars live in s3://pic-store/avatar, at most 2 MB. | Avatars live in s3://pic-store/avatar, at most 20 MB.
Logs are kept for 30 days, metrics are kept for 90 days. | Logs are kept for 90 days, metrics are kept for 30 days.
Deployed mint-api 1.4.0 to staging, two instances restarted. | Deployed mint-api 1.4.1 to staging, two instances restarted.
Payment callbacks wait at most 12 seconds, failures are retried 3 times. | Refund callbacks wait at most 12 seconds, failures are retried 3 times.
Records are exported with /v2/records/export, at most 500 per call. | Records are imported with /v2/records/import, at most 500 per call.
Hilde owns the stock service and Selma owns the order service. | Selma owns the stock service and Hilde owns the order service.
A restart needs an approval, the shift is no exception. | A restart needs no approval, the shift is no exception.
Statements are uploaded to SFTP at 04:30, the folder is /inbound/x. | Statements are downloaded from SFTP at 04:30, the folder is /inbound/x.
Only admins delete orders, others may look at them. | Only admins look at orders, others may not delete them.
Writes go to 10.1.2.3, reads go to the replica. | Reads go to 10.1.2.3, writes go to the replica.
The invoice exporter was slow today. It waits 5 seconds between retries, at most 3 times. | The login proxy is new. It waits 5 seconds between retries, at most 3 times.
Stop the queue, then run the archive. | Run the archive, then stop the queue.
The weekly meeting is on Tuesday at 10:00, third floor. | The weekly meeting is on Tuesday at 10:00, cancelled.
The exporter writes to disk, it waits 5 seconds between retries. | The notifier sends mails, it waits 5 seconds between retries.
The store manager approves transfers, above 50 boxes she signs. | The store manager approves write-offs, above 50 boxes she signs.
""",
}

# The later text changes a value of another subject: the older keeps its own.
OTHER_SUBJECTS = {
    "zh": """
测试环境打印服务的端口是 9180,日志在 /var/log/hub。 | 预发环境打印服务的端口从 9180 改为 9185,日志在 /var/log/hub。
对账模块负责人是许岚,备份人是邵安。 | 结算模块负责人从许岚换成邵安,今天起生效。
库存低于 20 件触发补货,每天检查两次。 | 订单超过 20 件触发审核,阈值从 20 件调到 12 件。
发票服务今天很慢,重试间隔是 5 秒。 | 登录代理刚上线,重试间隔是 6 秒。
退货由许岚审批,超过 800 元要复核。 | 换货由许岚审批,超过 900 元要复核。
手册第 3 步停掉全部任务,等 5 分钟。 | 手册第 4 步停掉全部任务,等 6 分钟。
一期验收定在 3 月 9 日,地点杭州。 | 二期验收定在 3 月 19 日,地点杭州。
日志保留 30 天,指标保留 90 天。 | 快照保留 60 天,指标保留 90 天。
商品图旧版下周二删除,存在 s3://shop-img/v1。 | 用户头像旧版已经删除,存在 s3://shop-img/v1。
""",
    "en": """
The staging print service listens on port 9180, logs go to /var/log/hub. | The production print service moved its port from 9180 to 9185, logs go to /var/log/hub.
The ledger module is owned by Hilde, Selma is the deputy. | Handover: the billing module is now owned by Selma, Hilde left.
Stock below 20 boxes triggers an order, checked twice a day. | Orders above 20 boxes trigger a review, the threshold goes from 20 boxes to 12 boxes.
The invoice exporter was slow, retries wait 5 seconds. | The login proxy is new, retries wait 6 seconds.
Returns are approved by Hilde, above 800 euros they are reviewed. | Exchanges are approved by Hilde, above 900 euros they are reviewed.
Runbook step 3 stops all jobs, it takes 5 minutes. | Runbook step 4 stops all jobs, it takes 6 minutes.
Phase one is accepted on 9 March, in Lyon. | Phase two is accepted on 19 March, in Lyon.
Logs are kept for 30 days, metrics are kept for 90 days. | Snapshots are kept for 60 days, metrics are kept for 90 days.
Old product images get deleted next Tuesday, they live in s3://shop-img/v1. | Old avatars are deleted, they lived in s3://shop-img/v1.
""",
}
