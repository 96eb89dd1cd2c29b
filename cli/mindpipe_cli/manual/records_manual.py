"""mind-records(5): every record that travels on a line of JSON, field by field."""

from collections.abc import Iterator, Mapping

from mindpipe_cli.manual.events_of_persons import events_of_persons
from mindpipe_cli.manual.roff import Block, Heading, Manual, Section, Term, Text
from mindpipe_cli.manual.schema_words import Schema, json_words, words_of
from mindpipe_cli.schema import RECORDS, schema_of

_INTRODUCTION = (
    "Every command reads and writes JSON Lines: one object per line, UTF-8, ended by a newline. A "
    "field that is not named here is refused, and so is one that comes twice.",
    "mind schema RECORD prints the JSON Schema of a record; this page says the same in words.",
)


def records_manual() -> Manual:
    """Return the page of all records, and of the parts that several of them are made of."""
    schemas: dict[str, Schema] = {name: schema_of(name) for name in RECORDS}
    tops = {_title_of(schema): name for name, schema in schemas.items()}
    parts: dict[str, Schema] = {}
    for schema in schemas.values():
        parts |= {name: part for name, part in _parts_of(schema).items() if name not in tops}
    choices = {name: part["enum"] for name, part in parts.items() if "enum" in part}
    schemas = {name: _with_choices(schema, choices) for name, schema in schemas.items()}
    parts = {name: _with_choices(part, choices) for name, part in parts.items()}
    sections = (
        Section("NAME", (Text("mind-records - the records that mind reads and writes"),)),
        Section("DESCRIPTION", tuple(map(Text, _INTRODUCTION))),
        Section("RECORDS", tuple(_records(schemas))),
        Section("EVENTS OF PERSONS", tuple(events_of_persons(schemas["person-event"]))),
        Section("PARTS", tuple(_all_parts(parts))),
        Section("SEE ALSO", (Text("mind(1)"),)),
    )
    return Manual("mind-records", 5, sections)


def _with_choices(schema: Schema, choices: Mapping[str, object]) -> Schema:
    """Return a schema that says of each choice which values there are, and not what it is called.

    What a record says of a part beside its name stays.
    """
    found = {name: _each_with_choices(part, choices) for name, part in schema.items()}
    called = str(schema.get("$ref", "")).rpartition("/")[2]
    if called in choices:
        del found["$ref"]
        found["enum"] = choices[called]
    return found


def _each_with_choices(part: object, choices: Mapping[str, object]) -> object:
    """Return what stands in a schema in the same way."""
    if isinstance(part, list):
        return [_each_with_choices(one, choices) for one in part]
    return _with_choices(part, choices) if isinstance(part, dict) else part


def _records(schemas: Mapping[str, Schema]) -> Iterator[Block]:
    """Yield every record with its fields."""
    for name, schema in schemas.items():
        title = _title_of(schema)
        yield Heading(name if title.lower() == name else f"{name} ({title})")
        yield Text(RECORDS[name].summary)
        yield from _fields(_parts_of(schema).get(title, schema))


def _all_parts(parts: Mapping[str, Schema]) -> Iterator[Block]:
    """Yield what records are made of, by name."""
    for name in sorted(parts):
        yield Heading(name)
        yield from _fields(parts[name])


def _fields(schema: Schema) -> Iterator[Block]:
    """Yield what an object is for and each of its fields; or what else it is."""
    described = schema.get("description")
    if isinstance(described, str):
        yield from (Text(" ".join(block.split())) for block in described.split("\n\n"))
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        yield Text(f"{words_of(schema)}.")
        return
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    for name, field in properties.items():
        yield Term(str(name), _field_words(field, needed=name in needed))


def _field_words(field: Schema, *, needed: bool) -> str:
    """Return one field's type, and whether it must be there."""
    words = words_of(field)
    if needed:
        return f"{words}; required."
    default = field.get("default")
    if isinstance(default, dict):
        return f"{words}."  # the record that it is tells its own
    return f"{words}; default {json_words(default)}." if default or default == 0 else f"{words}."


def _title_of(schema: Schema) -> str:
    """Return the name of the record's type."""
    place = schema.get("$ref")
    return str(place).rpartition("/")[2] if place else str(schema.get("title", ""))


def _parts_of(schema: Schema) -> Mapping[str, Schema]:
    """Return the named schemas that a schema refers to."""
    parts = schema.get("$defs")
    return parts if isinstance(parts, dict) else {}
