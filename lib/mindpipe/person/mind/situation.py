"""Where a person is, with whom, and what it does, as far as that is known."""

from mindpipe.person.calendar import weekday_of
from mindpipe.person.records.episode import Episode, Heard, Situation
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import Mind

HOME = "at home"
HEARD_US = 30 * 60_000_000
"""For how long what was said is still in the ear."""


def situation_of(person: Person, mind: Mind, t_us: int, *, awake: bool) -> Situation:
    """Return where a person is at an instant, with whom, and what it does."""
    now = [one for one in mind.episodes if one.t_us <= t_us < one.until_us]
    place = next((one.place for one in reversed(now) if one.place), HOME)
    company = tuple(dict.fromkeys(name for one in now for name in one.people))
    return Situation(
        place=place,
        company=company if awake else (),
        posture="" if awake else "lying",
        weekday=weekday_of(t_us),
        heard=_heard(mind.episodes, t_us),
    )


def _heard(episodes: tuple[Episode, ...], t_us: int) -> Heard | None:
    """Return what was said or done last, if that was just now."""
    for one in reversed(episodes):
        if one.type in ("speech", "action") and t_us - one.t_us < HEARD_US:
            return Heard(t_us=one.t_us, text=one.text, source=one.source)
    return None
