"""Read whole cycles by their numbers, with the tokens that were stored with each message."""

from typing import NamedTuple

from mindpipe.core.messages import Message
from mindpipe.core.ports import Store
from mindpipe.history import tables
from mindpipe.history.rows import message_of


class Counted(NamedTuple):
    """A message, its tokens as they were counted when it was appended, and by which tokenizer."""

    message: Message
    tokens: int
    tokenizer: str


def counted(store: Store, *, agent: str, first: int, last: int) -> list[Counted]:
    """Return the messages of the cycles `first` to `last`, oldest first; nothing else is read."""
    with store.read() as rows:
        found = tables.from_cycle(rows, agent=agent, cycle=first, until=last)
        return [Counted(message_of(row), row.tokens, row.tokenizer) for row in found]
