"""What of a person is worth a note: what has changed, what it follows, and what is a risk."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import fmean

from mindpipe.core.text import terminal_text
from mindpipe.person.records.event import HOUR_US, MINUTE_US
from mindpipe.review.causes import MOVES, PAIN, WORTH, Step, steps_of
from mindpipe.review.chart import (
    DAY_US,
    NIGHT_US,
    SAME_NIGHT_US,
    clock_distance,
    day_of,
    mark_of,
    present,
    usual_bedtime_us,
    usual_sleep_us,
)
from mindpipe.review.hopelessness import hopeless_in
from mindpipe.review.records import Chart, ChartMark, ChartNight, HeardThought, Noted, ObservedState

ACUTE = 70
"""The weight from which on a finding does not wait for its turn."""
MOOD_STEP, AROUSAL_HIGH, AROUSAL_SETTLED = 0.18, 0.55, 0.38
LOW_MOOD, TIRED = -0.08, 0.1
DAY_STEP = 0.12
"""By how much the mean of a day must differ from the days before."""
ALIKE_US, SAME_BEDTIME_US = 45 * MINUTE_US, 75 * MINUTE_US
"""By how much two nights may differ in length and in their beginning, and be the same."""
DAY_LOOKS = 78
"""After so many looks at a waking person, thirteen hours, a day is nearly over."""
FRESH_US = 2 * HOUR_US
SUSTAINED_US = 6 * HOUR_US
AWAKE_LONG_US, AWAKE_RISK_US = 18 * HOUR_US, 22 * HOUR_US
HUNGRY_US, STARVING_US = 9 * HOUR_US, 16 * HOUR_US
NO_PAIN, FEVER_C, NO_FEVER_C = 0.15, 38.0, 37.5
LONELY, OFTEN = 0.6, 0.25
EVEN_MOOD = 0.12
"""From which mood on a day was good."""
STYLES = {
    "rumination": "goes over the same thing without getting further",
    "catastrophizing": "expects the worst",
    "suppression": "pushes feelings aside",
    "denial": "keeps saying that nothing is wrong",
    "labeling": "calls itself names",
    "personalization": "takes the blame for what happened",
    "mind_reading": "is sure that others think badly of it",
    "fortune_telling": "takes it for certain that things will end badly",
    "mental_filter": "sees only what went wrong",
    "should_statements": "measures itself by what should have been done",
    "overgeneralization": "makes a rule of one bad thing",
    "disqualifying_positive": "lets nothing good count",
    "emotional_reasoning": "takes feelings for facts",
    "all_or_nothing": "sees only success or ruin",
}
"""How the ways of thinking look that are worth a word."""
Rule = Callable[[Chart, ObservedState, Sequence[HeardThought]], Iterator[Noted]]


def findings_of(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> list[Noted]:
    """Return what is worth a note, what weighs most first.

    Args:
        chart: The chart, on which the present look stands already.
        seen: The present look.
        thoughts: What was thought in the last two days, oldest first.
    """
    found = [one for rule in RULES for one in rule(chart, seen, thoughts)]
    found.sort(key=lambda one: -one.weight)
    heaviest: dict[str, Noted] = {}
    for one in found:
        heaviest.setdefault(one.subject, one)
    return list(heaviest.values())


def subject_of(thoughts: Sequence[HeardThought], share: float) -> HeardThought | None:
    """Return a thought of what most of some thoughts are of, if as many as that share are."""
    counts = Counter(one.episode for one in thoughts if one.episode)
    if not counts:
        return None
    episode, count = counts.most_common(1)[0]
    if count < max(2, share * len(thoughts)):
        return None
    of_it = [one for one in thoughts if one.episode == episode]
    # What somebody fears of it has other words than what it was.
    usual = Counter(one.about for one in of_it).most_common(1)[0][0]
    return next(one for one in of_it if one.about == usual)


def named(thought: HeardThought) -> str:
    """Return what a thought is of, as a note quotes it."""
    words = " ".join(terminal_text(thought.about or thought.content).split())
    if len(words) > _MOST_QUOTED:
        words = f"{words[:_MOST_QUOTED].rsplit(' ', 1)[0].rstrip(',;:')} …"
    return f"“{words.rstrip('.')}”"


_MOST_QUOTED = 90


def _risk(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> Iterator[Noted]:
    """Yield what is dangerous: hopeless words of several thoughts in a low mood that lasts."""
    if chart.low_us is None or not seen.awake:
        return
    low_us = seen.t_us - chart.low_us
    recent = [one for one in thoughts if one.t_us > seen.t_us - 12 * HOUR_US]
    told = [found for one in recent if (found := hopeless_in(one.content))]
    words = [word.lower() for found in told for word in found]
    hopeless = len(told) > 2 or (len(told) > 1 and len(set(words)) > 1)
    if low_us >= SUSTAINED_US and hopeless and _rested(chart, "risk", seen, 12 * HOUR_US):
        kinds = ", ".join(f"“{one}”" for one in list(dict.fromkeys(words))[:3])
        yield Noted(
            subject="risk",
            weight=100,
            words=f"Risk: the mood has been low for {hours(low_us)}, and the thoughts speak of no "
            f"way on ({kinds}). Somebody should ask directly about safety.",
        )
    elif (
        low_us >= SUSTAINED_US
        and _rested(chart, "low", seen, DAY_US)
        and _rested(chart, "risk", seen, DAY_US)
    ):
        about = subject_of(recent, 0.25)
        after = f", and the thoughts keep to {named(about)}" if about else ""
        yield Noted(
            subject="low",
            weight=55,
            words=f"The mood has been low for {hours(low_us)} without a break{after}.",
        )


def _event(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> Iterator[Noted]:
    """Yield how the person takes what has just come to its mind for the first time."""
    if present(chart) is None or not seen.awake or not chart.looks:
        return
    latest = chart.looks[-1]
    steps = steps_of(chart, seen, thoughts)
    greatest = max(steps, key=lambda one: abs(one.change), default=None)
    for step in steps:
        subject = "pain" if step.first is None else f"{EVENT}{step.first.occurrence}"
        if step.first is not None and mark_of(chart, subject) is not None:
            continue
        stirred = latest.arousal >= AROUSAL_HIGH > step.before.arousal and step is greatest
        words, aroused = _reaction(step), ", with high arousal" if stirred else ""
        if step.change <= -MOVES and step.first is None:
            yield from _of_pain(chart, seen, f"{words}{aroused}.")
        elif step.change <= -MOVES:
            yield Noted(subject=subject, weight=85, words=f"{words}{aroused}.", value=step.change)
        elif step.first is None:
            continue
        elif step.change >= 1.3 * MOVES:
            yield Noted(subject=subject, weight=62, words=f"{words}{aroused}.", value=step.change)
        elif stirred:
            words = f"{_after(step)} arousal rose, while the mood held"
            yield Noted(subject=subject, weight=58, words=f"{words}.", value=step.change)


def _of_pain(chart: Chart, seen: ObservedState, words: str) -> Iterator[Noted]:
    """Yield that pain has set in and what it did to the mood, once for each pain."""
    mark = mark_of(chart, "pain")
    if (mark is None or mark.value == 0.0) and seen.pain is not None and seen.pain > NO_PAIN:
        yield Noted(subject="pain", weight=86, words=words, value=1.0)


def _reaction(step: Step) -> str:
    """Return how the mood moved after something."""
    change = step.change
    was, became = mood(step.before.valence), mood(step.after)
    moved = "fell" if change < 0 else "rose"
    sharply = " sharply" if abs(change) >= 2 * MOOD_STEP else ""
    course = f"from {was} to {became}" if was != became else f"further and is {became}"
    if was == became and (step.after < LOW_MOOD) is (change > 0):
        # What rises and is low, or falls and is good, goes no further.
        course = f"a little, but is still {became}"
    return f"{_after(step)} the mood {moved}{sharply} {course}"


def _after(step: Step) -> str:
    """Return what something follows, at the head of a sentence."""
    first, beside = step.first, step.beside
    if first is None:
        return "As pain set in"
    head = f"On being told {named(first)}" if first.told else f"After {named(first)}"
    if beside is None:
        return head
    return f"{head} and {'after ' if first.told and not beside.told else ''}{named(beside)}"


def _mood(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> Iterator[Noted]:
    """Yield how the mood has moved since it was noted last, and with what on the mind."""
    now, last = present(chart), mark_of(chart, "mood")
    if now is None or not seen.awake or last is None or len(chart.looks) < 3:
        return
    change = now.valence - last.value
    if abs(change) < MOOD_STEP or seen.t_us - last.t_us < HOUR_US:
        return
    if change > 0 and _only_ebbs(chart, seen, thoughts, since_us=last.t_us):
        return
    recent = [one for one in thoughts if one.t_us > seen.t_us - FRESH_US]
    words = _course(last, now.valence, seen.t_us) + _beside_yesterday(chart, now.valence)
    words += _on_the_mind(recent, between=(last.value, now.valence))
    yield Noted(subject="mood", weight=50, words=f"{words}.", value=now.valence)


def _only_ebbs(
    chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought], *, since_us: int
) -> bool:
    """Tell whether a mood that rises only comes back from a blow, and nothing good lifts it.

    What struck still occupies the thoughts then, and an impulse that fades is no recovery.
    """
    struck = [one for one in chart.marks if one.subject.startswith(EVENT)]
    blows = [one.t_us for one in struck if one.value < 0 and seen.t_us - one.t_us < EBBS_US]
    if not blows:
        return False
    last_us = max(*blows, since_us)
    lifted = any(one.value > 0 and one.t_us > last_us for one in struck)
    good = any((one.worth or 0.0) >= WORTH and one.t_us > last_us for one in thoughts)
    return not (lifted or good)


EVENT = "event:"
"""How what is noted of something that happened begins."""
EBBS_US = 2 * DAY_US
"""For how long after a blow a rise may be no more than its ebb: as far as thoughts are heard."""
MOVED = {
    ("night", False): "During the night the mood has sunk {course} since {since}",
    ("night", True): "During the night the mood has lifted {course} since {since}",
    ("morning", False): "The morning has brought the mood down {course} since {since}",
    ("morning", True): "The morning is better than {since}: the mood has gone up {course}",
    ("afternoon", False): "Since {since} the mood has fallen off {course}",
    ("afternoon", True): "Since {since} the mood has picked up {course}",
    ("evening", False): "Towards evening the mood has dropped {course}, against {since}",
    ("evening", True): "By evening the mood has recovered {course}, against {since}",
}
"""What is said of a mood that has moved, by the part of the day, and whether it rose."""


def _course(last: ChartMark, valence: float, t_us: int) -> str:
    """Return how the mood moved since it was noted last, from which to which."""
    was, became = mood(last.value), mood(valence)
    course = f"from {was} to {became}" if was != became else f"somewhat and is still {became}"
    words = MOVED[_part_of_day(t_us), valence > last.value]
    return words.replace("{course}", course).replace("{since}", _when(last.t_us, t_us))


def _part_of_day(t_us: int) -> str:
    """Return the part of the day by the clock."""
    hour = t_us % DAY_US // HOUR_US
    return next(part for until, part in _PARTS if hour < until)


_PARTS = ((5, "night"), (12, "morning"), (17, "afternoon"), (22, "evening"), (24, "night"))


def _beside_yesterday(chart: Chart, valence: float) -> str:
    """Return how a mood is beside the whole of the day before, where it differs."""
    before = day_of(chart, chart.days[-1].day - 1) if chart.days else None
    if before is None or abs(valence - before.valence) < DAY_STEP:
        return ""
    sense = "below" if valence < before.valence else "above"
    return f", {sense} the {mood(before.valence)} mean of yesterday"


def _on_the_mind(
    thoughts: Sequence[HeardThought], *, between: tuple[float, float] | None = None
) -> str:
    """Return what most thoughts were of, or between which two things they went.

    Beside a mood that moved `between` two valences it is only what can have moved it that way.
    """
    if about := subject_of(thoughts, 0.35):
        of_it = [one for one in thoughts if one.episode == about.episode]
        fits = between is None or _went_along(of_it, *between)
        return f", with {named(about)} on the mind" if fits else ""
    if between is not None:
        thoughts = [one for one in thoughts if _went_along([one], *between)]
    first = subject_of(thoughts, 0.0)
    if first is None:
        return ""
    other = subject_of([one for one in thoughts if one.episode != first.episode], 0.0)
    return f"; the thoughts go between {named(first)} and {named(other)}" if other else ""


def _went_along(thoughts: Sequence[HeardThought], was: float, became: float) -> bool:
    """Tell whether thoughts were thought in such a mood as the mood has moved to.

    Who feels worse with a thing on the mind is not lifted by it, and what does somebody good is no
    reason for a mood that sinks.
    """
    worth = next((one.worth for one in thoughts if one.worth), 0.0)
    felt = [one.valence for one in thoughts if one.valence is not None]
    if worth:
        return (worth > 0) == (became > was)
    return not felt or (fmean(felt) > (was + became) / 2) == (became > was)


def _arousal(
    chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]
) -> Iterator[Noted]:
    """Yield that somebody is tense for a while, and that it is over."""
    now, last = present(chart), mark_of(chart, "arousal")
    if now is None or not seen.awake:
        return
    was_high = last is not None and last.value > 0.0
    recent = [one for one in thoughts if one.t_us > seen.t_us - HOUR_US]
    about = subject_of(recent, 0.35)
    latest = chart.looks[-3:]
    lasts = len(latest) > 2 and min(look.arousal for look in latest) >= AROUSAL_HIGH
    if lasts and not was_high and _rested(chart, "arousal", seen, HOUR_US):
        with_ = f", with {named(about)} on the mind" if about else ""
        words = f"Arousal has stayed high for half an hour{with_}."
        yield Noted(subject="arousal", weight=45, words=words, value=1.0)
    elif now.arousal <= AROUSAL_SETTLED and was_high:
        words = "The tension has passed; arousal is back where it usually is."
        yield Noted(subject="arousal", weight=25, words=words, value=0.0)


def _sleep(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> Iterator[Noted]:
    """Yield how the night was, once it is clear that it is over; and that there was none."""
    del thoughts
    if not seen.awake or seen.since_us is None:
        return
    night = chart.nights[-1] if chart.nights else None
    awake_us = seen.t_us - seen.since_us
    if night is not None and night.awake_us == seen.since_us and awake_us > SAME_NIGHT_US:
        mark = mark_of(chart, "night")
        words = _night_words(chart, night)
        if words and (mark is None or mark.value < night.awake_us):
            value = float(night.awake_us)
            yield Noted(subject="night", weight=48, words=words, value=value)
    if awake_us >= AWAKE_LONG_US and _rested(chart, "awake", seen, 4 * HOUR_US):
        risk = "; judgement and mood suffer from that" if awake_us >= AWAKE_RISK_US else ""
        words = f"No sleep for {hours(awake_us)} now{risk}."
        yield Noted(subject="awake", weight=66 if risk else 52, words=words)


def _night_words(chart: Chart, night: ChartNight) -> str:
    """Return how long a night was and when, beside those before; nothing where it was like them."""
    span = f"from {clock(night.asleep_us)} to {clock(night.awake_us)}"
    slept = hours(night.slept_us, minutes=True)
    usual_us, bedtime_us = usual_sleep_us(chart), usual_bedtime_us(chart)
    broken = f", broken {times(night.breaks)}" if night.breaks else ""
    if not broken and len(chart.nights) > 1 and _is_alike(night, chart.nights[-2]):
        return ""
    if night.slept_us < NIGHT_US:
        return f"Only a short sleep of {slept}, {span}{broken}."
    if usual_us is None or bedtime_us is None:
        return f"Slept {slept}, {span}{broken}."
    change_us = night.slept_us - usual_us
    later_us = clock_distance(night.asleep_us, bedtime_us)
    compared = []
    if abs(change_us) >= ALIKE_US:
        compared.append(f"{hours(abs(change_us))} {'more' if change_us > 0 else 'less'} than usual")
    if abs(later_us) >= SAME_BEDTIME_US:
        sense = "later" if later_us > 0 else "earlier"
        compared.append(f"begun {hours(abs(later_us))} {sense} than usual")
    if not compared:
        return f"Slept {slept}, {span}{broken}." if broken else ""
    return f"Slept {slept}, {span}{broken}: {' and '.join(compared)}."


def _is_alike(night: ChartNight, other: ChartNight) -> bool:
    """Tell whether two nights are much the same."""
    later_us = clock_distance(night.asleep_us, other.asleep_us)
    longer_us = night.slept_us - other.slept_us
    return abs(later_us) < SAME_BEDTIME_US and abs(longer_us) < ALIKE_US


def _turned_by(chart: Chart, thoughts: Sequence[HeardThought], day: int, *, fell: bool) -> str:
    """Return what of a day moved the person most, the way that the day went, where one did."""
    marks = [
        one
        for one in chart.marks
        if one.subject.startswith(EVENT) and one.t_us // DAY_US == day and (one.value < 0) is fell
    ]
    most = max(marks, key=lambda one: abs(one.value), default=None)
    if most is None or abs(most.value) < TURNING:
        return ""
    about = (one for one in thoughts if f"{EVENT}{one.occurrence}" == most.subject)
    thought = next(about, None)
    return f", with {named(thought)}" if thought else ""


TURNING = 0.2
"""By how much what happened moved the mood at least that is told of a whole day."""


def _day(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> Iterator[Noted]:
    """Yield once in the evening how the day differed from yesterday and the days before."""
    day = chart.days[-1].day if chart.days else 0
    if not seen.awake or not chart.days or chart.days[-1].looks < DAY_LOOKS:
        return
    if not _rested(chart, "day", seen, 14 * HOUR_US):
        return
    today, yesterday = day_of(chart, day), day_of(chart, day - 1)
    before = [found for one in range(day - 7, day) if (found := day_of(chart, one)) is not None]
    if today is None or not before:
        return
    week = fmean(one.valence for one in before)
    parts = []
    last = (yesterday or before[-1]).valence
    if abs(today.valence - last) >= DAY_STEP:
        fell, well = today.valence < last, today.valence >= EVEN_MOOD
        heavier = "A heavier day" if fell else "A lighter day"
        if fell is well:
            # A good day is not heavy for not being the best, nor a bad one light.
            heavier = "Not as good a day" if fell else "Not as heavy a day"
        than = "as" if fell is well else "than"
        beside = f"{than} yesterday" if yesterday else f"{than} the last one that was seen"
        also = ""
        if len(before) > 1 and abs(today.valence - week) < DAY_STEP:
            also = ", close to the mean of the week"
        told = f"the mood was {mood(today.valence)} on the whole{also}"
        parts.append(f"{heavier} {beside}: {told}{_turned_by(chart, thoughts, day, fell=fell)}.")
    elif len(before) > 1 and abs(today.valence - week) >= DAY_STEP:
        sense = "below" if today.valence < week else "above"
        parts.append(f"The mood was {sense} that of the days before: {mood(today.valence)}.")
    tired = today.energy - fmean(one.energy for one in before)
    changed = yesterday is None or abs(today.energy - yesterday.energy) >= TIRED / 2
    if abs(tired) >= TIRED and changed:
        parts.append(f"Energy was {'lower' if tired < 0 else 'higher'} than on the days before.")
    parts += _meals(chart, day)
    if parts:
        yield Noted(subject="day", weight=42, words=" ".join(parts), value=today.valence)


def _meals(chart: Chart, day: int) -> Iterator[str]:
    """Yield that a day had fewer or more meals than the days before."""
    counts = {one.day: one.meals for one in chart.days}
    before = [count for one, count in counts.items() if one < day and count]
    if not before or day not in counts:
        return
    usual = fmean(before)
    if counts[day] == 0:
        yield "Nothing was eaten all day."
    elif counts[day] <= usual - 1.0:
        yield f"Eaten only {times(counts[day])}, less than usual."


def _appetite(
    chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]
) -> Iterator[Noted]:
    """Yield that somebody has not eaten for long while awake."""
    del thoughts
    if not seen.awake or seen.last_meal_us is None or seen.since_us is None:
        return
    fasting_us = seen.t_us - seen.last_meal_us
    awake_us = seen.t_us - seen.since_us
    if fasting_us < HUNGRY_US or awake_us < 4 * HOUR_US:
        return
    if _rested(chart, "appetite", seen, 6 * HOUR_US):
        risk = fasting_us >= STARVING_US
        words = (
            f"Has not eaten for {hours(fasting_us)}{', which is a risk by now' if risk else ''}."
        )
        yield Noted(subject="appetite", weight=72 if risk else 44, words=words)


def _body(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> Iterator[Noted]:
    """Yield that pain or fever has come, and that it has gone."""
    del thoughts
    hurt = mark_of(chart, "pain")
    hurts = hurt is not None and hurt.value > 0.0
    if seen.pain is not None and seen.pain >= PAIN and not hurts:
        yield Noted(subject="pain", weight=75, words="Strong pain has set in.", value=1.0)
    elif seen.pain is not None and seen.pain <= NO_PAIN and hurts:
        yield Noted(subject="pain", weight=35, words="The pain has nearly gone.", value=0.0)
    ill = mark_of(chart, "fever")
    feverish = ill is not None and ill.value > 0.0
    if seen.core_temp_c is not None and seen.core_temp_c >= FEVER_C and not feverish:
        words = f"Fever: {seen.core_temp_c:.1f} °C."
        yield Noted(subject="fever", weight=65, words=words, value=1.0)
    elif seen.core_temp_c is not None and seen.core_temp_c <= NO_FEVER_C and feverish:
        yield Noted(subject="fever", weight=35, words="The fever has gone.", value=0.0)


def _preoccupation(
    chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]
) -> Iterator[Noted]:
    """Yield once a day what from the days before thoughts return to more or less than before."""
    if not seen.awake or seen.since_us is None or seen.t_us - seen.since_us < 6 * HOUR_US:
        return
    if not _rested(chart, "return", seen, 20 * HOUR_US):
        return
    today = [one for one in thoughts if one.t_us >= seen.since_us]
    before = [one for one in thoughts if one.t_us < seen.since_us]
    old = {one.episode for one in before if one.episode}
    known = [one for one in today if not one.episode or one.episode in old]
    about = subject_of(known, 0.12)
    if about is None or not _weighs(chart, today, about.episode):
        return
    other = subject_of([one for one in known if one.episode != about.episode], 0.12)
    share, was = _share(today, about.episode), _share(before, about.episode)
    if 0.7 * was <= share <= 1.3 * was:
        return
    course = f"a {'smaller' if share < was else 'larger'} share than before"
    also = f"; also to {named(other)}" if other else ""
    count = sum(one.episode == about.episode for one in today)
    words = (
        f"Since waking {count} of {len(today)} thoughts went back to {named(about)}, "
        f"{course}{also}."
    )
    yield Noted(subject="return", weight=46, words=words, value=share)


def _weighs(chart: Chart, thoughts: Sequence[HeardThought], episode: str) -> bool:
    """Tell whether it means something that thoughts return to what happened.

    They do where that moved the person, where it is thought of in low spirits, or all the time.
    """
    of_it = [one for one in thoughts if one.episode == episode]
    own = [one.valence for one in of_it if one.valence is not None]
    low = bool(own) and fmean(own) < LOW_MOOD
    often = _share(thoughts, episode) >= OFTEN
    return low or often or any(mark_of(chart, f"event:{one.occurrence}") for one in of_it)


def _share(thoughts: Sequence[HeardThought], episode: str) -> float:
    """Return which share of some thoughts is of something."""
    return sum(one.episode == episode for one in thoughts) / max(1, len(thoughts))


def _style(chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]) -> Iterator[Noted]:
    """Yield a way of thinking that has taken over for some hours."""
    if not seen.awake:
        return
    recent = [one for one in thoughts if one.t_us > seen.t_us - 4 * HOUR_US]
    counts = Counter(label for one in recent for label in one.labels if label in STYLES)
    if not counts or len(recent) < 6:
        return
    style, count = counts.most_common(1)[0]
    if count >= 0.4 * len(recent) and _rested(chart, f"style:{style}", seen, 20 * HOUR_US):
        words = f"The thinking has taken on a pattern: it {STYLES[style]}."
        yield Noted(subject=f"style:{style}", weight=40, words=words)


def _contact(
    chart: Chart, seen: ObservedState, thoughts: Sequence[HeardThought]
) -> Iterator[Noted]:
    """Yield that somebody has become lonely, and that it is so no more."""
    del thoughts
    if seen.isolation is None or not seen.awake:
        return
    last = mark_of(chart, "contact")
    lonely = last is not None and last.value > 0.0
    if seen.isolation >= LONELY and not lonely:
        words = "Contact has been too little for a while; loneliness is setting in."
        yield Noted(subject="contact", weight=41, words=words, value=1.0)
    elif seen.isolation <= LONELY / 2 and lonely:
        words = "Company has eased the loneliness of the days before."
        yield Noted(subject="contact", weight=41, words=words, value=0.0)


RULES: tuple[Rule, ...] = (
    _risk,
    _event,
    _mood,
    _arousal,
    _sleep,
    _day,
    _appetite,
    _body,
    _preoccupation,
    _style,
    _contact,
)
"""All that is looked for."""
_MOODS = (
    (-0.5, "very low"),
    (-0.25, "low"),
    (-0.08, "somewhat low"),
    (0.12, "even"),
    (0.35, "good"),
)


def mood(valence: float) -> str:
    """Return a mood in words."""
    return next((words for below, words in _MOODS if valence < below), "very good")


def hours(span_us: float, *, minutes: bool = False) -> str:
    """Return a span in words: in hours, or in hours and minutes."""
    if span_us >= 2 * DAY_US:
        return f"{round(span_us / DAY_US)} days"
    whole, rest = divmod(round(span_us / MINUTE_US), 60)
    if minutes and whole:
        return f"{whole} h {rest} min" if rest else f"{whole} h"
    if not whole:
        return f"{rest} minutes"
    near = round(span_us / HOUR_US)
    return "one hour" if near == 1 else f"{near} hours"


def times(count: int) -> str:
    """Return how often, in words."""
    return {0: "not at all", 1: "once", 2: "twice"}.get(count, f"{count} times")


def clock(t_us: int) -> str:
    """Return a time of the day."""
    minutes = t_us % DAY_US // MINUTE_US
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _when(then_us: int, now_us: int) -> str:
    """Return an instant of the last days in words."""
    days = now_us // DAY_US - then_us // DAY_US
    return (
        clock(then_us) if not days else f"{clock(then_us)} {'yesterday' if days == 1 else 'before'}"
    )


def _rested(chart: Chart, subject: str, seen: ObservedState, least_us: int) -> bool:
    """Tell whether something was not noted for so long."""
    last = mark_of(chart, subject)
    return last is None or seen.t_us - last.t_us >= least_us
