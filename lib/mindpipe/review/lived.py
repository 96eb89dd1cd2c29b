"""When there is something to note on a person who lives at its own pace, and what is written."""

import collections
from collections.abc import Sequence

import msgspec

from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.person.records.state import voice_on
from mindpipe.review.chart import charted, mark_of, marked, present
from mindpipe.review.findings import ACUTE, AROUSAL_HIGH, findings_of, mood
from mindpipe.review.note import CAPACITY, INTERVAL_US
from mindpipe.review.records import Chart, HeardThought, Noted, ObservedState, ReviewQuestion

LOOK_US = 10 * MINUTE_US
"""At multiples of this the observer looks at the person."""
LEAST_US, MINOR_US = 20 * MINUTE_US, HOUR_US
"""How far two notes are apart at least, and what is minor from the one before it."""
MINOR = 40
"""The weight below which a finding is minor."""
MOST_FINDINGS = 3
HEARD_US, MOST_HEARD = 48 * HOUR_US, 1_000
"""For how long thoughts are kept in mind, and how many at most."""
LOW_ENERGY = 0.35
_NEVER_US = -(1 << 62)


class LivedReviewer:
    """Look at a person, and say when there is something to note.

    All that it compares with is on its `chart`; what it hears are the thoughts of two days.
    """

    def __init__(
        self,
        *,
        chart: Chart | None = None,
        interval_us: int = INTERVAL_US,
        capacity: int = CAPACITY,
    ) -> None:
        self.chart = chart or Chart()
        self._least_us = max(LEAST_US, interval_us)
        self._capacity = capacity
        self._heard: collections.deque[HeardThought] = collections.deque(maxlen=MOST_HEARD)
        self._met_us: int | None = None

    @property
    def thoughts(self) -> tuple[HeardThought, ...]:
        """Return the latest thoughts, oldest first."""
        return tuple(self._heard)[-self._capacity :]

    def add_thought(self, thought: HeardThought) -> None:
        """Hear a thought."""
        self._heard.append(thought)

    def next_us(self) -> int:
        """Return the earliest instant of the next look."""
        looked_us = self.chart.looked_us
        return _NEVER_US if looked_us is None else (looked_us // LOOK_US + 1) * LOOK_US

    def is_due(self, seen: ObservedState) -> bool:
        """Tell whether to look: at each multiple of ten minutes, or where states are rarer."""
        looked_us = self.chart.looked_us if self.chart.looked_us is not None else self._met_us
        if looked_us is not None and seen.t_us <= looked_us:
            return False
        if seen.t_us % LOOK_US == 0:
            return True
        if looked_us is None:
            self._met_us = seen.t_us
            return False
        return seen.t_us - looked_us > LOOK_US

    def look(self, seen: ObservedState) -> tuple[Noted, ...]:
        """Put a look on the chart, and return what is to be noted now, if anything is."""
        while self._heard and self._heard[0].t_us < seen.t_us - HEARD_US:
            self._heard.popleft()
        self.chart = charted(self.chart, seen)
        now = present(self.chart)
        if now is not None and mark_of(self.chart, "mood") is None:
            self.chart = marked(self.chart, "mood", seen.t_us, now.valence)
        found = self._chosen(findings_of(self.chart, seen, tuple(self._heard)), seen.t_us)
        for one in found:
            self.chart = marked(self.chart, one.subject, seen.t_us, one.value)
        if found:
            self.chart = msgspec.structs.replace(self.chart, noted_us=seen.t_us)
            self._mark_feelings(found, seen)
        return found

    def calls_of(self, t_us: int) -> int:
        """Return how many calls of a model were made on the day of an instant."""
        return voice_on(self.chart.voice, t_us).calls

    def asked(self, t_us: int, *, calls: int = 1, failed: bool = False) -> None:
        """Put on the chart that a model was asked, and whether it failed."""
        voice = voice_on(self.chart.voice, t_us)
        voice = msgspec.structs.replace(voice, calls=voice.calls + calls)
        failed_us = t_us if failed else None
        self.chart = msgspec.structs.replace(self.chart, voice=voice, failed_us=failed_us)

    def _chosen(self, found: Sequence[Noted], t_us: int) -> tuple[Noted, ...]:
        """Return the findings that make a note now; the others may make one later."""
        if not found:
            return ()
        noted_us, weight = self.chart.noted_us, found[0].weight
        if noted_us is not None:
            least_us = self._least_us if weight >= MINOR else max(self._least_us, MINOR_US)
            if t_us - noted_us < (LOOK_US if weight >= ACUTE else least_us):
                return ()
        if any(_is_cause(one) for one in found):
            found = [one for one in found if one.subject not in ("mood", "arousal")]
        return tuple(found[:MOST_FINDINGS])

    def _mark_feelings(self, found: Sequence[Noted], seen: ObservedState) -> None:
        """Mark how the person feels where a note says it: the next one goes on from there."""
        if not any(one.subject == "mood" or _is_cause(one) for one in found):
            return
        if seen.valence is not None:
            self.chart = marked(self.chart, "mood", seen.t_us, seen.valence)
        if seen.arousal is not None and seen.arousal >= AROUSAL_HIGH:
            self.chart = marked(self.chart, "arousal", seen.t_us, 1.0)


def _is_cause(found: Noted) -> bool:
    """Tell whether a finding says what moved the mood."""
    return found.subject.startswith("event:") or (found.subject == "pain" and found.value > 0.0)


def compose_findings(question: ReviewQuestion) -> str:
    """Return the note on what was found; where nothing was and one is asked for, on the present."""
    if question.findings:
        return " ".join(one.words for one in question.findings)
    seen, shown = question.seen, []
    if seen.valence is not None:
        shown.append(f"the mood is {mood(seen.valence)}")
    if seen.arousal is not None:
        high = seen.arousal >= AROUSAL_HIGH
        shown.append("arousal is high" if high else "arousal is nothing unusual")
    if seen.energy is not None:
        shown.append("energy is low" if seen.energy < LOW_ENERGY else "there is energy enough")
    words = ", ".join(shown) or "nothing that can be seen has changed"
    return f"{words[:1].upper()}{words[1:]}. No change stands out."
