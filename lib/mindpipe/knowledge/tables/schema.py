"""The tables of knowledge: observations, how each stood, their evidence, decisions, item marks.

What may never happen is refused by the schema itself: a key that code did not make, a second active
observation of one key, a claim rewritten in place, evidence that is an observation or is deleted, a
successor of another key, a status that may not follow, an observation of more trust than its words.
"""

from collections.abc import Collection

from mindpipe.core.records import Migration
from mindpipe.core.triggers import not_replaced
from mindpipe.knowledge.tables import observations, windows
from mindpipe.knowledge.tables.observations import (
    ANSWER,
    CLAIM,
    DECISION,
    EVIDENCE,
    LOGGED,
    READ_BY,
    SAID_BY,
)


def _guards(table: str, *, fixed: str) -> str:
    """Return triggers by which rows of a table stay, and columns of it keep what they hold."""
    return (
        f"CREATE TRIGGER {table}_DELETE BEFORE DELETE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END;"
        f"{_never_rewritten(table, fixed)}"
    )


def _never_rewritten(table: str, fixed: str) -> str:
    """Return the trigger by which columns of a table keep what they hold."""
    columns = ", ".join(fixed.split())
    return (
        f"CREATE TRIGGER {table}_UPDATE BEFORE UPDATE OF {columns} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'what {table} says is never rewritten'); END;"
    )


def _without(words: str, left_out: Collection[str]) -> str:
    """Return words without some."""
    return " ".join(word for word in words.split() if word not in left_out)


_EVIDENCE_FIXED = _without(EVIDENCE, {"retracted"}) + " number kind"
MIGRATIONS = (
    Migration(
        name="0022_knowledge",
        sql=f"""
        CREATE TABLE observation(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
            id TEXT NOT NULL CHECK(substr(id, 1, 3) = 'ob_'),
            kind TEXT NOT NULL CHECK(kind IN ('operator_preference', 'project_state', 'world_fact',
                'self_model', 'relationship_fact', 'tooling_state')),
            subject_type TEXT NOT NULL
                CHECK(subject_type IN ('entity', 'project', 'tool', 'agent', 'global')),
            subject_id TEXT NOT NULL CHECK(subject_id != ''), slot TEXT NOT NULL CHECK(slot != ''),
            canonical_key TEXT NOT NULL CHECK(canonical_key = CASE kind
                WHEN 'world_fact' THEN 'global:world_fact:' || subject_id || '.' || slot
                ELSE subject_type || ':' || subject_id || ':' || kind || ':' || slot END),
            value TEXT NOT NULL, summary TEXT NOT NULL, detail TEXT NOT NULL,
            tags TEXT NOT NULL CHECK(json_valid(tags)),
            valid_from TEXT NOT NULL, learnt TEXT NOT NULL, supersedes_observation_id TEXT,
            confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1),
            components TEXT NOT NULL CHECK(json_valid(components)),
            freshness REAL NOT NULL CHECK(freshness BETWEEN 0 AND 1),
            status TEXT NOT NULL
                CHECK(status IN ('active', 'stale', 'superseded', 'invalidated')),
            contested INTEGER NOT NULL CHECK(contested IN (0, 1)),
            pinned INTEGER NOT NULL CHECK(pinned IN (0, 1)),
            operator_confirmed INTEGER NOT NULL CHECK(operator_confirmed IN (0, 1)),
            valid_to TEXT CHECK(valid_to >= valid_from), ended TEXT CHECK(ended >= learnt),
            last_supported_at TEXT, contradicted_at TEXT,
            reinforced REAL NOT NULL CHECK(reinforced BETWEEN 0 AND 1),
            revalidation_due_at TEXT NOT NULL,
            sources TEXT NOT NULL CHECK(json_valid(sources)), version INTEGER NOT NULL,
            UNIQUE(agent, id), UNIQUE(agent, id, kind), UNIQUE(agent, canonical_key, id),
            UNIQUE(agent, supersedes_observation_id),
            FOREIGN KEY(agent, canonical_key, supersedes_observation_id)
                REFERENCES observation(agent, canonical_key, id),
            CHECK(supersedes_observation_id != id),
            CHECK(subject_type = CASE kind WHEN 'project_state' THEN 'project'
                WHEN 'world_fact' THEN 'global' WHEN 'self_model' THEN 'agent'
                WHEN 'tooling_state' THEN 'tool' ELSE 'entity' END
                OR (kind = 'relationship_fact' AND subject_type = 'agent')),
            CHECK(kind != 'self_model' OR subject_id = 'self'),
            CHECK(kind NOT IN ('operator_preference', 'self_model') OR sources = '[]'),
            CHECK((ended IS NULL) = (status IN ('active', 'stale')))
        ) STRICT;
        CREATE UNIQUE INDEX one_active_observation ON observation(agent, canonical_key)
            WHERE status = 'active';
        CREATE INDEX observation_by_kind ON observation(agent, kind, status);
        CREATE INDEX observation_due ON observation(agent, revalidation_due_at);
        CREATE INDEX observation_ranked ON observation(agent, confidence DESC, freshness DESC);
        {_guards("observation", fixed=CLAIM)}
        CREATE TRIGGER observation_status BEFORE UPDATE OF status ON observation
        WHEN OLD.status IN ('superseded', 'invalidated') AND NEW.status != OLD.status
        BEGIN SELECT RAISE(ABORT, 'a belief that was replaced or refuted stays so'); END;
        CREATE TRIGGER observation_trust BEFORE UPDATE OF sources ON observation
        WHEN NOT EXISTS(SELECT 1 FROM json_each(NEW.sources) WHERE value = 'more:sources')
            AND EXISTS(SELECT value FROM json_each(OLD.sources)
                EXCEPT SELECT value FROM json_each(NEW.sources))
        BEGIN SELECT RAISE(ABORT, 'an observation never comes to be trusted more'); END;
        CREATE TRIGGER observation_successor BEFORE INSERT ON observation
        WHEN EXISTS(SELECT 1 FROM observation WHERE agent = NEW.agent
            AND id = NEW.supersedes_observation_id AND status IN ('active', 'stale'))
        BEGIN SELECT RAISE(ABORT, 'what is superseded has to be ended first'); END;

        CREATE TABLE observation_standing(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, observation TEXT NOT NULL,
            version INTEGER NOT NULL, recorded TEXT NOT NULL, by TEXT NOT NULL, why TEXT NOT NULL,
            standing TEXT NOT NULL CHECK(json_valid(standing)),
            UNIQUE(agent, observation, version),
            FOREIGN KEY(agent, observation) REFERENCES observation(agent, id)
        ) STRICT;
        {_guards("observation_standing", fixed=LOGGED)}

        CREATE TABLE observation_evidence(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, observation TEXT NOT NULL,
            kind TEXT NOT NULL,
            source TEXT NOT NULL
                CHECK(source IN ('memory_item', 'lesson', 'reflection', 'entity')),
            ref TEXT NOT NULL CHECK(ref != '' AND substr(ref, 1, 3) != 'ob_'),
            stance TEXT NOT NULL CHECK(stance IN ('support', 'contradict', 'context')),
            weight REAL NOT NULL CHECK(weight BETWEEN 0 AND 4),
            at TEXT NOT NULL, learnt TEXT NOT NULL,
            origin TEXT NOT NULL CHECK(origin IN ('human', 'operator', 'tool', 'program')),
            sources TEXT NOT NULL CHECK(json_valid(sources)),
            span TEXT CHECK(json_valid(span)), value TEXT, linked TEXT NOT NULL, retracted TEXT,
            UNIQUE(agent, observation, source, ref, stance),
            FOREIGN KEY(agent, observation, kind) REFERENCES observation(agent, id, kind),
            CHECK(stance != 'support' OR sources = '[]'
                OR kind NOT IN ('operator_preference', 'self_model'))
        ) STRICT;
        CREATE INDEX observation_evidence_of ON observation_evidence(agent, source, ref);
        {_guards("observation_evidence", fixed=_EVIDENCE_FIXED)}
        CREATE TRIGGER observation_evidence_retracted
        BEFORE UPDATE OF retracted ON observation_evidence WHEN OLD.retracted IS NOT NULL
        BEGIN SELECT RAISE(ABORT, 'evidence is retracted once'); END;
        CREATE TRIGGER observation_evidence_trust BEFORE INSERT ON observation_evidence
        WHEN NEW.stance = 'support' AND EXISTS(SELECT 1 FROM observation
            WHERE agent = NEW.agent AND id = NEW.observation
            AND NOT EXISTS(SELECT 1 FROM json_each(observation.sources)
                WHERE value = 'more:sources')
            AND EXISTS(SELECT value FROM json_each(NEW.sources)
                EXCEPT SELECT value FROM json_each(observation.sources)))
        BEGIN SELECT RAISE(ABORT, 'an observation is trusted no more than its support'); END;

        CREATE TABLE observation_decision(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
            id TEXT NOT NULL CHECK(substr(id, 1, 3) = 'de_'),
            call TEXT NOT NULL
                CHECK(call IN ('corroborate', 'refine', 'supersede', 'contradict', 'retract')),
            canonical_key TEXT NOT NULL, observation TEXT, made TEXT, old_value TEXT,
            new_value TEXT NOT NULL, old_weight REAL NOT NULL, new_weight REAL NOT NULL,
            margin REAL NOT NULL, evidence TEXT NOT NULL CHECK(json_valid(evidence)),
            at TEXT NOT NULL, by TEXT NOT NULL, why TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('applied', 'queued', 'approved', 'denied')),
            proposal TEXT CHECK(json_valid(proposal)), answered TEXT, answered_by TEXT,
            UNIQUE(agent, id),
            FOREIGN KEY(agent, canonical_key, observation)
                REFERENCES observation(agent, canonical_key, id),
            FOREIGN KEY(agent, canonical_key, made)
                REFERENCES observation(agent, canonical_key, id)
        ) STRICT;
        CREATE INDEX observation_decision_queued ON observation_decision(agent)
            WHERE state = 'queued';
        CREATE INDEX observation_decision_of ON observation_decision(agent, canonical_key);
        {_guards("observation_decision", fixed=_without(DECISION, ANSWER) + " number")}
        CREATE TRIGGER observation_decision_answer BEFORE UPDATE OF state ON observation_decision
        WHEN OLD.state != 'queued' BEGIN SELECT RAISE(ABORT, 'a decision is answered once'); END;

        CREATE TABLE item_mark(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
            relation TEXT NOT NULL CHECK(relation IN ('supersedes', 'contradicts')),
            old TEXT NOT NULL, new TEXT NOT NULL CHECK(new != old),
            at TEXT NOT NULL, by TEXT NOT NULL, retracted TEXT, UNIQUE(agent, old, new, relation)
        ) STRICT;
        CREATE INDEX item_mark_by_new ON item_mark(agent, new);
        {_guards("item_mark", fixed="number agent relation old new at by")}
        {windows.SCHEMA}
        """,
    ),
    Migration(
        name="0042_knowledge_not_replaced",
        sql="".join(
            (
                not_replaced(
                    "observation",
                    "number",
                    "agent id",
                    "agent supersedes_observation_id",
                    "agent canonical_key WHERE status = 'active' AND NEW.status = 'active'",
                ),
                not_replaced("observation_standing", "number", "agent observation version"),
                not_replaced(
                    "observation_evidence",
                    "number",
                    "agent observation source ref stance",
                    silently=True,
                ),
                not_replaced("observation_decision", "number", "agent id", silently=True),
                not_replaced("item_mark", "number", "agent old new relation", silently=True),
            )
        ),
    ),
    Migration(
        name="0049_knowledge_speakers",
        sql=f"""
        ALTER TABLE observation_evidence ADD COLUMN speaker TEXT;
        ALTER TABLE observation_evidence ADD COLUMN claimed_speaker TEXT;
        ALTER TABLE observation_evidence ADD COLUMN trusted TEXT CHECK(json_valid(trusted));
        ALTER TABLE observation_evidence ADD COLUMN vouched INTEGER CHECK(vouched IN (0, 1));
        DROP TRIGGER observation_evidence_UPDATE;
        {_never_rewritten("observation_evidence", f"{_EVIDENCE_FIXED} {SAID_BY}")}
        """,
    ),
    Migration(name="0051_voices_and_days", sql=windows.VOICES_SCHEMA + observations.TIMED_SCHEMA),
    Migration(
        name="0052_evidence_readers",
        sql=f"""
        ALTER TABLE observation_evidence ADD COLUMN reader TEXT;
        ALTER TABLE observation_evidence ADD COLUMN meant TEXT;
        DROP TRIGGER observation_evidence_UPDATE;
        {_never_rewritten("observation_evidence", f"{_EVIDENCE_FIXED} {SAID_BY} {READ_BY}")}
        """,
    ),
    Migration(name="0053_values_by_name", sql=observations.VALUES_SCHEMA + windows.ENDED_SCHEMA),
)
