"""A life as one page that needs nothing else: a strip for each day, and its words in order."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

import msgspec

from mindpipe.core.text import terminal_text
from mindpipe.person.calendar import weekday_of
from mindpipe.person.plots.lives import DAY_US, HOUR_US, DrawnLife, gather
from mindpipe.person.records.event import FIELDS, MINUTE_US, PersonEvent
from mindpipe.person.records.thought import Thought

WIDTH, LEFT, CURVE, LANE, GAP = 1000, 110, 46, 15, 8
"""Pixels: of a strip, of the names beside its curves, of a curve, of a lane of labels, between."""
CHARACTER = 6.2
"""Pixels of one character of a label, rather more than less, so that labels do not overprint."""
MOST_LABEL = 44
"""The most characters of a label; the words stand whole in the list below."""
COLOURS = ("#b5482f", "#2f6db5", "#3d8b4f", "#8a5fb0", "#a07a1c", "#3a8f93")
STYLE = """\
body{font:15px/1.45 system-ui,sans-serif;max-width:1040px;margin:2em auto;padding:0 1em;color:#222}
h1{font-size:1.5em}h2{font-size:1.1em;margin:1.6em 0 .3em}svg{display:block;width:100%;height:auto}
svg text{font:11px system-ui,sans-serif;fill:#333}.sleep{fill:#8892a6;opacity:.22}
.grid{stroke:#ddd}.event{stroke:#777;stroke-dasharray:2 2}
.label{fill:#222;paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
svg .range{font-size:9px;fill:#777}.key{color:#777;font-size:.85em;margin:.2em 0}
.thought{stroke:#444;opacity:.55}.note{stroke:#b0208a;stroke-width:2}
ol{list-style:none;padding:0;margin:.4em 0}li{margin:.12em 0;padding-left:11em;text-indent:-11em}
time{display:inline-block;width:3.6em;color:#777;text-indent:0}
b{display:inline-block;width:7.2em;text-indent:0;font-weight:400;color:#777}
li.e{font-weight:600}li.n{color:#8a1a6c}"""


NO_CURVES = "no curves: its states are too far apart. Run with a shorter --every."
"""What stands in the strip of a day of which there are no curves, where states came on lines."""
KEY = "Grey: asleep. Dashed: events. Below the curves: grey ticks are thoughts, purple ones notes."
"""What stands on the page once for each person, to read the strips by."""


class PageNote(msgspec.Struct, frozen=True):
    """What an observer noted of somebody, and when."""

    person: str
    t_us: int
    content: str


class PageEntry(NamedTuple):
    """One thing that is read on the page: when, what it is (event, thought or note), its words.

    `label` names it where there is little room, instead of the words.
    """

    t_us: int
    what: str
    how: str
    words: str
    label: str = ""


class StripLabel(NamedTuple):
    """Where the label of an event stands: at which pixel it begins, in which lane, its words."""

    left: float
    lane: int
    words: str
    at: float


def page(records: Iterable[object], readouts: Sequence[str]) -> str:
    """Return the page of all who are told of by records; a PageNote is one of them.

    Raises:
        NothingToDoError: no state has readouts.
    """
    known = list(records)
    lives = gather(known, readouts)
    entries: dict[str, list[PageEntry]] = {life.person: [] for life in lives}
    for record in known:
        entry = entry_of(record)
        if entry is not None and entry[0] in entries:
            entries[entry[0]].append(entry[1])
    title = ", ".join(life.person for life in lives)
    body = "".join(piece for life in lives for piece in _life(life, entries[life.person]))
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{_safe(title)}</title><style>{STYLE}</style></head><body>\n{body}</body></html>\n"
    )


def labels(entries: Sequence[PageEntry], start_us: int) -> list[StripLabel]:
    """Return the labels of the events of a day, each in the first lane where it has room."""
    ends: list[float] = []
    found = []
    for entry in entries:
        at = _x(entry.t_us, start_us)
        words = _cut(entry.label or entry.words)
        wide = CHARACTER * len(words) + GAP
        left = max(float(LEFT), min(at + 3, WIDTH - wide))
        lane = next((lane for lane, end in enumerate(ends) if end <= left), len(ends))
        if lane == len(ends):
            ends.append(0.0)
        ends[lane] = left + wide
        found.append(StripLabel(left, lane, words, at))
    return found


def entry_of(record: object) -> tuple[str, PageEntry] | None:
    """Return what is read of a record, and of whom it is."""
    if isinstance(record, PageNote):
        return record.person, PageEntry(record.t_us, "note", "", record.content)
    if isinstance(record, Thought):
        return record.person, PageEntry(record.t_us, "thought", record.mode, record.content)
    if isinstance(record, PersonEvent):
        said = f"{record.source}: " if record.source else ""
        if record.text:
            words = f"{said}{record.text}"
            return record.person, PageEntry(record.t_us, "event", record.type, words)
        words, label = ", ".join(_facts(record)), record.type.replace("_", " ")
        return record.person, PageEntry(record.t_us, "event", record.type, words, label)
    return None


def _facts(event: PersonEvent) -> Iterator[str]:
    """Yield what an event without words says: words as they are, figures behind their names."""
    named = FIELDS[event.type]
    for name in (*named.required, *named.optional, "place", "people"):
        value = getattr(event, name)
        if isinstance(value, str):
            yield value
        elif isinstance(value, tuple):
            yield "; ".join(value)
        elif name.endswith("_us") and value is not None:
            yield f"{name.removesuffix('_us')} {value / MINUTE_US:g} min"
        elif value is not None:
            yield f"{name} {value:g}"


def _life(life: DrawnLife, entries: list[PageEntry]) -> Iterator[str]:
    """Yield the pieces of one person: a heading, then a strip and a list for each day."""
    yield f'<h1>{_safe(life.person)}</h1>\n<p class="key">{KEY}</p>\n'
    entries = sorted({entry for entry in entries if life.t_us[0] <= entry.t_us <= life.t_us[-1]})
    last = max(life.t_us[0], life.t_us[-1] - 1) // DAY_US
    for day in range(life.t_us[0] // DAY_US, last + 1):
        start_us = day * DAY_US
        until_us = start_us + DAY_US + (1 if day == last else 0)
        own = [entry for entry in entries if start_us <= entry.t_us < until_us]
        yield f"<h2>Day {day}, {weekday_of(start_us)}</h2>\n"
        yield from _strip(life, own, start_us)
        yield "<ol>\n"
        for entry in own:
            when, how = _clock(entry.t_us - start_us), entry.how or entry.what
            yield (
                f'<li class="{entry.what[0]}"><time>{when}</time><b>{_safe(how)}</b>'
                f"{_safe(entry.words)}</li>\n"
            )
        yield "</ol>\n"


def _strip(life: DrawnLife, entries: Sequence[PageEntry], start_us: int) -> Iterator[str]:
    """Yield the picture of one day: its labels, curves, sleep, thoughts and notes."""
    placed = labels([entry for entry in entries if entry.what == "event"], start_us)
    top = LANE * (1 + max((label.lane for label in placed), default=-1)) + GAP
    foot = top + CURVE * len(life.curves)
    height = foot + 34
    yield f'<svg viewBox="0 0 {WIDTH} {height}" role="img">\n'
    for began, ended in life.nights():
        left, right = (
            _x(max(began, start_us), start_us),
            _x(min(ended, start_us + DAY_US), start_us),
        )
        if right > left and ended > start_us:
            wide = f'x="{left:.1f}" y="{top}" width="{right - left:.1f}" height="{foot - top}"'
            yield f'<rect class="sleep" {wide}/>\n'
    for hour in range(0, 25, 3):
        at = _x(start_us + hour * HOUR_US, start_us)
        yield _line("grid", at, top, foot)
        yield f'<text x="{min(at, WIDTH - 32):.1f}" y="{height - 2}">{hour:02d}:00</text>\n'
    pieces = life.curve_of(start_us, start_us + DAY_US)
    if not pieces:
        yield f'<text x="{LEFT + GAP}" y="{top + CURVE}">{NO_CURVES}</text>\n'
    yield from _curves(life, pieces, start_us, top)
    for label in placed:
        yield _line("event", label.at, LANE * (label.lane + 1) - 4, foot)
    # Labels stand above all lines, so that no line goes through the words of another event.
    for label in placed:
        below = LANE * (label.lane + 1) - 4
        yield f'<text class="label" x="{label.left:.1f}" y="{below}">{_safe(label.words)}</text>\n'
    for entry in entries:
        if entry.what == "thought":
            yield _line("thought", _x(entry.t_us, start_us), foot + 2, foot + 9)
        elif entry.what == "note":
            yield _line("note", _x(entry.t_us, start_us), foot + 9, foot + 18)
    yield "</svg>\n"


def _curves(
    life: DrawnLife, pieces: Sequence[Sequence[int]], start_us: int, top: int
) -> Iterator[str]:
    """Yield the curves of a day, each between its least and its greatest value of the whole life.

    `pieces` are the places of the states that each goes through.
    """
    for number, (name, values) in enumerate(life.curves.items()):
        least, most = min(values), max(values)
        wide, foot = most - least or 1.0, top + CURVE * (number + 1) - 5
        colour = COLOURS[number % len(COLOURS)]
        for places in pieces:
            points = " ".join(
                f"{_x(life.t_us[place], start_us):.1f},"
                f"{foot - (CURVE - 10) * (values[place] - least) / wide:.1f}"
                for place in places
            )
            stroke = f'stroke="{colour}" stroke-width="1.4"'
            yield f'<polyline fill="none" {stroke} points="{points}"/>\n'
        middle = top + CURVE * number + CURVE // 2
        yield f'<text x="0" y="{middle}" style="fill:{colour}">{_safe(name[:17])}</text>\n'
        span = f"{least:.2f} to {most:.2f}"
        yield f'<text class="range" x="0" y="{middle + 11}">{span}</text>\n'


def _line(what: str, at: float, top: float, foot: float) -> str:
    """Return an upright line."""
    return f'<line class="{what}" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{foot}"/>\n'


def _x(t_us: int, start_us: int) -> float:
    """Return the pixel of an instant of the day that begins then."""
    return LEFT + (WIDTH - LEFT) * (t_us - start_us) / DAY_US


def _clock(span_us: int) -> str:
    """Return a time of day."""
    minutes = span_us // 60_000_000
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _cut(words: str) -> str:
    """Return as much of some words as a label holds."""
    plain = " ".join(words.split())
    return plain if len(plain) <= MOST_LABEL else f"{plain[: MOST_LABEL - 1].rstrip()}…"


def _safe(words: str) -> str:
    """Return words as text of a page: what others wrote is no markup, and has no control in it."""
    return escape(" ".join(terminal_text(words).split()))
