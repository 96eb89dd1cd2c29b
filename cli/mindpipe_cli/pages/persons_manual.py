"""What of a person can be changed: its settings and its constants, for mind-simulate(1)."""

from collections.abc import Iterator

import msgspec

from mindpipe.person.constants import MARKS, Constants
from mindpipe.person.records.person import PersonSettings
from mindpipe.wiring.settings import variable_of
from mindpipe_cli.pages.roff import Block, Sample, Section, Term, Text

SETTINGS = {
    "awareness": "Whether changes break into awareness, and it thinks at all.",
    "model": "Its voice: composed, none, anthropic, or any MODEL.",
    "anthropic_model": "What the model anthropic is.",
    "max_tokens": "Most tokens of one thought; composed ignores it.",
    "temperature": "Of its model, 0 to 2; composed ignores it.",
    "min_call_interval_us": "Least time between two of its thoughts.",
    "spontaneous_interval_us": "Least time between two thoughts that nothing called for.",
    "review": "Whether a run lets an observer take notes on it.",
    "review_interval_us": "Least time between two notes.",
    "review_buffer": "How many of the latest thoughts the observer has before it.",
    "review_model": "The model of its observer; empty is that of the person.",
    "max_prompt_tokens": "Most estimated tokens of one prompt; what does not fit is compressed.",
    "max_context_memories": "Most memories in one prompt, 0 to 10.",
    "max_recent_thoughts": "Most recent thoughts in one prompt, 0 to 5.",
    "hold_s": "For how many seconds a thought moves the body, up to 3600.",
    "parser": "What finds the labels of thoughts: seed or improved.",
    "absorption_gain": "How much a chain of thoughts raises the threshold of awareness, 0 to 1.",
    "drift": "Whether the mind may wander where nothing else is on it.",
    "prompt_coping": "Whether prompts name the impulse to cope.",
    "identity_by_model": "Whether a model words its identity anew each day; composed never does.",
    "max_calls": "Most calls of a model in one run, its observer's apart; composed has none.",
}
"""What each setting of a person does, by its name."""
_ABOUT_SETTINGS = (
    "Changed by --set KEY=VALUE, or more weakly by the variable MIND_PERSON_KEY, as in "
    f"{variable_of('person.drift')}=false. Names that end in _us are microseconds of simulated "
    "time. MIND_PERSON_MODEL and the setting person.model are the voice of all persons, and leave "
    "their own setting as it is."
)
_ABOUT_CONSTANTS = (
    "Changed by --const NAME=VALUE. Spans are in seconds where a name begins with tau_ or ends in "
    "_s, in hours where it ends in _h. L is from the literature, L? so too and not yet checked "
    "against the paper, F fitted to rows of mind simulate validate, C chosen."
)


def persons_sections() -> tuple[Section, ...]:
    """Return the sections on settings and on constants."""
    lines = "\n".join(_constants())
    return (
        Section("SETTINGS OF A PERSON", (Text(_ABOUT_SETTINGS), *_settings())),
        Section("CONSTANTS", (Text(_ABOUT_CONSTANTS), Sample(lines))),
    )


def _settings() -> Iterator[Block]:
    """Yield each setting with its default."""
    for field in msgspec.structs.fields(PersonSettings):
        default = msgspec.json.encode(field.default).decode()
        yield Term(field.name, f"{SETTINGS[field.name]} Default: {default}.")


def _constants() -> Iterator[str]:
    """Yield a line for each constant: its name, its default, and what it rests on."""
    usual = Constants()
    width = max(map(len, MARKS))
    for name, mark in MARKS.items():
        line = f"{name:<{width}}  {getattr(usual, name):<9.8g}  {mark.mark:<2}  {mark.source}"
        yield line.rstrip()
