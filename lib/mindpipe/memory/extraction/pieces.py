"""The pieces of a message that somebody said, with who said them.

An agent's own history opens each cycle with one message that lists its events as
`[space] sender (kind): "words"`, `[type source] "words"` or `[type source] sender: "words"`; each
of these is a piece. Under a timeline the message holds lines like `[sender (kind)] [msg:ID] [TIME]
(id:ID) "words"` below `IN "space" (id: ID):`, and events as above; each of these is a piece, and
lines that are neither are nobody's. Any other message of a user is one piece.
"""

import functools
import re
from collections.abc import Iterator
from typing import get_args

import msgspec

from mindpipe.core.events import EventType
from mindpipe.core.messages import Message, Role
from mindpipe.core.sources import OPERATOR, USER, speakers
from mindpipe.memory.extraction.records import SpeakerWords, Whose, WhoseIs
from mindpipe.memory.records import Item, Origin

_TYPES = frozenset(get_args(EventType))
_EVENTS_OF_OTHERS = frozenset({"tool_result", "decision", "observation", "interrupt"})


def _as_named(_text: str, named: str | None) -> Whose:
    """Say of any text that somebody vouches for it."""
    return Whose(speaker=named)


def pieces_of(message: Message, *, log: str, whose: WhoseIs = _as_named) -> Iterator[SpeakerWords]:
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
    if message.origin.startswith("source:") and _timeline().match(log):
        yield from _taken_up(message, log, whose)
        return
    found = whose(log, USER)
    yield SpeakerWords(
        message=message.id,
        text=log,
        at=message.at,
        speaker=found.speaker,
        claimed_speaker=found.claimed,
        sources=found.sources,
        trusted=found.trusted,
    )


def piece_of(item: Item) -> SpeakerWords | None:
    """Return what an item says, or None where it was itself taken out of a log."""
    if item.span is not None:
        return None
    said_by = speakers(item.speaker, item.claimed_speaker, item.sources)
    return SpeakerWords(
        message=item.id,
        text=item.text,
        at=item.at,
        speaker=said_by.known,
        claimed_speaker=said_by.claimed,
        session=item.session,
        origin=item.origin,
        sources=item.sources,
        trusted=item.trusted,
    )


def _said(match: re.Match[str], message: Message, log: str, whose: WhoseIs) -> SpeakerWords | None:
    """Return what one event says, or None where its words are nobody's statement."""
    where, sender = match["where"], match["sender"]
    kind, _, source = where.partition(" ")
    in_space = match["kind"] is not None or (sender is not None and kind not in _TYPES)
    if not in_space and kind in _EVENTS_OF_OTHERS:
        return None
    text, places = _decoded(log, match.start("words"), match.end("words"))
    found = whose(text, None if sender is None else _plain(sender))
    # Where nobody vouches for a line it may name any source, the operator too.
    vouched = not in_space and not found.sources
    known = found.speaker or (_plain(source or kind) if sender is None and vouched else None)
    return SpeakerWords(
        message=message.id,
        text=text,
        at=message.at,
        log=log,
        places=places,
        speaker=known,
        claimed_speaker=None if known else found.claimed,
        session=_plain(where) if in_space and found.speaker else None,
        origin=_origin(match["kind"], sender, _plain(source or kind) if vouched else None),
        sources=found.sources,
        trusted=found.trusted,
    )


def _taken_up(message: Message, log: str, whose: WhoseIs) -> Iterator[SpeakerWords]:
    """Yield what the lines say that a cycle under a timeline begins with, each of its speaker."""
    session = None
    for line in _line().finditer(log):
        place, heard = _place().fullmatch(line[0]), _heard().match(log, *line.span())
        event = _event().match(log, *line.span())
        try:
            if place is not None:
                session = _plain(place["space"])
            elif heard is not None:
                yield _said_in(session, heard, message, log, whose)
            elif event is not None and (said := _said(event, message, log, whose)) is not None:
                yield said
        except msgspec.DecodeError:
            continue


def _said_in(
    session: str | None, match: re.Match[str], message: Message, log: str, whose: WhoseIs
) -> SpeakerWords:
    """Return what a line of a timeline says."""
    text, places = _decoded(log, match.start("words"), match.end("words"))
    found = whose(text, _plain(match["sender"]))
    return SpeakerWords(
        message=message.id,
        text=text,
        at=message.at,
        log=log,
        places=places,
        speaker=found.speaker,
        claimed_speaker=found.claimed,
        session=session if found.speaker else None,
        origin=_origin(match["kind"], match["sender"], None),
        sources=found.sources,
        trusted=found.trusted,
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
def _line() -> re.Pattern[str]:
    """Return one line."""
    return re.compile(r"[^\n]+")


@functools.cache
def _place() -> re.Pattern[str]:
    """Return the line that says where the messages below it were sent."""
    string = r'"(?:[^"\\]|\\.)*"'
    return re.compile(rf"IN {string} \(id: (?P<space>{string}|[^)\"]+)\):")


@functools.cache
def _heard() -> re.Pattern[str]:
    """Return the line of one message that a cycle took up."""
    string = r'"(?:[^"\\\n]|\\.)*"'
    return re.compile(
        rf"\[(?P<sender>{string}|[^\"\n(]+) \((?P<kind>human|agent|service)\)\] "
        rf"\[msg:[^\]\n]+\] \[[^\]\n]+\] \(id:[^)\n]*\) (?P<words>{string})  "
    )


@functools.cache
def _timeline() -> re.Pattern[str]:
    """Return the first line of what a cycle under a timeline begins with."""
    return re.compile(rf"{_place().pattern}\n|\[(?:{'|'.join(sorted(_TYPES))})[ \]]")


@functools.cache
def _character() -> re.Pattern[str]:
    """Return one character of a JSON string as it is written; a pair of surrogates is one."""
    return re.compile(r"(?s)\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\w{4}|\\.|.")
