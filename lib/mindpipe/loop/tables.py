"""Rows of runs: one per life of a worker that stays."""

from mindpipe.core.migrations import Migration

MIGRATIONS = (
    Migration(
        name="0015_loop",
        sql="""
        CREATE TABLE run(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('running', 'clean', 'crashed')),
            pid INTEGER NOT NULL, born TEXT NOT NULL, boot TEXT NOT NULL,
            program TEXT NOT NULL, schema INTEGER NOT NULL,
            started TEXT NOT NULL, ended TEXT, found TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX run_running ON run(agent) WHERE state = 'running';
        """,
    ),
)
