CREATE TABLE migration(
        name TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE, checksum TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE store(
        id TEXT PRIMARY KEY, generation INTEGER NOT NULL DEFAULT 1, created TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE restoration(
        generation INTEGER PRIMARY KEY, restored TEXT NOT NULL, loss_since TEXT NOT NULL
    ) STRICT;
CREATE TABLE agent(
        name TEXT PRIMARY KEY,
        entity TEXT NOT NULL UNIQUE,
        body TEXT NOT NULL,
        goals_made INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
CREATE TABLE goal(
        id TEXT PRIMARY KEY,
        agent TEXT NOT NULL REFERENCES agent(name),
        number INTEGER NOT NULL,
        text TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('active', 'long-term', 'done', 'dropped')),
        created TEXT NOT NULL,
        updated TEXT NOT NULL, sources TEXT NOT NULL DEFAULT '[]', priority INTEGER CHECK(priority BETWEEN 1 AND 9),
        UNIQUE(agent, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE note(
        agent TEXT NOT NULL REFERENCES agent(name),
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        updated TEXT NOT NULL, sources TEXT NOT NULL DEFAULT '[]',
        PRIMARY KEY(agent, key)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE agent_lease(
        agent TEXT PRIMARY KEY REFERENCES agent(name),
        epoch INTEGER NOT NULL,
        owner TEXT,
        boot TEXT NOT NULL,
        seconds REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE event(
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL,
        agent TEXT NOT NULL,
        type TEXT NOT NULL,
        source TEXT NOT NULL,
        key TEXT,
        priority INTEGER NOT NULL,
        asked INTEGER,
        due TEXT,
        space TEXT,
        sender TEXT,
        text TEXT,
        body TEXT,
        lossy INTEGER NOT NULL DEFAULT 0,
        original TEXT,
        pushed TEXT NOT NULL,
        state TEXT NOT NULL DEFAULT 'ready',
        attempts INTEGER NOT NULL DEFAULT 0,
        epoch INTEGER NOT NULL DEFAULT 0,
        owner TEXT,
        lease_boot TEXT,
        lease_seconds REAL,
        retry_boot TEXT,
        retry_seconds REAL,
        retry_at TEXT,
        outcome TEXT,
        reason TEXT
    , sources TEXT, cleared INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE INDEX event_open ON event(agent, priority) WHERE state IN ('ready', 'leased');
CREATE UNIQUE INDEX event_key ON event(agent, source, key) WHERE key IS NOT NULL;
CREATE TABLE space(
            name TEXT PRIMARY KEY, title TEXT NOT NULL, created TEXT NOT NULL,
            made INTEGER NOT NULL DEFAULT 0
        , respond_limit INTEGER CHECK(respond_limit >= 1)) STRICT, WITHOUT ROWID;
CREATE TABLE entity(
            name TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK(kind IN ('human', 'agent', 'service')),
            title TEXT NOT NULL, id TEXT NOT NULL UNIQUE
        ) STRICT, WITHOUT ROWID;
CREATE TABLE member(
            space TEXT NOT NULL REFERENCES space(name),
            entity TEXT NOT NULL REFERENCES entity(name), joined TEXT NOT NULL,
            seen INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(space, entity)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX member_by_entity ON member(entity, space);
CREATE TABLE post(
            id TEXT NOT NULL UNIQUE, space TEXT NOT NULL REFERENCES space(name),
            seq INTEGER NOT NULL, at TEXT NOT NULL, sender TEXT NOT NULL REFERENCES entity(name),
            text TEXT NOT NULL, reply_to TEXT, key TEXT, holder TEXT,
            state TEXT NOT NULL CHECK(state IN ('held', 'visible')), sources TEXT NOT NULL DEFAULT '[]', depth INTEGER NOT NULL DEFAULT 0 CHECK(depth >= 0), answers TEXT, waits INTEGER NOT NULL DEFAULT 0 CHECK(waits IN (0, 1)), waits_for TEXT, waits_seconds REAL CHECK(waits_seconds > 0), taken_back TEXT, PRIMARY KEY(space, seq)
        ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX post_key ON post(space, sender, key) WHERE key IS NOT NULL;
CREATE INDEX post_held ON post(holder) WHERE state = 'held';
CREATE TABLE plan(
        id TEXT PRIMARY KEY,
        agent TEXT NOT NULL,
        number INTEGER NOT NULL,
        title TEXT NOT NULL,
        text TEXT NOT NULL,
        cron TEXT,
        at TEXT,
        after INTEGER,
        zone TEXT NOT NULL,
        catch_up TEXT NOT NULL CHECK(catch_up IN ('once', 'all', 'none')),
        created TEXT NOT NULL,
        since TEXT NOT NULL,
        next TEXT,
        last TEXT,
        state TEXT NOT NULL CHECK(state IN ('active', 'done')), sources TEXT NOT NULL DEFAULT '[]', expects TEXT NOT NULL DEFAULT '[]',
        UNIQUE(agent, number),
        CHECK((cron IS NOT NULL) + (at IS NOT NULL) + (after IS NOT NULL) = 1)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX plan_by_next ON plan(state, next);
CREATE TABLE plan_count(agent TEXT PRIMARY KEY, made INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE plan_window(
        plan TEXT NOT NULL REFERENCES plan(id),
        window TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('claimed', 'done', 'skipped', 'lost')),
        attempts INTEGER NOT NULL,
        boot TEXT NOT NULL,
        seconds REAL NOT NULL,
        PRIMARY KEY(plan, window)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX plan_window_open ON plan_window(plan, window) WHERE state = 'claimed';
CREATE TABLE message(
            number INTEGER PRIMARY KEY,
            agent TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL,
            segment INTEGER NOT NULL, cycle INTEGER NOT NULL, turn INTEGER NOT NULL,
            role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'tool', 'note')),
            parts TEXT NOT NULL, raw TEXT, origin TEXT NOT NULL,
            taint INTEGER NOT NULL, synthetic INTEGER NOT NULL, at TEXT NOT NULL,
            tokens INTEGER NOT NULL, tokenizer TEXT NOT NULL, source TEXT, sha256 TEXT NOT NULL,
            UNIQUE(agent, seq), UNIQUE(agent, id)
        ) STRICT;
CREATE INDEX message_by_cycle ON message(agent, cycle, seq);
CREATE TABLE call_id(
            agent TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY(agent, id)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE cycle(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('open', 'closed', 'failed')), outcome TEXT,
            trigger TEXT NOT NULL, events TEXT NOT NULL, model TEXT NOT NULL,
            input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
            cost_micros INTEGER NOT NULL DEFAULT 0, milliseconds INTEGER NOT NULL DEFAULT 0,
            opened TEXT NOT NULL, closed TEXT, epoch INTEGER NOT NULL DEFAULT 0, reason TEXT, cached_tokens INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY(agent, cycle)
        ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_open_cycle ON cycle(agent) WHERE state='open';
CREATE TABLE segment(
            agent TEXT NOT NULL, segment INTEGER NOT NULL, head_sha256 TEXT NOT NULL,
            target TEXT NOT NULL, first_cycle INTEGER NOT NULL, raw_from_cycle INTEGER NOT NULL,
            reason TEXT NOT NULL, opened TEXT NOT NULL, sha256 TEXT NOT NULL,
            PRIMARY KEY(agent, segment)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE blob(sha256 TEXT PRIMARY KEY, octets BLOB NOT NULL) STRICT;
CREATE TABLE import(
            agent TEXT NOT NULL, id TEXT NOT NULL, format TEXT NOT NULL, name TEXT NOT NULL,
            document_sha256 TEXT NOT NULL, position INTEGER NOT NULL,
            envelope_sha256 TEXT NOT NULL, segment INTEGER NOT NULL,
            first_cycle INTEGER NOT NULL, last_cycle INTEGER NOT NULL,
            first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY(agent, id), UNIQUE(agent, format, document_sha256, position)
        ) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE message_text USING fts5(
            text, content='', tokenize='unicode61 remove_diacritics 2'
        );
CREATE TRIGGER message_UPDATE BEFORE UPDATE ON message BEGIN SELECT RAISE(ABORT, 'rows of message are only ever added'); END;
CREATE TRIGGER message_DELETE BEFORE DELETE ON message BEGIN SELECT RAISE(ABORT, 'rows of message are only ever added'); END;
CREATE TRIGGER segment_UPDATE BEFORE UPDATE ON segment BEGIN SELECT RAISE(ABORT, 'rows of segment are only ever added'); END;
CREATE TRIGGER segment_DELETE BEFORE DELETE ON segment BEGIN SELECT RAISE(ABORT, 'rows of segment are only ever added'); END;
CREATE TRIGGER call_id_UPDATE BEFORE UPDATE ON call_id BEGIN SELECT RAISE(ABORT, 'rows of call_id are only ever added'); END;
CREATE TRIGGER call_id_DELETE BEFORE DELETE ON call_id BEGIN SELECT RAISE(ABORT, 'rows of call_id are only ever added'); END;
CREATE TRIGGER import_UPDATE BEFORE UPDATE ON import BEGIN SELECT RAISE(ABORT, 'rows of import are only ever added'); END;
CREATE TRIGGER import_DELETE BEFORE DELETE ON import BEGIN SELECT RAISE(ABORT, 'rows of import are only ever added'); END;
CREATE TRIGGER blob_UPDATE BEFORE UPDATE ON blob BEGIN SELECT RAISE(ABORT, 'rows of blob are only ever added'); END;
CREATE TABLE ledger(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, cycle INTEGER NOT NULL,
            turn INTEGER NOT NULL, attempt INTEGER NOT NULL, purpose TEXT NOT NULL,
            model TEXT NOT NULL, day TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('reserved', 'settled', 'lost', 'void')),
            micros INTEGER NOT NULL CHECK(micros >= 0), priced INTEGER NOT NULL,
            input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
            at TEXT NOT NULL, counted_tokens INTEGER, cached_tokens INTEGER NOT NULL DEFAULT 0, clamped INTEGER NOT NULL DEFAULT 0,
            UNIQUE(agent, cycle, turn, attempt)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_by_day ON ledger(day, agent, state, micros);
CREATE TABLE turn(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, turn INTEGER NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('asking', 'recorded', 'folded', 'abandoned')),
            attempts INTEGER NOT NULL, first_boot TEXT NOT NULL, first_seconds REAL NOT NULL,
            asked TEXT NOT NULL, answer TEXT, spans TEXT NOT NULL DEFAULT '[]',
            PRIMARY KEY(agent, cycle, turn)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE call(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, cycle INTEGER NOT NULL,
            turn INTEGER NOT NULL, position INTEGER NOT NULL, tool TEXT NOT NULL,
            effect TEXT NOT NULL, args TEXT, args_sha256 TEXT NOT NULL, key TEXT NOT NULL,
            state TEXT NOT NULL, result TEXT, took TEXT,
            UNIQUE(agent, cycle, turn, position)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE ticket(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
            cycle INTEGER NOT NULL, call TEXT UNIQUE, tool TEXT, args TEXT, reason TEXT NOT NULL,
            created TEXT NOT NULL
        , tool_sha256 TEXT, sha256 TEXT, sources TEXT NOT NULL DEFAULT '[]', expires TEXT, decided TEXT, person TEXT, result TEXT, approved_args TEXT, approved_sha256 TEXT, questions TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID;
CREATE TABLE breaker(
            model TEXT PRIMARY KEY, boot TEXT NOT NULL, body TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
CREATE TABLE place(agent TEXT PRIMARY KEY, space TEXT) STRICT, WITHOUT ROWID;
CREATE TABLE cycle_source(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, source TEXT NOT NULL,
            PRIMARY KEY(agent, cycle, source)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE clearance(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
            kind TEXT NOT NULL CHECK(kind IN ('event', 'cycle', 'note', 'goal', 'plan')),
            subject TEXT NOT NULL, sources TEXT NOT NULL, person TEXT NOT NULL, at TEXT NOT NULL
        ) STRICT;
CREATE INDEX clearance_of ON clearance(agent, kind);
CREATE INDEX ticket_state ON ticket(agent, state);
CREATE TABLE run(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('running', 'clean', 'crashed')),
            pid INTEGER NOT NULL, born TEXT NOT NULL, boot TEXT NOT NULL,
            program TEXT NOT NULL, schema INTEGER NOT NULL,
            started TEXT NOT NULL, ended TEXT, found TEXT
        , until REAL) STRICT, WITHOUT ROWID;
CREATE INDEX run_running ON run(agent) WHERE state = 'running';
CREATE INDEX run_crashed ON run(ended) WHERE state = 'crashed';
CREATE TABLE compaction(
            agent TEXT NOT NULL, number INTEGER NOT NULL,
            action TEXT NOT NULL CHECK(action IN ('apply', 'undo')),
            window TEXT, before INTEGER NOT NULL, through INTEGER NOT NULL, strategy TEXT NOT NULL,
            tokens_before INTEGER NOT NULL, tokens_after INTEGER NOT NULL,
            segment INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY(agent, number), UNIQUE(agent, segment)
        ) STRICT, WITHOUT ROWID;
CREATE TRIGGER compaction_UPDATE BEFORE UPDATE ON compaction
        BEGIN SELECT RAISE(ABORT, 'rows of compaction are only ever added'); END;
CREATE TRIGGER compaction_DELETE BEFORE DELETE ON compaction
        BEGIN SELECT RAISE(ABORT, 'rows of compaction are only ever added'); END;
CREATE TABLE person(
        id TEXT PRIMARY KEY,
        tick INTEGER NOT NULL,
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        state TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE person_version(
        person TEXT NOT NULL REFERENCES person(id),
        tick INTEGER NOT NULL,
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, tick, t_us)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE person_state(
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, t_us)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE person_event(
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        number INTEGER NOT NULL,
        id TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, t_us, number),
        UNIQUE(person, id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE thought(
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX thought_by_time ON thought(person, t_us);
CREATE TABLE person_memory(
        id TEXT PRIMARY KEY,
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX person_memory_by_time ON person_memory(person, t_us);
CREATE TABLE person_failure(
        person TEXT NOT NULL REFERENCES person(id),
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, t_us)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE person_observation(
            person TEXT NOT NULL, t_us INTEGER NOT NULL,
            body TEXT NOT NULL CHECK(json_valid(body)),
            PRIMARY KEY(person, t_us)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE memory_item(
        number INTEGER PRIMARY KEY,
        agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
        kind TEXT NOT NULL CHECK(kind IN ('episodic', 'semantic', 'procedural', 'note')),
        text TEXT NOT NULL, at TEXT NOT NULL, until TEXT, learnt TEXT NOT NULL,
        speaker TEXT, subject TEXT, session TEXT, entities TEXT, tags TEXT,
        significance REAL NOT NULL CHECK(significance BETWEEN 0 AND 10), span TEXT,
        origin TEXT NOT NULL CHECK(origin IN
            ('human', 'operator', 'tool', 'program', 'agent', 'recalled')),
        sources TEXT, trusted TEXT, archived TEXT, retracted TEXT,
        recalled INTEGER NOT NULL DEFAULT 0, recalled_at TEXT, claimed_speaker TEXT, vouched INTEGER CHECK(vouched IN (0, 1)),
        CHECK(until IS NULL OR until >= at)
    ) STRICT;
CREATE UNIQUE INDEX memory_item_id ON memory_item(agent, id);
CREATE UNIQUE INDEX memory_item_key ON memory_item(agent, key) WHERE key IS NOT NULL;
CREATE TRIGGER memory_item_DELETE BEFORE DELETE ON memory_item BEGIN SELECT RAISE(ABORT, 'rows of memory_item are never deleted'); END;
CREATE TABLE reflection(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
        learnt TEXT NOT NULL, body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
        since TEXT AS (body ->> 'since'), until TEXT AS (body ->> 'until'),
        UNIQUE(agent, id), UNIQUE(agent, key),
        CHECK(until >= since)
    ) STRICT;
CREATE TABLE lesson(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL, key TEXT,
        learnt TEXT NOT NULL, body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
        UNIQUE(agent, id), UNIQUE(agent, key)
    ) STRICT;
CREATE TABLE lesson_outcome(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, lesson TEXT NOT NULL,
        at TEXT NOT NULL, good INTEGER NOT NULL CHECK(good IN (0, 1)), note TEXT,
        learnt TEXT NOT NULL, confidence REAL NOT NULL CHECK(confidence BETWEEN 0 AND 1)
    ) STRICT;
CREATE INDEX lesson_outcome_of ON lesson_outcome(agent, lesson, number);
CREATE TABLE memory_entity(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, id TEXT NOT NULL,
        version INTEGER NOT NULL CHECK(version >= 1), learnt TEXT NOT NULL,
        body TEXT NOT NULL CHECK(json_valid(body)), retracted TEXT,
        UNIQUE(agent, id, version)
    ) STRICT;
CREATE TRIGGER reflection_UPDATE BEFORE UPDATE OF number, agent, id, key, learnt, body ON reflection BEGIN SELECT RAISE(ABORT, 'what reflection says is never changed'); END;
CREATE TRIGGER reflection_DELETE BEFORE DELETE ON reflection BEGIN SELECT RAISE(ABORT, 'rows of reflection are never deleted'); END;
CREATE TRIGGER lesson_UPDATE BEFORE UPDATE OF number, agent, id, key, learnt, body ON lesson BEGIN SELECT RAISE(ABORT, 'what lesson says is never changed'); END;
CREATE TRIGGER lesson_DELETE BEFORE DELETE ON lesson BEGIN SELECT RAISE(ABORT, 'rows of lesson are never deleted'); END;
CREATE TRIGGER lesson_outcome_UPDATE BEFORE UPDATE OF number, agent, lesson, at, good, note, learnt, confidence ON lesson_outcome BEGIN SELECT RAISE(ABORT, 'what lesson_outcome says is never changed'); END;
CREATE TRIGGER lesson_outcome_DELETE BEFORE DELETE ON lesson_outcome BEGIN SELECT RAISE(ABORT, 'rows of lesson_outcome are never deleted'); END;
CREATE TRIGGER memory_entity_UPDATE BEFORE UPDATE OF number, agent, id, version, learnt, body ON memory_entity BEGIN SELECT RAISE(ABORT, 'what memory_entity says is never changed'); END;
CREATE TRIGGER memory_entity_DELETE BEFORE DELETE ON memory_entity BEGIN SELECT RAISE(ABORT, 'rows of memory_entity are never deleted'); END;
CREATE TABLE relation(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, source TEXT NOT NULL,
        type TEXT NOT NULL, target TEXT NOT NULL, since TEXT, until TEXT, items TEXT,
        learnt TEXT NOT NULL, sources TEXT, retracted TEXT,
        CHECK(since IS NULL OR until IS NULL OR until >= since)
    ) STRICT;
CREATE INDEX relation_from ON relation(agent, source);
CREATE INDEX relation_to ON relation(agent, target);
CREATE TRIGGER relation_UPDATE BEFORE UPDATE OF number, agent, source, type, target, since, until, items, learnt, sources ON relation BEGIN SELECT RAISE(ABORT, 'what relation says is never changed'); END;
CREATE TRIGGER relation_DELETE BEFORE DELETE ON relation BEGIN SELECT RAISE(ABORT, 'rows of relation are never deleted'); END;
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
CREATE TRIGGER observation_DELETE BEFORE DELETE ON observation BEGIN SELECT RAISE(ABORT, 'rows of observation are never deleted'); END;
CREATE TRIGGER observation_UPDATE BEFORE UPDATE OF number, agent, id, kind, subject_type, subject_id, slot, canonical_key, value, summary, detail, tags, valid_from, learnt, supersedes_observation_id ON observation BEGIN SELECT RAISE(ABORT, 'what observation says is never rewritten'); END;
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
CREATE TRIGGER observation_standing_DELETE BEFORE DELETE ON observation_standing BEGIN SELECT RAISE(ABORT, 'rows of observation_standing are never deleted'); END;
CREATE TRIGGER observation_standing_UPDATE BEFORE UPDATE OF number, agent, observation, version, recorded, by, why, standing ON observation_standing BEGIN SELECT RAISE(ABORT, 'what observation_standing says is never rewritten'); END;
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
            span TEXT CHECK(json_valid(span)), value TEXT, linked TEXT NOT NULL, retracted TEXT, speaker TEXT, claimed_speaker TEXT, trusted TEXT CHECK(json_valid(trusted)), vouched INTEGER CHECK(vouched IN (0, 1)), reader TEXT, meant TEXT,
            UNIQUE(agent, observation, source, ref, stance),
            FOREIGN KEY(agent, observation, kind) REFERENCES observation(agent, id, kind),
            CHECK(stance != 'support' OR sources = '[]'
                OR kind NOT IN ('operator_preference', 'self_model'))
        ) STRICT;
CREATE INDEX observation_evidence_of ON observation_evidence(agent, source, ref);
CREATE TRIGGER observation_evidence_DELETE BEFORE DELETE ON observation_evidence BEGIN SELECT RAISE(ABORT, 'rows of observation_evidence are never deleted'); END;
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
CREATE TRIGGER observation_decision_DELETE BEFORE DELETE ON observation_decision BEGIN SELECT RAISE(ABORT, 'rows of observation_decision are never deleted'); END;
CREATE TRIGGER observation_decision_UPDATE BEFORE UPDATE OF agent, id, call, canonical_key, observation, old_value, new_value, old_weight, new_weight, margin, evidence, at, by, why, proposal, number ON observation_decision BEGIN SELECT RAISE(ABORT, 'what observation_decision says is never rewritten'); END;
CREATE TRIGGER observation_decision_answer BEFORE UPDATE OF state ON observation_decision
        WHEN OLD.state != 'queued' BEGIN SELECT RAISE(ABORT, 'a decision is answered once'); END;
CREATE TABLE item_mark(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
            relation TEXT NOT NULL CHECK(relation IN ('supersedes', 'contradicts')),
            old TEXT NOT NULL, new TEXT NOT NULL CHECK(new != old),
            at TEXT NOT NULL, by TEXT NOT NULL, retracted TEXT, UNIQUE(agent, old, new, relation)
        ) STRICT;
CREATE INDEX item_mark_by_new ON item_mark(agent, new);
CREATE TRIGGER item_mark_DELETE BEFORE DELETE ON item_mark BEGIN SELECT RAISE(ABORT, 'rows of item_mark are never deleted'); END;
CREATE TRIGGER item_mark_UPDATE BEFORE UPDATE OF number, agent, relation, old, new, at, by ON item_mark BEGIN SELECT RAISE(ABORT, 'what item_mark says is never rewritten'); END;
CREATE TABLE consolidation_window(
        agent TEXT NOT NULL, number INTEGER NOT NULL,
        items TEXT NOT NULL CHECK(json_valid(items)),
        lessons TEXT NOT NULL CHECK(json_valid(lessons)),
        reflections TEXT NOT NULL CHECK(json_valid(reflections)),
        entities TEXT NOT NULL CHECK(json_valid(entities)),
        opened TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('claimed', 'done', 'lost')),
        attempts INTEGER NOT NULL, boot TEXT NOT NULL, seconds REAL NOT NULL,
        PRIMARY KEY(agent, number)
    ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX one_open_consolidation ON consolidation_window(agent)
        WHERE state = 'claimed';
CREATE TABLE consolidation_subject(
        agent TEXT NOT NULL, number INTEGER NOT NULL, subject TEXT NOT NULL,
        PRIMARY KEY(agent, number, subject),
        FOREIGN KEY(agent, number) REFERENCES consolidation_window(agent, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE consolidation_mark(
        agent TEXT PRIMARY KEY, item INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE consolidation_ahead(
        agent TEXT NOT NULL, item INTEGER NOT NULL, PRIMARY KEY(agent, item)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX observation_evidence_latest ON observation_evidence(agent, observation, at);
CREATE INDEX observation_held ON observation(agent, canonical_key)
        WHERE status IN ('active', 'stale');
CREATE INDEX observation_by_family ON observation(
        agent, kind, subject_id, substr(slot, 1, instr(slot || '_', '_') - 1), valid_from
    ) WHERE status IN ('active', 'stale');
CREATE TABLE recall_agent(
            number INTEGER PRIMARY KEY CHECK(number < 1048576), agent TEXT NOT NULL UNIQUE
        ) STRICT;
CREATE TABLE recall_mark(
            agent TEXT NOT NULL, source TEXT NOT NULL, rows INTEGER NOT NULL,
            first INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY(agent, source)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE vector_model(
        number INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL CHECK(size > 0)
    ) STRICT;
CREATE TABLE vector(
        number INTEGER PRIMARY KEY,
        model INTEGER NOT NULL REFERENCES vector_model(number),
        entry INTEGER NOT NULL,
        halves BLOB NOT NULL,
        UNIQUE(model, entry)
    ) STRICT;
CREATE TRIGGER vector_size BEFORE INSERT ON vector
    WHEN length(NEW.halves) % (SELECT 2 * size FROM vector_model WHERE number = NEW.model) <> 0
    BEGIN SELECT RAISE(ABORT, 'a vector has another size than those of its model'); END;
CREATE TABLE vector_loose(
        model INTEGER NOT NULL REFERENCES vector_model(number),
        entry INTEGER NOT NULL,
        PRIMARY KEY(model, entry)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE vector_block(
        number INTEGER PRIMARY KEY,
        model INTEGER NOT NULL REFERENCES vector_model(number),
        last INTEGER NOT NULL,
        entries BLOB NOT NULL,
        bits BLOB NOT NULL,
        UNIQUE(model, last)
    ) STRICT;
CREATE TABLE extraction_mark(
            agent TEXT PRIMARY KEY,
            upto INTEGER NOT NULL CHECK(upto >= 0)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX post_answers ON post(answers) WHERE answers IS NOT NULL;
CREATE TABLE agent_run(
            seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, agent TEXT NOT NULL,
            state TEXT NOT NULL
                CHECK(state IN ('running', 'waiting_reply', 'done', 'failed', 'cancelled')),
            trigger TEXT NOT NULL, event TEXT NOT NULL, depth INTEGER NOT NULL CHECK(depth >= 0),
            began TEXT NOT NULL, ended TEXT, reason TEXT
        ) STRICT;
CREATE INDEX agent_run_live ON agent_run(agent, event)
            WHERE state IN ('running', 'waiting_reply');
CREATE TABLE agent_run_cycle(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, run TEXT NOT NULL REFERENCES agent_run(id),
            PRIMARY KEY(agent, cycle)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX agent_run_cycle_by_run ON agent_run_cycle(run, cycle);
CREATE TABLE cycle_shown(
            agent TEXT NOT NULL, cycle INTEGER NOT NULL, post TEXT NOT NULL,
            PRIMARY KEY(agent, cycle, post)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE run_wait(
            seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            run TEXT NOT NULL REFERENCES agent_run(id), agent TEXT NOT NULL, space TEXT NOT NULL,
            post TEXT NOT NULL, since TEXT NOT NULL, until TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('open', 'replied', 'timed_out', 'cancelled')),
            by TEXT, ended TEXT, whom TEXT, anybody INTEGER NOT NULL DEFAULT 1
            CHECK(anybody IN (0, 1)), CHECK((state = 'open') = (ended IS NULL))
        ) STRICT;
CREATE INDEX run_wait_by_run ON run_wait(run);
CREATE UNIQUE INDEX run_wait_open ON run_wait(run) WHERE state = 'open';
CREATE INDEX run_wait_in ON run_wait(agent, space) WHERE state = 'open';
CREATE INDEX run_wait_for ON run_wait(post);
CREATE INDEX run_wait_by ON run_wait(agent, by) WHERE by IS NOT NULL;
CREATE TABLE iteration(
            agent TEXT NOT NULL, number INTEGER NOT NULL CHECK(number >= 1),
            life TEXT NOT NULL, at TEXT NOT NULL,
            mode TEXT NOT NULL CHECK(mode IN ('normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery')),
            concern TEXT, cycle INTEGER, outcome TEXT NOT NULL, events INTEGER NOT NULL,
            queue INTEGER NOT NULL, rate REAL NOT NULL, observe_ms REAL NOT NULL,
            think_ms REAL NOT NULL, decide_ms REAL NOT NULL, act_ms REAL NOT NULL,
            reflect_ms REAL NOT NULL, interval_ms INTEGER NOT NULL, decided INTEGER NOT NULL,
            applied INTEGER NOT NULL, confidence REAL, significance REAL, error TEXT,
            PRIMARY KEY(agent, number)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE mode_change(
            number INTEGER PRIMARY KEY, agent TEXT NOT NULL, at TEXT NOT NULL,
            "before" TEXT NOT NULL CHECK("before" IN ('normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery')),
            "after" TEXT NOT NULL CHECK("after" IN ('normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery') AND "after" <> "before"),
            "by" TEXT NOT NULL, reason TEXT NOT NULL
        ) STRICT;
CREATE INDEX mode_change_of ON mode_change(agent, number);
CREATE TABLE session(
            agent TEXT PRIMARY KEY, at TEXT NOT NULL,
            iteration INTEGER NOT NULL CHECK(iteration >= 0),
            mode TEXT NOT NULL CHECK(mode IN ('normal', 'deep_focus', 'exploration', 'overload',
                'sleep', 'recovery')),
            body TEXT NOT NULL CHECK(json_valid(body))
        ) STRICT, WITHOUT ROWID;
CREATE TABLE concern(
            agent TEXT NOT NULL, name TEXT NOT NULL, number INTEGER NOT NULL,
            focus INTEGER NOT NULL CHECK(focus IN (0, 1)), body TEXT NOT NULL,
            PRIMARY KEY(agent, name)
        ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX concern_focus ON concern(agent) WHERE focus = 1;
CREATE TABLE attention_turn(
            agent TEXT NOT NULL, concern TEXT NOT NULL, credit REAL NOT NULL,
            turns INTEGER NOT NULL, last INTEGER NOT NULL, fired INTEGER NOT NULL,
            yields_until INTEGER NOT NULL,
            PRIMARY KEY(agent, concern)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE familiar(
            agent TEXT NOT NULL, mark TEXT NOT NULL, met INTEGER NOT NULL, last INTEGER NOT NULL,
            PRIMARY KEY(agent, mark)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX familiar_last ON familiar(agent, last);
CREATE TABLE iteration_reflection(
            agent TEXT NOT NULL, number INTEGER NOT NULL, iteration INTEGER NOT NULL,
            cycle INTEGER, at TEXT NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY(agent, number)
        ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX iteration_reflection_cycle ON iteration_reflection(agent, cycle)
            WHERE cycle IS NOT NULL;
CREATE INDEX iteration_reflection_at ON iteration_reflection(agent, at);
CREATE TABLE pattern(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, iteration INTEGER NOT NULL,
            kind TEXT NOT NULL
                CHECK(kind IN ('stuck', 'oscillating', 'ineffective', 'overloaded')),
            state TEXT NOT NULL CHECK(state IN ('in_force', 'over', 'undone')),
            body TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
CREATE INDEX pattern_agent ON pattern(agent, iteration);
CREATE TABLE decision(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('proposed', 'decided', 'returned', 'waiting',
                'approved', 'rejected', 'expired', 'applied', 'failed', 'unknown', 'undoing',
                'undone')),
            created TEXT NOT NULL, ticket TEXT UNIQUE, body TEXT NOT NULL
        ) STRICT;
CREATE INDEX decision_by_state ON decision(agent, state);
CREATE TABLE escalation(
            key TEXT PRIMARY KEY, agent TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('waiting', 'calling', 'called', 'unknown',
                'quiet')),
            created TEXT NOT NULL, due TEXT, body TEXT NOT NULL
        ) STRICT;
CREATE INDEX escalation_by_state ON escalation(agent, state);
CREATE TABLE task(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL, worker TEXT NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('created', 'sent', 'running', 'late', 'lost',
                'escalated', 'done', 'failed')),
            key TEXT NOT NULL UNIQUE, body TEXT NOT NULL
        ) STRICT;
CREATE INDEX task_by_state ON task(agent, state);
CREATE INDEX task_by_worker ON task(worker, state);
CREATE TABLE observed(
        observer TEXT NOT NULL,
        path TEXT NOT NULL,
        size INTEGER NOT NULL CHECK (size >= 0),
        mtime_ns INTEGER NOT NULL,
        ctime_ns INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        sha256 TEXT CHECK (sha256 IS NULL OR length(sha256) = 64),
        settled INTEGER NOT NULL CHECK (settled IN (0, 1)),
        fields TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(fields)),
        PRIMARY KEY (observer, path)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE observed_mark(
        observer TEXT NOT NULL,
        name TEXT NOT NULL,
        mark TEXT NOT NULL,
        PRIMARY KEY (observer, name)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE alert(
            id TEXT PRIMARY KEY, agent TEXT NOT NULL REFERENCES agent(name),
            severity TEXT NOT NULL CHECK(severity IN ('critical', 'warning')),
            metric TEXT NOT NULL, above REAL NOT NULL, until REAL NOT NULL,
            state TEXT NOT NULL CHECK(state IN ('firing', 'cleared')),
            value REAL NOT NULL, worst REAL NOT NULL, since TEXT NOT NULL, ended TEXT,
            CHECK((state = 'cleared') = (ended IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX alert_firing ON alert(agent, severity, metric) WHERE state = 'firing';
CREATE INDEX alert_since ON alert(agent, since);
CREATE TABLE size_sample(
            at TEXT PRIMARY KEY, bytes INTEGER NOT NULL CHECK(bytes >= 0), vector_seconds REAL
        ) STRICT, WITHOUT ROWID;
CREATE TABLE segment_left_out(
            agent TEXT NOT NULL, segment INTEGER NOT NULL, records TEXT NOT NULL,
            PRIMARY KEY(agent, segment)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX event_later ON event(agent, due)
        WHERE due IS NOT NULL AND state IN ('ready', 'leased');
CREATE VIRTUAL TABLE recall_text USING fts5(
            text, content='', tokenize='porter unicode61 remove_diacritics 2'
        );
CREATE TRIGGER memory_item_REPLACE BEFORE INSERT ON memory_item WHEN EXISTS(SELECT 1 FROM memory_item WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM memory_item WHERE agent = NEW.agent AND id = NEW.id) OR EXISTS(SELECT 1 FROM memory_item WHERE agent = NEW.agent AND key = NEW.key) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER reflection_REPLACE BEFORE INSERT ON reflection WHEN EXISTS(SELECT 1 FROM reflection WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM reflection WHERE agent = NEW.agent AND id = NEW.id) OR EXISTS(SELECT 1 FROM reflection WHERE agent = NEW.agent AND key = NEW.key) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER lesson_REPLACE BEFORE INSERT ON lesson WHEN EXISTS(SELECT 1 FROM lesson WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM lesson WHERE agent = NEW.agent AND id = NEW.id) OR EXISTS(SELECT 1 FROM lesson WHERE agent = NEW.agent AND key = NEW.key) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER lesson_outcome_REPLACE BEFORE INSERT ON lesson_outcome WHEN EXISTS(SELECT 1 FROM lesson_outcome WHERE number = NEW.number) BEGIN SELECT RAISE(ABORT, 'rows of lesson_outcome are never replaced'); END;
CREATE TRIGGER memory_entity_REPLACE BEFORE INSERT ON memory_entity WHEN EXISTS(SELECT 1 FROM memory_entity WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM memory_entity WHERE agent = NEW.agent AND id = NEW.id AND version = NEW.version) BEGIN SELECT RAISE(ABORT, 'rows of memory_entity are never replaced'); END;
CREATE TRIGGER relation_REPLACE BEFORE INSERT ON relation WHEN EXISTS(SELECT 1 FROM relation WHERE number = NEW.number) BEGIN SELECT RAISE(ABORT, 'rows of relation are never replaced'); END;
CREATE TRIGGER observation_REPLACE BEFORE INSERT ON observation WHEN EXISTS(SELECT 1 FROM observation WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM observation WHERE agent = NEW.agent AND id = NEW.id) OR EXISTS(SELECT 1 FROM observation WHERE agent = NEW.agent AND supersedes_observation_id = NEW.supersedes_observation_id) OR EXISTS(SELECT 1 FROM observation WHERE agent = NEW.agent AND canonical_key = NEW.canonical_key AND status = 'active' AND NEW.status = 'active') BEGIN SELECT RAISE(ABORT, 'rows of observation are never replaced'); END;
CREATE TRIGGER observation_standing_REPLACE BEFORE INSERT ON observation_standing WHEN EXISTS(SELECT 1 FROM observation_standing WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM observation_standing WHERE agent = NEW.agent AND observation = NEW.observation AND version = NEW.version) BEGIN SELECT RAISE(ABORT, 'rows of observation_standing are never replaced'); END;
CREATE TRIGGER observation_evidence_REPLACE BEFORE INSERT ON observation_evidence WHEN EXISTS(SELECT 1 FROM observation_evidence WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM observation_evidence WHERE agent = NEW.agent AND observation = NEW.observation AND source = NEW.source AND ref = NEW.ref AND stance = NEW.stance) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER observation_decision_REPLACE BEFORE INSERT ON observation_decision WHEN EXISTS(SELECT 1 FROM observation_decision WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM observation_decision WHERE agent = NEW.agent AND id = NEW.id) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER item_mark_REPLACE BEFORE INSERT ON item_mark WHEN EXISTS(SELECT 1 FROM item_mark WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM item_mark WHERE agent = NEW.agent AND old = NEW.old AND new = NEW.new AND relation = NEW.relation) BEGIN SELECT RAISE(IGNORE); END;
CREATE TABLE plan_outcome(
        plan TEXT NOT NULL, window TEXT NOT NULL, attempt INTEGER NOT NULL,
        since TEXT NOT NULL,
        state TEXT NOT NULL CHECK(state IN ('open', 'met', 'failed')),
        at TEXT, why TEXT,
        PRIMARY KEY(plan, window, attempt),
        FOREIGN KEY(plan, window) REFERENCES plan_window(plan, window),
        CHECK((state = 'open') = (at IS NULL)), CHECK((state = 'failed') = (why IS NOT NULL))
    ) STRICT, WITHOUT ROWID;
CREATE INDEX plan_outcome_open ON plan_outcome(plan) WHERE state = 'open';
CREATE INDEX plan_window_by_time ON plan_window(window);
CREATE TRIGGER message_REPLACE BEFORE INSERT ON message WHEN EXISTS(SELECT 1 FROM message WHERE number = NEW.number) OR EXISTS(SELECT 1 FROM message WHERE agent = NEW.agent AND seq = NEW.seq) OR EXISTS(SELECT 1 FROM message WHERE agent = NEW.agent AND id = NEW.id) BEGIN SELECT RAISE(ABORT, 'rows of message are never replaced'); END;
CREATE TRIGGER segment_REPLACE BEFORE INSERT ON segment WHEN EXISTS(SELECT 1 FROM segment WHERE agent = NEW.agent AND segment = NEW.segment) BEGIN SELECT RAISE(ABORT, 'rows of segment are never replaced'); END;
CREATE TRIGGER call_id_REPLACE BEFORE INSERT ON call_id WHEN EXISTS(SELECT 1 FROM call_id WHERE agent = NEW.agent AND id = NEW.id) BEGIN SELECT RAISE(ABORT, 'rows of call_id are never replaced'); END;
CREATE TRIGGER import_REPLACE BEFORE INSERT ON import WHEN EXISTS(SELECT 1 FROM import WHERE agent = NEW.agent AND id = NEW.id) OR EXISTS(SELECT 1 FROM import WHERE agent = NEW.agent AND format = NEW.format AND document_sha256 = NEW.document_sha256 AND position = NEW.position) BEGIN SELECT RAISE(ABORT, 'rows of import are never replaced'); END;
CREATE TRIGGER blob_REPLACE BEFORE INSERT ON blob WHEN EXISTS(SELECT 1 FROM blob WHERE sha256 = NEW.sha256) OR EXISTS(SELECT 1 FROM blob WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(IGNORE); END;
CREATE TRIGGER compaction_REPLACE BEFORE INSERT ON compaction WHEN EXISTS(SELECT 1 FROM compaction WHERE agent = NEW.agent AND number = NEW.number) OR EXISTS(SELECT 1 FROM compaction WHERE agent = NEW.agent AND segment = NEW.segment) BEGIN SELECT RAISE(ABORT, 'rows of compaction are never replaced'); END;
CREATE TRIGGER memory_item_UPDATE BEFORE UPDATE OF number, agent, id, key, kind, text, at, until, learnt, speaker, subject, session, entities, tags, significance, span, origin, sources, trusted, claimed_speaker, vouched ON memory_item BEGIN SELECT RAISE(ABORT, 'what memory_item says is never changed'); END;
CREATE TABLE consolidation_voice(
        agent TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY(agent, name)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX observation_timed ON observation(agent, subject_id)
        WHERE status IN ('active', 'stale') AND (slot = 'age' OR slot LIKE 'plan.%' OR valid_to IS NOT NULL);
CREATE TRIGGER observation_evidence_UPDATE BEFORE UPDATE OF agent, observation, source, ref, stance, weight, at, learnt, origin, sources, span, value, linked, number, kind, speaker, claimed_speaker, trusted, vouched, reader, meant ON observation_evidence BEGIN SELECT RAISE(ABORT, 'what observation_evidence says is never rewritten'); END;
CREATE INDEX observation_named ON observation(agent, lower(rtrim(substr(value, 1, min(instr(value || ',', ','), instr(value || '(', '(')) - 1))))
        WHERE status = 'active' AND value != '';
CREATE INDEX observation_kinded ON observation(agent, lower(substr(value, instr(value, '(') + 1, length(value) - instr(value, '(') - 1)))
        WHERE status = 'active' AND instr(value, '(') > 0;
CREATE INDEX observation_denied ON observation(agent, subject_id, slot)
        WHERE status = 'active' AND supersedes_observation_id IS NOT NULL
        AND substr(value, 1, 4) = 'not ';
CREATE TABLE person_chart(
            person TEXT PRIMARY KEY, body TEXT NOT NULL CHECK(json_valid(body))
        ) STRICT, WITHOUT ROWID;
CREATE TABLE attachment(
            owner TEXT NOT NULL, place INTEGER NOT NULL CHECK(place >= 1), sha256 TEXT NOT NULL,
            media_type TEXT NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL,
            width INTEGER NOT NULL, height INTEGER NOT NULL, pages INTEGER NOT NULL,
            PRIMARY KEY(owner, place)
        ) STRICT, WITHOUT ROWID;
CREATE INDEX attachment_blob ON attachment(sha256);
CREATE TRIGGER attachment_UPDATE BEFORE UPDATE ON attachment BEGIN SELECT RAISE(ABORT, 'rows of attachment are only ever added'); END;
CREATE TRIGGER attachment_REPLACE BEFORE INSERT ON attachment WHEN EXISTS(SELECT 1 FROM attachment WHERE owner = NEW.owner AND place = NEW.place) BEGIN SELECT RAISE(ABORT, 'rows of attachment are never replaced'); END;
CREATE TABLE change(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL,
        undo TEXT NOT NULL CHECK(json_valid(undo))
    ) STRICT;
CREATE INDEX change_of ON change(agent, number);
CREATE TABLE cycle_change(
        agent TEXT NOT NULL, cycle INTEGER NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY(agent, cycle)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE carried(
            agent TEXT NOT NULL, upto INTEGER NOT NULL, moved INTEGER NOT NULL CHECK(moved >= 0),
            PRIMARY KEY(agent, upto)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE operation_setup(sha256 TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE operation(
        number INTEGER PRIMARY KEY, agent TEXT NOT NULL, after INTEGER NOT NULL,
        setup TEXT NOT NULL,
        body TEXT NOT NULL CHECK(json_valid(body))
    ) STRICT;
CREATE INDEX operation_of ON operation(agent, number);
CREATE TABLE operation_part(
        operation INTEGER NOT NULL, part INTEGER NOT NULL, after INTEGER NOT NULL,
        number INTEGER NOT NULL, blobs TEXT NOT NULL CHECK(json_valid(blobs)), heard BLOB NOT NULL,
        PRIMARY KEY(operation, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE rewind(
        agent TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
        cycle INTEGER NOT NULL, upto INTEGER NOT NULL, PRIMARY KEY(agent, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE person_tick(
        person TEXT NOT NULL REFERENCES person(id),
        tick INTEGER NOT NULL,
        t_us INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY(person, tick)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE redaction(
            agent TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
            cycle INTEGER NOT NULL, rows INTEGER NOT NULL,
            messages TEXT NOT NULL CHECK(json_valid(messages)),
            segments TEXT NOT NULL CHECK(json_valid(segments)),
            PRIMARY KEY(agent, number)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE recorded_answer(
            agent TEXT NOT NULL, tool TEXT NOT NULL, args_sha256 TEXT NOT NULL,
            place INTEGER NOT NULL, of_cycle INTEGER NOT NULL, is_given INTEGER NOT NULL,
            failed INTEGER NOT NULL, text TEXT NOT NULL,
            PRIMARY KEY(agent, tool, args_sha256, place)
        ) STRICT, WITHOUT ROWID;
CREATE TABLE store_move(
        id TEXT PRIMARY KEY,
        state TEXT NOT NULL CHECK(state IN ('leaving', 'left', 'arriving', 'arrived')),
        other TEXT NOT NULL, at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE next_look(
            agent TEXT PRIMARY KEY REFERENCES agent(name), boot TEXT NOT NULL,
            seconds REAL NOT NULL, position INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO recall_text(recall_text, rank) VALUES('hashsize', '16777216');
INSERT INTO migration VALUES('0001_store', 1, 'b40e1bb8ee1b0a091fab5d507b20b7bfe00f31c00a938dac6d755a9d8962e696');
INSERT INTO migration VALUES('0002_agents', 2, 'b7c1726de4531f545c5ae6cb9161e3b4be6ee8288c7d4ea4300acb99a782a5d8');
INSERT INTO migration VALUES('0003_inbox', 3, '2fdc009cb873707255e24c38eef42c8b2b6796b7815d54a26f9c0445ac482ba7');
INSERT INTO migration VALUES('0004_spaces', 4, '335a11f35553d7f8b2abeff7a1c3f7abee2b247ed488d43d30e53f0f14c5b23f');
INSERT INTO migration VALUES('0005_plans', 5, 'd14bfd115cfd56fd6da14445552108da201c582155aa64fc490421460c423661');
INSERT INTO migration VALUES('0006_history', 6, '4433cb55374b37408c4324f813cf50416e9c2ae6f311b272a12e7a244914f47d');
INSERT INTO migration VALUES('0007_spending', 7, '6e76fe0d96b42a1296065577b41f73169573e1b02438b600acf6abd0d1019422');
INSERT INTO migration VALUES('0008_think', 8, 'ad1c00df86a8c5813d97dbb3b64e184eab08413191d75a8416c365cfc82a13e3');
INSERT INTO migration VALUES('0009_agent_sources', 9, '16485cd3a367ab0d36ae0c835d53a0299c2a3456c3edb45aa3d44b3593ebee0c');
INSERT INTO migration VALUES('0010_event_sources', 10, '1996d6236873c8d7e9acd69dd89d436dfc4fe5c437f1ede9a0255dbc24fb17fc');
INSERT INTO migration VALUES('0011_post_sources', 11, 'e5cf2a7f201d30882fc12d31cb4c8c8cfb091fe453ae11a7c60497c6e01d4602');
INSERT INTO migration VALUES('0012_plan_sources', 12, 'd00aa25805214c5236f8bb233b1c5a1da578474c538172175313b5bc8631d697');
INSERT INTO migration VALUES('0013_cycle_sources', 13, '158efd8fbcecc4b1661eb491e90a1df8d24df21445266946e553c6561e4a5bfd');
INSERT INTO migration VALUES('0014_tickets', 14, 'ef37d1bb7e280b174afbf060e30bc12264c06ede0fdd2f5ec27b70639d07eebb');
INSERT INTO migration VALUES('0015_loop', 15, '705b42388c6a03582a9c7b8d4142f793d41ed21fcd5c7da8cfa4a9db6c1b6960');
INSERT INTO migration VALUES('0016_compaction', 16, '80fea9ea6db525242e6eae4375012966e20fd9d4d507aead47295375f27393be');
INSERT INTO migration VALUES('0017_counted_spending', 17, 'fb3ad75c2e21ef8063d4dfb1f767f6dc1a966b23c6f3c40e05f1eeb11965e851');
INSERT INTO migration VALUES('0018_cached_tokens', 18, 'beafca5ccce413b90c7ee18ee6d5e2ff9c6c5cd6ce1df66abb7cb27c15ebaef9');
INSERT INTO migration VALUES('0019_person', 19, 'e656ba9821f5bc151496c2422f98bde425b26046fd8533892e48b7d6643464d6');
INSERT INTO migration VALUES('0020_review', 20, '9986d4b6ff1033114239138605c1aa78943298b7a8962d490f79b519ebee4a6f');
INSERT INTO migration VALUES('0021_memory', 21, 'b8e68be46828e0ec37db4e0432badd84e8e135a43dad0226b0d48f11f1a2a60a');
INSERT INTO migration VALUES('0022_knowledge', 22, 'd67139e4a0e2b3cf5a7c3194819e5dc130ef1b8315329677c454ead30a3d3d51');
INSERT INTO migration VALUES('0023_recall', 23, '9be70d5433c10662fa0846f78e3e2f6b75fa685b0a55af7aa698acd35fe67f50');
INSERT INTO migration VALUES('0024_vectors', 24, '26b65392180cb8fe37fecf101a8048d0c248e55d7c75007b42acafc27580281d');
INSERT INTO migration VALUES('0025_extraction', 25, 'a0bbd460799b83e88d7d3e3e723c9c267e6bd634d18719576154a85519a28a1c');
INSERT INTO migration VALUES('0026_chains', 26, '49a527e3b540017259a73f5643098ab8665d1cf3024a688abb2394a8801df8dc');
INSERT INTO migration VALUES('0027_runs', 27, 'aa958a15051ab02bbb889cea1ee43d94f3d6f309c4af69e475a323716e51a5e7');
INSERT INTO migration VALUES('0028_iterations', 28, '9e174b8054fd38042600ffbd2e35b40cfcee57be3cd7910648f366c28a83050d');
INSERT INTO migration VALUES('0029_sessions', 29, 'b12042efbb5b8c921311a374a922289c2f88204e8d3b4e29b2241e57f920bfca');
INSERT INTO migration VALUES('0030_concerns', 30, '920f508625e3456017488a5302c731049f7c1547637254c7c0e3b57c8c51f72e');
INSERT INTO migration VALUES('0031_decisions', 31, '1596962d82d26320b45be32937082ce0929ca50208e2f2d7ae5d70c8c7ce8c71');
INSERT INTO migration VALUES('0032_tasks', 32, 'c3d78c16ad03333319232a4e8df76b94a37e40d0025ca7199e8c58ee7c9cd9d8');
INSERT INTO migration VALUES('0033_observed', 33, '1c6a455d8eb5664f52a16ac7c054e2a10a2b33009e7a766c0e07b6c88b2d90cc');
INSERT INTO migration VALUES('0034_alerts', 34, 'ca78767f43fa5ce2935d3c31f0a24efec117b37a2a351a298a6e0b002bb80a54');
INSERT INTO migration VALUES('0035_left_out', 35, '346058ff6e8fa18d3ed64df52aded7d2e99ff537e17c3d56ba0c5e032b317d89');
INSERT INTO migration VALUES('0036_later_events', 36, '4b87b101584d6f9969493a3d4df91cf66856ad3fd5bf6f1719ea0b0264f9a811');
INSERT INTO migration VALUES('0037_goal_priority', 37, '283bb3a9456f4bdd75b029846579bf66a7fbea7c8782a086f49e1cd8ffcb9a4d');
INSERT INTO migration VALUES('0038_recall_for_all', 38, '219178ccb2c2603fc876a3be280e141d88e7ad1e24283c6cdfbd394c2110516d');
INSERT INTO migration VALUES('0039_waits', 39, '3986e1136ec8b7be6b1bdf6aedb3447df1586b4db3242d605190f7e0e3e106ab');
INSERT INTO migration VALUES('0040_post_waits', 40, '190518eb91707bf17a1460bcac06fba944885822c4dedc3d3a8df65d6f67cc6b');
INSERT INTO migration VALUES('0041_memory_not_replaced', 41, '4254585d4d387cfcd344659c3b068117b4b7023d60707ae99ddd21a6e645194c');
INSERT INTO migration VALUES('0042_knowledge_not_replaced', 42, '2b0e00fbbf5a0dee95d20fdc5a75ad6f8bff53235058e5bb93963b8343309920');
INSERT INTO migration VALUES('0043_plan_outcomes', 43, 'de86e9b0c4b6a01d43dcceccf179293abec1904d58b9987bae724be62eb72107');
INSERT INTO migration VALUES('0044_edited_tickets', 44, 'b32720ddb5b2cac8deab9845c98db13247a60b0be4f2eaa69e32aafe2460289d');
INSERT INTO migration VALUES('0045_clamped_spending', 45, 'eec81a32d74877655d8fd1f74d4924806d45ac1f6315bd9a2f6df852649e93d3');
INSERT INTO migration VALUES('0046_history_not_replaced', 46, '34adc1f5b4256b550ebfbb073b3dc03ddf99c841eec7cba8d8401ffa4429ee79');
INSERT INTO migration VALUES('0047_compaction_not_replaced', 47, 'd388cbc432ba79f63986380970573a3cfdcbbe48ff0499a5feb1e966ed6e1f7a');
INSERT INTO migration VALUES('0048_memory_speakers', 48, 'f6810f24273aad049742595dc91cc18f785d4a75f25aad34ab6fdffaf2d3a31c');
INSERT INTO migration VALUES('0049_knowledge_speakers', 49, '295eb22173eaf0c1b71f6f16617124a7c0add35ad3ade0456f6c82e9de8fb7c1');
INSERT INTO migration VALUES('0050_trusted_speakers', 50, 'b83da75d41d2758a4c428a3e21771ac5bef49055a64db559231e8eacd984f65d');
INSERT INTO migration VALUES('0051_voices_and_days', 51, 'aac25d6072f2a78590c93775bd5395d89d73b44fd4c0139274e59b7207f4b1bf');
INSERT INTO migration VALUES('0052_evidence_readers', 52, '9d4a0bebda6f798aaa489ece787461a0c78d225b5793bd2f0c2c4cb969aacc0c');
INSERT INTO migration VALUES('0053_values_by_name', 53, '47b7595e412974b2d8fac7703ce9b08384c946f96346c284c18793d8f9b9a093');
INSERT INTO migration VALUES('0054_person_charts', 54, '4324b60cd1541ac61f467622b0c734e01c29019a1bfda5cb6588eb10d402aa34');
INSERT INTO migration VALUES('0055_attachments', 55, '02845b0c3bbdc4960fcdc94301e80fa1b587874517b6f90c6a9297efad1b46ee');
INSERT INTO migration VALUES('0056_tickets_that_ask', 56, '7fa2cc169377967916e914f887a46bd4cf365ac9b5946bcbbd027babd759f8b9');
INSERT INTO migration VALUES('0057_call_times', 57, '7c89b88ae50218b050c58cf6b47ecf7b6b47d2ae6fbe31e451de7de253e2aae8');
INSERT INTO migration VALUES('0058_changes', 58, '040c0646011239c22e46c5f492516a69d9107ee63886aea0c1ad4fdcecc4cf12');
INSERT INTO migration VALUES('0059_carried', 59, '767ba7502f5571580f5de84f5ed81e34b8f5f36f1a8f7aef741b24c2c3a35f45');
INSERT INTO migration VALUES('0060_operations', 60, '2748e09ac1496e61a97a30efd723c28493865e7d4f02787b839ba2f74d437df7');
INSERT INTO migration VALUES('0061_rewinds', 61, '1587b9e2c8a0daa9ba1051ad2bbcdacfbc07ba750290c74f862bec12d43d5607');
INSERT INTO migration VALUES('0062_person_ticks', 62, '6d505ae98d028622d4f792319d1a3895af64a25287c8c5316a3bf1a87f471507');
INSERT INTO migration VALUES('0063_redactions', 63, 'ffc6e7b284f9519a8314a6b2d0f80ef9061749103b6880b39087c26af7b8619d');
INSERT INTO migration VALUES('0064_posts_taken_back', 64, '7c58d138bde190eb4e36c8c8406856c2cb89444b5c0e3d2a6a2830b3bc1fc44b');
INSERT INTO migration VALUES('0065_recorded_answers', 65, '26cd7f7b36111695ccb12d14a215ab23a88f38249f134ba1685e3b39d9f0d4df');
INSERT INTO migration VALUES('0066_numbers', 66, 'bcf50c6a90f9a9fb3f9893873d84b0a885700453884692e169908edf37537e87');
INSERT INTO migration VALUES('0067_moves', 67, '53a62e4a1a71aa4dff13d7e05c2786cfaf3d7e1c97347f5f0f99de7450110c90');
INSERT INTO migration VALUES('0068_next_looks', 68, 'b5d74202e22b00a6363403717b3f3e54eae3a01aa682135a1eaaedddc2bd2588');
INSERT INTO migration VALUES('0069_open_in_order', 69, '42ba46be9c713b00c14910dd3ca835eb66fb05640a99a87320bdfda199b27f4e');
INSERT INTO migration VALUES('0070_heard_by_a_replica', 70, 'c508d2382d9bcc9ff9201d2e5c5cb064107ae08e97631b43c865eb812e8880ea');
INSERT INTO migration VALUES('0071_given_back', 71, '1aa29e734f785e3619ca3beff165b1f42a2d142b6c30c25e5b3dfd9c9726c97a');
PRAGMA user_version = 71;
