"""The pieces of a message that somebody said, with who said them.

An agent's own history opens each cycle with one message that lists its events as
`[space] sender (kind): "words"`, `[type source] "words"` or `[type source] sender: "words"`; each
of these is a piece. Any other message of a user is one piece.
"""

import functools
import re
from collections.abc import Iterator
from typing import get_args

import msgspec

from mindpipe.core.events import EventType
from mindpipe.core.messages import Message, Role
from mindpipe.core.sources import OPERATOR
from mindpipe.memory.extraction.records import Said, Whose, WhoseIs
from mindpipe.memory.records import Item, Origin

USER = "user"
"""Who speaks in the messages of a user that name nobody."""
_TYPES = frozenset(get_args(EventType))
_EVENTS_OF_OTHERS = frozenset({"tool_result", "decision", "observation", "interrupt"})


def _of_nobody(_text: str) -> Whose:
    """Say of any text that it holds nobody's words."""
    return Whose()


def pieces_of(message: Message, *, log: str, whose: WhoseIs = _of_nobody) -> Iterator[Said]:
    """Yield what people and programs said in a message; nothing of what the mind itself said.

    The answers of tools are no statements of anybody, so they are left, and with them whatever was
    recalled; so are the program's notes on the present, which show what the mind remembers.

    Args:
        message: the message.
        log: its searched text, in which the pieces have their places.
        whose: says whose words a piece holds.
    """
    if message.role is not Role.USER or message.synthetic:
        return
    if message.origin != "program" and _head().match(log):
        for match in _event().finditer(log):
            try:
                said = _said(match, message, log, whose)
            except msgspec.DecodeError:
                continue
            if said is not None:
                yield said
        return
    sources, trusted = whose(log)
    yield Said(
        message=message.id,
        text=log,
        at=message.at,
        speaker=USER,
        sources=sources,
        trusted=trusted,
    )


def piece_of(item: Item) -> Said | None:
    """Return what an item says, or None where it was itself taken out of a log."""
    if item.span is not None:
        return None
    return Said(
        message=item.id,
        text=item.text,
        at=item.at,
        speaker=item.speaker,
        session=item.session,
        origin=item.origin,
        sources=item.sources,
        trusted=item.trusted,
    )


def _said(match: re.Match[str], message: Message, log: str, whose: WhoseIs) -> Said | None:
    """Return what one event says, or None where its words are nobody's statement."""
    where, sender = match["where"], match["sender"]
    kind, _, source = where.partition(" ")
    in_space = match["kind"] is not None or (sender is not None and kind not in _TYPES)
    if not in_space and kind in _EVENTS_OF_OTHERS:
        return None
    text, places = _decoded(log, match.start("words"), match.end("words"))
    speaker = _plain(sender or source or kind)
    sources, trusted = whose(text)
    return Said(
        message=message.id,
        text=text,
        at=message.at,
        log=log,
        places=places,
        speaker=speaker,
        session=_plain(where) if in_space else None,
        origin=_origin(match["kind"], sender, None if in_space else _plain(source or kind)),
        sources=sources,
        trusted=trusted,
    )


def _origin(sender_kind: str | None, sender: str | None, source: str | None) -> Origin:
    """Return who brought words forth; another mind's words are no evidence either."""
    if sender_kind == "agent":
        return "agent"
    if sender_kind == "service" or (source in OPERATOR and source != "operator"):
        return "program"
    return "operator" if source == "operator" and sender is None else "human"


def _plain(label: str) -> str:
    """Return a name as it is, which may stand there as a JSON string."""
    return msgspec.json.decode(label, type=str) if label.startswith('"') else label


def _decoded(log: str, start: int, end: int) -> tuple[str, tuple[int, ...]]:
    """Return a JSON string's characters, and where in the log each begins and the last ends."""
    characters: list[str] = []
    places: list[int] = []
    for match in _character().finditer(log, start + 1, end - 1):
        one = match[0]
        places.append(match.start())
        escaped = one.startswith("\\")
        characters.append(msgspec.json.decode(f'"{one}"', type=str) if escaped else one)
    return "".join(characters), (*places, end - 1)


@functools.cache
def _head() -> re.Pattern[str]:
    """Return the line that opens a message which lists events."""
    return re.compile(r"[A-Z ]+ \(\d+ events?\):\n")


@functools.cache
def _event() -> re.Pattern[str]:
    """Return one listed event."""
    string = r'"(?:[^"\\\n]|\\.)*"'
    return re.compile(
        rf"(?m)^\[(?P<where>{string}|[^\]\n\"]*(?:{string})?)\] "
        rf"(?:(?P<sender>{string}|[^:\n\"(]*?)(?: \((?P<kind>\w+)\))?: )?(?P<words>{string})"
    )


@functools.cache
def _character() -> re.Pattern[str]:
    """Return one character of a JSON string as it is written; a pair of surrogates is one."""
    return re.compile(r"(?s)\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\w{4}|\\.|.")
