"""Check a call's arguments before anything runs, and hash them exactly."""

import hashlib
import json
from typing import cast

import msgspec

from mindpipe.core.records import Record


def fault_by_type(args: dict[str, object], kind: type[Record]) -> str | None:
    """Return why the arguments do not fit a built-in tool's record, naming the field, or None."""
    try:
        msgspec.convert(args, kind)
    except msgspec.ValidationError as error:
        return str(error)
    return None


def fault_by_schema(args: dict[str, object], schema: dict[str, object]) -> str | None:
    """Return the first place where the arguments break a JSON Schema (2020-12), or None."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    validator = Draft202012Validator(msgspec.to_builtins(schema))
    error = best_match(validator.iter_errors(msgspec.to_builtins(args)))
    return None if error is None else f"{error.json_path}: {error.message}"


def schema_of(kind: type[Record]) -> dict[str, object]:
    """Return the JSON Schema of a built-in tool's record, without references."""
    schema = msgspec.json.schema(kind)
    name = kind.__name__
    found = cast("dict[str, object]", schema["$defs"][name])
    found.pop("title", None)
    found.pop("description", None)
    return found


def hash_of(args: dict[str, object] | None) -> str:
    """Return the SHA-256 of the arguments as JSON with sorted keys."""
    exact = json.dumps(args, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(exact.encode("utf-8", "surrogatepass")).hexdigest()


def key_of(store: str, agent: str, call: str) -> str:
    """Return a call's idempotency key: fixed for its life, without any attempt number."""
    return hashlib.sha256(f"{store}\x1f{agent}\x1f{call}".encode()).hexdigest()
