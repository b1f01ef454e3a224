"""The ledger: one SQLite file with jobs, operations, digested blocks, usage, leases and small facts."""
