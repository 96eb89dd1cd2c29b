"""Keep the index abreast of what it is made from: catch up with what is new, or make it anew."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from mindpipe.core.errors import ReadOnlyError, RecoveryError, RefusedError
from mindpipe.core.ports import NOBODY, Rows, Store
from mindpipe.history.rows import words_of_parts
from mindpipe.recall.tables import index
from mindpipe.recall.tables.feeds import FEEDS, Feed
from mindpipe.recall.words import day_in_words, row_words

_AT_ONCE = 50_000
"""So many rows are read and kept in one transaction; a kill costs no more than these."""


def is_behind(store: Store) -> bool:
    """Tell whether something is kept that cannot be found yet."""
    with store.searched.read() as rows:
        return any(index.newest(rows, feed) > index.upto(rows, feed.source) for feed in FEEDS)


def lag(store: Store) -> int:
    """Return how many rows at most are kept that cannot be found yet."""
    with store.searched.read() as rows:
        return sum(
            max(0, index.newest(rows, feed) - index.upto(rows, feed.source)) for feed in FEEDS
        )


def gaps(store: Store) -> int:
    """Return by how many rows the index is out with what its marks say is in it."""
    with store.searched.read() as rows:
        return index.gaps(rows)


def catch_up(store: Store) -> Iterator[int]:
    """Make findable what is not yet, of all agents; each step yields how many rows it took.

    What is yielded is kept. A caller that holds a transaction keeps all of it or nothing.
    """
    found = store.searched
    for feed in FEEDS:
        while taken := _take(found, feed):
            yield taken


def caught_up(store: Store, tell: Callable[[str], None]) -> None:
    """Catch up before a search; `tell` hears why less is searched where the store takes nothing."""
    if not is_behind(store):
        return
    try:
        for _ in catch_up(store):
            pass
    except (RefusedError, RecoveryError, ReadOnlyError) as error:
        tell(f"{error} Only what was indexed before is searched.")


def reindex(store: Store, note: Callable[[Rows], None]) -> int:
    """Make the index anew from what it stands for; return how many rows.

    `note` notes in the store that this is done, in the transaction that does it. Where a file of
    each user's own is searched, no one else waits for that: whoever follows the store makes a new
    file once it has the note.
    """
    if store.searched is not store:
        with store.write(NOBODY) as noted:
            note(noted)
        with store.searched.write() as rows:
            index.clear(rows)
        return sum(catch_up(store))
    with store.write() as noted, store.searched.write() as rows:
        index.clear(rows)
        note(noted)
        return sum(catch_up(store))


def _take(store: Store, feed: Feed) -> int:
    """Index the next rows of a feed and return how many they are."""
    with store.read() as rows:
        if index.newest(rows, feed) <= index.upto(rows, feed.source):
            return 0
    with store.write() as rows:
        found = index.days(rows, feed, after=index.upto(rows, feed.source), limit=_AT_ONCE)
        # Numbers that ascend are what the full-text index takes in fast.
        for agent, theirs in groupby(found, key=attrgetter("agent")):
            _index(rows, feed, agent, list(theirs))
        if not found:
            index.forget_late(rows, feed.source)
    return sum(day.rows for day in found)


def _index(rows: Rows, feed: Feed, agent: str, days: Sequence[index.Day]) -> None:
    """Make the rows of one agent findable and move its mark."""
    base = index.span_of(index.keep_agent(rows, agent), feed.source).first
    mark = index.FeedMark(
        agent=agent,
        source=feed.source,
        rows=sum(day.rows for day in days),
        first=min(day.first for day in days),
        last=max(day.last for day in days),
    )
    if feed.source == "message":
        found = index.fed(rows, feed, mark)
        index.insert(rows, ((base + one.number, _message_words(one)) for one in found))
    else:
        words = {day.day: day_in_words(day.day) for day in days}
        index.insert_fed(rows, feed, mark, base=base, words=words)
        foreign = index.fed(rows, feed, mark, foreign=True)
        index.insert(rows, ((base + one.number, _words(one, one.text)) for one in foreign))
    index.move_mark(rows, mark)


def _message_words(one: index.IndexedText) -> str:
    """Return the words of the row of a message, whose text is the JSON of its parts."""
    return _words(one, words_of_parts(one.text))


def _words(one: index.IndexedText, text: str) -> str:
    """Return the words of a row whose own words are a text."""
    return row_words(text, at=one.at, speaker=one.speaker, subject=one.subject)
