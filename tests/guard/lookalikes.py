"""Pairs that read alike and say different things: exchanged roles, antonyms, quantifiers, limits."""

__all__ = ["LOOKALIKES"]

_PAIRS = """
Kira reports to Lena|Lena reports to Kira
Kira reports to Lena|Lena is Kira's report
Kira is Lena's manager|Lena is Kira's manager
Kira is the manager of Lena|Lena is the manager of Kira
Ana transfers Bea to Cleo|Ana is transferred from Bea to Cleo
The proxy blocks the scanner|The scanner blocks the proxy
The proxy blocks the scanner|The proxy is blocked by the scanner
Kira introduced Lena to Mona|Kira introduced Mona to Lena
Kira introduced Lena to Mona|Mona introduced Lena to Kira
Replace nginx with caddy|Replace caddy with nginx
We replaced nginx with caddy|Caddy was replaced with nginx
We replaced nginx by caddy|We replaced caddy by nginx
Use tabs instead of spaces|Use spaces instead of tabs
Kira will replace Lena on the board|Lena will replace Kira on the board
Backups go from Oslo to Turin|Backups go from Turin to Oslo
Tuesday meeting moved to Thursday|Thursday meeting moved to Tuesday
The meeting moved from Tuesday to Thursday|The meeting moved from Thursday to Tuesday
Restart the worker after the migration|Restart the worker before the migration
Kira prefers tea to coffee|Kira prefers coffee to tea
Kira likes tea more than coffee|Kira likes coffee more than tea
The parser is faster than the lexer|The lexer is faster than the parser
The parser is faster than the lexer|The parser is slower than the lexer
If the build fails, page Kira|If the build passes, page Kira
Kira is allergic to nuts, Lena to milk|Kira is allergic to milk, Lena to nuts
The cache is cleared on deploy|The cache is cleared on restart
Feature flags are on by default|Feature flags are off by default
The door is open|The door is closed
Errors increased after the upgrade|Errors decreased after the upgrade
All tests passed except lint|All tests passed including lint
Kira agreed with Lena|Kira disagreed with Lena
Kira can drive|Kira cannot drive
Kira can drive|Kira can't drive
Kira does drink milk|Kira doesn't drink milk
Kira drinks milk|Kira hardly ever drinks milk
The relay is enabled|The relay is disabled
The job is idempotent|The job is not idempotent
The key is valid|The key is invalid
The report is complete|The report is incomplete
Kira was able to log in|Kira was unable to log in
It is likely to rain|It is unlikely to rain
The API is stable|The API is unstable
Deploy on Monday morning|Deploy on Monday evening
Two of the three nodes failed|Three of the three nodes failed
One of the nodes failed|All of the nodes failed
Some tests are flaky|All tests are flaky
Kira's bike is red|Kira's bike is blue
The cat sleeps on the sofa|The dog sleeps on the sofa
Kira has a sister|Kira has a brother
Most users are on Linux|Few users are on Linux
Kira left the team|Kira joined the team
Mount the volume read-only|Mount the volume read-write
Payment is due before June|Payment is due after June
The timeout is 5 s|The timeout is 5 min
The timeout is 1.5 s|The timeout is 15 s
Port 80 is open to all|Port 80 is closed to all
Send the file to Kira|Get the file from Kira
Kira sold Lena the car|Kira bought Lena's car
吴芳向钱进汇报|钱进向吴芳汇报
吴芳是钱进的经理|钱进是吴芳的经理
吴芳的经理是钱进|钱进的经理是吴芳
用制表符代替空格|用空格代替制表符
用甲方案替换乙方案|用乙方案替换甲方案
吴芳喜欢茶多过咖啡|吴芳喜欢咖啡多过茶
吴芳介绍钱进给许工|吴芳介绍许工给钱进
代理拦截扫描器|扫描器拦截代理
代理拦截扫描器|代理被扫描器拦截
会议从周二改到周四|会议从周四改到周二
上线前要重启|上线后要重启
构建失败时通知吴芳|构建成功时通知吴芳
开关默认打开|开关默认关闭
错误数升级后上升|错误数升级后下降
除了吴芳都去|包括吴芳都去
吴芳能开车|吴芳不会开车
吴芳喝牛奶|吴芳很少喝牛奶
全部节点失败|部分节点失败
吴芳加入了团队|吴芳离开了团队
吴芳有个姐姐|吴芳有个妹妹
周五前付款|周五后付款
只读挂载数据盘|读写挂载数据盘
接口是幂等的|接口是非幂等的
把文件发给吴芳|把文件从吴芳那里取回
接口稳定|接口不稳定
磁盘快满了|磁盘没满
吴芳住在城东|吴芳住在城西
吴芳早上跑步|吴芳晚上跑步
吴芳买了钱进的车|钱进买了吴芳的车
吴芳教钱进游泳|钱进教吴芳游泳
吴芳负责前端，钱进负责后端|吴芳负责后端，钱进负责前端
前端归吴芳，后端归钱进|后端归吴芳，前端归钱进
日志留30天，审计留90天|日志留90天，审计留30天
先测试再部署|先部署再测试
测试通过后再部署|部署通过后再测试
主库在杭州，备库在惠州|主库在惠州，备库在杭州
吴芳比钱进高3厘米|吴芳比钱进矮3厘米
服务A调用服务B|服务B调用服务A
服务 A 依赖服务 B|服务 B 依赖服务 A
提现审批人是吴芳|退款审批人是吴芳
每周一例会|隔周一例会
超过5000元要审批|不到5000元要审批
缓存在部署时清空|缓存在重启时清空
接口可能返回空|接口一定返回空
允许外网访问|禁止外网访问
允许外网访问|允许内网访问
向上取整|向下取整
升序排列|降序排列
同意延期|不同意延期
吴芳已到|吴芳未到
订单已付款|订单未付款
订单已支付|订单待支付
东门集合|西门集合
左转进站|右转进站
Choir meets every other Tuesday|Choir meets every Tuesday
Choir meets every third Tuesday|Choir meets every second Tuesday
The filter is changed every other month|The filter is changed every month
Choir meets on the first Tuesday of the month|Choir meets on the third Tuesday of the month
The first bidder got the roof contract|The third bidder got the roof contract
Grandma naps between one and two|Grandma naps between two and three
The bus leaves at one|The bus leaves at two
Conversion rose by 3 percent|Conversion rose by 3 percentage points
The mirror copies at 90 MB/s|The mirror copies at 90 Mb/s
The laser has 5 mW|The laser has 5 MW
Deliveries are accepted unless it snows|Deliveries are accepted if it snows
Rows are copied out of staging into archive|Rows are copied out of archive into staging
The pass is valid from 1 May|The pass is valid until 1 May
图片从PNG转成WebP|图片从WebP转成PNG
日志从Loki搬进Splunk|日志从Splunk搬进Loki
前轮刹车片换过了|后轮刹车片换过了
把前门的锁换掉|把后门的锁换掉
以前用Redis存会话|以后用Redis存会话
先前的方案是分库|后来的方案是分库
镜像拷贝速度是90MB/s|镜像拷贝速度是90Mb/s
转化率涨了3%|转化率涨了3个百分点
滤芯隔月换一次|滤芯每月换一次
"""
LOOKALIKES: list[tuple[str, str]] = [
    (a, b) for a, _, b in (line.partition("|") for line in _PAIRS.strip().splitlines())
]
