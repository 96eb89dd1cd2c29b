"""Measure what one search by meaning takes, with a vector that is kept: no model is asked."""

from mindpipe.core.ports import Clock, Store
from mindpipe.recall.tables import index
from mindpipe.recall.vectors import tables


def seconds_of_a_search(store: Store, clock: Clock, *, agent: str) -> float | None:
    """Return for how many seconds an agent's vectors are searched, None where it has none."""
    with store.read() as rows:
        number = index.agent_number(rows, agent)
        if number is None:
            return None
        models = tables.models_within(rows, **index.span_of(number)._asdict())
        if not models:
            return None
        from mindpipe.recall.verbs.nearness import vectors_in
        from mindpipe.recall.verbs.searching import NEAREST

        began = clock.boot().seconds
        vectors = vectors_in(rows, models[-1], agent=agent)
        question = None if vectors is None else vectors.newest()
        if vectors is None or question is None:
            return None
        vectors.nearest(question, most=NEAREST)
        return clock.boot().seconds - began
