"""Find messages by their words."""

from mindpipe.core.ports import Store
from mindpipe.history import tables
from mindpipe.history.query import Query, query_of
from mindpipe.history.records import Found, Hit
from mindpipe.history.rows import message_of
from mindpipe.history.words import excerpt, searched_text


def search(store: Store, *, agent: str, query: str, limit: int = 20) -> list[Found]:
    """Return an agent's messages that hold all words of a query, the best first.

    Nothing in the query is syntax, but for double quotes around words that belong together and a
    `*` at the end of a word.
    """
    wanted = query_of(query)
    if wanted is None:
        return []
    with store.read() as rows:
        hits = tables.hits(rows, agent=agent, query=wanted.expression, limit=limit)
        return [_found(hit, wanted) for hit in hits]


def _found(hit: Hit, wanted: Query) -> Found:
    """Return a hit with its place and its words."""
    message = message_of(hit)
    return Found(
        agent=message.agent,
        seq=message.seq,
        cycle=message.cycle,
        turn=message.turn,
        role=message.role,
        at=message.at,
        score=round(-hit.rank, 6),
        excerpt=excerpt(searched_text(message), terms=wanted.terms),
    )
