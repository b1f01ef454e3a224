"""English vocabulary of the guard (see ``lexicon``). One group a line; ``!`` gives the marks a group sets."""

from typing import Final

__all__ = [
    "ATTRIBUTES_EN",
    "BE_EN",
    "DETERMINERS_EN",
    "DROPPED_EN",
    "HEADS_EN",
    "MARKS_EN",
    "NOUNS_EN",
    "PHRASES_EN",
    "SPLITTING_EN",
    "SYNONYMS_EN",
    "VERBS_EN",
]

DROPPED_EN: Final = """
a an the this that these those it its he she they them him his her hers their theirs our ours us we you
your yours my mine me i is are was were be been being am 's do does did has have had having there here as
also too just very so and who whom which what when where whose each every all any both please such quite
rather really currently if while whether though although because since therefore thus hence still yet
again already with of for in on at during via through per about within upon onto amid along 're 've 'd 'll
itself themselves myself one ones else remember decision note reminder everybody everyone always
"""

DETERMINERS_EN: Final = "the a an its his her their my our your this that these those of 's each every all "
BE_EN: Final = "is are was were be been being gets got "
SPLITTING_EN: Final = "and but while whereas because since although so unless or "  # begin another clause
# A verb or attribute before one of these is part of a system's name.
HEADS_EN: Final = """
service queue gateway platform module engine cluster server system team index cache webhook store database bus
worker controller proxy api app portal dashboard broker
"""

# Marks: see lexicon.Entry. "from" and "to" stand before their filler.
MARKS_EN: Final = """
not: not, no, never, none, nobody, nothing, neither, nor, without, cannot, hardly, n't, unable, no-one, off
not: except, unless
must: must, should, shall, ought
may: may, might, could, can
plan: will, would, 'll
some: some, several, few, partly, partially
only: only, solely, exclusively
change: now, henceforth, nowadays, instead
from: from
to: to, into, onto, toward, towards, until, till
by: by
than: than, over
before: before, until, till
after: after
first: first, firstly
then: then, afterwards, subsequently, secondly
"""

PHRASES_EN: Final = """
not: no longer, not any more, not anymore, any longer
not may: must not, must never, shall not, should not, should never, must n't, should n't, may not, may never
not may: can not, cannot ever, could not, must no longer, may no longer, can no longer
not must: need not, do not need to, does not need to, do not have to, does not have to, not required
not must: not necessary, no need to, not needed
must: have to, has to, had to, need to, needs to, required to, needed to
plan: going to, plan to, plans to, planned to, intend to, intends to
some: one of, a few, some of, part of, half of, most of, a couple
ge: at least, no less than, not less than, more than, or more, greater than, no fewer than
le: at most, no more than, not more than, less than, fewer than, or less, up to a maximum of
than: instead of, rather than, in place of, in favour of, in favor of, in preference to
before: prior to, ahead of, earlier than
after: later than
from: out of
change: as of now, from now on, any more
--
up: go up, goes up, went up, gone up, going up
down: go down, goes down, went down, gone down, going down
start: kick off, kicked off, kicks off
store: write down, wrote down, go into, goes into, went into, live in, lives in, put in, puts in
send: go out, goes out, went out
stop: no longer used, not used any more, not used anymore, no longer in use, out of use
backup: back up, backed up, backs up, backing up
hand: hand over, hands over, handed over, handing over, hand off, handed off, handoff, pass on, passed on
hand: take over, takes over, took over
own: in charge, responsible for, accountable for, belongs to, belong to, looks after, look after, take care
own: takes care
find: find out, found out
travel!to: leave for, leaves for, left for, leaving for
timeout: time out, times out, timed out, timing out
retry: try again, tries again, tried again
trading_hours: trading hours, market hours, markets are open, market is open
setup: set up, sets up, setting up
close: shut down, shuts down
expire: run out, runs out, ran out, running out
agree!not: turn down, turned down, turns down
early: ahead of schedule
mind: watch out, look out, pay attention, keep in mind, bear in mind, be careful
delete: is gone, are gone, been removed
!may: is fine, are fine, it is fine to, is ok, are ok, is okay, okay to, ok to, fine to, free to, able to
direct: on call
"""

SYNONYMS_EN: Final = """
start: start, begin, commence, launch_
stop: stop, halt, cease, end
use: use, utilise, utilize, employ
store: store, save, persist, record
keep: keep, retain, retention, hold, stay, remain
move: move, shift, reschedule
postpone: postpone, delay, defer
change: change, modify, alter, edit, amend
be!change: become
set: set, configure
travel: travel, trip, journey, leave, go, depart
fly: fly, flight
arrive: arrive, come, reach, arrival
listen: listen, listener
copy: copy, replicate
sync: sync, synchronise, synchronize
upgrade: upgrade
downgrade: downgrade
up: rise, increase, grow, climb, raise, growth, up, upward
down: fall, decrease, drop, decline_, lower, sink, reduce, shrink, down, downward
!may: allow, permit, fine, okay, ok, acceptable, admissible
!not may: forbid, forbidden, prohibit, disallow, ban
mind: mind, careful, attention, beware, caution, watch
allergy: allergic, allergy
like: like, love, enjoy, fond, prefer, preference
like!not: dislike, hate
hand: hand, handover
own: own, owner, responsible, responsibility
agree: agree, consent, agreement, approve, approval
agree!not: refuse, decline, reject, disagree
!not: cancel, cancellation, abandon, avoid, lack
fail: fail, failure
success: succeed, success, successful
repair: repair, resolve, solve, fix
delete: delete, remove, erase
add: add, insert, append
create: create, make, build_
run: run, execute, execution
check: check, verify, validate, verification
restart: restart, reboot
send: send, deliver
receive: receive, get, obtain
show: show, display
finish: finish, complete, completion, done
write: write, land, output
read: read
enable: enable, activate
stop!not: disable, deactivate
start: switch
open: open
close: close
deploy: deploy, deployment
release: release
install: install, installation
download: download, fetch, pull
upload: upload
push: push
notify: notify, notification, alert_, inform
buy: buy, purchase
sell: sell
pay: pay, payment_
meet: meet, meeting
live: live, reside
work: work
eat: eat
drink: drink
wait: wait
retry: retry
exceed!ge: exceed, above
below!le: below, under
direct: direct, directly, straight
default: default
require!must: require, mandatory, compulsory, need
early: earlier, early
late: later, late
daily: daily
count: count
allocate: allocate, assign
convert: convert, transform
compress: compress
encrypt: encrypt
test_: testing
expose: expose
serve: serve
move: migrate, migration, relocate
switch: switch
choose: choose, pick, select
learn: learn
teach: teach
visit: visit
call: call
ask: ask
report: report
review: review
sign: sign
plan: plan, schedule
due: due
wish: want, wish
know: know
say: say, tell
give: give
take: take
happen: happen, occur
cause: cause
help: help
try: try, attempt
trigger: trigger
handle: handle, process
contain: contain, include
support: support
return: return
split: split
join: join
merge: merge
replace: replace
rename: rename
reset: reset
"""

# What a thing has. One on a single side is harmless ("the API timeout" / "the timeout value of the API").
ATTRIBUTES_EN: Final = """
port: port
timeout: timeout
threshold: threshold
version: version
birthday: birthday
address: address
deadline: deadline
value: value
type: type, kind
job_: job
config: config, configuration, setting
validity: validity
budget: budget
permission: permission
target: target
location: location
role: role
salary: salary
age: age
phone: phone
usage: usage
capacity: capacity
frequency: frequency
millisecond: millisecond
second: second
minute: minute
hour: hour
request: request
data: data, info, information
format: format
column: column
field: field
key: key
prefix: prefix
name: name, title
number: number
amount: amount
size: size
limit: limit
rate: rate
level: level
status: status
state: state
date: date
time: time, timestamp
day: day
night: night
place: place
order: ordering
reason: reason
result: result
purpose: purpose
system: system
path: path, directory, folder
integer: integer, int
string: string, text
database: database, db
price: price, cost
password: password
"""

# Common nouns, so that their plurals are known: an unlisted word keeps its -s, it may be a name.
NOUNS_EN: Final = """
backup service pod sample user file alert log request response server client cluster queue index cache
gateway webhook event message topic partition table row database schema record entry document page image
video container node host region zone bucket object token secret certificate credential session account
customer tenant invoice order payment refund receipt bill transaction balance budget team member manager
engineer developer designer colleague friend guest child kid student teacher doctor patient dentist nurse
neighbour neighbor boss dinner lunch breakfast party concert flight train bus car bike house room
apartment office kitchen garden market shop store_ restaurant hotel airport station school university
hospital peanut nut egg cake apple mango tomato potato coffee tea milk wine beer dog cat bird plant tree
book song film movie game sport lesson class course exam project product feature bug ticket task story
sprint branch tag pipeline stage step phase rule policy script tool library package module function method
parameter argument option flag setting variable environment worker thread connection socket endpoint route
header cookie form button screen panel dashboard chart graph metric measurement sensor device printer
laptop phone tablet keyboard camera battery cable switch_ router firewall network domain hour minute
second day week month year morning evening holiday weekend season euro dollar percent rent salary fee tax
discount contract agreement_ proposal offer letter email newsletter error warning exception crash incident
outage drill migration rollout rollback deployment_ replica shard snapshot restore_ upload_ artifact
image_ registry chart_ template snippet comment question answer issue writer reader owner_ holder
duplicate peak digest summary entity prefix_ suffix pair group list set_ map array vector embedding model
prompt chunk memory agent channel room_ seat window door shipment parcel warehouse supplier vendor partner
"""

# Other common verbs, each only itself: known as verbs, they are inflected and may stand elsewhere.
VERBS_EN: Final = """
mentor owe lend borrow fly sit stand depend rely assign expect expire chair attend host organise organize
arrange book reserve register subscribe unsubscribe connect disconnect monitor restore migrate scale
decompress decrypt parse render compile evaluate estimate calculate compute sum export import commit
contact discuss negotiate train hire interview resign return walk run jog swim exercise cook clean wash
wear sing play draw paint photograph watch look listen speak talk answer practise practice revise
graduate marry divorce cure treat operate grow plant water maintain replace install uninstall drive ride
park rent lease transfer invest sign renew purchase ship complain confirm inspect investigate reproduce
optimise optimize refactor rewrite archive mark filter sort search query browse click enter print scan
record translate convert forward invite block authorise authorize limit throttle bill charge settle
freeze hang belong equal consume reach exceed provide supply pass propose raise initiate cover affect
influence lead mean suggest recommend promise guarantee serve worry fear trust doubt respect thank
apologise apologize forgive accompany criticise criticize praise encourage teach coach follow join leave
skip miss catch throw lift carry bring fetch feed bake brew measure weigh cost stay sleep wake rise
collect gather distribute share publish announce declare document describe explain define rename label
tag track trace profile debug patch bump pin lock unlock rotate revoke grant validate sanitise sanitize
escape hash encrypt compress buffer flush sync poll push pull stream schedule trigger fire emit dispatch
route redirect mirror allocate release claim occupy free fill empty drain load unload mount attach detach
bind unbind map reduce group split truncate round crop resize format lint build bundle minify mock stub
assert retire prune purge wipe reset revert roll back backfill replay resume pause suspend abort kill
terminate spawn launch boot deliver triage escalate page assess audit approve delegate
"""
