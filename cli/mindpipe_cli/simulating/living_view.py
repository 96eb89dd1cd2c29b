"""A person seen live on a terminal: how it feels, what it wants, its curves, and its thoughts."""

from collections import deque
from collections.abc import Iterable
from textwrap import wrap
from typing import TYPE_CHECKING

import msgspec

from mindpipe.core.text import terminal_text
from mindpipe.person.calendar import instant_text
from mindpipe.person.plots.sparkline import Span, sparkline
from mindpipe.person.records.state import Readouts, State
from mindpipe.person.records.thought import Thought
from mindpipe.person.verbs.feel import feel
from mindpipe.review.records import Observation
from mindpipe_cli import output

if TYPE_CHECKING:
    from rich.console import RenderableType

CURVES = {
    "arousal": "arousal",
    "valence": "valence",
    "energy": "energy",
    "cortisol": "cortisol_nmol_l",
}
"""What is drawn as a curve, by the name it is shown under."""
WIDTH, BAR, SAID = 48, 40, 8
"""Columns of a curve and of the bar at most, and how many of the latest words are seen."""
_BESIDE = 18
"""Columns of what stands beside a curve: its name and its value."""
REVIEW = "[REVIEW]"


class Seen:
    """What is seen of the first person of a run, from `start_us` to `until_us`."""

    def __init__(self, start_us: int, until_us: int) -> None:
        self._start_us = start_us
        self._until_us = until_us
        self._now_us = start_us
        self._state: State | None = None
        self._others: set[str] = set()
        self._t_us: list[int] = []
        self._values: dict[str, list[float]] = {name: [] for name in CURVES}
        self._said: deque[tuple[str, str, str]] = deque(maxlen=SAID)

    def take(self, line: bytes) -> bool:
        """Look at a line of the run; return whether there is something new to be seen."""
        kind = msgspec.json.decode(line, type=_Kind).kind
        if kind == "state":
            return self._stand(msgspec.json.decode(line, type=State))
        if kind == "thought":
            thought = msgspec.json.decode(line, type=Thought)
            return self._hear(thought.person, thought.t_us, thought.mode, thought.content)
        if kind == "observation":
            note = msgspec.json.decode(line, type=Observation)
            return self._hear(note.person, note.t_us, REVIEW, note.content)
        return False

    def _stand(self, state: State) -> bool:
        """Take a state in; only the first person is seen."""
        self._now_us = max(self._now_us, state.t_us)
        if self._state is not None and state.person != self._state.person:
            self._others.add(state.person)
            return False
        self._state = state
        if isinstance(state.read, Readouts):
            self._t_us.append(state.t_us)
            for name, readout in CURVES.items():
                self._values[name].append(getattr(state.read, readout))
        return True

    def _hear(self, person: str, t_us: int, how: str, words: str) -> bool:
        """Take words in, if they are of the person who is seen."""
        if self._state is not None and person != self._state.person:
            return False
        self._now_us = max(self._now_us, t_us)
        self._said.append((instant_text(t_us), how, " ".join(terminal_text(words).split())))
        return True

    def lines(self, columns: int = 80) -> list[tuple[str, str]]:
        """Return what is seen as lines of text, each with its style, on so many columns."""
        told = [*self._head(), *((f"  {line}", "") for line in self._felt())]
        return [
            *(
                (part, style)
                for line, style in told
                for part in wrap(line, columns, subsequent_indent="    ")
            ),
            *self._curves(min(WIDTH, columns - _BESIDE)),
            *((f"{at} {how:<11} {words}", _style(how)) for at, how, words in self._said),
            (self._bar(columns), ""),
        ]

    def _head(self) -> list[tuple[str, str]]:
        """Return who is seen, when, and what it wants."""
        if self._state is None:
            return []
        more = f" and {len(self._others)} more" if self._others else ""
        awake = "awake" if self._state.flags.awake else "asleep"
        found = [(f"{self._state.person}{more}, {instant_text(self._now_us)}, {awake}", "bold")]
        if isinstance(self._state.read, Readouts) and self._state.read.drives:
            wants = ", ".join(f"{name} {share:.2f}" for name, share in self._state.read.drives)
            found.append((f"  wants: {wants}", ""))
        return found

    def _felt(self) -> Iterable[str]:
        """Return how it feels."""
        if self._state is None or not isinstance(self._state.read, Readouts):
            return ()
        felt = feel(self._state).felt
        return () if felt is msgspec.UNSET else felt

    def _curves(self, width: int) -> list[tuple[str, str]]:
        """Return the curves so far."""
        span = Span(self._start_us, self._until_us, max(1, width))
        return [
            (f"{name:>9} {sparkline(self._t_us, values, span)} {values[-1]:.2f}", "cyan")
            for name, values in self._values.items()
            if values
        ]

    def _bar(self, columns: int) -> str:
        """Return how much of the simulated time is over."""
        whole = max(1, self._until_us - self._start_us)
        share = min(1.0, (self._now_us - self._start_us) / whole)
        told = f" {share:4.0%} to {instant_text(self._until_us)}"
        width = max(0, min(BAR, columns - len(told)))
        done = int(share * width)
        return "━" * done + "─" * (width - done) + told


class _Kind(msgspec.Struct):
    """The kind of a line."""

    kind: str = ""


def _style(how: str) -> str:
    """Return how words are shown: an observer's in magenta."""
    return "magenta" if how == REVIEW else ""


def watch(lines: Iterable[bytes], seen: Seen) -> None:
    """Show a run while its lines come."""
    from rich.console import Console
    from rich.live import Live

    console = Console(no_color=not output.colours_wanted(), highlight=False)
    with Live(console=console, refresh_per_second=8) as live:
        for line in lines:
            if seen.take(line):
                live.update(_drawn(seen, console.width))
        live.update(_drawn(seen, console.width))


def _drawn(seen: Seen, columns: int) -> "RenderableType":
    """Return what is seen as rich draws it on so many columns."""
    from rich.text import Text

    text = Text(no_wrap=True, overflow="ellipsis")
    for line, style in seen.lines(columns):
        text.append(f"{line}\n", style=style)
    return text
