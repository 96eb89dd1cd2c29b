"""An agent's history in the store, shown: messages, cycles, and what the chain says."""

import collections
import itertools
from collections.abc import Iterator, Mapping
from functools import partial

import msgspec

from mindpipe.agents.verbs import show as known_agent
from mindpipe.compaction.verbs import verifying
from mindpipe.context.verbs import origins
from mindpipe.core.errors import BadInputError, NothingToDoError, UsageError
from mindpipe.core.messages import Message, text_of
from mindpipe.core.problems import Problem
from mindpipe.core.records import Record
from mindpipe.history.verbs import cycles as cycle_verbs
from mindpipe.history.verbs import show as show_verbs
from mindpipe.history.verbs.verify import Walk
from mindpipe_cli.options import IN_FORCE
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
_CYCLES_SHOWN = ("cycle", "outcome", "trigger", "input_tokens", "sources", "opened")


class _Shown(Record):
    """Which messages are asked for: of one cycle, the newest, of a window, or behind a summary."""

    agent: str
    cycle: int | None
    limit: int | None
    window: int | None
    covers: str | None


def show(session: Session, wishes: Mapping[str, str | int | bool | None]) -> None:
    """Draw a timeline where a table is wanted, else write the messages.

    Raises:
        NothingToDoError: there are no messages.
        UsageError: two things are asked for at once, or what is not there.
    """
    wish = msgspec.convert(wishes, _Shown)
    asked = [name for name in ("cycle", "window", "covers") if getattr(wish, name) is not None]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} or --{asked[1]}? Give one of them.")
    store = session.store
    name = known_agent(store, name=wish.agent).name
    said = _said(session, wish, name)
    if (first := next(said, None)) is None:
        place = "" if wish.cycle is None else f" in cycle {wish.cycle}"
        raise NothingToDoError(f"{name} has no history{place}.")
    if session.shape != "table":
        session.write(itertools.chain([first], said), columns=_MESSAGES)
        return
    from mindpipe.compaction.wording import OPENING
    from mindpipe_cli import timeline

    if wish.window is not None and text_of(first).startswith(OPENING):
        timeline.write_words(text_of(first))
    else:
        said = itertools.chain([first], said)
    timeline.write(said, lambda number: cycle_verbs.find(store, agent=name, cycle=number))


def _said(session: Session, wish: _Shown, agent: str) -> Iterator[Message]:
    """Yield the messages that are asked for."""
    store = session.store
    if not wish.window and wish.covers is None:
        return show_verbs.show(store, agent=agent, cycle=wish.cycle, limit=wish.limit)
    from mindpipe.compaction.verbs import seeing, windows

    if wish.covers is not None:
        found = windows.covers(store, agent=agent, cycles=wish.covers)
    else:
        sources = partial(origins.of_summaries, store, agent)
        number = None if wish.window == IN_FORCE else wish.window
        found = iter(seeing.seen(store, agent=agent, sources=sources, number=number))
    return found if wish.limit is None else iter(collections.deque(found, maxlen=wish.limit))


def cycles(session: Session, *, agent: str, limit: int | None) -> None:
    """Write the newest cycles."""
    name = known_agent(session.store, name=agent).name
    columns = _CYCLES_SHOWN if session.shape == "table" else _CYCLES
    session.write(origins.lived(session.store, agent=name, limit=limit), columns=columns)


def verify(session: Session, *, agent: str, anchor: str | None) -> None:
    """Write every broken row, or the verdict where there is none.

    Raises:
        NothingToDoError: there are no rows.
        BadInputError: a row is broken.
    """
    name = known_agent(session.store, name=agent).name
    walk = Walk(session.store, agent=name, anchor=anchor)
    windows = list(verifying.broken(session.store, agent=name))
    session.write(itertools.chain(walk.broken(), windows), columns=("table", "number", "what"))
    verdict = walk.verdict
    if count := verdict.broken + len(windows):
        what = f"{count} broken in {verdict.rows} rows of {name}"
        raise BadInputError([Problem(source=session.store_path.name, message=what)])
    if not verdict.rows:
        raise NothingToDoError(f"{name} has no history to verify.")
    session.write([verdict], columns=("agent", "rows", "anchor"))
