"""A timeline as the messages of an API, made at the last moment.

A segment keeps the whole timeline as its system text: it is what the agent sees, what is shown to
people, and what the bytes of a request are made from again at any time. A request is made from it
like this, so that nothing is sent twice and no words of others have the authority of a system text:

- SPACE HISTORY leaves the system text and becomes messages, oldest first. What others said are user
  messages, each line with [Name (kind)] at its head and all that the timeline says of it behind
  that. The agent's own words are assistant messages, bare; the user message before each says when,
  as which message and why it was said. So roles alternate, and the first message is a user's.
- What is remembered under words that nobody vouches for leaves the system text for the first
  message, under its title.
- What the cycle takes up is its first own message, which is in the log, and not among those before.
- The trigger stays in the system text too, quoted, as all that says why the agent is awake does.

Tool calls and results of the cycle follow as they are. There is no open call at the end of an
earlier run: a run that waited begins again with a timeline that says what came of it.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from mindpipe.context.turning import NAME, heard, turned
from mindpipe.core.messages import Head, Message, Part, Role, TextPart, text_of

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
