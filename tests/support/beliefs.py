"""Observations, evidence, changes and memories, with as little said as will do."""

import contextlib
from collections.abc import Iterator

import apsw
import msgspec
from hypothesis import strategies as st

from mindpipe.context.verbs.trust import Revoker
from mindpipe.core.text import hides, is_blank
from mindpipe.io.chance import SeededChance
from mindpipe.knowledge.confidence import WINDOWS, settled
from mindpipe.knowledge.keys import SUBJECT_TYPES, canonical_key
from mindpipe.knowledge.records import (
    BeliefChange,
    Changes,
    Components,
    Evidence,
    Kind,
    Observation,
)
from mindpipe.memory.records import (
    GivenItem,
    LessonOutcome,
    NewEntity,
    NewLesson,
    NewReflection,
    QuotedSpan,
    Relation,
)
from mindpipe.memory.tables.schema import MIGRATIONS
from mindpipe.store.sqlite import SqliteStore
from support.fakes import FixedClock

AVA = "ava"
T0 = "2026-11-01T00:00:00Z"
T1 = "2026-11-10T00:00:00Z"
T2 = "2026-11-20T00:00:00Z"
REVOKER = Revoker(FixedClock(), SeededChance(1))
_NONE = Components(
    source_count=0,
    source_diversity=0,
    support_weight=0.0,
    contradiction_weight=0.0,
    recency_weight=0.35,
    operator_confirmed_boost=0.0,
)


def evidence(ref: str = "it_1", **more: object) -> Evidence:
    """Return a piece of evidence: an item that supports, unless it is said otherwise."""
    given = {"source": "memory_item", "stance": "support", "at": T0, "learnt": T0, **more}
    return msgspec.convert({"ref": ref, **given}, Evidence)


def observation(
    id: str = "ob_1",
    *links: Evidence,
    kind: Kind = "world_fact",
    subject: str = "sarah",
    slot: str = "residence",
    now: str = T0,
    **more: object,
) -> Observation:
    """Return an observation that stands as its evidence has it; one item supports it if none."""
    subject = "self" if kind == "self_model" else subject
    subject_type = SUBJECT_TYPES[kind]
    given = {
        "id": id,
        "agent": AVA,
        "kind": kind,
        "subject_type": subject_type,
        "subject_id": subject,
        "slot": slot,
        "canonical_key": canonical_key(kind, subject_type, subject, slot),
        "value": "Berlin",
        "summary": "Sarah lives in Berlin.",
        "confidence": 0.0,
        "components": _NONE,
        "freshness": 0.0,
        "valid_from": T0,
        "learnt": T0,
        "revalidation_due_at": T0,
        "evidence": links or (evidence(),),
        **more,
    }
    made = msgspec.convert(given, Observation, from_attributes=True)
    return settled(made, now=now, windows=WINDOWS)


def changes(*changed: BeliefChange, at: str = T0) -> Changes:
    """Return changes of one agent at one instant."""
    return Changes(agent=AVA, at=at, changes=changed)


def new(made: Observation, why: str = "it was said") -> BeliefChange:
    """Return the change that makes an observation."""
    return BeliefChange(observation=made, why=why)


INSTANTS = st.datetimes(timezones=st.none()).map(
    lambda at: f"{at.replace(microsecond=0).isoformat()}Z"
)
LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12)
TEXTS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=40
).filter(lambda words: words.strip() != "")
IDS = st.none() | LINES
SEEN = st.none() | LINES.filter(lambda name: not hides(name) and not is_blank(name))
"""Names of somebody, which others must be able to see."""
WORDS = st.lists(LINES, max_size=3).map(tuple)
SPANS = st.builds(
    lambda message, start, quote: QuotedSpan(
        message=message, start=start, end=start + len(quote), quote=quote
    ),
    LINES,
    st.integers(0, 1000),
    TEXTS,
)
SHARES = st.floats(0, 1)


@st.composite
def periods(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a beginning and an end that is not before it."""
    one, other = sorted((draw(INSTANTS), draw(INSTANTS)))
    return one, other


ITEMS = st.builds(
    lambda period, ends, given: GivenItem(
        **{**given, "at": period[0], "until": period[1] if ends else None}
    ),
    periods(),
    st.booleans(),
    st.fixed_dictionaries(
        {
            "id": IDS,
            "key": IDS,
            "text": TEXTS,
            "kind": st.sampled_from(("episodic", "semantic", "procedural", "note")),
            "learnt": st.just("0001-01-01T00:00:00Z"),
            "speaker": SEEN,
            "claimed_speaker": SEEN,
            "vouched": st.sampled_from((True, None)),
            "subject": SEEN,
            "session": IDS,
            "entities": WORDS,
            "tags": WORDS,
            "significance": st.floats(0, 10),
            "span": st.none() | SPANS,
            "origin": st.sampled_from(("human", "operator", "tool", "program", "agent")),
            "sources": WORDS,
            "archived": st.none() | INSTANTS,
            "retracted": st.none() | INSTANTS,
            "recalled": st.integers(0, 9),
            "recalled_at": st.none() | INSTANTS,
        }
    ),
)
REFLECTIONS = st.builds(
    lambda period, given: NewReflection(since=period[0], until=period[1], **given),
    periods(),
    st.fixed_dictionaries(
        {"id": IDS, "text": TEXTS, "items": WORDS, "tags": WORDS, "sources": WORDS}
    ),
)
LESSONS = st.builds(
    NewLesson,
    id=IDS,
    text=TEXTS,
    when=st.none() | TEXTS,
    confidence=SHARES,
    outcomes=st.lists(
        st.builds(LessonOutcome, at=INSTANTS, good=st.booleans(), note=st.none() | TEXTS),
        max_size=2,
    ).map(tuple),
    tags=WORDS,
    sources=WORDS,
)
NAMES = st.sampled_from(("Jo Marsh", "Bo", "Harbour Lab", "Ångström", "東京"))
ENTITIES = st.builds(
    NewEntity,
    name=NAMES,
    aliases=st.lists(NAMES, max_size=2).map(tuple),
    profile=st.sampled_from(("", "Repairs boats.", "Sails.")),
    relations=st.lists(
        st.builds(Relation, type=st.sampled_from(("knows", "owns")), to=NAMES), max_size=2
    ).map(tuple),
    origin=st.sampled_from(("operator", "human", "agent")),
    sources=st.lists(st.sampled_from(("mail", "web")), max_size=1).map(tuple),
)


@contextlib.contextmanager
def empty_store() -> Iterator[SqliteStore]:
    """Give a store in memory with the tables of a memory alone."""
    connection = apsw.Connection(":memory:")
    for migration in MIGRATIONS:
        connection.execute(migration.sql)
    store = SqliteStore(connection, None)  # type: ignore[arg-type]  # it has no file
    yield store
    store.close()
