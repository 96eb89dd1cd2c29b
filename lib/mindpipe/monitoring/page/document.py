"""The page itself: one document, offline, in which only its own script and style count."""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mindpipe.core.text import terminal_text
from mindpipe.monitoring.page.blocks import HistorySize, Kept, fitted
from mindpipe.monitoring.page.records import (
    CycleBlock,
    LifeOverview,
    PairCurves,
    PairLife,
    PersonLife,
)

_FOLDER = Path(__file__).parent
FRAME, STYLE = _FOLDER / "life.html", _FOLDER / "life.css"
SCRIPTS = tuple(
    _FOLDER / "script" / name
    for name in (
        "elements.js",
        "life.js",
        "prompt.js",
        "timeline.js",
        "cycle.js",
        "beliefs.js",
        "windows.js",
        "matters.js",
        "person.js",
        "pair.js",
        "search.js",
        "main.js",
    )
)
"""One script, in this order: what each file needs stands before it."""

MOST_BYTES = 1_000_000
"""A page has so much room, and for each byte of its compressed history half of one."""
_OVERVIEW_SHARE = 0.4
_FRAME_BYTES = 100_000
_MOST_SHORT, _MOST_LINE = 40, 300
"""Where no script may run, so many lines are read, and of each so many characters."""
_DATA = "<!-- data -->"
_CYCLES: Kept = {
    "cycles": frozenset({"cycle", "state", "outcome", "opened", "input_tokens", "cost_micros"})
}
"""No page leaves out a cycle, and whatever it leaves out of it, this is drawn."""
_CURVES: Kept = dict.fromkeys(("t_us", "stretches", "nights"), frozenset[str]())
"""What is drawn of a person has a value for each of these."""

_PAIR: Kept = {"names": frozenset[str](), "curves": frozenset(PairCurves.__struct_fields__)}


class PageFiles(NamedTuple):
    """The texts that every page is made of."""

    frame: str
    style: str
    script: str


def opening(title: str, files: PageFiles, *, short: Iterable[str]) -> Iterator[bytes]:
    """Yield the page up to its data; nothing but the script and style with these hashes counts.

    `short` is what is read where no script may run, the first lines of it.
    """
    before, _, _ = files.frame.partition(_DATA)
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(files.script)}",
            f"style-src {_hash(files.style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    for name, text in (
        ("{{policy}}", escape(policy)),
        ("{{style}}", files.style),
        ("{{title}}", _plain(title)),
        ("{{short}}", "\n".join(f"<li>{_plain(one)}</li>" for one in islice(short, _MOST_SHORT))),
    ):
        before = before.replace(name, text, 1)
    yield before.encode()


def _plain(text: str) -> str:
    """Return words of anybody as a line that is no markup, cut where it is long."""
    line = " ".join(terminal_text(text).split())
    return escape(line if len(line) <= _MOST_LINE else f"{line[: _MOST_LINE - 1]}…")


def closing(files: PageFiles) -> Iterator[bytes]:
    """Yield what follows the data."""
    _, _, after = files.frame.partition(_DATA)
    yield after.replace("{{script}}", files.script, 1).encode()


def _hash(text: str) -> str:
    """Return the source of a policy that is exactly this text."""
    coded = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{coded}'"


class PageRoom:
    """How much room a page has left for each block of a life of so many cycles."""

    def __init__(self, *, cycles: int) -> None:
        self._cycles = cycles
        self._taken_bytes = _FRAME_BYTES
        self._history = HistorySize()
        self._rung = 0

    @property
    def _left(self) -> int:
        return MOST_BYTES + self._history.compressed_bytes // 2 - self._taken_bytes

    def of_overview(self, overview: LifeOverview) -> bytes:
        """Return what is known of all of a life as an element."""
        return self._taken(fitted(overview, room=int(self._left * _OVERVIEW_SHARE)).element)

    def of_cycles(self, block: CycleBlock, octets: tuple[bytes, ...]) -> bytes:
        """Return some cycles as an element; `octets` are their part of the history."""
        own, left = len(block.cycles), self._left
        self._history.add(octets)
        room = left * own // max(own, self._cycles) + self._left - left
        self._cycles -= own
        # The next block is much like this one, so that all that is larger need not be tried.
        made = fitted(block, room=room, kept=_CYCLES, since=max(0, self._rung - 1))
        self._rung = made.rung
        return self._taken(made.element)

    def of_person(self, life: PersonLife, octets: tuple[bytes, ...]) -> bytes:
        """Return a person's life as an element; `octets` are the records that it was made of."""
        self._history.add(octets)
        return self._taken(fitted(life, room=self._left, kept=_CURVES).element)

    def of_pair(self, pair: PairLife, octets: tuple[bytes, ...]) -> bytes:
        """Return two lives as an element; `octets` are what it was made of."""
        self._history.add(octets)
        return self._taken(fitted(pair, room=self._left, kept=_PAIR).element)

    def _taken(self, element: bytes) -> bytes:
        """Return an element, for which there is that much less room."""
        self._taken_bytes += len(element)
        return element
