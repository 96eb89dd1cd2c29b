"""What was said in a log, page by page, each piece under the words that it holds."""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice

from mindpipe.agents.records import Agent
from mindpipe.context.verbs import origins
from mindpipe.core.messages import Message
from mindpipe.core.ports import Store
from mindpipe.history.rows import searched_text
from mindpipe.history.verbs import log
from mindpipe.history.verbs.history import messages, show
from mindpipe.memory.extraction.pieces import pieces_of
from mindpipe.memory.extraction.records import LogPage, SpeakerWords
from mindpipe.memory.verbs.memory import read_upto

PAGE = 500
"""How many messages are read at once."""


def said(store: Store, agent: Agent, *, since_cycle: int | None) -> Iterator[LogPage]:
    """Yield what was said in an agent's log from a cycle on; without one, what was not read yet.

    The agent's `trust` names all whom it trusts.
    """
    name = agent.name
    last = log.log_head(store, agent=name).seq
    rows = messages(store, agent=name, since=_first(store, name, since_cycle), until=last)
    while page := list(islice(rows, PAGE)):
        yield LogPage(page[-1].seq, list(_pieces(store, page, agent)))


def _first(store: Store, agent: str, cycle: int | None) -> int:
    """Return the number of the first message that is read."""
    if cycle is None:
        return read_upto(store, agent=agent) + 1
    found = next(show(store, agent=agent, cycle=cycle), None)
    return 1 if found is None else found.seq


def _pieces(store: Store, page: Sequence[Message], agent: Agent) -> Iterator[SpeakerWords]:
    """Yield what was said in some messages."""
    for cycle, lived in groupby(page, key=lambda message: message.cycle):
        whose = origins.whose_words(store, agent, cycle=cycle)
        for message in lived:
            yield from pieces_of(message, log=searched_text(message), whose=whose)
