"""Stores, and histories in them."""

import contextlib
import functools
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import cast

import msgspec

from mindpipe.core.messages import Conversation, Head, Message
from mindpipe.core.models import Target
from mindpipe.history import tables
from mindpipe.history.records import Cycle, CycleOutcome, NewSegment
from mindpipe.history.verbs import log
from mindpipe.history.verbs import log as blobs
from mindpipe.history.verbs import log as segments
from mindpipe.store import schema
from mindpipe.store.sqlite import SqliteStore, connect
from support.fakes import FixedClock
from support.server_stores import SERVER, server_store


def store_at(path: Path) -> SqliteStore:
    """Make, or open, a store; the caller closes it."""
    if SERVER in os.environ:
        return cast("SqliteStore", server_store(path))
    if not path.exists():
        path.write_bytes(_empty())
    return SqliteStore(connect(path), path)


@functools.cache
def _empty() -> bytes:
    """Return a store in which nothing is, not even its id."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mind.db"
        with contextlib.closing(connect(path, create=True)) as connection:
            schema.create(connection, path)
        return path.read_bytes()


TARGET = Target(provider="anthropic", api="messages", model="claude-haiku-4-5", family="claude-4")


class WordTokens:
    """Count words, so that a test can count too."""

    name = "words"

    def count(self, text: str) -> int:
        """Return how many words the text has."""
        return len(text.split())


def open_segment(
    store: SqliteStore, *, agent: str = "ada", head: Head | None = None, first_cycle: int = 1
) -> int:
    """Open a segment and return its number."""
    new = NewSegment(
        head=head or Head(system="You are Ada."),
        target=TARGET,
        first_cycle=first_cycle,
        raw_from_cycle=first_cycle,
        reason="test",
    )
    return segments.open_segment(store, FixedClock(), agent=agent, new=new).segment


def past_cycle(agent: str, number: int) -> Cycle:
    """Return a cycle to which messages may be added although it is not open."""
    return Cycle(
        agent=agent,
        cycle=number,
        state=CycleOutcome.IMPORTED.state,
        outcome=CycleOutcome.IMPORTED,
        trigger="test",
        events=(),
        model="",
        input_tokens=0,
        output_tokens=0,
        cost_micros=0,
        milliseconds=0,
        opened="2026-11-21T20:00:00Z",
        closed=None,
        epoch=0,
    )


def add(store: SqliteStore, messages: Iterable[Message]) -> None:
    """Append messages; cycles that are not there yet are made."""
    held = list(messages)
    with store.write() as rows:
        for number in sorted({message.cycle for message in held}):
            if tables.find_cycle(rows, agent=held[0].agent, cycle=number) is None:
                tables.insert_cycle(rows, past_cycle(held[0].agent, number))
        log.append(store, WordTokens(), messages=held)


def store_talk(store: SqliteStore, talk: Conversation, *, agent: str = "ada") -> list[Message]:
    """Append a conversation in a segment of its own and return its messages."""
    segment = open_segment(store, agent=agent, head=talk.head)
    said = [
        msgspec.structs.replace(message, agent=agent, segment=segment) for message in talk.messages
    ]
    blobs.put_blobs(store, octets=talk.blobs.values())
    add(store, said)
    return said
