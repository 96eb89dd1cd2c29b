"""A sound value for any JSON Schema that the program writes for its records."""

from typing import Any

OF_TYPES = {
    "string": "2026-11-21T20:00:00Z",
    "integer": 1,
    "number": 1.0,
    "boolean": True,
    "null": None,
}


def sample_of(schema: dict[str, Any], whole: dict[str, Any] | None = None) -> Any:
    """Return a value that says everything the schema knows, each list with one item."""
    whole = whole or schema
    if "$ref" in schema:
        return sample_of(whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    if "anyOf" in schema:
        return sample_of(schema["anyOf"][0], whole)
    return schema["enum"][0] if "enum" in schema else _plain(schema, whole)


def _plain(schema: dict[str, Any], whole: dict[str, Any]) -> Any:
    kind = schema.get("type", "string")
    if kind == "object":
        known = schema.get("properties", {})
        return {name: sample_of(one, whole) for name, one in known.items()} or {"a": [1]}
    if kind == "array":
        return [sample_of(schema["items"], whole)] if isinstance(schema.get("items"), dict) else []
    return OF_TYPES[kind[0] if isinstance(kind, list) else kind]
