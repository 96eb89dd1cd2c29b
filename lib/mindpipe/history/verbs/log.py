"""Append messages to an agent's log, and say where it ends."""

from collections.abc import Mapping, Sequence

import msgspec

from mindpipe.core.errors import IllegalStateError
from mindpipe.core.messages import CallPart, Message, calls_of
from mindpipe.core.ports import Rows, Store, Tokens
from mindpipe.core.records import to_json
from mindpipe.history import tables
from mindpipe.history.chain import link, row_octets
from mindpipe.history.legality import breaches
from mindpipe.history.records import LogHead, MessageRow
from mindpipe.history.words import counted_text, searched_text

NO_SOURCES: Mapping[str, str] = {}


def log_head(store: Store, *, agent: str) -> LogHead:
    """Return where an agent's log ends, and the hash of its chain."""
    with store.read() as rows:
        return tables.log_head(rows, agent=agent)


def append(
    store: Store,
    tokens: Tokens,
    *,
    messages: Sequence[Message],
    sources: Mapping[str, str] = NO_SOURCES,
) -> None:
    """Append whole turns of one agent, in the caller's transaction if one is open.

    Each message is counted once with `tokens`, hashed onto the chain and made findable. `sources`
    maps ids of imported messages to the hash of what they were read from. The messages' segment is
    the newest one, and their cycles are open or imported.

    Raises:
        IllegalStateError: the messages may not follow the log's end; it names rule and seq.
    """
    if not messages:
        return
    agent = messages[0].agent
    with store.write() as rows:
        head = tables.log_head(rows, agent=agent)
        _check(rows, head, messages)
        tables.insert_messages(rows, _rows(rows, tokens, head, messages, sources))
        number = tables.next_number(rows) - len(messages)
        tables.insert_text(rows, enumerate(map(searched_text, messages), number))
        tables.insert_calls(rows, agent=agent, ids=[call.id for call in _calls(messages)])


def _check(rows: Rows, head: LogHead, messages: Sequence[Message]) -> None:
    """Refuse messages that may not stand behind the log's end."""
    for breach in breaches(head, messages):
        raise IllegalStateError(f"{breach.rule}: message {breach.seq}: {breach.what}")
    cycles = {message.cycle for message in messages}
    known = tables.known_cycles(rows, agent=head.agent, first=min(cycles), last=max(cycles))
    if missing := sorted(cycles - known):
        raise IllegalStateError(f"H10: cycle {missing[0]} of {head.agent} is not open")
    ids = [call.id for call in _calls(messages)]
    if used := tables.used_ids(rows, table="call_id", agent=head.agent, ids=ids):
        raise IllegalStateError(f"H5: the call id {used[0]} is in the log already")


def _calls(messages: Sequence[Message]) -> list[CallPart]:
    """Return all calls of some messages."""
    return [call for message in messages for call in calls_of(message)]


def _rows(
    rows: Rows,
    tokens: Tokens,
    head: LogHead,
    messages: Sequence[Message],
    sources: Mapping[str, str],
) -> list[MessageRow]:
    """Return the rows of messages, each linked to the one before it."""
    segment = tables.last_segment(rows, agent=head.agent)
    first = tables.next_number(rows)
    made: list[MessageRow] = []
    previous = head.sha256
    for number, message in enumerate(messages, first):
        if segment is None or message.segment != segment.segment:
            raise IllegalStateError(
                f"H11: message {message.seq} is not of the newest segment of {head.agent}"
            )
        row = _row(message, number=number, tokens=tokens, source=sources.get(message.id))
        octets = row_octets([*msgspec.structs.astuple(row)[:-1], segment.sha256])
        previous = link(previous, octets)
        made.append(msgspec.structs.replace(row, sha256=previous))
    return made


def _row(message: Message, *, number: int, tokens: Tokens, source: str | None) -> MessageRow:
    """Return the row of a message before it is linked."""
    return MessageRow(
        number=number,
        agent=message.agent,
        seq=message.seq,
        id=message.id,
        segment=message.segment,
        cycle=message.cycle,
        turn=message.turn,
        role=message.role.value,
        parts=to_json(message.parts).decode(),
        raw=None if message.raw is None else to_json(message.raw).decode(),
        origin=message.origin,
        taint=int(message.taint),
        synthetic=int(message.synthetic),
        at=message.at,
        tokens=tokens.count(counted_text(message)),
        tokenizer=tokens.name,
        source=source,
        sha256="",
    )
