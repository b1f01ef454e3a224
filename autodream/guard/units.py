"""Vocabularies of typed values, Chinese and English: complete closed classes, keys lower case."""

from typing import Final

__all__ = [
    "DAY_PARTS",
    "FREQUENCIES",
    "HAN_DIGITS",
    "INDEX_NOUNS",
    "MEASURES",
    "MONTHS",
    "NUMBER_WORDS",
    "PLACES_OF_WORK",
    "RELATIVE",
    "SCALES",
    "UNITS",
    "WEEKDAYS",
]


def _table(lines: str) -> dict[str, str]:
    """``canonical: form, form`` a line; every form, and the canonical itself, maps to the canonical."""
    table: dict[str, str] = {}
    for line in lines.strip().splitlines():
        name, _, forms = line.partition(":")
        table[name.strip()] = name.strip()
        table.update((form.strip(), name.strip()) for form in forms.split(",") if form.strip())
    return table


HAN_DIGITS: Final[dict[str, int]] = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {
    "〇": 0,
    "两": 2,
}
SCALES: Final[dict[str, int]] = {
    "十": 10, "百": 100, "千": 1_000, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "k": 1_000,
    "thousand": 1_000, "million": 10**6, "billion": 10**9,
}  # fmt: skip
MEASURES: Final = "个台条份项名位笔只张件颗间家本辆套种"  # count without being a unit: 6 个分区, 6 partitions

UNITS: Final = _table("""
ns: 纳秒, nanosecond, nanoseconds
us: 微秒, μs, microsecond, microseconds
ms: 毫秒, millisecond, milliseconds, msec, millis
s: 秒, 秒钟, second, seconds, sec, secs
min: 分钟, minute, minutes, mins
h: 小时, 个小时, 钟头, hour, hours, hr, hrs
d: 天, 日, day, days
w: 周, 星期, 礼拜, week, weeks
mo: 个月, 月, month, months
y: 年, 岁, year, years, years old
%: percent, per cent
pp: 个百分点, 百分点, percentage points, percentage point
‰: permille
bit: 比特, bits
kbit: kbits
mbit: mbits
gbit: gbits
tbit: tbits
byte: 字节, bytes
kb: kib, kilobyte, kilobytes
mb: mib, megabyte, megabytes
gb: gib, gigabyte, gigabytes
tb: tib, terabyte, terabytes
hz: 赫兹
khz: 千赫
mhz: 兆赫
ghz: 吉赫
mm: 毫米, millimetre, millimetres, millimeter, millimeters
cm: 厘米, 公分, centimetre, centimetres, centimeter, centimeters
m: 米, metre, metres, meter, meters
km: 公里, 千米, kilometre, kilometres, kilometer, kilometers
mile: 英里, miles
inch: 英寸, inches
ft: 英尺, feet, foot
m2: 平方米, 平米, square metres, square meters
mg: 毫克, milligram, milligrams
g: 克, gram, grams
kg: 公斤, 千克, kilogram, kilograms, kilo, kilos
jin: 斤
t: 吨, ton, tons, tonne, tonnes
ml: 毫升, millilitre, millilitres, milliliter, milliliters
l: 升, litre, litres, liter, liters
°c: ℃, 摄氏度, degrees celsius, celsius
°f: ℉, 华氏度, degrees fahrenheit, fahrenheit
deg: 度, degrees, degree
kcal: 千卡, 大卡, calories
w_: 瓦, watt, watts
kw: 千瓦, kilowatt, kilowatts
kwh: 千瓦时, 度电
v_: 伏, volt, volts
qps: 每秒请求
cny: 元, 块, 块钱, 人民币, yuan, rmb, ¥
jiao: 角, 毛钱
fen: 分钱
usd: 美元, 美金, dollar, dollars, $
eur: 欧元, euro, euros, €
gbp: 英镑, pound, pounds, £
jpy: 日元, yen
hkd: 港币, 港元
cent: 美分, cents
x: 倍, times, fold
times: 次, 回, 遍
person: 人, people, persons
page: 页, pages
line: 行, lines
char: 字, 字符, characters, chars
row: rows
item: 点
replica: 副本, replicas
core: 核, cores
""")
UNITS["times"] = UNITS["time"] = "times"  # "3 times" is 次; 倍 stays x
del UNITS["fold"], UNITS["time"]

MONTHS: Final[dict[str, int]] = {
    name: number
    for number, names in enumerate(
        ("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
         "september sept sep", "october oct", "november nov", "december dec"), 1,
    )
    for name in names.split()
}  # fmt: skip

WEEKDAYS: Final = _table("""
1: 一, monday, mon
2: 二, tuesday, tues, tue
3: 三, wednesday, wed
4: 四, thursday, thurs, thur, thu
5: 五, friday, fri
6: 六, saturday, sat
7: 日, 天, sunday, sun
67: 末, weekend
""")
for _number in ("1", "2", "3", "4", "5", "6", "7", "67"):
    del WEEKDAYS[_number]

DAY_PARTS: Final = _table("""
dawn: 凌晨, 清晨
am: 早上, 上午, 早晨, 早间, morning, mornings, in the morning
noon: 中午, 正午, midday
pm: 下午, 午后, afternoon, afternoons, in the afternoon
evening: 傍晚, 晚上, 晚间, 今晚, 当晚, evenings, in the evening
night: 夜里, 夜间, 深夜, 半夜, 午夜, nights, at night, midnight
""")
for _part in ("dawn", "am", "pm"):
    if _part != "dawn":
        del DAY_PARTS[_part]  # bare "am" is a verb; "10 am" is read by the clock
DAY_PARTS.update({"am": "am", "pm": "pm"})

RELATIVE: Final = _table("""
today: 今天, 今日
tonight: 今夜
tomorrow: 明天, 明日, 明早, 明晚
yesterday: 昨天, 昨日, 昨晚
+2d: 后天, the day after tomorrow
-2d: 前天, the day before yesterday
next week: 下周, 下星期, 下个星期, 下礼拜
last week: 上周, 上星期, 上个星期, 上礼拜
this week: 本周, 这周, 这星期
next month: 下个月, 下月
last month: 上个月, 上月
this month: 本月, 这个月
next year: 明年
last year: 去年
this year: 今年
quarter 1: q1, 一季度, 第一季度
quarter 2: q2, 二季度, 第二季度
quarter 3: q3, 三季度, 第三季度
quarter 4: q4, 四季度, 第四季度
weekdays: 工作日, working days, workdays, business days
weekend: 周末, weekends
month end: 月底, 月末, end of the month
month start: 月初, beginning of the month
year end: 年底, 年末, end of the year
""")

FREQUENCIES: Final = _table("""
daily: 每天, 每日, 天天, every day, each day, once a day, per day
nightly: 每晚, 每夜, every night, each night
every morning: 每天早上, 每早, each morning
every evening: 每天晚上, each evening
biweekly: 隔周, 每两周, every other week, every second week, biweekly
every other day: 隔天, 隔日, every second day, each second day, on alternate days
every other month: 隔月, every second month, bimonthly
every other year: 隔年, every second year
quarterly: 每季度, 每个季度, 每季, every quarter, each quarter, once a quarter, per quarter
weekly: 每周, 每星期, every week, each week, once a week, per week
monthly: 每月, 每个月, every month, each month, once a month, per month
yearly: 每年, every year, each year, annually, per year
hourly: 每小时, 每个小时, every hour, each hour, per hour
every minute: 每分钟, each minute, per minute
every second: 每秒, 每秒钟, each second, per second
""")
for _form in ("每天早上", "每天晚上", "每天下午", "每天上午", "每天凌晨"):
    FREQUENCIES.pop(_form, None)  # the part of the day belongs to the hour that follows

PLACES_OF_WORK: Final = _table("""
production: 生产环境, 生产, 线上环境, 线上, 正式环境, prod, the live system
staging: 预发环境, 预发布环境, 预发布, 预发, 预生产环境, 预生产, stage environment, pre-production, preprod
test: 测试环境, 测试服, testing environment, test environment
development: 开发环境, 开发机, dev environment, development environment
qa: qa environment
uat: uat环境, 验收环境
sandbox: 沙箱环境, 沙箱, 沙盒
canary: 灰度环境, 灰度, 金丝雀
this machine: 本地环境, 本机, localhost
load test: 压测环境, load-test
demo environment: 演示环境
mother: 妈妈, 母亲, 妈, 老妈, mom, mum, mummy
father: 爸爸, 父亲, 爸, 老爸, dad, daddy
grandmother: 奶奶, grandma, granny
maternal grandmother: 外婆, 姥姥
grandfather: 爷爷, grandpa
maternal grandfather: 外公, 姥爷
older sister: 姐姐, 大姐, 姐, elder sister, big sister
younger sister: 妹妹, little sister
older brother: 哥哥, 大哥, 哥, elder brother, big brother
younger brother: 弟弟, little brother
sister: sisters
brother: brothers
son: 儿子
daughter: 女儿
wife: 妻子, 老婆, 太太
husband: 丈夫, 老公
aunt: 阿姨, 姑姑, 姨妈, 舅妈
uncle: 叔叔, 舅舅, 姑父, 姨父, 伯伯
cousin: 表哥, 表弟, 表姐, 表妹, 堂哥, 堂弟, 堂姐, 堂妹, cousins
grandson: 孙子, 外孙
granddaughter: 孙女, 外孙女
nephew: 侄子, 外甥
niece: 侄女, 外甥女
boyfriend: 男朋友, 男友
girlfriend: 女朋友, 女友
parents: 父母, 爸妈
""")
for _kin in ("aunt", "uncle", "cousin", "grandson", "granddaughter", "nephew", "niece"):
    # the Chinese terms are finer than the English one: each keeps its own value
    for _form, _name in list(PLACES_OF_WORK.items()):
        if _name == _kin and not _form.isascii():
            PLACES_OF_WORK[_form] = _form
for _form in ("妈", "爸", "姐", "哥"):
    del PLACES_OF_WORK[_form]  # single characters occur inside names

_NUMBERS: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen twenty
"""
NUMBER_WORDS: Final[dict[str, str]] = {word: str(value) for value, word in enumerate(_NUMBERS.split())} | {
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90", "dozen": "12", "twice": "2",
}  # fmt: skip

_INDEXED: Final = """
step pr issue ticket phase stage chapter section item task sprint milestone room floor gate line bug case
order invoice batch shard node server host worker build appendix rule question experiment round group team
table figure page part lesson exercise episode season release patch migration commit request job run
machine channel lane platform track bus flight train apartment unit option variant plan policy clause
article version
步骤 阶段 工单 需求 缺陷 提交 批次 节点 机房 任务 渠道 分片 服务器 章 节 条 期 号 楼 层 组 班 轮 方案 实验
"""
# A number behind one of these says which one, not how much: it names the subject and never "changes".
INDEX_NOUNS: Final[frozenset[str]] = frozenset(_INDEXED.split())
