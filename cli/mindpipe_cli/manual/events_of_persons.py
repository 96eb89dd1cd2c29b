"""What happens to persons, type by type: the fields of each, their units, ranges and defaults."""

from collections.abc import Iterator, Mapping
from typing import get_args

from mindpipe.person.body.emotions import DURATIONS_H
from mindpipe.person.body.modes import RATED
from mindpipe.person.records.event import ALIASES, FIELDS, InjuryClass
from mindpipe.person.records.state import LABELS
from mindpipe_cli.manual.roff import Block, Sample, Term, Text
from mindpipe_cli.manual.schema_words import Schema, json_words

EXAMPLE = '{"kind":"event","at":"2d16:00","type":"injury","nrs":8,"text":"you fell"}'
SECOND_US = 1_000_000
_WRITTEN = {"cls": "class", "source": "from", "dur_us": "dur"}
MEANINGS: Mapping[str, str] = {
    "about": "of what, or the id of the event that it answers",
    "air_c": "air, °C",
    "amount": "cortisol in nmol/l of plasma, caffeine in mg, alcohol in g",
    "carbs_g": "carbohydrate, g",
    "class": "of an injury its kind, of anything else an emotion",
    "clo": "clothing, clo",
    "closeness": "how near the other is",
    "control": "how much can be done about it",
    "danger": "danger to the body",
    "db": "loudness, dB",
    "disposition_traits": "what it says it is like",
    "due_us": "until when, microseconds",
    "dur": "how long",
    "emotional_patterns": "what it often feels",
    "from": "who speaks or acts",
    "hold_s": "how long it acts, seconds",
    "importance": "how much it matters",
    "intensity": "how strong",
    "kcal": "energy, kcal",
    "key_memories": "what it will not forget",
    "labels": "what the thought is labelled with",
    "level": "how much is demanded or threatened",
    "load": "how much attention it takes",
    "lux": "light at the eye, lux",
    "met": "effort, MET",
    "ml": "ml",
    "model": "who found the words",
    "name": "the drug",
    "nrs": "pain, from none to the worst",
    "outcome": "how the goal ended",
    "peak_c": "fever at its height, °C above normal",
    "quality": "how good the company is",
    "rates": f"per second, of {', '.join(RATED)}",
    "relational_markers": "who matters to it",
    "self_control": "how much self-control it takes",
    "self_narrative": "who it says it is",
    "social_eval": "how much others judge",
    "strength": "how wrong it was",
    "text": "in words",
    "valence": "ill or well meant, bad or good",
    "values_commitments": "what it stands for",
}
"""What each field of an event is, and its unit, by the name on the line."""
_DECIDED = {
    ("food", "carbs_g"): "kcal / 8",
    ("task", "level"): "load",
    ("speech", "cls"): "gratitude, or irritation",
    ("action", "cls"): "gratitude, or irritation",
    ("news", "cls"): "joy, or sadness",
}
"""The defaults that other fields decide."""
_DESCRIPTION = (
    'What happens to a person is a line of kind "event" with a type: for mind simulate tick and '
    "run on the lines or in a file of --events, and in a store as the body of an event that mind "
    "inbox push gives to the person's inbox.",
    "Only kind and type are always needed, and what the type needs. at is when, [Nd]HH:MM[:SS] "
    "of day N of the person's life, from 0 on, or t_us in microseconds since midnight of day 0; "
    "where there is only one person, that and person may be left out: it is now. id is "
    "numbered where it is not given; v is 1.",
    "dur is a span: 500ms, 90s, 15m, 2h or 1d, up to 366d; dur_us is the same in microseconds.",
    "Every type may have text, which is what is said, or else what is felt, in the second person "
    "(you fell), and how it came: surprise and certainty, 0 to 1, and agency, which is self, other "
    "or none.",
)


def events_of_persons(schema: Schema) -> Iterator[Block]:
    """Yield a table of all types of events; `schema` is that of the record."""
    yield from map(Text, _DESCRIPTION)
    yield Sample(EXAMPLE)
    for name in FIELDS:
        also = [alias for alias, of in ALIASES.items() if of == name]
        yield Term(name, " ".join(_type_words(name, _properties(schema), also)))
    yield Text(f"Emotions: {', '.join(DURATIONS_H)}.")
    yield Text(f"Labels of thoughts: {', '.join(LABELS)}.")


def _type_words(name: str, properties: Mapping[str, Schema], also: list[str]) -> Iterator[str]:
    """Yield sentences on a type: its other names, what it needs, what it may have."""
    fields = FIELDS[name]
    if also:
        yield f"Also written {' or '.join(also)}."
    needed = [_field_words(name, field, properties) for field in fields.required]
    if needed:
        yield f"Needs {'; '.join(needed)}."
    optional = [
        f"{_field_words(name, field, properties)}, by default {_default(name, field, given)}"
        if _default(name, field, given)
        else _field_words(name, field, properties)
        for field, given in fields.optional.items()
    ]
    if optional:
        yield f"May have {'; '.join(optional)}."
    if not needed and not optional:
        yield "Nothing more."


def _field_words(kind: str, field: str, properties: Mapping[str, Schema]) -> str:
    """Return a field with what it is and its range."""
    written = _WRITTEN.get(field, field)
    words = MEANINGS[written]
    if kind == "injury" and field == "cls":
        words = f"one of {', '.join(get_args(InjuryClass))}"
    elif field == "cls":
        words = "an emotion"
    return f"{written} ({words}{_range(properties[written])})"


def _range(schema: Schema) -> str:
    """Return the range or the choices of a field, as an ending; nothing for spans and texts."""
    match schema:
        case {"anyOf": [Mapping() as kind, *_]}:
            return _range(kind)
        case {"enum": [*choices]}:
            return f": one of {', '.join(map(str, choices))}"
        case {"type": "number", "minimum": float() | int() as least, "maximum": most}:
            return f", {least:g} to {most:g}"
        case _:
            return ""


def _default(kind: str, field: str, given: object) -> str:
    """Return the default of a field in words, empty where it has none."""
    if field == "dur_us" and isinstance(given, int):
        return _span(given)
    if given is None or given == "":
        return _DECIDED.get((kind, field), "")
    return given if isinstance(given, str) else json_words(given)


def _span(dur_us: int) -> str:
    """Return a whole span as it is written, in its greatest whole unit."""
    seconds = dur_us // SECOND_US
    for unit, size in (("h", 3600), ("m", 60)):
        if seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def _properties(schema: Schema) -> Mapping[str, Schema]:
    """Return the schemas of the fields of an event, also as they may be written."""
    match schema:
        case {"$defs": {"PersonEvent": Mapping() as event}}:
            return _properties(event)
        case {"properties": Mapping() as fields}:
            return {**fields, "dur": fields["dur_us"]}
        case _:
            return {}
