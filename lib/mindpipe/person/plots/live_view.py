"""A person seen live on a terminal: where it is, how it feels, what happened, what it thinks."""

from collections import deque
from collections.abc import Iterable, Sequence
from textwrap import wrap

import msgspec

from mindpipe.core.text import terminal_text
from mindpipe.person.calendar import instant_text
from mindpipe.person.mind.felt import with_felt
from mindpipe.person.plots.sparklines import PlotSpan, sparkline
from mindpipe.person.records.episode import Episode, LifeSituation
from mindpipe.person.records.state import PersonState, Readouts
from mindpipe.person.records.thought import Thought

CURVES = {
    "arousal": "arousal",
    "valence": "valence",
    "energy": "energy",
    "cortisol": "cortisol_nmol_l",
}
"""What is drawn as a curve, by the name it is shown under."""
WIDTH, BAR, SAID, HAPPENED = 48, 40, 8, 4
"""Columns of a curve and of the bar at most; how many of the latest words and episodes are seen."""
_BESIDE = 18
"""Columns of what stands beside a curve: its name and its value."""
REVIEW = "[REVIEW]"


class LiveView:
    """What is seen of the first person of a run, from `start_us` to `until_us`."""

    def __init__(self, start_us: int, until_us: int) -> None:
        self._start_us = start_us
        self._until_us = until_us
        self._now_us = start_us
        self._state: PersonState | None = None
        self._others: set[str] = set()
        self._t_us: list[int] = []
        self._values: dict[str, list[float]] = {name: [] for name in CURVES}
        self._said: deque[tuple[str, str, str]] = deque(maxlen=SAID)

    def take(self, line: bytes) -> bool:
        """Look at a line of the run; return whether there is something new to be seen."""
        kind = msgspec.json.decode(line, type=_Kind).kind
        if kind == "state":
            return self._stand(msgspec.json.decode(line, type=PersonState))
        if kind == "thought":
            thought = msgspec.json.decode(line, type=Thought)
            return self._hear(thought.person, thought.t_us, thought.mode, thought.content)
        if kind == "observation":
            note = msgspec.json.decode(line, type=_Words)
            return self._hear(note.person, note.t_us, REVIEW, note.content)
        return False

    def _stand(self, state: PersonState) -> bool:
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
            *self._episodes(columns),
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
        if words := _situation_words(self._state.mind.situation):
            found.append((f"  is {words}", ""))
        return found

    def _episodes(self, columns: int) -> list[tuple[str, str]]:
        """Return the latest of what happened, each on a line; what reached no thought is faint."""
        if self._state is None:
            return []
        latest = sorted(self._state.mind.episodes, key=_instant)[-HAPPENED:]
        return [
            (_shortened(_episode_words(one), columns), "dim" if one.noticed_us is None else "green")
            for one in latest
        ]

    def _felt(self) -> Iterable[str]:
        """Return how it feels."""
        if self._state is None or not isinstance(self._state.read, Readouts):
            return ()
        felt = with_felt(self._state).felt
        return () if felt is msgspec.UNSET else felt

    def _curves(self, width: int) -> list[tuple[str, str]]:
        """Return the curves so far."""
        span = PlotSpan(self._start_us, self._until_us, max(1, width))
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


class _Words(msgspec.Struct):
    """Who said what of somebody, and when."""

    person: str
    t_us: int
    content: str


class _Kind(msgspec.Struct):
    """The kind of a line."""

    kind: str = ""


def _situation_words(situation: LifeSituation) -> str:
    """Return where somebody is, with whom, and what it does, as far as that is known."""
    there = (*situation.company, *situation.animals)
    company = f"with {_listed(there)}" if there else ""
    parts = (situation.place, company, situation.activity, situation.weather)
    return ", ".join(_plain(one) for one in parts if one)


def _episode_words(episode: Episode) -> str:
    """Return when something happened, what, and how it ended."""
    said = f"{_plain(episode.source)}: " if episode.type == "speech" and episode.source else ""
    often = f" ({episode.count} times)" if episode.count > 1 else ""
    ended = f" ({_plain(episode.ended.replace('_', ' '))})" if episode.ended else ""
    return f"{instant_text(episode.t_us)} ◆ {said}{_plain(episode.text)}{often}{ended}"


def _listed(names: Sequence[str]) -> str:
    """Return names as people list them."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _plain(words: str) -> str:
    """Return words on one line, without what could draw on a terminal."""
    return " ".join(terminal_text(words).split())


def _shortened(line: str, columns: int) -> str:
    """Return a line that is no wider than so many columns."""
    return line if len(line) <= columns else f"{line[: columns - 1]}…"


def _instant(episode: Episode) -> int:
    return episode.t_us


def _style(how: str) -> str:
    """Return how words are shown: an observer's in magenta."""
    return "magenta" if how == REVIEW else ""
