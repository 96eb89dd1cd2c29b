"""Find messages by their words."""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from mindpipe.core.ports import Rows, Store
from mindpipe.history import tables
from mindpipe.history.nearness import Fit, ranked
from mindpipe.history.query import any_of, query_of
from mindpipe.history.records import Found, GivenQuery, RankedFound
from mindpipe.history.rows import message_of
from mindpipe.history.words import excerpt, searched_text

Wanted = Literal["all", "any"]
# Of a word that more messages hold, those count in which it counts for most.
_MOST_HOLDERS = 500


def search(
    store: Store, *, agent: str, query: str, limit: int = 20, words: Wanted = "all"
) -> list[Found]:
    """Return an agent's messages that hold all words of a query, or any of them, the best first.

    Nothing in the query is syntax, but for double quotes around words that belong together and a
    `*` at the end of a word. For any of the words their endings and function words do not matter,
    so that a question is a query too, and what stands beside a message counts for it.
    """
    with store.read() as rows:
        if words == "any":
            fits, terms = _any(rows, agent, query, limit)
        else:
            fits, terms = _all(rows, agent, query, limit)
        return [_found(rows, agent, fit, terms) for fit in fits]


def search_widely(store: Store, *, agent: str, query: str, limit: int) -> list[Found]:
    """Return the messages that hold all words of a query, then those that hold any, best first."""
    with store.read():
        found = search(store, agent=agent, query=query, limit=limit)
        there = {one.seq for one in found}
        others = search(store, agent=agent, query=query, limit=limit, words="any")
    return [*found, *(one for one in others if one.seq not in there)][:limit]


def search_each(
    store: Store, *, agent: str, queries: Iterable[GivenQuery], limit: int, words: Wanted
) -> Iterator[RankedFound]:
    """Yield what `search` finds for each of many queries, with the query's id and the rank."""
    for given in queries:
        found = search(store, agent=agent, query=given.query, limit=limit, words=words)
        for rank, one in enumerate(found, 1):
            yield RankedFound(query=given.id, rank=rank, **msgspec.structs.asdict(one))


def _all(rows: Rows, agent: str, text: str, limit: int) -> tuple[list[Fit], tuple[str, ...]]:
    """Return the messages that hold all words, and the words."""
    wanted = query_of(text)
    if wanted is None:
        return [], ()
    matches = tables.matches(rows, agent=agent, query=wanted.expression, limit=limit)
    return [Fit(match.seq, match.weight) for match in matches], wanted.terms


def _any(rows: Rows, agent: str, text: str, limit: int) -> tuple[list[Fit], tuple[str, ...]]:
    """Return the messages that fit any of the words, and the words."""
    wanted = any_of(text)
    holders = [
        tables.matches(rows, agent=agent, query=word.expression, limit=_MOST_HOLDERS)
        for word in wanted
    ]
    weights = [{match.seq: match.weight for match in matches} for matches in holders]
    return ranked(weights, limit=limit), tuple(term for word in wanted for term in word.terms)


def _found(rows: Rows, agent: str, fit: Fit, terms: tuple[str, ...]) -> Found:
    """Return a hit with its place and its words."""
    (row,) = tables.page(rows, agent=agent, after=fit.seq - 1, until=fit.seq, limit=1)
    message = message_of(row)
    return Found(
        agent=message.agent,
        ref=message.id,
        seq=message.seq,
        cycle=message.cycle,
        turn=message.turn,
        role=message.role,
        at=message.at,
        score=round(fit.score, 6),
        excerpt=excerpt(searched_text(message), terms=terms),
    )
