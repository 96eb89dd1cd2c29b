CREATE TABLE migration(
    name TEXT COLLATE "C" PRIMARY KEY,
    position BIGINT NOT NULL UNIQUE,
    checksum TEXT COLLATE "C" NOT NULL
);
CREATE TABLE store(
    id TEXT COLLATE "C" PRIMARY KEY,
    generation BIGINT NOT NULL DEFAULT 1,
    created TEXT COLLATE "C" NOT NULL
);
CREATE TABLE restoration(
    generation BIGINT PRIMARY KEY DEFAULT next_number('restoration', 'generation'),
    restored TEXT COLLATE "C" NOT NULL,
    loss_since TEXT COLLATE "C" NOT NULL
);
CREATE TABLE agent(
    name TEXT COLLATE "C" PRIMARY KEY,
    entity TEXT COLLATE "C" NOT NULL UNIQUE,
    body TEXT COLLATE "C" NOT NULL,
    goals_made BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE goal(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL REFERENCES agent(name) DEFERRABLE,
    number BIGINT NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('active', 'long-term', 'done', 'dropped')),
    created TEXT COLLATE "C" NOT NULL,
    updated TEXT COLLATE "C" NOT NULL,
    sources TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    priority BIGINT CHECK(priority BETWEEN 1 AND 9),
    UNIQUE(agent, number)
);
CREATE TABLE note(
    agent TEXT COLLATE "C" NOT NULL REFERENCES agent(name) DEFERRABLE,
    key TEXT COLLATE "C" NOT NULL,
    value TEXT COLLATE "C" NOT NULL,
    updated TEXT COLLATE "C" NOT NULL,
    sources TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    PRIMARY KEY(agent, key)
);
CREATE TABLE agent_lease(
    agent TEXT COLLATE "C" PRIMARY KEY REFERENCES agent(name) DEFERRABLE,
    epoch BIGINT NOT NULL,
    owner TEXT COLLATE "C",
    boot TEXT COLLATE "C" NOT NULL,
    seconds DOUBLE PRECISION NOT NULL
);
CREATE TABLE event(
    seq BIGINT PRIMARY KEY DEFAULT next_number('event', 'seq'),
    id TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C",
    priority BIGINT NOT NULL,
    asked BIGINT,
    due TEXT COLLATE "C",
    space TEXT COLLATE "C",
    sender TEXT COLLATE "C",
    text TEXT COLLATE "C",
    body TEXT COLLATE "C",
    lossy BIGINT NOT NULL DEFAULT 0,
    original TEXT COLLATE "C",
    pushed TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL DEFAULT 'ready',
    attempts BIGINT NOT NULL DEFAULT 0,
    epoch BIGINT NOT NULL DEFAULT 0,
    owner TEXT COLLATE "C",
    lease_boot TEXT COLLATE "C",
    lease_seconds DOUBLE PRECISION,
    retry_boot TEXT COLLATE "C",
    retry_seconds DOUBLE PRECISION,
    retry_at TEXT COLLATE "C",
    outcome TEXT COLLATE "C",
    reason TEXT COLLATE "C",
    sources TEXT COLLATE "C",
    cleared BIGINT NOT NULL DEFAULT 0
);
CREATE TABLE space(
    name TEXT COLLATE "C" PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    created TEXT COLLATE "C" NOT NULL,
    made BIGINT NOT NULL DEFAULT 0,
    respond_limit BIGINT CHECK(respond_limit >= 1)
);
CREATE TABLE entity(
    name TEXT COLLATE "C" PRIMARY KEY,
    kind TEXT COLLATE "C" NOT NULL CHECK(kind IN ('human', 'agent', 'service')),
    title TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL UNIQUE
);
CREATE TABLE member(
    space TEXT COLLATE "C" NOT NULL REFERENCES space(name) DEFERRABLE,
    entity TEXT COLLATE "C" NOT NULL REFERENCES entity(name) DEFERRABLE,
    joined TEXT COLLATE "C" NOT NULL,
    seen BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY(space, entity)
);
CREATE TABLE post(
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    space TEXT COLLATE "C" NOT NULL REFERENCES space(name) DEFERRABLE,
    seq BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    sender TEXT COLLATE "C" NOT NULL REFERENCES entity(name) DEFERRABLE,
    text TEXT COLLATE "C" NOT NULL,
    reply_to TEXT COLLATE "C",
    key TEXT COLLATE "C",
    holder TEXT COLLATE "C",
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('held', 'visible')),
    sources TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    depth BIGINT NOT NULL DEFAULT 0 CHECK(depth >= 0),
    answers TEXT COLLATE "C",
    waits BIGINT NOT NULL DEFAULT 0 CHECK(waits IN (0, 1)),
    waits_for TEXT COLLATE "C",
    waits_seconds DOUBLE PRECISION CHECK(waits_seconds > 0),
    taken_back TEXT COLLATE "C",
    PRIMARY KEY(space, seq)
);
CREATE TABLE plan(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    title TEXT COLLATE "C" NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    cron TEXT COLLATE "C",
    at TEXT COLLATE "C",
    after BIGINT,
    zone TEXT COLLATE "C" NOT NULL,
    catch_up TEXT COLLATE "C" NOT NULL CHECK(catch_up IN ('once', 'all', 'none')),
    created TEXT COLLATE "C" NOT NULL,
    since TEXT COLLATE "C" NOT NULL,
    next TEXT COLLATE "C",
    last TEXT COLLATE "C",
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('active', 'done')),
    sources TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    expects TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    UNIQUE(agent, number),
    CHECK(num_nonnulls(cron, at, after) = 1)
);
CREATE TABLE plan_count(
    agent TEXT COLLATE "C" PRIMARY KEY,
    made BIGINT NOT NULL
);
CREATE TABLE plan_window(
    plan TEXT COLLATE "C" NOT NULL REFERENCES plan(id) DEFERRABLE,
    "window" TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('claimed', 'done', 'skipped', 'lost')),
    attempts BIGINT NOT NULL,
    boot TEXT COLLATE "C" NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    PRIMARY KEY(plan, "window")
);
CREATE TABLE message(
    number BIGINT PRIMARY KEY DEFAULT next_number('message', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    segment BIGINT NOT NULL,
    cycle BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    role TEXT COLLATE "C" NOT NULL CHECK(role IN ('user', 'assistant', 'tool', 'note')),
    parts TEXT COLLATE "C" NOT NULL,
    raw TEXT COLLATE "C",
    origin TEXT COLLATE "C" NOT NULL,
    taint BIGINT NOT NULL,
    synthetic BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    tokens BIGINT NOT NULL,
    tokenizer TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C",
    sha256 TEXT COLLATE "C" NOT NULL,
    UNIQUE(agent, seq),
    UNIQUE(agent, id)
);
CREATE TABLE call_id(
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, id)
);
CREATE TABLE cycle(
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('open', 'closed', 'failed')),
    outcome TEXT COLLATE "C",
    trigger TEXT COLLATE "C" NOT NULL,
    events TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cost_micros BIGINT NOT NULL DEFAULT 0,
    milliseconds BIGINT NOT NULL DEFAULT 0,
    opened TEXT COLLATE "C" NOT NULL,
    closed TEXT COLLATE "C",
    epoch BIGINT NOT NULL DEFAULT 0,
    reason TEXT COLLATE "C",
    cached_tokens BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY(agent, cycle)
);
CREATE TABLE segment(
    agent TEXT COLLATE "C" NOT NULL,
    segment BIGINT NOT NULL,
    head_sha256 TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    first_cycle BIGINT NOT NULL,
    raw_from_cycle BIGINT NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    opened TEXT COLLATE "C" NOT NULL,
    sha256 TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, segment)
);
CREATE TABLE blob(
    sha256 TEXT COLLATE "C" PRIMARY KEY,
    octets BYTEA NOT NULL
);
CREATE TABLE import(
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    format TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    document_sha256 TEXT COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    envelope_sha256 TEXT COLLATE "C" NOT NULL,
    segment BIGINT NOT NULL,
    first_cycle BIGINT NOT NULL,
    last_cycle BIGINT NOT NULL,
    first_seq BIGINT NOT NULL,
    last_seq BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, id),
    UNIQUE(agent, format, document_sha256, position)
);
CREATE TABLE ledger(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    attempt BIGINT NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('reserved', 'settled', 'lost', 'void')),
    micros BIGINT NOT NULL CHECK(micros >= 0),
    priced BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    at TEXT COLLATE "C" NOT NULL,
    counted_tokens BIGINT,
    cached_tokens BIGINT NOT NULL DEFAULT 0,
    clamped BIGINT NOT NULL DEFAULT 0,
    UNIQUE(agent, cycle, turn, attempt)
);
CREATE TABLE turn(
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('asking', 'recorded', 'folded', 'abandoned')),
    attempts BIGINT NOT NULL,
    first_boot TEXT COLLATE "C" NOT NULL,
    first_seconds DOUBLE PRECISION NOT NULL,
    asked TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C",
    spans TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    PRIMARY KEY(agent, cycle, turn)
);
CREATE TABLE call(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    turn BIGINT NOT NULL,
    position BIGINT NOT NULL,
    tool TEXT COLLATE "C" NOT NULL,
    effect TEXT COLLATE "C" NOT NULL,
    args TEXT COLLATE "C",
    args_sha256 TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    result TEXT COLLATE "C",
    took TEXT COLLATE "C",
    UNIQUE(agent, cycle, turn, position)
);
CREATE TABLE ticket(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    call TEXT COLLATE "C" UNIQUE,
    tool TEXT COLLATE "C",
    args TEXT COLLATE "C",
    reason TEXT COLLATE "C" NOT NULL,
    created TEXT COLLATE "C" NOT NULL,
    tool_sha256 TEXT COLLATE "C",
    sha256 TEXT COLLATE "C",
    sources TEXT COLLATE "C" NOT NULL DEFAULT '[]',
    expires TEXT COLLATE "C",
    decided TEXT COLLATE "C",
    person TEXT COLLATE "C",
    result TEXT COLLATE "C",
    approved_args TEXT COLLATE "C",
    approved_sha256 TEXT COLLATE "C",
    questions TEXT COLLATE "C" NOT NULL DEFAULT '[]'
);
CREATE TABLE breaker(
    model TEXT COLLATE "C" PRIMARY KEY,
    boot TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE place(
    agent TEXT COLLATE "C" PRIMARY KEY,
    space TEXT COLLATE "C"
);
CREATE TABLE cycle_source(
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, cycle, source)
);
CREATE TABLE clearance(
    number BIGINT PRIMARY KEY DEFAULT next_number('clearance', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK(kind IN ('event', 'cycle', 'note', 'goal', 'plan')),
    subject TEXT COLLATE "C" NOT NULL,
    sources TEXT COLLATE "C" NOT NULL,
    person TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL
);
CREATE TABLE run(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('running', 'clean', 'crashed')),
    pid BIGINT NOT NULL,
    born TEXT COLLATE "C" NOT NULL,
    boot TEXT COLLATE "C" NOT NULL,
    program TEXT COLLATE "C" NOT NULL,
    schema BIGINT NOT NULL,
    started TEXT COLLATE "C" NOT NULL,
    ended TEXT COLLATE "C",
    found TEXT COLLATE "C",
    until DOUBLE PRECISION
);
CREATE TABLE next_look(
    agent TEXT COLLATE "C" PRIMARY KEY REFERENCES agent(name) DEFERRABLE,
    boot TEXT COLLATE "C" NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    position BIGINT NOT NULL
);
CREATE TABLE compaction(
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    action TEXT COLLATE "C" NOT NULL CHECK(action IN ('apply', 'undo')),
    "window" TEXT COLLATE "C",
    before BIGINT NOT NULL,
    through BIGINT NOT NULL,
    strategy TEXT COLLATE "C" NOT NULL,
    tokens_before BIGINT NOT NULL,
    tokens_after BIGINT NOT NULL,
    segment BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, number),
    UNIQUE(agent, segment)
);
CREATE TABLE person(
    id TEXT COLLATE "C" PRIMARY KEY,
    tick BIGINT NOT NULL,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL
);
CREATE TABLE person_version(
    person TEXT COLLATE "C" NOT NULL REFERENCES person(id) DEFERRABLE,
    tick BIGINT NOT NULL,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(person, tick, t_us)
);
CREATE TABLE person_state(
    person TEXT COLLATE "C" NOT NULL REFERENCES person(id) DEFERRABLE,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(person, t_us)
);
CREATE TABLE person_event(
    person TEXT COLLATE "C" NOT NULL REFERENCES person(id) DEFERRABLE,
    t_us BIGINT NOT NULL,
    number BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(person, t_us, number),
    UNIQUE(person, id)
);
CREATE TABLE thought(
    id TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL REFERENCES person(id) DEFERRABLE,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE person_memory(
    id TEXT COLLATE "C" PRIMARY KEY,
    person TEXT COLLATE "C" NOT NULL REFERENCES person(id) DEFERRABLE,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE person_failure(
    person TEXT COLLATE "C" NOT NULL REFERENCES person(id) DEFERRABLE,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(person, t_us)
);
CREATE TABLE person_observation(
    person TEXT COLLATE "C" NOT NULL,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL CHECK(json_valid(body)),
    PRIMARY KEY(person, t_us)
);
CREATE TABLE memory_item(
    number BIGINT PRIMARY KEY DEFAULT next_number('memory_item', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C",
    kind TEXT COLLATE "C" NOT NULL CHECK(kind IN ('episodic', 'semantic', 'procedural', 'note')),
    text TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    until TEXT COLLATE "C",
    learnt TEXT COLLATE "C" NOT NULL,
    speaker TEXT COLLATE "C",
    subject TEXT COLLATE "C",
    session TEXT COLLATE "C",
    entities TEXT COLLATE "C",
    tags TEXT COLLATE "C",
    significance DOUBLE PRECISION NOT NULL CHECK(significance BETWEEN 0 AND 10),
    span TEXT COLLATE "C",
    origin TEXT COLLATE "C" NOT NULL CHECK(origin IN ('human', 'operator', 'tool', 'program', 'agent', 'recalled')),
    sources TEXT COLLATE "C",
    trusted TEXT COLLATE "C",
    archived TEXT COLLATE "C",
    retracted TEXT COLLATE "C",
    recalled BIGINT NOT NULL DEFAULT 0,
    recalled_at TEXT COLLATE "C",
    claimed_speaker TEXT COLLATE "C",
    vouched BIGINT CHECK(vouched IN (0, 1)),
    CHECK(until IS NULL OR until >= at)
);
CREATE TABLE reflection(
    number BIGINT PRIMARY KEY DEFAULT next_number('reflection', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C",
    learnt TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL CHECK(json_valid(body)),
    retracted TEXT COLLATE "C",
    since TEXT COLLATE "C" GENERATED ALWAYS AS (body ->> 'since') STORED,
    until TEXT COLLATE "C" GENERATED ALWAYS AS (body ->> 'until') STORED,
    UNIQUE(agent, id),
    UNIQUE(agent, key),
    CHECK(until >= since)
);
CREATE TABLE lesson(
    number BIGINT PRIMARY KEY DEFAULT next_number('lesson', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C",
    learnt TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL CHECK(json_valid(body)),
    retracted TEXT COLLATE "C",
    UNIQUE(agent, id),
    UNIQUE(agent, key)
);
CREATE TABLE lesson_outcome(
    number BIGINT PRIMARY KEY DEFAULT next_number('lesson_outcome', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    lesson TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    good BIGINT NOT NULL CHECK(good IN (0, 1)),
    note TEXT COLLATE "C",
    learnt TEXT COLLATE "C" NOT NULL,
    confidence DOUBLE PRECISION NOT NULL CHECK(confidence BETWEEN 0 AND 1)
);
CREATE TABLE memory_entity(
    number BIGINT PRIMARY KEY DEFAULT next_number('memory_entity', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL CHECK(version >= 1),
    learnt TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL CHECK(json_valid(body)),
    retracted TEXT COLLATE "C",
    UNIQUE(agent, id, version)
);
CREATE TABLE relation(
    number BIGINT PRIMARY KEY DEFAULT next_number('relation', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    since TEXT COLLATE "C",
    until TEXT COLLATE "C",
    items TEXT COLLATE "C",
    learnt TEXT COLLATE "C" NOT NULL,
    sources TEXT COLLATE "C",
    retracted TEXT COLLATE "C",
    CHECK(since IS NULL OR until IS NULL OR until >= since)
);
CREATE TABLE observation(
    number BIGINT PRIMARY KEY DEFAULT next_number('observation', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL CHECK(substr(id, 1, 3) = 'ob_'),
    kind TEXT COLLATE "C" NOT NULL CHECK(kind IN ('operator_preference', 'project_state', 'world_fact', 'self_model', 'relationship_fact', 'tooling_state')),
    subject_type TEXT COLLATE "C" NOT NULL CHECK(subject_type IN ('entity', 'project', 'tool', 'agent', 'global')),
    subject_id TEXT COLLATE "C" NOT NULL CHECK(subject_id != ''),
    slot TEXT COLLATE "C" NOT NULL CHECK(slot != ''),
    canonical_key TEXT COLLATE "C" NOT NULL CHECK(canonical_key = CASE kind WHEN 'world_fact' THEN 'global:world_fact:' || subject_id || '.' || slot ELSE subject_type || ':' || subject_id || ':' || kind || ':' || slot END),
    value TEXT COLLATE "C" NOT NULL,
    summary TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    tags TEXT COLLATE "C" NOT NULL CHECK(json_valid(tags)),
    valid_from TEXT COLLATE "C" NOT NULL,
    learnt TEXT COLLATE "C" NOT NULL,
    supersedes_observation_id TEXT COLLATE "C",
    confidence DOUBLE PRECISION NOT NULL CHECK(confidence BETWEEN 0 AND 1),
    components TEXT COLLATE "C" NOT NULL CHECK(json_valid(components)),
    freshness DOUBLE PRECISION NOT NULL CHECK(freshness BETWEEN 0 AND 1),
    status TEXT COLLATE "C" NOT NULL CHECK(status IN ('active', 'stale', 'superseded', 'invalidated')),
    contested BIGINT NOT NULL CHECK(contested IN (0, 1)),
    pinned BIGINT NOT NULL CHECK(pinned IN (0, 1)),
    operator_confirmed BIGINT NOT NULL CHECK(operator_confirmed IN (0, 1)),
    valid_to TEXT COLLATE "C" CHECK(valid_to >= valid_from),
    ended TEXT COLLATE "C" CHECK(ended >= learnt),
    last_supported_at TEXT COLLATE "C",
    contradicted_at TEXT COLLATE "C",
    reinforced DOUBLE PRECISION NOT NULL CHECK(reinforced BETWEEN 0 AND 1),
    revalidation_due_at TEXT COLLATE "C" NOT NULL,
    sources TEXT COLLATE "C" NOT NULL CHECK(json_valid(sources)),
    version BIGINT NOT NULL,
    UNIQUE(agent, id),
    UNIQUE(agent, id, kind),
    UNIQUE(agent, canonical_key, id),
    UNIQUE(agent, supersedes_observation_id),
    FOREIGN KEY(agent, canonical_key, supersedes_observation_id) REFERENCES observation(agent, canonical_key, id) DEFERRABLE,
    CHECK(supersedes_observation_id != id),
    CHECK(subject_type = CASE kind WHEN 'project_state' THEN 'project' WHEN 'world_fact' THEN 'global' WHEN 'self_model' THEN 'agent' WHEN 'tooling_state' THEN 'tool' ELSE 'entity' END OR (kind = 'relationship_fact' AND subject_type = 'agent')),
    CHECK(kind != 'self_model' OR subject_id = 'self'),
    CHECK(kind NOT IN ('operator_preference', 'self_model') OR sources = '[]'),
    CHECK((ended IS NULL) = (status IN ('active', 'stale')))
);
CREATE TABLE observation_standing(
    number BIGINT PRIMARY KEY DEFAULT next_number('observation_standing', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    observation TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    recorded TEXT COLLATE "C" NOT NULL,
    by TEXT COLLATE "C" NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    standing TEXT COLLATE "C" NOT NULL CHECK(json_valid(standing)),
    UNIQUE(agent, observation, version),
    FOREIGN KEY(agent, observation) REFERENCES observation(agent, id) DEFERRABLE
);
CREATE TABLE observation_evidence(
    number BIGINT PRIMARY KEY DEFAULT next_number('observation_evidence', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    observation TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL CHECK(source IN ('memory_item', 'lesson', 'reflection', 'entity')),
    ref TEXT COLLATE "C" NOT NULL CHECK(ref != '' AND substr(ref, 1, 3) != 'ob_'),
    stance TEXT COLLATE "C" NOT NULL CHECK(stance IN ('support', 'contradict', 'context')),
    weight DOUBLE PRECISION NOT NULL CHECK(weight BETWEEN 0 AND 4),
    at TEXT COLLATE "C" NOT NULL,
    learnt TEXT COLLATE "C" NOT NULL,
    origin TEXT COLLATE "C" NOT NULL CHECK(origin IN ('human', 'operator', 'tool', 'program')),
    sources TEXT COLLATE "C" NOT NULL CHECK(json_valid(sources)),
    span TEXT COLLATE "C" CHECK(json_valid(span)),
    value TEXT COLLATE "C",
    linked TEXT COLLATE "C" NOT NULL,
    retracted TEXT COLLATE "C",
    speaker TEXT COLLATE "C",
    claimed_speaker TEXT COLLATE "C",
    trusted TEXT COLLATE "C" CHECK(json_valid(trusted)),
    vouched BIGINT CHECK(vouched IN (0, 1)),
    reader TEXT COLLATE "C",
    meant TEXT COLLATE "C",
    UNIQUE(agent, observation, source, ref, stance),
    FOREIGN KEY(agent, observation, kind) REFERENCES observation(agent, id, kind) DEFERRABLE,
    CHECK(stance != 'support' OR sources = '[]' OR kind NOT IN ('operator_preference', 'self_model'))
);
CREATE TABLE observation_decision(
    number BIGINT PRIMARY KEY DEFAULT next_number('observation_decision', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL CHECK(substr(id, 1, 3) = 'de_'),
    call TEXT COLLATE "C" NOT NULL CHECK(call IN ('corroborate', 'refine', 'supersede', 'contradict', 'retract')),
    canonical_key TEXT COLLATE "C" NOT NULL,
    observation TEXT COLLATE "C",
    made TEXT COLLATE "C",
    old_value TEXT COLLATE "C",
    new_value TEXT COLLATE "C" NOT NULL,
    old_weight DOUBLE PRECISION NOT NULL,
    new_weight DOUBLE PRECISION NOT NULL,
    margin DOUBLE PRECISION NOT NULL,
    evidence TEXT COLLATE "C" NOT NULL CHECK(json_valid(evidence)),
    at TEXT COLLATE "C" NOT NULL,
    by TEXT COLLATE "C" NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('applied', 'queued', 'approved', 'denied')),
    proposal TEXT COLLATE "C" CHECK(json_valid(proposal)),
    answered TEXT COLLATE "C",
    answered_by TEXT COLLATE "C",
    UNIQUE(agent, id),
    FOREIGN KEY(agent, canonical_key, observation) REFERENCES observation(agent, canonical_key, id) DEFERRABLE,
    FOREIGN KEY(agent, canonical_key, made) REFERENCES observation(agent, canonical_key, id) DEFERRABLE
);
CREATE TABLE item_mark(
    number BIGINT PRIMARY KEY DEFAULT next_number('item_mark', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    relation TEXT COLLATE "C" NOT NULL CHECK(relation IN ('supersedes', 'contradicts')),
    old TEXT COLLATE "C" NOT NULL,
    new TEXT COLLATE "C" NOT NULL CHECK(new != old),
    at TEXT COLLATE "C" NOT NULL,
    by TEXT COLLATE "C" NOT NULL,
    retracted TEXT COLLATE "C",
    UNIQUE(agent, old, new, relation)
);
CREATE TABLE consolidation_window(
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    items TEXT COLLATE "C" NOT NULL CHECK(json_valid(items)),
    lessons TEXT COLLATE "C" NOT NULL CHECK(json_valid(lessons)),
    reflections TEXT COLLATE "C" NOT NULL CHECK(json_valid(reflections)),
    entities TEXT COLLATE "C" NOT NULL CHECK(json_valid(entities)),
    opened TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('claimed', 'done', 'lost')),
    attempts BIGINT NOT NULL,
    boot TEXT COLLATE "C" NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    PRIMARY KEY(agent, number)
);
CREATE TABLE consolidation_subject(
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, number, subject),
    FOREIGN KEY(agent, number) REFERENCES consolidation_window(agent, number) DEFERRABLE
);
CREATE TABLE consolidation_mark(
    agent TEXT COLLATE "C" PRIMARY KEY,
    item BIGINT NOT NULL
);
CREATE TABLE consolidation_ahead(
    agent TEXT COLLATE "C" NOT NULL,
    item BIGINT NOT NULL,
    PRIMARY KEY(agent, item)
);
CREATE TABLE extraction_mark(
    agent TEXT COLLATE "C" PRIMARY KEY,
    upto BIGINT NOT NULL CHECK(upto >= 0)
);
CREATE TABLE agent_run(
    seq BIGINT PRIMARY KEY DEFAULT next_number('agent_run', 'seq'),
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    agent TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('running', 'waiting_reply', 'done', 'failed', 'cancelled')),
    trigger TEXT COLLATE "C" NOT NULL,
    event TEXT COLLATE "C" NOT NULL,
    depth BIGINT NOT NULL CHECK(depth >= 0),
    began TEXT COLLATE "C" NOT NULL,
    ended TEXT COLLATE "C",
    reason TEXT COLLATE "C"
);
CREATE TABLE agent_run_cycle(
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    run TEXT COLLATE "C" NOT NULL REFERENCES agent_run(id) DEFERRABLE,
    PRIMARY KEY(agent, cycle)
);
CREATE TABLE cycle_shown(
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    post TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, cycle, post)
);
CREATE TABLE run_wait(
    seq BIGINT PRIMARY KEY DEFAULT next_number('run_wait', 'seq'),
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    run TEXT COLLATE "C" NOT NULL REFERENCES agent_run(id) DEFERRABLE,
    agent TEXT COLLATE "C" NOT NULL,
    space TEXT COLLATE "C" NOT NULL,
    post TEXT COLLATE "C" NOT NULL,
    since TEXT COLLATE "C" NOT NULL,
    until TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('open', 'replied', 'timed_out', 'cancelled')),
    by TEXT COLLATE "C",
    ended TEXT COLLATE "C",
    whom TEXT COLLATE "C",
    anybody BIGINT NOT NULL DEFAULT 1 CHECK(anybody IN (0, 1)),
    CHECK((state = 'open') = (ended IS NULL))
);
CREATE TABLE iteration(
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL CHECK(number >= 1),
    life TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    mode TEXT COLLATE "C" NOT NULL CHECK(mode IN ('normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery')),
    concern TEXT COLLATE "C",
    cycle BIGINT,
    outcome TEXT COLLATE "C" NOT NULL,
    events BIGINT NOT NULL,
    queue BIGINT NOT NULL,
    rate DOUBLE PRECISION NOT NULL,
    observe_ms DOUBLE PRECISION NOT NULL,
    think_ms DOUBLE PRECISION NOT NULL,
    decide_ms DOUBLE PRECISION NOT NULL,
    act_ms DOUBLE PRECISION NOT NULL,
    reflect_ms DOUBLE PRECISION NOT NULL,
    interval_ms BIGINT NOT NULL,
    decided BIGINT NOT NULL,
    applied BIGINT NOT NULL,
    confidence DOUBLE PRECISION,
    significance DOUBLE PRECISION,
    error TEXT COLLATE "C",
    PRIMARY KEY(agent, number)
);
CREATE TABLE mode_change(
    number BIGINT PRIMARY KEY DEFAULT next_number('mode_change', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    before TEXT COLLATE "C" NOT NULL CHECK("before" IN ('normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery')),
    after TEXT COLLATE "C" NOT NULL CHECK("after" IN ('normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery') AND "after" <> "before"),
    by TEXT COLLATE "C" NOT NULL,
    reason TEXT COLLATE "C" NOT NULL
);
CREATE TABLE session(
    agent TEXT COLLATE "C" PRIMARY KEY,
    at TEXT COLLATE "C" NOT NULL,
    iteration BIGINT NOT NULL CHECK(iteration >= 0),
    mode TEXT COLLATE "C" NOT NULL CHECK(mode IN ('normal', 'deep_focus', 'exploration', 'overload', 'sleep', 'recovery')),
    body TEXT COLLATE "C" NOT NULL CHECK(json_valid(body))
);
CREATE TABLE concern(
    agent TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    focus BIGINT NOT NULL CHECK(focus IN (0, 1)),
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, name)
);
CREATE TABLE attention_turn(
    agent TEXT COLLATE "C" NOT NULL,
    concern TEXT COLLATE "C" NOT NULL,
    credit DOUBLE PRECISION NOT NULL,
    turns BIGINT NOT NULL,
    last BIGINT NOT NULL,
    fired BIGINT NOT NULL,
    yields_until BIGINT NOT NULL,
    PRIMARY KEY(agent, concern)
);
CREATE TABLE familiar(
    agent TEXT COLLATE "C" NOT NULL,
    mark TEXT COLLATE "C" NOT NULL,
    met BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY(agent, mark)
);
CREATE TABLE iteration_reflection(
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    iteration BIGINT NOT NULL,
    cycle BIGINT,
    at TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, number)
);
CREATE TABLE pattern(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    iteration BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL CHECK(kind IN ('stuck', 'oscillating', 'ineffective', 'overloaded')),
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('in_force', 'over', 'undone')),
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE decision(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('proposed', 'decided', 'returned', 'waiting', 'approved', 'rejected', 'expired', 'applied', 'failed', 'unknown', 'undoing', 'undone')),
    created TEXT COLLATE "C" NOT NULL,
    ticket TEXT COLLATE "C" UNIQUE,
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE escalation(
    key TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('waiting', 'calling', 'called', 'unknown', 'quiet')),
    created TEXT COLLATE "C" NOT NULL,
    due TEXT COLLATE "C",
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE task(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL,
    worker TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('created', 'sent', 'running', 'late', 'lost', 'escalated', 'done', 'failed')),
    key TEXT COLLATE "C" NOT NULL UNIQUE,
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE observed(
    observer TEXT COLLATE "C" NOT NULL,
    path TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL CHECK (size >= 0),
    mtime_ns BIGINT NOT NULL,
    ctime_ns BIGINT NOT NULL,
    inode BIGINT NOT NULL,
    sha256 TEXT COLLATE "C" CHECK (sha256 IS NULL OR length(sha256) = 64),
    settled BIGINT NOT NULL CHECK (settled IN (0, 1)),
    fields TEXT COLLATE "C" NOT NULL DEFAULT '{}' CHECK (json_valid(fields)),
    PRIMARY KEY (observer, path)
);
CREATE TABLE observed_mark(
    observer TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    mark TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (observer, name)
);
CREATE TABLE alert(
    id TEXT COLLATE "C" PRIMARY KEY,
    agent TEXT COLLATE "C" NOT NULL REFERENCES agent(name) DEFERRABLE,
    severity TEXT COLLATE "C" NOT NULL CHECK(severity IN ('critical', 'warning')),
    metric TEXT COLLATE "C" NOT NULL,
    above DOUBLE PRECISION NOT NULL,
    until DOUBLE PRECISION NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('firing', 'cleared')),
    value DOUBLE PRECISION NOT NULL,
    worst DOUBLE PRECISION NOT NULL,
    since TEXT COLLATE "C" NOT NULL,
    ended TEXT COLLATE "C",
    CHECK((state = 'cleared') = (ended IS NOT NULL))
);
CREATE TABLE size_sample(
    at TEXT COLLATE "C" PRIMARY KEY,
    bytes BIGINT NOT NULL CHECK(bytes >= 0),
    vector_seconds DOUBLE PRECISION
);
CREATE TABLE segment_left_out(
    agent TEXT COLLATE "C" NOT NULL,
    segment BIGINT NOT NULL,
    records TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, segment)
);
CREATE TABLE plan_outcome(
    plan TEXT COLLATE "C" NOT NULL,
    "window" TEXT COLLATE "C" NOT NULL,
    attempt BIGINT NOT NULL,
    since TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('open', 'met', 'failed')),
    at TEXT COLLATE "C",
    why TEXT COLLATE "C",
    PRIMARY KEY(plan, "window", attempt),
    FOREIGN KEY(plan, "window") REFERENCES plan_window(plan, "window") DEFERRABLE,
    CHECK((state = 'open') = (at IS NULL)),
    CHECK((state = 'failed') = (why IS NOT NULL))
);
CREATE TABLE consolidation_voice(
    agent TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, name)
);
CREATE TABLE person_chart(
    person TEXT COLLATE "C" PRIMARY KEY,
    body TEXT COLLATE "C" NOT NULL CHECK(json_valid(body))
);
CREATE TABLE attachment(
    owner TEXT COLLATE "C" NOT NULL,
    place BIGINT NOT NULL CHECK(place >= 1),
    sha256 TEXT COLLATE "C" NOT NULL,
    media_type TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    size BIGINT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    pages BIGINT NOT NULL,
    PRIMARY KEY(owner, place)
);
CREATE TABLE change(
    number BIGINT PRIMARY KEY DEFAULT next_number('change', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    undo TEXT COLLATE "C" NOT NULL CHECK(json_valid(undo))
);
CREATE TABLE cycle_change(
    agent TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY(agent, cycle)
);
CREATE TABLE carried(
    agent TEXT COLLATE "C" NOT NULL,
    upto BIGINT NOT NULL,
    moved BIGINT NOT NULL CHECK(moved >= 0),
    PRIMARY KEY(agent, upto)
);
CREATE TABLE operation_setup(
    sha256 TEXT COLLATE "C" PRIMARY KEY,
    body TEXT COLLATE "C" NOT NULL
);
CREATE TABLE operation(
    number BIGINT PRIMARY KEY DEFAULT next_number('operation', 'number'),
    agent TEXT COLLATE "C" NOT NULL,
    after BIGINT NOT NULL,
    setup TEXT COLLATE "C" NOT NULL,
    body TEXT COLLATE "C" NOT NULL CHECK(json_valid(body))
);
CREATE TABLE operation_part(
    operation BIGINT NOT NULL,
    part BIGINT NOT NULL,
    after BIGINT NOT NULL,
    number BIGINT NOT NULL,
    blobs TEXT COLLATE "C" NOT NULL CHECK(json_valid(blobs)),
    heard BYTEA NOT NULL,
    PRIMARY KEY(operation, part)
);
CREATE TABLE rewind(
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    upto BIGINT NOT NULL,
    PRIMARY KEY(agent, number)
);
CREATE TABLE person_tick(
    person TEXT COLLATE "C" NOT NULL REFERENCES person(id) DEFERRABLE,
    tick BIGINT NOT NULL,
    t_us BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(person, tick)
);
CREATE TABLE redaction(
    agent TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    cycle BIGINT NOT NULL,
    rows BIGINT NOT NULL,
    messages TEXT COLLATE "C" NOT NULL CHECK(json_valid(messages)),
    segments TEXT COLLATE "C" NOT NULL CHECK(json_valid(segments)),
    PRIMARY KEY(agent, number)
);
CREATE TABLE recorded_answer(
    agent TEXT COLLATE "C" NOT NULL,
    tool TEXT COLLATE "C" NOT NULL,
    args_sha256 TEXT COLLATE "C" NOT NULL,
    place BIGINT NOT NULL,
    of_cycle BIGINT NOT NULL,
    is_given BIGINT NOT NULL,
    failed BIGINT NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY(agent, tool, args_sha256, place)
);
CREATE TABLE store_move(
    id TEXT COLLATE "C" PRIMARY KEY,
    state TEXT COLLATE "C" NOT NULL CHECK(state IN ('leaving', 'left', 'arriving', 'arrived')),
    other TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL
);
CREATE INDEX event_open ON event(agent, priority, seq) WHERE priority >= 0 AND state IN ('ready', 'leased');
ALTER TABLE event SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE UNIQUE INDEX event_key ON event(agent, source, key) WHERE key IS NOT NULL;
CREATE INDEX member_by_entity ON member(entity, space);
CREATE UNIQUE INDEX post_key ON post(space, sender, key) WHERE key IS NOT NULL;
CREATE INDEX post_held ON post(holder) WHERE state = 'held';
CREATE INDEX plan_by_next ON plan(state, next);
CREATE INDEX plan_window_open ON plan_window(plan, "window") WHERE state = 'claimed';
CREATE INDEX message_by_cycle ON message(agent, cycle, seq);
CREATE UNIQUE INDEX one_open_cycle ON cycle(agent) WHERE state='open';
CREATE INDEX ledger_by_day ON ledger(day, agent, state, micros);
CREATE INDEX clearance_of ON clearance(agent, kind);
CREATE INDEX ticket_state ON ticket(agent, state);
CREATE INDEX run_running ON run(agent) WHERE state = 'running';
CREATE INDEX run_crashed ON run(ended) WHERE state = 'crashed';
CREATE INDEX thought_by_time ON thought(person, t_us);
CREATE INDEX person_memory_by_time ON person_memory(person, t_us);
CREATE UNIQUE INDEX memory_item_id ON memory_item(agent, id);
CREATE UNIQUE INDEX memory_item_key ON memory_item(agent, key) WHERE key IS NOT NULL;
CREATE INDEX lesson_outcome_of ON lesson_outcome(agent, lesson, number);
CREATE INDEX relation_from ON relation(agent, source);
CREATE INDEX relation_to ON relation(agent, target);
CREATE UNIQUE INDEX one_active_observation ON observation(agent, canonical_key) WHERE status = 'active';
CREATE INDEX observation_by_kind ON observation(agent, kind, status);
CREATE INDEX observation_due ON observation(agent, revalidation_due_at);
CREATE INDEX observation_ranked ON observation(agent, confidence DESC, freshness DESC);
CREATE INDEX observation_evidence_of ON observation_evidence(agent, source, ref);
CREATE INDEX observation_decision_queued ON observation_decision(agent) WHERE state = 'queued';
CREATE INDEX observation_decision_of ON observation_decision(agent, canonical_key);
CREATE INDEX item_mark_by_new ON item_mark(agent, new);
CREATE UNIQUE INDEX one_open_consolidation ON consolidation_window(agent) WHERE state = 'claimed';
CREATE INDEX observation_evidence_latest ON observation_evidence(agent, observation, at);
CREATE INDEX observation_held ON observation(agent, canonical_key) WHERE status IN ('active', 'stale');
CREATE INDEX observation_by_family ON observation( agent, kind, subject_id, substr(slot, 1, instr(slot || '_', '_') - 1), valid_from ) WHERE status IN ('active', 'stale');
CREATE INDEX post_answers ON post(answers) WHERE answers IS NOT NULL;
CREATE INDEX agent_run_live ON agent_run(agent, event) WHERE state IN ('running', 'waiting_reply');
CREATE INDEX agent_run_cycle_by_run ON agent_run_cycle(run, cycle);
CREATE INDEX run_wait_by_run ON run_wait(run);
CREATE UNIQUE INDEX run_wait_open ON run_wait(run) WHERE state = 'open';
CREATE INDEX run_wait_in ON run_wait(agent, space) WHERE state = 'open';
CREATE INDEX run_wait_for ON run_wait(post);
CREATE INDEX run_wait_by ON run_wait(agent, by) WHERE by IS NOT NULL;
CREATE INDEX mode_change_of ON mode_change(agent, number);
CREATE UNIQUE INDEX concern_focus ON concern(agent) WHERE focus = 1;
CREATE INDEX familiar_last ON familiar(agent, last);
CREATE UNIQUE INDEX iteration_reflection_cycle ON iteration_reflection(agent, cycle) WHERE cycle IS NOT NULL;
CREATE INDEX iteration_reflection_at ON iteration_reflection(agent, at);
CREATE INDEX pattern_agent ON pattern(agent, iteration);
CREATE INDEX decision_by_state ON decision(agent, state);
CREATE INDEX escalation_by_state ON escalation(agent, state);
CREATE INDEX task_by_state ON task(agent, state);
CREATE INDEX task_by_worker ON task(worker, state);
CREATE UNIQUE INDEX alert_firing ON alert(agent, severity, metric) WHERE state = 'firing';
CREATE INDEX alert_since ON alert(agent, since);
CREATE INDEX event_later ON event(agent, due) WHERE due IS NOT NULL AND state IN ('ready', 'leased');
CREATE INDEX plan_outcome_open ON plan_outcome(plan) WHERE state = 'open';
CREATE INDEX plan_window_by_time ON plan_window("window");
CREATE INDEX observation_timed ON observation(agent, subject_id) WHERE status IN ('active', 'stale') AND (slot = 'age' OR slot LIKE 'plan.%' OR valid_to IS NOT NULL);
CREATE INDEX observation_named ON observation(agent, lower(rtrim(substr(value, 1, least(instr(value || ',', ','), instr(value || '(', '(')) - 1)))) WHERE status = 'active' AND value != '';
CREATE INDEX observation_kinded ON observation(agent, lower(substr(value, instr(value, '(') + 1, length(value) - instr(value, '(') - 1))) WHERE status = 'active' AND instr(value, '(') > 0;
CREATE INDEX observation_denied ON observation(agent, subject_id, slot) WHERE status = 'active' AND supersedes_observation_id IS NOT NULL AND substr(value, 1, 4) = 'not ';
CREATE INDEX attachment_blob ON attachment(sha256);
CREATE INDEX change_of ON change(agent, number);
CREATE INDEX operation_of ON operation(agent, number);
CREATE TRIGGER message_UPDATE BEFORE UPDATE ON message
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of message are only ever added');
CREATE TRIGGER message_DELETE BEFORE DELETE ON message
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of message are only ever added');
CREATE TRIGGER segment_UPDATE BEFORE UPDATE ON segment
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of segment are only ever added');
CREATE TRIGGER segment_DELETE BEFORE DELETE ON segment
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of segment are only ever added');
CREATE TRIGGER call_id_UPDATE BEFORE UPDATE ON call_id
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of call_id are only ever added');
CREATE TRIGGER call_id_DELETE BEFORE DELETE ON call_id
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of call_id are only ever added');
CREATE TRIGGER import_UPDATE BEFORE UPDATE ON import
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of import are only ever added');
CREATE TRIGGER import_DELETE BEFORE DELETE ON import
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of import are only ever added');
CREATE TRIGGER blob_UPDATE BEFORE UPDATE ON blob
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of blob are only ever added');
CREATE TRIGGER compaction_UPDATE BEFORE UPDATE ON compaction
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of compaction are only ever added');
CREATE TRIGGER compaction_DELETE BEFORE DELETE ON compaction
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of compaction are only ever added');
CREATE TRIGGER memory_item_DELETE BEFORE DELETE ON memory_item
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of memory_item are never deleted');
CREATE TRIGGER reflection_UPDATE BEFORE UPDATE OF number, agent, id, key, learnt, body ON reflection
    FOR EACH ROW EXECUTE FUNCTION refuse('what reflection says is never changed');
CREATE TRIGGER reflection_DELETE BEFORE DELETE ON reflection
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of reflection are never deleted');
CREATE TRIGGER lesson_UPDATE BEFORE UPDATE OF number, agent, id, key, learnt, body ON lesson
    FOR EACH ROW EXECUTE FUNCTION refuse('what lesson says is never changed');
CREATE TRIGGER lesson_DELETE BEFORE DELETE ON lesson
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of lesson are never deleted');
CREATE TRIGGER lesson_outcome_UPDATE BEFORE UPDATE OF number, agent, lesson, at, good, note, learnt, confidence ON lesson_outcome
    FOR EACH ROW EXECUTE FUNCTION refuse('what lesson_outcome says is never changed');
CREATE TRIGGER lesson_outcome_DELETE BEFORE DELETE ON lesson_outcome
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of lesson_outcome are never deleted');
CREATE TRIGGER memory_entity_UPDATE BEFORE UPDATE OF number, agent, id, version, learnt, body ON memory_entity
    FOR EACH ROW EXECUTE FUNCTION refuse('what memory_entity says is never changed');
CREATE TRIGGER memory_entity_DELETE BEFORE DELETE ON memory_entity
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of memory_entity are never deleted');
CREATE TRIGGER relation_UPDATE BEFORE UPDATE OF number, agent, source, type, target, since, until, items, learnt, sources ON relation
    FOR EACH ROW EXECUTE FUNCTION refuse('what relation says is never changed');
CREATE TRIGGER relation_DELETE BEFORE DELETE ON relation
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of relation are never deleted');
CREATE TRIGGER observation_DELETE BEFORE DELETE ON observation
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of observation are never deleted');
CREATE TRIGGER observation_UPDATE BEFORE UPDATE OF number, agent, id, kind, subject_type, subject_id, slot, canonical_key, value, summary, detail, tags, valid_from, learnt, supersedes_observation_id ON observation
    FOR EACH ROW EXECUTE FUNCTION refuse('what observation says is never rewritten');
CREATE TRIGGER observation_status BEFORE UPDATE OF status ON observation
    FOR EACH ROW WHEN (OLD.status IN ('superseded', 'invalidated') AND NEW.status != OLD.status) EXECUTE FUNCTION refuse('a belief that was replaced or refuted stays so');
CREATE TRIGGER observation_standing_DELETE BEFORE DELETE ON observation_standing
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of observation_standing are never deleted');
CREATE TRIGGER observation_standing_UPDATE BEFORE UPDATE OF number, agent, observation, version, recorded, by, why, standing ON observation_standing
    FOR EACH ROW EXECUTE FUNCTION refuse('what observation_standing says is never rewritten');
CREATE TRIGGER observation_evidence_DELETE BEFORE DELETE ON observation_evidence
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of observation_evidence are never deleted');
CREATE TRIGGER observation_evidence_retracted BEFORE UPDATE OF retracted ON observation_evidence
    FOR EACH ROW WHEN (OLD.retracted IS NOT NULL) EXECUTE FUNCTION refuse('evidence is retracted once');
CREATE TRIGGER observation_decision_DELETE BEFORE DELETE ON observation_decision
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of observation_decision are never deleted');
CREATE TRIGGER observation_decision_UPDATE BEFORE UPDATE OF agent, id, call, canonical_key, observation, old_value, new_value, old_weight, new_weight, margin, evidence, at, by, why, proposal, number ON observation_decision
    FOR EACH ROW EXECUTE FUNCTION refuse('what observation_decision says is never rewritten');
CREATE TRIGGER observation_decision_answer BEFORE UPDATE OF state ON observation_decision
    FOR EACH ROW WHEN (OLD.state != 'queued') EXECUTE FUNCTION refuse('a decision is answered once');
CREATE TRIGGER item_mark_DELETE BEFORE DELETE ON item_mark
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of item_mark are never deleted');
CREATE TRIGGER item_mark_UPDATE BEFORE UPDATE OF number, agent, relation, old, new, at, by ON item_mark
    FOR EACH ROW EXECUTE FUNCTION refuse('what item_mark says is never rewritten');
CREATE TRIGGER memory_item_UPDATE BEFORE UPDATE OF number, agent, id, key, kind, text, at, until, learnt, speaker, subject, session, entities, tags, significance, span, origin, sources, trusted, claimed_speaker, vouched ON memory_item
    FOR EACH ROW EXECUTE FUNCTION refuse('what memory_item says is never changed');
CREATE TRIGGER observation_evidence_UPDATE BEFORE UPDATE OF agent, observation, source, ref, stance, weight, at, learnt, origin, sources, span, value, linked, number, kind, speaker, claimed_speaker, trusted, vouched, reader, meant ON observation_evidence
    FOR EACH ROW EXECUTE FUNCTION refuse('what observation_evidence says is never rewritten');
CREATE TRIGGER attachment_UPDATE BEFORE UPDATE ON attachment
    FOR EACH ROW EXECUTE FUNCTION refuse('rows of attachment are only ever added');
CREATE TABLE message_text(
    number BIGINT PRIMARY KEY,
    words TSVECTOR NOT NULL
);
CREATE INDEX message_text_words ON message_text USING gin(words);
CREATE TRIGGER observation_trust BEFORE UPDATE OF sources ON observation
    FOR EACH ROW WHEN (names_more(OLD.sources, NEW.sources)) EXECUTE FUNCTION refuse('an observation never comes to be trusted more');
CREATE FUNCTION is_believed(of_agent text, observation_id text) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS(SELECT 1 FROM observation WHERE agent = of_agent AND id = observation_id AND status IN ('active', 'stale'))
$$;
CREATE TRIGGER observation_successor BEFORE INSERT ON observation
    FOR EACH ROW WHEN (is_believed(NEW.agent, NEW.supersedes_observation_id)) EXECUTE FUNCTION refuse('what is superseded has to be ended first');
CREATE FUNCTION is_trusted_more(of_agent text, observation_id text, than text) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS(SELECT 1 FROM observation WHERE agent = of_agent AND id = observation_id AND names_more(than, sources))
$$;
CREATE TRIGGER observation_evidence_trust BEFORE INSERT ON observation_evidence
    FOR EACH ROW WHEN (NEW.stance = 'support' AND is_trusted_more(NEW.agent, NEW.observation, NEW.sources)) EXECUTE FUNCTION refuse('an observation is trusted no more than its support');
CREATE FUNCTION keep_key() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_there boolean;
BEGIN
    EXECUTE format('SELECT EXISTS(SELECT 1 FROM %I WHERE agent = $1 AND key = $2)', TG_TABLE_NAME)
        INTO is_there USING NEW.agent, NEW.key;
    RETURN CASE WHEN is_there THEN NULL ELSE NEW END;
END $$;
CREATE TRIGGER memory_item_REPLACE BEFORE INSERT ON memory_item
    FOR EACH ROW WHEN (NEW.key IS NOT NULL) EXECUTE FUNCTION keep_key();
CREATE TRIGGER reflection_REPLACE BEFORE INSERT ON reflection
    FOR EACH ROW WHEN (NEW.key IS NOT NULL) EXECUTE FUNCTION keep_key();
CREATE TRIGGER lesson_REPLACE BEFORE INSERT ON lesson
    FOR EACH ROW WHEN (NEW.key IS NOT NULL) EXECUTE FUNCTION keep_key();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON message
    FOR EACH ROW WHEN (current_setting('mindpipe.rewound', true) = 'on') EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON carried
    FOR EACH ROW WHEN (current_setting('mindpipe.rewound', true) = 'on') EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON cycle_change
    FOR EACH ROW WHEN (current_setting('mindpipe.rewound', true) = 'on') EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON agent
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON goal
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON note
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON event
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON space
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON entity
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON member
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON post
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON plan
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON plan_count
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON plan_window
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON call_id
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON cycle
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON segment
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON import
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON ledger
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON turn
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON call
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON ticket
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON place
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON cycle_source
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON clearance
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON compaction
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON memory_item
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON reflection
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON lesson
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON lesson_outcome
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON memory_entity
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON relation
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON observation
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON observation_standing
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON observation_evidence
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON observation_decision
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON item_mark
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON consolidation_window
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON consolidation_subject
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON consolidation_mark
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON consolidation_ahead
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON extraction_mark
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON agent_run
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON agent_run_cycle
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON cycle_shown
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON run_wait
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON iteration
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON mode_change
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON session
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON concern
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON attention_turn
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON familiar
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON iteration_reflection
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON pattern
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON decision
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON escalation
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON task
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON alert
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON segment_left_out
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON plan_outcome
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON consolidation_voice
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON attachment
    FOR EACH ROW EXECUTE FUNCTION hear();
CREATE TRIGGER heard AFTER INSERT OR UPDATE OR DELETE ON recorded_answer
    FOR EACH ROW EXECUTE FUNCTION hear();
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
