"""What a model is asked for a note on a person: by an observer who reads numbers."""

from collections.abc import Iterator

from mindpipe.person.records.person import Traits
from mindpipe.review.chart import DAY_US
from mindpipe.review.findings import clock, hours
from mindpipe.review.records import Chart, HeardThought, Noted, ObservedState, ReviewQuestion

SYSTEM = (
    "You are a clinical psychologist observing a person through a one-way mirror. "
    "You see their inner thoughts and physiological state. "
    "Provide brief, insightful observations about psychological patterns you notice. "
    "Be concise — 2-3 sentences max. "
    "Use clinical language but keep it accessible. "
    "Never address the person directly."
)
QUESTION = "What patterns do you observe? Any concerns?"
LIVED_QUESTION = (
    "What has changed, what does it follow, and is there a risk? Write two or three sentences in "
    "plain clinical words. Count nothing, and repeat no figure."
)
_INSTRUMENTS = (
    ("Arousal", "arousal"),
    ("Valence", "valence"),
    ("Energy", "energy"),
    ("Cognitive load", "cognitive_load"),
    ("Regulation", "regulation"),
)


def question(seen: ObservedState, thoughts: tuple[HeardThought, ...]) -> ReviewQuestion:
    """Return what is asked; a section of the text about which nothing is known is left out."""
    lines = (*_state(seen), *_psyche(seen), *_thoughts(thoughts), QUESTION)
    return ReviewQuestion(system=SYSTEM, user="\n".join(lines), seen=seen, thoughts=thoughts)


def lived_question(
    seen: ObservedState,
    thoughts: tuple[HeardThought, ...],
    findings: tuple[Noted, ...],
    chart: Chart,
) -> ReviewQuestion:
    """Return what is asked of who lives at its own pace: what was found, and its course."""
    lines = (
        *_state(seen),
        *_course(seen, chart),
        *_psyche(seen),
        *_found(findings),
        *_thoughts(thoughts),
        LIVED_QUESTION,
    )
    user = "\n".join(lines)
    return ReviewQuestion(system=SYSTEM, user=user, seen=seen, thoughts=thoughts, findings=findings)


def _course(seen: ObservedState, chart: Chart) -> Iterator[str]:
    """Yield how the days and nights before were."""
    for day in chart.days:
        ago = seen.t_us // DAY_US - day.day
        if day.looks:
            when = {0: "Today", 1: "Yesterday"}.get(ago, f"{ago} days ago")
            means = (day.valence, day.arousal, day.energy)
            valence, arousal, energy = (one / day.looks for one in means)
            yield (
                f"{when}, mean while awake: valence {valence:z.2f}, arousal {arousal:z.2f}, "
                f"energy {energy:z.2f}; meals {day.meals}"
            )
    for night in chart.nights[-4:]:
        slept = hours(night.slept_us, minutes=True)
        yield f"Slept {slept}, from {clock(night.asleep_us)} to {clock(night.awake_us)}"


def _found(findings: tuple[Noted, ...]) -> Iterator[str]:
    """Yield what the instruments say has changed."""
    if findings:
        yield "What has changed:"
        yield from (f"- {' '.join(one.words.split())}" for one in findings)


def _state(seen: ObservedState) -> Iterator[str]:
    """Yield what the instruments show, in two decimals."""
    shown = [(words, getattr(seen, name)) for words, name in _INSTRUMENTS]
    lines = [f"- {words}: {number:z.2f}" for words, number in shown if number is not None]
    if lines:
        yield "Current psychological state:"
        yield from lines


def _psyche(seen: ObservedState) -> Iterator[str]:
    """Yield distortions, coping and personality."""
    if seen.distortions:
        yield f"Active cognitive distortions: {', '.join(seen.distortions)}"
    if seen.coping:
        yield f"Active coping strategies: {', '.join(seen.coping)}"
    if seen.traits is not None:
        yield f"Personality (Big Five): {_five(seen.traits)}"


def _five(traits: Traits) -> str:
    """Return the five traits by their letters."""
    names = traits.__struct_fields__
    return ", ".join(f"{name.upper()} {getattr(traits, name):.2f}" for name in names)


def _thoughts(thoughts: tuple[HeardThought, ...]) -> Iterator[str]:
    """Yield the thoughts, numbered, oldest first."""
    if thoughts:
        yield "Recent thoughts:"
    for number, thought in enumerate(thoughts, 1):
        origin = f"[{thought.origin}] " if thought.origin else ""
        yield f"{number}. {origin}{' '.join(thought.content.split())}"
