"""Find what later turns use of what a window no longer sends whole, and whether it is named there.

The patterns are of this file alone: what a strategy looks for must not be what it is measured by.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from mindpipe.compaction.records import Masked, Overlay, Summary
from mindpipe.core.messages import (
    CallPart,
    Message,
    ResultPart,
    ResultStatus,
    Role,
    TextPart,
)

UsedKind = Literal["error", "path", "id"]

# An address; a path from a root, of three steps, or to a file; a file. Not: silver/gold.
_PATH = re.compile(
    r"\w+://[^\s\"'<>)\]]+|(?<![\w/])[.~]{0,2}/[\w./~-]*\w|[\w.-]+(?:/[\w.-]*\w){2,}"
    r"|(?:[\w.-]+/)?\b[\w-]+\.[a-z]\w{0,4}\b"
)
# A word with a digit, a long number; but no ordinal, and no number with a word: 26th, 24-hour.
_ID = re.compile(
    r"(?<![\w-])(?!\d+(?:st|nd|rd|th|-[a-z]+)\b)(?=[\w-]*\d)(?=[\w-]*[A-Za-z]|\d{5})\w[\w-]{3,}"
)
_ERROR = re.compile(
    r"\b(?:[A-Z]\w*(?:Error|Exception)\b|(?:[Ee]rror|ERROR|FAILED|[Ff]atal)\b(?=\s*:))"
)
_LONG = re.compile(r"[A-Za-z_]{4,}")
_LETTER = re.compile(r"[A-Za-z]")


class LaterUse(NamedTuple):
    """Something that was said before, is used later, and does not stand there whole any more.

    `named` tells whether the window still has its words, `again` whether anybody but the agent
    said it anew before the agent used it, `kept` whether it also stands in what is sent whole.
    """

    kind: UsedKind
    text: str
    named: bool
    again: bool
    kept: bool


class HistoryCut(NamedTuple):
    """A history at one moment: what left, what is sent whole, the window's words, what follows.

    `window` is all that a model sees of the messages in `left`: lines, anchors, the pointer, stubs.
    """

    left: Sequence[Message]
    whole: Sequence[Message]
    window: str
    later: Sequence[Message]


def cut_of(
    messages: Sequence[Message], overlay: Overlay, *, words: str, later: Sequence[Message]
) -> HistoryCut:
    """Return the cut between a history that is sent as an overlay and what follows it.

    `words` is the text that stands for all that is not sent whole.
    """
    stubs = {
        (part.cycle, stub.call): stub.text
        for part in overlay
        if isinstance(part, Masked)
        for stub in part.stubs
    }
    folded = {
        cycle
        for part in overlay
        if isinstance(part, Summary)
        for cycle in range(part.first, part.last + 1)
    }
    left, whole = [], []
    for message in messages:
        if message.cycle in folded:
            left.append(message)
            continue
        masked = [
            part
            for part in message.parts
            if isinstance(part, ResultPart) and (message.cycle, part.call) in stubs
        ]
        rest = [part for part in message.parts if part not in masked]
        if masked:
            left.append(msgspec.structs.replace(message, parts=tuple(masked)))
        whole.append(msgspec.structs.replace(message, parts=tuple(rest)))
    return HistoryCut(left, whole, "\n".join([words, *stubs.values()]), later)


def later_use(cut: HistoryCut) -> list[LaterUse]:
    """Return each error, path and identifier of `cut.left` that the agent uses in `cut.later`.

    A path or identifier is used where it stands in the words or arguments of one of the agent's
    turns. An error is a line of an answer; it is used by a turn that has its name, if it has one,
    and half of its distinct words of four letters and more, and it is named by a line of the window
    that has as much. Each is counted once.
    """
    left, whole = _words(cut.left), _words(cut.whole)
    seen = f"{cut.window}\n{whole}"
    lines = seen.splitlines()
    errors = dict.fromkeys(_errors(cut.left))
    found: dict[tuple[UsedKind, str], LaterUse] = {}
    told = ""
    for message in cut.later:
        words = _words([message])
        if message.role is not Role.ASSISTANT:
            told += f"\n{words}"
            continue
        for kind, text in _things(words):
            if (kind, text) not in found and _holds(left, text):
                found[kind, text] = LaterUse(
                    kind, text, _holds(seen, text), _holds(told, text), _holds(whole, text)
                )
        for error in errors:
            if ("error", error) not in found and _repeats(words, error):
                named = any(_repeats(line, error) for line in lines)
                again = any(_repeats(line, error) for line in told.splitlines())
                kept = any(_repeats(line, error) for line in whole.splitlines())
                found["error", error] = LaterUse("error", error, named, again, kept)
    return list(found.values())


def _things(words: str) -> Iterator[tuple[UsedKind, str]]:
    paths = [path for path in _PATH.findall(words) if _LETTER.search(path)]
    for path in paths:
        yield "path", path
    inside = " ".join(paths)
    for name in _ID.findall(words):
        if name not in inside:
            yield "id", name


def _errors(messages: Iterable[Message]) -> Iterator[str]:
    """Yield the lines of answers that tell of an error."""
    for message in messages:
        for part in message.parts:
            if not isinstance(part, ResultPart):
                continue
            failed = part.status is ResultStatus.ERROR
            for number, line in enumerate(part.text.splitlines()):
                if _LONG.search(line) and (_ERROR.search(line) or (failed and number == 0)):
                    yield " ".join(line.split())


def _repeats(words: str, error: str) -> bool:
    """Tell whether some words have an error's name and half of its long words."""
    long = set(_LONG.findall(error.lower()))
    names = [name.lower() for name in _ERROR.findall(error) if len(name) > len("Error")]
    there = set(_LONG.findall(words.lower()))
    return there.issuperset(names) and 2 * len(long & there) >= len(long)


def _holds(words: str, text: str) -> bool:
    """Tell whether some words have a text as a word of its own."""
    at = words.find(text)
    while at >= 0:
        after = at + len(text)
        if not _is_word(words[at - 1 : at]) and not _is_word(words[after : after + 1]):
            return True
        at = words.find(text, at + 1)
    return False


def _is_word(character: str) -> bool:
    """Tell whether a character, or none, goes on with a word."""
    return character.isalnum() or character == "_"


def _words(messages: Iterable[Message]) -> str:
    """Return all that messages say, call and answer, a part per line."""
    found: list[str] = []
    for message in messages:
        for part in message.parts:
            if isinstance(part, TextPart | ResultPart):
                found.append(part.text)
            elif isinstance(part, CallPart):
                found += [part.tool, *_leaves(part.args)]
    return "\n".join(found)


def _leaves(value: object) -> Iterator[str]:
    """Yield the texts and numbers in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _leaves(one)
    elif value is not None:
        yield str(value)
