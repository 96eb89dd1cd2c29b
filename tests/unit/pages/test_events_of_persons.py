"""The manual's table of what happens to persons: every field of every type, with its meaning."""

import pytest

from mindpipe.core.records import to_json
from mindpipe.person.body.event_fields import FIELDS
from mindpipe.person.reading import Place, read_line
from mindpipe.person.records.event import Event
from mindpipe_cli.pages.events_of_persons import EXAMPLE, events_of_persons
from mindpipe_cli.pages.roff import Term
from mindpipe_cli.travelling import schema_of

WRITTEN = {"cls": "class", "source": "from", "dur_us": "dur"}
TERMS = {
    block.term: block.words
    for block in events_of_persons(schema_of("person-event"))
    if isinstance(block, Term)
}


@pytest.mark.parametrize("kind", FIELDS)
def test_every_field_of_a_type_is_told(kind: str) -> None:
    fields = FIELDS[kind]
    words = TERMS[kind]
    told = [WRITTEN.get(field, field) for field in (*fields.required, *fields.optional)]
    assert [f"{name} (" in words for name in told] == [True] * len(told)
    assert words.startswith("Needs ") or not fields.required or "Also written" in words


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("noise", "Needs db (loudness, dB, 0 to 194). May have dur (how long), by default 5s."),
        ("food", "by default kcal / 8; dur (how long), by default 15m."),
        ("injury", "class (one of sting, bruise, cut, burn, fracture), by default cut."),
        ("climate", "Also written cold or heat. Needs air_c (air, °C, -90 to 60); dur"),
        ("drug", "name (the drug: one of alcohol, caffeine, cortisol); amount (cortisol in nmol/l"),
        ("task", "level (how much is demanded or threatened, 0 to 1), by default load"),
        ("goal", "importance (how much it matters, 0 to 1), by default 0.5; due_us"),
        ("sleep", "Nothing more."),
    ],
)
def test_units_ranges_choices_and_defaults_are_told(kind: str, words: str) -> None:
    assert words in TERMS[kind]


def test_the_example_is_an_event() -> None:
    read = read_line(EXAMPLE.encode(), Place("a"), defaults={"person": "mara"})
    assert isinstance(read, Event)
    assert to_json(read)
