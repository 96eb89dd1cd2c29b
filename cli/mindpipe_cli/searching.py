"""What a search of an agent's history found: for one query, or for each of many."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from mindpipe.agents.verbs import show as known_agent
from mindpipe.core.errors import UsageError
from mindpipe.core.records import Record
from mindpipe.history.records import GivenQuery
from mindpipe.history.verbs import search as verbs
from mindpipe_cli import output
from mindpipe_cli.input import records
from mindpipe_cli.session import Session

_FOUND = ("seq", "cycle", "role", "at", "score", "excerpt")


class _Wish(Record):
    """What the options ask for."""

    agent: str
    words: verbs.Wanted
    queries: str | None
    limit: int
    query: str | None


def search(session: Session, wishes: Mapping[str, str | int | bool | None]) -> None:
    """Write what one query finds, or what each line of a file of queries does.

    Raises:
        UsageError: neither a query nor a file of them is given, or both are.
    """
    wish = msgspec.convert(wishes, _Wish)
    store = session.store
    name = known_agent(store, name=wish.agent).name
    if wish.queries is not None and wish.query is None:
        asked = records(wish.queries, GivenQuery)
        found = verbs.search_each(
            store, agent=name, queries=asked, limit=wish.limit, words=wish.words
        )
        _write(session, wish, found, columns=("query", "rank", *_FOUND))
    elif wish.query is not None and wish.queries is None:
        hits = verbs.search(store, agent=name, query=wish.query, limit=wish.limit, words=wish.words)
        _write(session, wish, hits, columns=_FOUND)
    else:
        both = "" if wish.query is None else ", not both"
        raise UsageError(f"give a QUERY or --queries FILE{both}.")


def _write(
    session: Session, wish: _Wish, found: Iterable[Record], *, columns: Sequence[str]
) -> None:
    """Write what was found; where it is nothing, say how more is found."""
    if not session.write(found, columns=columns) and wish.words == "all":
        output.say("nothing found; try --any")
