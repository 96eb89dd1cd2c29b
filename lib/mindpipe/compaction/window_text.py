"""The text of a window: what stands where cycles were folded, written and read back."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.records import (
    Anchor,
    AnchorKind,
    Anchors,
    Overlay,
    Pointer,
    Summary,
    SummaryLine,
    WindowPart,
)
from mindpipe.core.records import Record
from mindpipe.core.text import counted

if TYPE_CHECKING:
    from mindpipe.compaction.task import Count

OPENING = "[Earlier: summary of cycles "
ANCHORS_HEADING = "[Kept word for word]"
NAMED_KINDS: dict[AnchorKind, str] = {"path": "paths", "url": "addresses", "id": "ids"}
"""Kinds of anchors that are names, of which those of one cycle stand together before its number."""
_BLANK = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_DENIED = ", see "
_LABELLED = re.compile(rf"\d+(?:-\d+)?(?:{_DENIED}[\d, ]+)?: ")

TOOK_IN = "took in "
"""How a line begins that says what a cycle took in which nothing closed."""


def one_line(text: str) -> str:
    """Return text with runs of white space and control characters as one blank: no heading."""
    return _BLANK.sub(" ", text).strip()


# Whoever said it, and the words as one JSON string.
_QUOTATION = r'(?P<who>[^":]{1,300}): (?P<words>"(?:[^"\\]|\\.)*")'
# The end of a name is enough where only asked whether there is one: each place is tried once.
_HOLDS_QUOTATION = r'[^":]: "(?:[^"\\]|\\.)*"'


def quotation(who: str, words: str) -> str:
    """Return words that nobody vouches for, with who said them, as one line of a summary."""
    return f"{speaker_label(who)}: {json.dumps(one_line(words), ensure_ascii=False)}"


def speaker_label(who: str) -> str:
    """Return a name without the marks that part it from a quotation, which it could break."""
    return one_line(who).translate(_UNMARKED)


_UNMARKED = str.maketrans('":', "' ")


class Quotation(NamedTuple):
    """A line of a summary that quotes: who said it, and the words."""

    who: str
    words: str


def quotation_in(text: str) -> Quotation | None:
    """Return what a line of a summary quotes that is nothing but a quotation, or None."""
    found = re.fullmatch(_QUOTATION, text)
    if found is None:
        return None
    try:
        return Quotation(found["who"], msgspec.json.decode(found["words"], type=str))
    except msgspec.DecodeError:
        return None


def leading_quotations(text: str) -> list[Quotation]:
    """Return what a line of a summary quotes before its own words, in its order."""
    found: list[Quotation] = []
    while (one := re.match(_QUOTATION, text)) is not None:
        if (quoted := quotation_in(one[0])) is None:
            break
        found.append(quoted)
        text = text[one.end() :].lstrip()
    return found


def holds_quotation(text: str) -> bool:
    """Tell whether a line of a summary quotes somebody anywhere."""
    return re.search(_HOLDS_QUOTATION, text) is not None


def summary_text(parts: Overlay) -> str | None:
    """Return what stands before the cycles of a window, or None where nothing was folded.

    Its first line begins with `OPENING` and names the ranges of cycles that are covered. Every
    line that quotes begins with a dash and is one line of text, so that no quoted word can pass
    for a heading.
    """
    covered = covered_ranges(parts)
    if not covered:
        return None
    written = [written_part(part, alone=len(covered) == 1) for part in parts]
    return "\n".join([opening(covered), *[text for text in written if text]])


def covered_ranges(parts: Overlay) -> list[tuple[int, int]]:
    """Return the ranges of cycles that summaries cover, in their order."""
    return [(part.first, part.last) for part in parts if isinstance(part, Summary)]


def opening(covered: Iterable[tuple[int, int]]) -> str:
    """Return the first line: which cycles are covered."""
    return f"{OPENING}{', '.join(span(first, last) for first, last in covered)}]"


def written_part(part: WindowPart, *, alone: bool = False) -> str:
    """Return the text of one part, without a line end; cycles that are sent have none.

    A summary that stands `alone` does not repeat its range, which the opening names.
    """
    match part:
        case Summary():
            return "\n".join([heading(part, alone=alone), *written_lines(part.lines)])
        case Anchors():
            return "\n".join([ANCHORS_HEADING, *written_anchors(part.anchors)])
        case Pointer():
            return part.text
        case _:
            return ""


def heading(part: Summary, *, alone: bool = False) -> str:
    """Return the facts of a summary: its cycles, when they were, their messages and tools."""
    facts = [] if alone else [f"Cycles {span(part.first, part.last)}"]
    began, ended = part.began[:10], part.ended[:10]
    if began:
        facts.append(began if began == ended else f"{began} to {ended}")
    facts.append(counted(part.messages, "message"))
    tools = f"; tools: {', '.join(map(one_line, part.tools))}" if part.tools else ""
    return ", ".join(facts) + tools


def written_lines(lines: tuple[SummaryLine, ...]) -> list[str]:
    """Return lines as they stand; the cycle is named where it is not that of the line before.

    A line of which something is denied later names the cycles to see for it.
    """
    written: list[str] = []
    before = (0, 0)
    for line in lines:
        here = (line.cycle, line.until or line.cycle)
        # Words that begin like a label would be read back as one, so theirs is written too.
        named = here != before or line.denied or _LABELLED.match(line.text)
        denied = _DENIED + ", ".join(map(str, line.denied)) if line.denied else ""
        written.append(f"- {span(*here)}{denied}: {line.text}" if named else f"- {line.text}")
        before = here
    return written


def written_anchors(anchors: tuple[Anchor, ...]) -> list[str]:
    """Return anchors as they stand: a sentence on its own line, names of one kind on one line."""
    written = [
        f"- {one.kind}: {one.text} (cycle {one.cycle})"
        for one in anchors
        if one.kind not in NAMED_KINDS
    ]
    for kind, title in NAMED_KINDS.items():
        own = sorted((one for one in anchors if one.kind == kind), key=lambda one: one.cycle)
        following = [one.cycle for one in own[1:]]
        words = [
            one.text if one.cycle == after else f"{one.text} ({one.cycle})"
            for one, after in zip_longest(own, following)
        ]
        if words:
            written.append(f"- {title}: {', '.join(words)}")
    return written


def span(first: int, last: int) -> str:
    """Return a range of cycles, one alone as its number."""
    return str(first) if first == last else f"{first}-{last}"


def pointer_text(terms: Sequence[str], *, stored: bool) -> str:
    """Return the words of a pointer, one line in brackets."""
    quoted = [f'"{term}"' for term in terms]
    if not stored:
        named = f", e.g. {', '.join(quoted)}" if quoted else ""
        return f"[The rest is in the full history, not here{named}.]"
    named = f", e.g. for {', '.join(quoted)}" if quoted else ""
    return f"[The rest is in your history: use search_history{named}; read_history shows a cycle.]"


MOST_NUMBER = 999_999_999
"""Cycles and messages above this number are not read: no text of ours names them."""
_SPAN = r"(\d{1,9})(?:-(\d{1,9}))?"
_OPENING = rf"{re.escape(OPENING)}({_SPAN}(?:, {_SPAN})*)\]"
_HEADING = (
    rf"(?:Cycles {_SPAN}, )?(?:(\d{{4}}-\d\d-\d\d)(?: to (\d{{4}}-\d\d-\d\d))?, )?"
    r"(\d{1,9}) messages(?:; tools: (.*))?"
)
_LINE = rf"- (?:{_SPAN}(?:{_DENIED}(\d{{1,9}}(?:, \d{{1,9}})*))?: )?(.+)"
_SENTENCE = r"- (ticket|task|quoted|error|decision|promise): (.+) \(cycle (\d{1,9})\)"
_NAMES = rf"- ({'|'.join(NAMED_KINDS.values())}): (.+)"
_NAME = r"(.+) \((\d{1,9})\)"
_TERM = r'"([^"]*)"'
_KINDS: dict[str, AnchorKind] = {title: kind for kind, title in NAMED_KINDS.items()}


class Read(Record):
    """The parts that a text was written from, and the text behind them, which is not theirs."""

    parts: Overlay
    rest: str


def read_summary(text: str, *, strategy: StrategyName, count: "Count") -> Read | None:
    """Return the parts that a window's text was written from; None where it is none.

    The parts, written again, are the text up to its rest, byte for byte. Numbers of messages and
    sources are not in the text.
    """
    top, *lines = text.split("\n")
    opened = re.fullmatch(_OPENING, top)
    if opened is None:
        return None
    parts: list[Summary | Anchors | Pointer] = []
    place = 0
    for first, last in map(_range, opened[1].split(", ")):
        facts = re.fullmatch(_HEADING, lines[place]) if place < len(lines) else None
        if facts is None or not 0 < first <= last:
            return None
        own = list(takewhile(re.compile(_LINE).fullmatch, lines[place + 1 :]))
        parts.append(_summary(first, last, facts, own, strategy))
        place += 1 + len(own)
    if lines[place : place + 1] == [ANCHORS_HEADING]:
        is_anchor = re.compile(f"{_SENTENCE}|{_NAMES}").fullmatch
        own = list(takewhile(is_anchor, lines[place + 1 :]))
        parts.append(Anchors(anchors=tuple(_anchors(own)), tokens=0))
        place += 1 + len(own)
    if pointing := _pointer(lines[place : place + 1]):
        parts.append(pointing)
        place += 1
    # A text may come from anybody: only what would be written again byte for byte is a window.
    if not _follow(parts) or summary_text(tuple(parts)) != "\n".join([top, *lines[:place]]):
        return None
    rest = "\n".join(lines[place:]).lstrip("\n")
    return Read(parts=_counted(parts, count), rest=rest if rest.strip() else "")


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def _follow(parts: Sequence[Summary | Anchors | Pointer]) -> bool:
    """Tell whether every summary ends before the one behind it."""
    before = 0
    for part in parts:
        if isinstance(part, Summary):
            if part.first <= before:
                return False
            before = part.last
    return True


def _counted(parts: Sequence[Summary | Anchors | Pointer], count: "Count") -> Overlay:
    """Return parts with the tokens of their texts."""
    alone = sum(isinstance(part, Summary) for part in parts) == 1
    return tuple(
        msgspec.structs.replace(part, tokens=count(f"{written_part(part, alone=alone)}\n"))
        for part in parts
    )


def _summary(
    first: int, last: int, facts: re.Match[str], lines: Sequence[str], strategy: StrategyName
) -> Summary:
    """Return a heading and the lines below it as a summary."""
    _, _, began, ended, messages, tools = facts.groups()
    return Summary(
        first=first,
        last=last,
        first_seq=0,
        last_seq=0,
        messages=int(messages),
        began=began or "",
        ended=ended or began or "",
        tools=() if tools is None else tuple(tools.split(", ")),
        strategy=strategy,
        folded=1,
        lines=tuple(_lines(first, last, lines)),
        tokens=0,
    )


def _lines(first: int, last: int, lines: Sequence[str]) -> Iterator[SummaryLine]:
    """Yield the lines of cycles `first` to `last`; one without a cycle has that of the one before.

    One that names a cycle beyond them speaks of all of them.
    """
    here = (first, last)
    for line in lines:
        found = re.fullmatch(_LINE, line)
        if found is None:
            continue
        if found[1]:
            named = _range(f"{found[1]}-{found[2] or found[1]}")
            here = named if first <= named[0] <= named[1] <= last else (first, last)
        denied = found[3].split(", ") if found[3] else ()
        yield SummaryLine(
            text=found[4],
            cycle=here[0],
            until=here[1] if here[1] > here[0] else 0,
            denied=tuple(map(int, denied)),
        )


def _anchors(lines: Sequence[str]) -> Iterator[Anchor]:
    for line in lines:
        if found := re.fullmatch(_SENTENCE, line):
            kind = msgspec.convert(found[1], AnchorKind)
            yield Anchor(kind=kind, text=found[2], cycle=max(1, int(found[3])), seq=0)
        elif found := re.fullmatch(_NAMES, line):
            yield from _named(_KINDS[found[1]], found[2])


def _named(kind: AnchorKind, words: str) -> Iterator[Anchor]:
    """Yield the names on one line; names of one cycle stand before its number."""
    waiting: list[str] = []
    for word in words.split(", "):
        found = re.fullmatch(_NAME, word)
        waiting.append(found[1] if found else word)
        if found:
            cycle = max(1, int(found[2]))
            yield from (Anchor(kind=kind, text=text, cycle=cycle, seq=0) for text in waiting)
            waiting = []


def _pointer(lines: Sequence[str]) -> Pointer | None:
    """Return the pointer that a line is, if there is one."""
    for line in lines:
        terms = tuple(re.findall(_TERM, line))
        if line in {pointer_text(terms, stored=stored) for stored in (True, False)}:
            return Pointer(text=line, terms=terms, tokens=0)
    return None
