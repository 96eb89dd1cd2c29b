"""An agent's history in the store, shown: messages, cycles, and what the chain says."""

import itertools

from mindpipe.agents.verbs import show as known_agent
from mindpipe.context.verbs import origins
from mindpipe.core.errors import BadInputError, NothingToDoError
from mindpipe.core.problems import Problem
from mindpipe.history.verbs import cycles as cycle_verbs
from mindpipe.history.verbs import show as show_verbs
from mindpipe.history.verbs.verify import Walk
from mindpipe_cli.session import Session

_MESSAGES = ("seq", "cycle", "turn", "role", "origin", "at", "parts")
_CYCLES = (
    "cycle",
    "state",
    "outcome",
    "trigger",
    "model",
    "input_tokens",
    "cached_tokens",
    "cached_share",
    "output_tokens",
    "cost_micros",
    "milliseconds",
    "opened",
    "sources",
)


def show(session: Session, *, agent: str, cycle: int | None, limit: int | None) -> None:
    """Draw a timeline where a table is wanted, else write the messages.

    Raises:
        NothingToDoError: there are no messages.
    """
    store = session.store
    name = known_agent(store, name=agent).name
    said = show_verbs.show(store, agent=name, cycle=cycle, limit=limit)
    if (first := next(said, None)) is None:
        place = "" if cycle is None else f" in cycle {cycle}"
        raise NothingToDoError(f"{name} has no history{place}.")
    said = itertools.chain([first], said)
    if session.shape != "table":
        session.write(said, columns=_MESSAGES)
        return
    from mindpipe_cli import timeline

    timeline.write(said, lambda number: cycle_verbs.find(store, agent=name, cycle=number))


def cycles(session: Session, *, agent: str, limit: int | None) -> None:
    """Write the newest cycles."""
    name = known_agent(session.store, name=agent).name
    session.write(origins.lived(session.store, agent=name, limit=limit), columns=_CYCLES)


def verify(session: Session, *, agent: str, anchor: str | None) -> None:
    """Write every broken row, or the verdict where there is none.

    Raises:
        NothingToDoError: there are no rows.
        BadInputError: a row is broken.
    """
    name = known_agent(session.store, name=agent).name
    walk = Walk(session.store, agent=name, anchor=anchor)
    session.write(walk.broken(), columns=("table", "number", "what"))
    verdict = walk.verdict
    if verdict.broken:
        what = f"{verdict.broken} broken in {verdict.rows} rows of {name}"
        raise BadInputError([Problem(source=session.store_path.name, message=what)])
    if not verdict.rows:
        raise NothingToDoError(f"{name} has no history to verify.")
    session.write([verdict], columns=("agent", "rows", "anchor"))
