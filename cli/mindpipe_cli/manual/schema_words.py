"""Say in words what a JSON Schema asks for."""

from collections.abc import Mapping

import msgspec

Schema = Mapping[str, object]

_LIMITS = (
    ("minimum", "at least {}"),
    ("maximum", "at most {}"),
    ("exclusiveMinimum", "more than {}"),
    ("exclusiveMaximum", "less than {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("minItems", "at least {} of them"),
    ("maxItems", "at most {} of them"),
    ("pattern", "matching {}"),
    ("contentEncoding", "{}"),
)


def words_of(schema: Schema) -> str:
    """Return a schema as a phrase: `integer, at least 0, at most 4`."""
    match schema:
        case {"$ref": str(place)}:
            words = place.rpartition("/")[2]
        case {"const": value}:
            words = f"always {json_words(value)}"
        case {"enum": [*values]}:
            words = f"one of {', '.join(map(json_words, values))}"
        case {"anyOf": [*kinds]}:
            words = " or ".join(words_of(kind) for kind in kinds if isinstance(kind, Mapping))
        case {"type": "array", "items": Mapping() as items}:
            words = f"list of {words_of(items)}"
        case {"type": "object", "additionalProperties": Mapping() as each}:
            words = f"object of {words_of(each)}"
        case {"type": str(kind)}:
            words = kind
        case _:
            words = "any JSON value"
    return _with_limits(words, schema)


def _with_limits(words: str, schema: Schema) -> str:
    """Add the bounds that a schema sets."""
    limits = [form.format(schema[name]) for name, form in _LIMITS if name in schema]
    return ", ".join([words, *limits])


def json_words(value: object) -> str:
    """Return a value as it stands in JSON."""
    return msgspec.json.encode(value).decode()
