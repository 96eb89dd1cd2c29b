"""One search of the whole history for each question about a dialogue, as a mind would make it."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.messages import Message, Role, TextPart
from mindpipe.core.models import Write
from mindpipe.core.ports import Chance, Clock, Store, Tokens
from mindpipe.core.records import Record, to_json
from mindpipe.history.adoption import ForeignDocument, ReadFile
from mindpipe.history.records import GivenQuery
from mindpipe.history.verbs.history import import_, search_each
from mindpipe.io.files import write_whole
from mindpipe.io.spool import Spool
from mindpipe.providers.records import ImportOptions
from mindpipe.store.access import make_store
from mindpipe_cli import input
from mindpipe_cli.benchmarks.dialogues import Dialogue

HITS = 10
"""Messages that a search may bring back."""
_AGENT = "bench"
_HEARD = "Listened."


class DialogueQuestion(Record):
    """A question about a dialogue, as the scorers give it."""

    id: str
    query: str
    at: str


class SearchHit(Record):
    """A turn that a search found, as the scorers take it."""

    query: str
    rank: int
    ref: str


class BenchPorts(NamedTuple):
    """What stores are made with, and what writes summaries if anything does."""

    clock: Clock
    chance: Chance
    tokens: Tokens
    write: Write | None = None


def searched(read: Iterable[Dialogue], folder: Path, ports: BenchPorts) -> Path:
    """Return a file with what a search finds for each question about some prepared dialogues."""
    lines = [to_json(hit) + b"\n" for one in read for hit in _hits(one, folder / one.name, ports)]
    hits = folder / "hits.jsonl"
    write_whole(hits, lines)
    return hits


def _hits(dialogue: Dialogue, folder: Path, ports: BenchPorts) -> Iterator[SearchHit]:
    """Yield what is found for each question about one dialogue, in a store of its own."""
    store = make_store(folder / "mind.db", ports.clock, ports.chance)
    try:
        _live(store, dialogue, ports)
        asked = input.records(str(folder / "queries.jsonl"), DialogueQuestion)
        queries = [GivenQuery(id=one.id, query=one.query) for one in asked]
        for one in search_each(store, agent=_AGENT, queries=queries, limit=HITS, words="any"):
            yield SearchHit(query=one.query, rank=one.rank, ref=one.ref)
    finally:
        store.close()


def _live(store: Store, dialogue: Dialogue, ports: BenchPorts) -> None:
    """Let an agent have lived through a dialogue."""
    agents.new(store, ports.clock, ports.chance, name=_AGENT)
    rows = _closed(dialogue.conversation.messages)
    options = ImportOptions(agent=_AGENT, name=dialogue.name, at=ports.clock.now())
    octets = b"".join(to_json(row) + b"\n" for row in rows)
    foreign = ForeignDocument(octets=octets, format="mindpipe", options=options)
    with Spool() as conversations, Spool() as messages:
        file = ReadFile(conversations=conversations, messages=messages)
        import_(store, ports.clock, ports.tokens, foreign=foreign, file=file)


def _closed(messages: Iterable[Message]) -> Iterator[Message]:
    """Yield messages as a history: who hears others, and answers none, closes each cycle."""
    seq = 0
    last: Message | None = None
    for message in messages:
        if last is not None and last.role is message.role is Role.USER:
            seq += 1
            yield _closing(last, seq)
        seq += 1
        last = message
        yield msgspec.structs.replace(message, seq=seq)
    if last is not None and last.role is Role.USER:
        yield _closing(last, seq + 1)


def _closing(last: Message, seq: int) -> Message:
    """Return what closes a cycle."""
    return msgspec.structs.replace(
        last,
        id=f"closing-{seq}",
        seq=seq,
        turn=last.turn + 1,
        role=Role.ASSISTANT,
        parts=(TextPart(text=_HEARD),),
    )
