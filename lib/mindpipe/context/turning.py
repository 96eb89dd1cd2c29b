"""Read the lines of a timeline back: each message as a turn of an API's messages.

Only the program writes such lines, and words of others stand in them as JSON strings, so that there
is one way to read each.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

NAME = "SPACE HISTORY"
"""What the title of a block begins with that tells what was said in a space."""

_LITERAL = r'"(?:[^"\\]|\\.)*"'
_LINE = re.compile(r"  \[msg:(?P<id>[^\]]+)\] \[(?P<at>[^\]]+)\] (?P<rest>.*)")
_OTHER = re.compile(
    rf"(?P<who>{_LITERAL}|[^\"(]+) \((?P<kind>human|agent|service), id:(?P<entity>[^)]*)\): "
    r"(?P<words>.*)"
)
_OWN = re.compile(rf"(?P<before>.*?)(?P<words>{_LITERAL})(?P<after>(?:, wait: true\))?)")
_IN = re.compile(rf"IN {_LITERAL} \(id: ([^)]+)\):")
_TAKEN = re.compile(
    rf"\[(?P<who>{_LITERAL}|[^\"(]+) \((?:human|agent|service)\)\] \[msg:(?P<id>[^\]]+)\] "
    rf"\[(?P<at>[^\]]+)\] \(id:(?P<entity>[^)]*)\) (?P<words>{_LITERAL})  .*"
)


class Said(NamedTuple):
    """One line as a turn: the message's id, what the program says of it, and own words, if any."""

    id: str | None
    line: str
    own: str | None = None


def turned(line: str) -> Said:
    """Return a line of a history as a turn of a model's messages.

    What others said keeps everything, with the speaker at its head; of what the agent said itself,
    the words are apart.
    """
    found = _LINE.fullmatch(line)
    if found is None:
        return Said(None, line.strip())
    head = f"[msg:{found['id']}] [{found['at']}]"
    other = _OTHER.fullmatch(found["rest"])
    if other is not None:
        who = f"[{other['who']} ({other['kind']})]"
        return Said(found["id"], f"{who} {head} (id:{other['entity']}) {other['words']}")
    own = _OWN.fullmatch(found["rest"])
    if own is None:
        return Said(found["id"], line.strip())
    before = own["before"].removesuffix("send_message(").rstrip()
    waiting = f"{before} send_message, wait: true" if own["after"] else before
    return Said(found["id"], f"{head} {waiting}", msgspec.json.decode(own["words"], type=str))


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
        if (place := _IN.fullmatch(line)) is not None:
            space = place[1]
        elif (found := _TAKEN.fullmatch(line)) is not None:
            words = msgspec.json.decode(found["words"], type=str)
            yield Heard(space, found["id"], found["at"], found["entity"], words, found["who"])
