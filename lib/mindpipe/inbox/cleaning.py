"""Make the strings of a JSON value fit to be stored."""

import msgspec

from mindpipe.core.events import NewEvent
from mindpipe.core.text import without_surrogates


def cleaned(value: object) -> tuple[object, bool]:
    """Return a value without NULs and lone surrogates, and whether there were any.

    Nesting is bounded by the reader (128 levels).
    """
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, list):
        items = [cleaned(item) for item in value]
        return [item for item, _ in items], any(odd for _, odd in items)
    if isinstance(value, dict):
        pairs = [(without_surrogates(key), cleaned(item)) for key, item in value.items()]
        made = {key: item for (key, _), (item, _) in pairs}
        return made, any(one or two for (_, one), (_, two) in pairs)
    return value, False


def cleaned_event(event: NewEvent) -> NewEvent:
    """Return an event of the program's own with strings that can be stored."""
    value, odd = cleaned(msgspec.to_builtins(event))
    if not odd:
        return event
    return msgspec.structs.replace(msgspec.convert(value, NewEvent), lossy=True)
