"""Read an agent's log for what is worth remembering, page by page, each kept with its mark."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from mindpipe.agents.records import Agent
from mindpipe.core.bad_lines import BadLines
from mindpipe.core.errors import UnavailableError
from mindpipe.core.messages import Message
from mindpipe.core.ports import Chance, Clock, Store
from mindpipe.history.verbs import log
from mindpipe.history.verbs.show import messages, show
from mindpipe.history.words import searched_text
from mindpipe.memory.extraction.finding import Finder
from mindpipe.memory.extraction.pieces import pieces_of
from mindpipe.memory.extraction.records import Said
from mindpipe.memory.quotes import overlaps
from mindpipe.memory.records import Item
from mindpipe.memory.verbs import extracting

if TYPE_CHECKING:
    from mindpipe.compaction.task import Write

PAGE = 500
"""How many messages are read, and what they give is kept, at once."""
Look = Callable[[Sequence[Said]], list[Item]]
"""Find the items of some pieces."""


class Reading(NamedTuple):
    """What is read: whose log, from which cycle on (None: from the mark), and what is kept of it.

    The agent's `trust` names all whom it trusts; `least` is the significance that is kept.
    """

    agent: Agent
    since_cycle: int | None
    least: float
    look: Look


def by_rules() -> Look:
    """Return what finds items by rules alone; what it was given before makes words recur."""
    finder = Finder()
    return lambda pieces: [item for said in pieces for item in finder.items_in(said)]


def with_model(write: "Write", *, bad_lines: BadLines) -> Look:
    """Return what finds items by rules, and asks a model for those that rules miss.

    A line of its answer whose quote is not in the log goes to `bad_lines`. It raises
    UnavailableError where the model cannot be asked.
    """
    from mindpipe.compaction.task import Question
    from mindpipe.memory import ask

    rules = by_rules()

    def look(pieces: Sequence[Said]) -> list[Item]:
        found = rules(pieces)
        for number, batch in enumerate(ask.batches(pieces), 1):
            asked = Question(ask.SYSTEM, ask.question_of(batch), ask.ANSWER_TOKENS)
            written = write(asked)
            if written.fault:
                raise UnavailableError(f"no items were asked for: {written.fault}.")
            for one in ask.items_of(written.text, batch, source=f"answer {number}"):
                if isinstance(one, ask.Refused):
                    bad_lines.refuse(one.problems, one.line.encode())
                elif not overlaps(one, found):
                    found.append(one)
        bad_lines.settle()
        return found

    return look


def read_log(store: Store, clock: Clock, chance: Chance, *, reading: Reading) -> Iterator[Item]:
    """Yield the items that were not kept yet, each page of the log in a transaction of its own.

    Raises:
        BadInputError: a model misquoted the log, and that is not to be passed over.
        UnavailableError: a model was to be asked and cannot be.
    """
    name = reading.agent.name
    last = log.log_head(store, agent=name).seq
    rows = messages(store, agent=name, since=_first(store, reading), until=last)
    while page := list(islice(rows, PAGE)):
        found = [
            item
            for item in reading.look(list(_pieces(store, page, reading.agent)))
            if item.significance >= reading.least
        ]
        yield from extracting.keep(store, clock, chance, agent=name, found=found, upto=page[-1].seq)


def _first(store: Store, reading: Reading) -> int:
    """Return the number of the first message that is read."""
    name = reading.agent.name
    if reading.since_cycle is None:
        return extracting.read_upto(store, agent=name) + 1
    found = next(show(store, agent=name, cycle=reading.since_cycle), None)
    return 1 if found is None else found.seq


def _pieces(store: Store, page: Sequence[Message], agent: Agent) -> Iterator[Said]:
    """Yield what was said in some messages, each piece under the words that it holds."""
    from mindpipe.context.verbs import origins

    for cycle, lived in groupby(page, key=lambda message: message.cycle):
        whose = origins.whose_words(store, agent, cycle=cycle)
        for message in lived:
            yield from pieces_of(message, log=searched_text(message), whose=whose)
