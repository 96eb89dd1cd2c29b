"""The words of a message: what is counted, what is searched, and what of it is shown."""

import re
from collections.abc import Iterable

from mindpipe.core.messages import (
    CallPart,
    FilePart,
    Message,
    Part,
    ResultPart,
    TextPart,
    ThinkingPart,
)
from mindpipe.core.records import to_json

EXCERPT_CHARACTERS = 160
_BLANK = re.compile(r"\s+")


def counted_text(message: Message) -> str:
    """Return the text whose tokens are stored with a message, thinking included."""
    thinking = [part.text for part in message.parts if isinstance(part, ThinkingPart) and part.text]
    return "\n".join([*thinking, *_texts(message.parts)])


def searched_text(message: Message) -> str:
    """Return the text under which a message is found: what was said, called and answered."""
    return searched_words(message.parts)


def searched_words(parts: Iterable[Part]) -> str:
    """Return the text under which a message of these parts is found."""
    return "\n".join(_texts(parts))


def _texts(parts: Iterable[Part]) -> list[str]:
    """Return the words of every part that has some."""
    return [text for text in map(_text, parts) if text]


def _text(part: Part) -> str:
    """Return the words of one part, thinking excepted."""
    match part:
        case TextPart():
            return part.text
        case CallPart():
            return f"{part.tool} {part.args_text or to_json(part.args).decode()}"
        case ResultPart():
            return part.text or ("" if part.json is None else to_json(part.json).decode())
        case FilePart():
            return part.name
        case _:
            return ""


def excerpt(text: str, *, terms: tuple[str, ...]) -> str:
    """Return one line of at most 160 characters around the first of some words."""
    line = _BLANK.sub(" ", text).strip()
    if len(line) <= EXCERPT_CHARACTERS:
        return line
    places = [re.search(re.escape(term), line, re.IGNORECASE) for term in terms]
    first = min((place.start() for place in places if place), default=0)
    start = max(0, min(first - EXCERPT_CHARACTERS // 4, len(line) - EXCERPT_CHARACTERS + 2))
    end = start + EXCERPT_CHARACTERS - 2
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")
