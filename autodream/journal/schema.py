"""The tables: of the first schema, and later ones. Times are RFC 3339, days ``YYYY-MM-DD``, structures JSON."""

from typing import Final

__all__ = ["DIARY_EVENTS", "FIRST"]

_JOBS: Final = (
    """CREATE TABLE jobs (
        seq INTEGER PRIMARY KEY, job_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, agent_ids TEXT NOT NULL,
        day TEXT, status TEXT NOT NULL, undone_from TEXT, started_at TEXT NOT NULL, finished_at TEXT,
        report TEXT NOT NULL DEFAULT '{}', owner TEXT NOT NULL)""",
    "CREATE INDEX jobs_by_status ON jobs (status)",
    """CREATE TABLE job_agents (
        agent_id TEXT NOT NULL, job_seq INTEGER NOT NULL REFERENCES jobs (seq),
        PRIMARY KEY (agent_id, job_seq)) WITHOUT ROWID""",
    """CREATE TABLE night_steps (
        agent_id TEXT NOT NULL, day TEXT NOT NULL, step TEXT NOT NULL, status TEXT NOT NULL,
        job_id TEXT NOT NULL,
        PRIMARY KEY (agent_id, day, step)) WITHOUT ROWID""",
)

_OPERATIONS: Final = (
    """CREATE TABLE batches (
        id INTEGER PRIMARY KEY, job_id TEXT NOT NULL REFERENCES jobs (job_id), agent_id TEXT NOT NULL,
        step TEXT NOT NULL, marks TEXT NOT NULL, planned_at TEXT NOT NULL, closed_at TEXT)""",
    "CREATE INDEX batches_open ON batches (id) WHERE closed_at IS NULL",
    "CREATE INDEX batches_by_job ON batches (job_id)",
    """CREATE TABLE operations (
        id INTEGER PRIMARY KEY, batch INTEGER NOT NULL REFERENCES batches (id), change INTEGER NOT NULL,
        job_id TEXT NOT NULL REFERENCES jobs (job_id), agent_id TEXT NOT NULL, step TEXT NOT NULL,
        op TEXT NOT NULL, memory_id TEXT NOT NULL, successor TEXT, before TEXT, after TEXT,
        reason TEXT NOT NULL, state TEXT NOT NULL, existing INTEGER NOT NULL DEFAULT 0,
        note TEXT NOT NULL DEFAULT '', at TEXT NOT NULL, undoes INTEGER REFERENCES operations (id))""",
    "CREATE INDEX operations_by_batch ON operations (batch)",
    "CREATE INDEX operations_by_job ON operations (job_id, agent_id)",
    "CREATE INDEX operations_by_memory ON operations (memory_id)",
    "CREATE INDEX operations_by_successor ON operations (successor) WHERE successor IS NOT NULL",
    """CREATE TABLE rejections (
        id INTEGER PRIMARY KEY, job_id TEXT NOT NULL REFERENCES jobs (job_id), agent_id TEXT NOT NULL,
        step TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL)""",
    "CREATE INDEX rejections_by_job ON rejections (job_id, agent_id)",
)

_BLOCKS: Final = (
    """CREATE TABLE blocks (
        agent_id TEXT NOT NULL, day TEXT NOT NULL, hash TEXT NOT NULL, path TEXT NOT NULL DEFAULT '',
        line_start INTEGER NOT NULL DEFAULT 0, line_end INTEGER NOT NULL DEFAULT 0,
        gone INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (agent_id, day, hash)) WITHOUT ROWID""",
    "CREATE INDEX blocks_by_hash ON blocks (agent_id, hash)",
    """CREATE TABLE block_lines (
        agent_id TEXT NOT NULL, day TEXT NOT NULL, hash TEXT NOT NULL, line TEXT NOT NULL,
        PRIMARY KEY (agent_id, day, hash, line)) WITHOUT ROWID""",
    """CREATE TABLE block_passes (
        agent_id TEXT NOT NULL, day TEXT NOT NULL, hash TEXT NOT NULL, pass TEXT NOT NULL,
        done INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
        lone_tries INTEGER NOT NULL DEFAULT 0, not_before TEXT,
        poisoned INTEGER NOT NULL DEFAULT 0, error TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (agent_id, day, hash, pass)) WITHOUT ROWID""",
    """CREATE TABLE files (
        agent_id TEXT NOT NULL, path TEXT NOT NULL, day TEXT NOT NULL, sha TEXT NOT NULL,
        size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, PRIMARY KEY (agent_id, path)) WITHOUT ROWID""",
    """CREATE TABLE held (
        agent_id TEXT NOT NULL, day TEXT NOT NULL, rounds INTEGER NOT NULL,
        PRIMARY KEY (agent_id, day)) WITHOUT ROWID""",
)

_OTHERS: Final = (
    """CREATE TABLE usage (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, agent_id TEXT NOT NULL, job_id TEXT, day TEXT NOT NULL,
        question TEXT NOT NULL, prompt_version TEXT NOT NULL, model TEXT NOT NULL,
        input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, seconds REAL NOT NULL,
        ok INTEGER NOT NULL)""",
    "CREATE INDEX usage_by_day ON usage (agent_id, day)",
    "CREATE INDEX usage_by_job ON usage (job_id)",
    # No NOT NULL here: a half-written row must be readable as stale, not fatal.
    """CREATE TABLE leases (
        name TEXT PRIMARY KEY, token TEXT, pid INTEGER, process_start TEXT, host TEXT, since TEXT,
        taken REAL, heartbeat REAL, ttl REAL)""",
    """CREATE TABLE summaries (
        agent_id TEXT NOT NULL, day TEXT NOT NULL, reasoner TEXT NOT NULL, fingerprint TEXT NOT NULL,
        summary TEXT NOT NULL, PRIMARY KEY (agent_id, day, reasoner)) WITHOUT ROWID""",
    """CREATE TABLE apart (
        agent_id TEXT NOT NULL, low TEXT NOT NULL, high TEXT NOT NULL,
        PRIMARY KEY (agent_id, low, high)) WITHOUT ROWID""",
    """CREATE TABLE cursors (
        agent_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (agent_id, name)) WITHOUT ROWID""",
    """CREATE TABLE recalls (
        id INTEGER PRIMARY KEY, agent_id TEXT, query_hash TEXT NOT NULL, hits TEXT NOT NULL,
        at TEXT NOT NULL)""",
    "CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

FIRST: Final = (
    "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    *_JOBS,
    *_OPERATIONS,
    *_BLOCKS,
    *_OTHERS,
)

DIARY_EVENTS: Final = """CREATE TABLE diary_events (
    agent_id TEXT NOT NULL, event TEXT NOT NULL, start INTEGER NOT NULL, items TEXT NOT NULL, times TEXT NOT NULL,
    path TEXT NOT NULL, size INTEGER NOT NULL, length INTEGER NOT NULL, digest TEXT NOT NULL, done INTEGER NOT NULL,
    line_start INTEGER NOT NULL, line_end INTEGER NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (agent_id, event, start)) WITHOUT ROWID"""
