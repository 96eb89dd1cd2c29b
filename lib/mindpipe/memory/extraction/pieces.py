"""The pieces of a message that somebody said, with who said them.

What an agent lived is read from the events that its cycles took up: `quoting` finds in the opening
message where each one's words stand, and nothing of that message says whose they are. A log that
comes from elsewhere has no events, so its messages are read back, and only what is certain: the
lines that open a cycle as `[space] sender (kind): "words"`, `[type source] "words"` or
`[type source] sender: "words"`, and under a timeline `[sender (kind)] [msg:ID] [TIME] (id:ID)
"words"` below `IN "space" (id: ID):`. Any other line of such a message is nobody's, and any other
message of a user is one piece. The words of other agents, and what the program tells of itself,
are no pieces.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

import msgspec

from mindpipe.core.events import EventType
from mindpipe.core.messages import Message, Role
from mindpipe.core.sources import RESERVED, USER, speakers
from mindpipe.memory.extraction.records import SpeakerWords, Whose, WhoseIs
from mindpipe.memory.records import Item, Origin

_TYPES = frozenset(get_args(EventType))
_NOBODYS_TYPES = frozenset({"tool_result", "decision", "observation", "interrupt", "plan"})
_OWN_SOURCES = RESERVED - {"operator"}


def _as_named(_text: str, named: str | None) -> Whose:
    """Say of any text that somebody vouches for it."""
    return Whose(speaker=named)


def is_said(type: str, source: str, sender_kind: str | None) -> bool:
    """Tell whether an event holds what a person or an outside service said.

    The answers of tools do not, nor do other agents, nor does what the program tells its agent: of
    a crash, of a wait that is over, of a plan that is due.
    """
    return not (type in _NOBODYS_TYPES or source in _OWN_SOURCES or sender_kind == "agent")


def origin_of(source: str | None, sender: str | None, sender_kind: str | None) -> Origin:
    """Return who brought words forth: the operator, a program that speaks in spaces, or a human."""
    if sender_kind == "service":
        return "program"
    return "operator" if source == "operator" and sender is None else "human"


def quoting(
    said: Iterable[tuple[SpeakerWords, Sequence[str]]], messages: Iterable[tuple[Message, str]]
) -> Iterator[SpeakerWords]:
    """Yield what events said, each with its place in the messages in which a cycle took them up.

    Args:
        said: the words of each event, in their order, and as which JSON strings they may stand.
        messages: those of the cycle, each with its searched text.
    """
    message, log = next((one for one in messages if _opens(one[0])), (None, ""))
    after = 0
    for words, shown in said:
        found = [(at, at + len(one)) for one in shown if (at := log.find(one, after)) >= 0]
        if message is None or not found:
            continue
        start, after = min(found)
        yield msgspec.structs.replace(
            words,
            message=message.id,
            learnt=max(words.at, message.at),
            log=log,
            places=_decoded(log, start, after)[1],
        )


def _opens(message: Message) -> bool:
    """Tell whether a message is one in which a cycle takes up its events."""
    return (
        message.role is Role.USER and not message.synthetic and message.origin.startswith("source:")
    )


def pieces_of(message: Message, *, log: str, whose: WhoseIs = _as_named) -> Iterator[SpeakerWords]:
    """Yield what people said in a message of a log without events; nothing of what the mind said.

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
    if message.origin != "program" and (
        _place().match(log) or (_opens(message) and _first_event().match(log))
    ):
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
    if not is_said("" if in_space else kind, "" if in_space else source or kind, match["kind"]):
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
        origin=origin_of(_plain(source or kind) if vouched else None, sender, match["kind"]),
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
            elif heard is not None and heard["kind"] == "agent":
                continue
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
        origin=origin_of(None, match["sender"], match["kind"]),
        sources=found.sources,
        trusted=found.trusted,
    )


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
def _first_event() -> re.Pattern[str]:
    """Return what a cycle under a timeline begins with that takes up no message of a space."""
    return re.compile(rf"\[(?:{'|'.join(sorted(_TYPES))})[ \]]")


@functools.cache
def _character() -> re.Pattern[str]:
    """Return one character of a JSON string as it is written; a pair of surrogates is one."""
    return re.compile(r"(?s)\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u\w{4}|\\.|.")
