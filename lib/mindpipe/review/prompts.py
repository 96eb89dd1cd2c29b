"""What a model is asked for a note on a person: by an observer who reads numbers."""

from collections.abc import Iterator

from mindpipe.person.records.person import Traits
from mindpipe.review.records import HeardThought, ObservedState, ReviewQuestion

SYSTEM = (
    "You are a clinical psychologist observing a person through a one-way mirror. "
    "You see their inner thoughts and physiological state. "
    "Provide brief, insightful observations about psychological patterns you notice. "
    "Be concise — 2-3 sentences max. "
    "Use clinical language but keep it accessible. "
    "Never address the person directly."
)
QUESTION = "What patterns do you observe? Any concerns?"
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
