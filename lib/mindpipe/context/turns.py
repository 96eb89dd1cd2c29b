"""Turns as a model hears them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from mindpipe.core.messages import Head, Message, Part, Role, TextPart, text_of

NAME = "SPACE HISTORY"
"""What the title of a block begins with that tells what was said in a space."""

_LITERAL = r'"(?:[^"\\]|\\.)*"'
# Texts, which `re` compiles when one is matched: only a timeline is read by them.
_LINE = r"  \[msg:(?P<id>[^\]]+)\] \[(?P<at>[^\]]+)\] (?P<rest>.*)"
_OTHER = (
    rf"(?P<who>{_LITERAL}|[^\"(]+) \((?P<kind>human|agent|service), id:(?P<entity>[^)]*)\): "
    r"(?P<words>.*)"
)
_OWN = rf"(?P<before>.*?)(?P<words>{_LITERAL})(?P<after>(?:, wait: true\))?)"
_IN = rf"IN {_LITERAL} \(id: ([^)]+)\):"
_TAKEN = (
    rf"\[(?P<who>{_LITERAL}|[^\"(]+) \((?:human|agent|service)\)\] \[msg:(?P<id>[^\]]+)\] "
    rf"\[(?P<at>[^\]]+)\] \(id:(?P<entity>[^)]*)\) (?P<words>{_LITERAL})(?: \[file .*\])?  .*"
)


class HeardLine(NamedTuple):
    """One line as a turn: the message's id, what the program says of it, and own words, if any."""

    id: str | None
    line: str
    own: str | None = None


def turned(line: str) -> HeardLine:
    """Return a line of a history as a turn of a model's messages.

    What others said keeps everything, with the speaker at its head; of what the agent said itself,
    the words are apart.
    """
    found = re.fullmatch(_LINE, line)
    if found is None:
        return HeardLine(None, line.strip())
    head = f"[msg:{found['id']}] [{found['at']}]"
    other = re.fullmatch(_OTHER, found["rest"])
    if other is not None:
        who = f"[{other['who']} ({other['kind']})]"
        return HeardLine(found["id"], f"{who} {head} (id:{other['entity']}) {other['words']}")
    own = re.fullmatch(_OWN, found["rest"])
    if own is None:
        return HeardLine(found["id"], line.strip())
    before = own["before"].removesuffix("send_message(").rstrip()
    waiting = f"{before} send_message, wait: true" if own["after"] else before
    return HeardLine(found["id"], f"{head} {waiting}", msgspec.json.decode(own["words"], type=str))


class Heard(NamedTuple):
    """A message that a cycle took up: where it was said, which one, when, by whom, and the words.

    `entity` is the id of who said it, `who` the name as it was shown.
    """

    space: str
    id: str
    at: str
    entity: str
    text: str
    who: str


def heard(text: str) -> Iterator[Heard]:
    """Yield the messages that a cycle began with, read back from its first message."""
    space = ""
    for line in text.split("\n"):
        if (place := re.fullmatch(_IN, line)) is not None:
            space = place[1]
        elif (found := re.fullmatch(_TAKEN, line)) is not None:
            words = msgspec.json.decode(found["words"], type=str)
            yield Heard(space, found["id"], found["at"], found["entity"], words, found["who"])


_QUOTED = "  - (quoted, as "
_BELOW = "in the messages below, oldest first; the newest are what this run is about"
_OPENING = "\n\nTRIGGER:\n"


def is_timeline(system: str) -> bool:
    """Tell whether a system text is a timeline: no other has a block that says why."""
    return _OPENING in system


def converted(head: Head, messages: Sequence[Message]) -> tuple[Head, tuple[Message, ...]]:
    """Return head and messages of a timeline as an API is given them; others as they are.

    `messages` are those of its one cycle, the opening one first.
    """
    if not is_timeline(head.system) or not messages:
        return head, tuple(messages)
    opening, *others = messages
    system, remembered, lived = _taken_apart(head.system)
    taken = {one.id for one in heard(text_of(opening))}
    *before, last = _turns(remembered, lived, taken)
    parts: tuple[Part, ...] = opening.parts
    if last:
        parts = (TextPart(text="\n".join(last)), *parts)
    made = [_message(opening, role, lines) for role, lines in _numbered(before)]
    first = msgspec.structs.replace(opening, parts=parts)
    return msgspec.structs.replace(head, system=system, summary=None), (*made, first, *others)


def _taken_apart(system: str) -> tuple[str, list[str], list[list[str]]]:
    """Return what stays in a system text, the lines that are quoted, and the lines of histories."""
    stays: list[str] = []
    remembered: list[str] = []
    lived: list[list[str]] = []
    for block in system.split("\n\n"):
        title, *lines = block.split("\n")
        if title.startswith(f"{NAME} ("):
            lived.append([title, *lines])
            stays.append(f"{title} {_BELOW}")
            continue
        own = [line for line in lines if not line.startswith(_QUOTED)]
        if len(own) < len(lines):
            remembered += [title, *[line for line in lines if line.startswith(_QUOTED)]]
        if own or not lines:
            stays.append("\n".join([title, *own]))
    return "\n\n".join(stays), remembered, lived


def _turns(remembered: list[str], lived: Iterable[list[str]], taken: set[str]) -> list[list[str]]:
    """Return lines of user, own words, lines of user and so on: the last ones are a user's."""
    turns: list[list[str]] = [list(remembered)]
    for title, *lines in lived:
        said = [one for one in map(turned, lines) if one.id not in taken]
        if said:
            turns[-1].append(title)
        for one in said:
            turns[-1].append(one.line)
            if one.own is not None:
                turns += [[one.own], []]
    return turns


def _numbered(turns: list[list[str]]) -> Iterator[tuple[Role, tuple[int, str]]]:
    """Yield each turn but the last with its role, its place from 1 on, and its text."""
    for place, lines in enumerate(turns):
        role = Role.ASSISTANT if place % 2 else Role.USER
        yield role, (place + 1, "\n".join(lines))


def _message(opening: Message, role: Role, said: tuple[int, str]) -> Message:
    """Return a turn as a message that no log has: before the first one of the cycle."""
    place, text = said
    return Message(
        id=f"m_{place:022}",
        agent=opening.agent,
        seq=0,
        segment=opening.segment,
        cycle=0,
        turn=0,
        role=role,
        parts=(TextPart(text=text),),
        origin="program" if role is Role.USER else "model",
        taint=opening.taint,
        synthetic=role is Role.ASSISTANT,
        at=opening.at,
    )
