"""The manual's table of what happens to persons: every field of every type, with its meaning."""

from mindpipe.core.records import to_json
from mindpipe.person.lines import LinePlace, read_line
from mindpipe.person.records.event import FIELDS, PersonEvent
from mindpipe_cli.manual.events_of_persons import EXAMPLE, events_of_persons
from mindpipe_cli.manual.roff import Term
from mindpipe_cli.schema import schema_of
from support.tables import each_row

WRITTEN = {"cls": "class", "source": "from", "dur_us": "dur"}
TERMS = {
    block.term: block.words
    for block in events_of_persons(schema_of("person-event"))
    if isinstance(block, Term)
}


@each_row("kind", FIELDS)
def test_every_field_of_a_type_is_told(kind: str) -> None:
    fields = FIELDS[kind]
    words = TERMS[kind]
    told = [WRITTEN.get(field, field) for field in (*fields.required, *fields.optional)]
    assert [f"{name} (" in words for name in told] == [True] * len(told)
    assert words.startswith("Needs ") or not fields.required or "Also written" in words


@each_row(
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
    read = read_line(EXAMPLE.encode(), LinePlace("a"), defaults={"person": "mara"})
    assert isinstance(read, PersonEvent)
    assert to_json(read)
