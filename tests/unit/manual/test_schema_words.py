from mindpipe_cli.manual.schema_words import Schema, words_of
from support.tables import each_row


@each_row(
    ("schema", "words"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer", "minimum": 0, "maximum": 4}, "integer, at least 0, at most 4"),
        ({"type": "string", "pattern": "^a"}, "string, matching ^a"),
        ({"enum": ["a", 1, None]}, 'one of "a", 1, null'),
        ({"const": "text"}, 'always "text"'),
        ({"$ref": "#/$defs/Part"}, "Part"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"type": "array", "items": {"$ref": "#/$defs/Part"}}, "list of Part"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "object of string"),
        ({"type": "object", "additionalProperties": False}, "object"),
        ({"description": "Any JSON value."}, "any JSON value"),
    ],
)
def test_a_schema_in_words(schema: Schema, words: str) -> None:
    assert words_of(schema) == words
