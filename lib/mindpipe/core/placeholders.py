"""Fill the placeholders of a tool's command: `{name}` as a whole word is that argument."""

import re
from collections.abc import Iterator, Mapping, Sequence

from mindpipe.core.errors import UnavailableError
from mindpipe.core.text import without_surrogates

_SCALARS = frozenset({"string", "integer", "number", "boolean"})
_WHOLE = r"\{([A-Za-z_][A-Za-z0-9_]*)\}"


def names_in(words: Sequence[str]) -> tuple[str, ...]:
    """Return the arguments that stand in a command, in their order."""
    return tuple(found[1] for word in words if (found := re.fullmatch(_WHOLE, word)))


def faults_of(words: Sequence[str], schema: Mapping[str, object]) -> Iterator[tuple[int, str]]:
    """Yield the place of each word that cannot be filled under this schema, and why."""
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    for place, word in enumerate(words):
        whole = re.fullmatch(_WHOLE, word)
        if whole is not None:
            fault = _fault_of_name(whole[1], known, required)
            if place == 0:
                yield place, "the program itself cannot be a placeholder"
            elif fault is not None:
                yield place, fault
        elif inner := [name for name in re.findall(_WHOLE, word) if name in known]:
            yield place, f"{{{inner[0]}}} must be a word of its own, as it fills exactly one"


def _fault_of_name(name: str, known: Mapping[str, object], required: object) -> str | None:
    """Return why an argument may be missing or no single word, or None."""
    declared = known.get(name)
    if declared is None:
        return f"input_schema declares no property {name}"
    kind = declared.get("type") if isinstance(declared, dict) else None
    if not (isinstance(kind, str) and kind in _SCALARS):
        return f'the property {name} needs the "type" string, integer, number or boolean'
    if not (isinstance(required, Sequence) and name in required):
        return f"input_schema must name {name} under required"
    return None


def fault_in(args: Mapping[str, object], words: Sequence[str]) -> str | None:
    """Return why the arguments may not stand in this command, for the model, or None."""
    for name in names_in(words):
        if name not in args:
            return f"$.{name}: missing; it stands in the command"
        text = _word(args[name])
        if text.startswith("-"):
            return f"$.{name}: may not begin with -, as it stands in the command"
        if without_surrogates(text)[1]:
            return f"$.{name}: may not hold NUL or lone surrogates, as it stands in the command"
    return None


def filled(words: Sequence[str], args: Mapping[str, object]) -> tuple[str, ...]:
    """Return the command with every placeholder filled.

    Raises:
        UnavailableError: the arguments may not stand in this command, as `fault_in` says.
    """
    fault = fault_in(args, words)
    if fault is not None:
        raise UnavailableError(f"the program {words[0]} cannot start with these arguments: {fault}")
    return tuple(
        _word(args[found[1]]) if (found := re.fullmatch(_WHOLE, word)) else word for word in words
    )


def _word(value: object) -> str:
    """Return a string, number or truth value as one word."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
