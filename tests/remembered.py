"""Hypothesis strategies for what a memory is given, and a store with its tables in memory."""

import contextlib
from collections.abc import Iterator

import apsw
from hypothesis import strategies as st

from mindpipe.memory.records import (
    GivenItem,
    NewEntity,
    NewLesson,
    NewReflection,
    Outcome,
    Relation,
    Span,
)
from mindpipe.memory.tables.schema import MIGRATIONS
from mindpipe.store.sqlite import SqliteStore

INSTANTS = st.datetimes(timezones=st.none()).map(
    lambda at: f"{at.replace(microsecond=0).isoformat()}Z"
)
LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=12)
TEXTS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=40
).filter(lambda words: words.strip() != "")
IDS = st.none() | LINES
WORDS = st.lists(LINES, max_size=3).map(tuple)
SPANS = st.builds(
    lambda message, start, quote: Span(
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
            "speaker": IDS,
            "subject": IDS,
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
        st.builds(Outcome, at=INSTANTS, good=st.booleans(), note=st.none() | TEXTS), max_size=2
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
