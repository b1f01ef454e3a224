"""English forms that no rule leads back: each to the word the lexicon knows it by."""

from typing import Final

__all__ = ["IRREGULAR"]

IRREGULAR: Final[dict[str, str]] = {
    form: base
    for base, forms in (
        line.split(":")
        for line in """
keep:kept
run:ran running
go:went gone goes going
begin:began begun
send:sent
write:wrote written
take:took taken
give:gave given
make:made
come:came
hold:held
leave:left leaves
rise:rose risen
fall:fell fallen
meet:met
buy:bought
sell:sold
pay:paid
find:found
tell:told
say:said
choose:chose chosen
grow:grew grown
get:got gotten
know:knew known
think:thought
teach:taught
learn:learnt
eat:ate eaten
drink:drank drunk
read:reads
see:saw seen
build:built
sink:sank sunk
forbid:forbade forbids
cancel:cancelled canceled cancelling cancels
stop:stopped stopping
shrink:shrank shrunk
child:children
deploy:deployed deploying
fly:flew flown
lose:lost
win:won
drive:drove driven
speak:spoke spoken
bring:brought
lend:lent
spend:spent
show:shown
draw:drew drawn
wear:wore worn
break:broke broken
sleep:slept
sing:sang sung
swim:swam swum
deduplicate:deduplication dedup deduplicates deduplicated deduplicating
authenticate:authentication
replicate:replication
compress:compression
encrypt:encryption
notify:notified notifies notification
retry:retries retried
direct:directly
change:changing
""".strip().splitlines()
    )
    for form in forms.split()
}
