"""What is wrong with what is given beyond the shape of its fields: path and words of each."""

from collections.abc import Iterable, Iterator

import msgspec

from mindpipe.core.errors import UsageError
from mindpipe.core.lines import Fault
from mindpipe.core.text import breaks_a_line, hides, is_blank
from mindpipe.memory.entities import slug
from mindpipe.memory.records import (
    ITEM_BYTES,
    GivenItem,
    NewEntity,
    NewItem,
    NewLesson,
    NewReflection,
    QuotedSpan,
)
from mindpipe.memory.settle import instant

RESERVED = "ob_"
"""What the ids of observations begin with: under such an id nothing could be cited as evidence."""
_WORDS = ("id", "key", "speaker", "claimed_speaker", "subject", "session")
_NAMES = ("speaker", "claimed_speaker", "subject")
_TIMES = ("at", "until", "learnt", "archived", "retracted", "recalled_at")
_LATER = (("until", "at"), ("archived", "learnt"), ("retracted", "learnt"))


def item_faults(given: NewItem) -> list[Fault]:
    """Return all that is wrong with an item beyond the shape of its fields, in their order."""
    if _is_plain(given):
        return []
    return [
        *text_faults("$.text", given.text),
        *word_faults(given),
        *time_faults(given),
        *_span_faults(given.span),
    ]


def _is_plain(given: NewItem) -> bool:
    """Tell at little cost whether an item is surely sound, as nearly every one is."""
    if given.until or given.span or not 0 < len(given.text) * 4 <= ITEM_BYTES:
        return False
    if isinstance(given, GivenItem) and (given.archived or given.retracted or given.recalled_at):
        return False
    if (given.id or given.key or "").startswith(RESERVED):
        return False
    names = tuple(getattr(given, name) for name in _WORDS)
    said = "".join([*filter(None, names), *given.entities, *given.tags])
    if given.text.isspace() or "\x00" in given.text or not said.isprintable():
        return False
    at, learnt = given.at, given.learnt
    return (at is None or _is_instant(at)) and (learnt is None or _is_instant(learnt))


def _is_instant(text: str) -> bool:
    """Tell whether a text is an instant."""
    try:
        instant(text)
    except UsageError:
        return False
    return True


def text_faults(field: str, text: str) -> Iterator[Fault]:
    """Yield what keeps a text from being stored: empty, too long, or with NUL in it."""
    if is_blank(text):
        yield field, "is empty; give it some words"
    elif len(text) * 4 > ITEM_BYTES and len(text.encode()) > ITEM_BYTES:
        yield field, f"longer than {ITEM_BYTES} bytes; split it"
    elif "\x00" in text:
        yield field, "holds a NUL; remove it"


def word_faults(given: msgspec.Struct) -> Iterator[Fault]:
    """Yield the names that are no single line: these stand in prompts and tables."""
    for name in _WORDS:
        if (word := getattr(given, name, None)) and breaks_a_line(word):
            yield f"$.{name}", "must be one line of plain characters"
    for name in _NAMES:
        if (word := getattr(given, name, None)) and (hides(word) or is_blank(word)):
            yield f"$.{name}", "is empty, or holds characters that nobody sees; remove them"
    named = next((name for name in ("id", "key") if getattr(given, name, None)), None)
    if named is not None and getattr(given, named).startswith(RESERVED):
        yield f"$.{named}", f"begins with {RESERVED}, as only observations do; give it another"
    for name in ("entities", "tags", "aliases"):
        for place, word in enumerate(getattr(given, name, ())):
            if breaks_a_line(word):
                yield f"$.{name}[{place}]", "must be one line of plain characters"


def time_faults(given: msgspec.Struct) -> Iterator[Fault]:
    """Yield the times that are none, and those that contradict another."""
    read: dict[str, str] = {}
    for name in ("since", *_TIMES):
        text: str | None = getattr(given, name, None)
        if text is None:
            continue
        try:
            read[name] = instant(text)
        except UsageError as error:
            yield f"$.{name}", str(error)
    for later, earlier in (*_LATER, ("until", "since")):
        if later in read and earlier in read and read[later] < read[earlier]:
            yield f"$.{later}", f"{read[later]} is before $.{earlier}, {read[earlier]}"


def _span_faults(span: QuotedSpan | None) -> Iterator[Fault]:
    """Yield what contradicts itself in a span."""
    if span is not None and len(span.quote) != span.end - span.start:
        yield "$.span", f"has {len(span.quote)} characters quoted from {span.start} to {span.end}"


def written_faults(given: NewReflection | NewLesson) -> list[Fault]:
    """Return all that is wrong with a record beyond the shape of its fields."""
    found = [*text_faults("$.text", given.text)]
    if isinstance(given, NewLesson) and given.when is not None:
        found += text_faults("$.when", given.when)
    found += (*word_faults(given), *time_faults(given))
    for place, outcome in enumerate(getattr(given, "outcomes", ())):
        found += _inside(f"$.outcomes[{place}]", time_faults(outcome))
    return found


def entity_faults(given: NewEntity) -> list[Fault]:
    """Return all that is wrong with an entity beyond the shape of its fields."""
    found: list[Fault] = []
    if not slug(given.name):
        found.append(("$.name", "has no letter or digit"))
    if given.id is not None and slug(given.id) != given.id:
        found.append(("$.id", f"write it as a slug: {slug(given.id) or slug(given.name)}"))
    if given.profile:
        found += text_faults("$.profile", given.profile)
    found += (*word_faults(given), *time_faults(given))
    for place, relation in enumerate(given.relations):
        at = f"$.relations[{place}]"
        if not slug(relation.to):
            found.append((f"{at}.to", "has no letter or digit"))
        found += _inside(at, (*word_faults(relation), *time_faults(relation)))
    return found


def _inside(at: str, faults: Iterable[Fault]) -> list[Fault]:
    """Return the faults of a record inside another, at its path."""
    return [(field.replace("$", at, 1), words) for field, words in faults]
