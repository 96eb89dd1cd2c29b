"""Look into parsed JSON whose shape a provider may change: a wrong type reads as absent."""

from mindpipe.core.errors import BadInputError
from mindpipe.core.strict_json import load_json
from mindpipe.core.text import without_surrogates

Fields = dict[str, object]


def fields_of(value: object) -> Fields:
    """Return an object, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items_of(value: object) -> list[object]:
    """Return a list, and an empty one for anything else."""
    return value if isinstance(value, list) else []


def words_of(value: object) -> str:
    """Return text that may be stored, and "" for anything else."""
    return without_surrogates(value)[0] if isinstance(value, str) else ""


def count_of(value: object) -> int | None:
    """Return a count of at least 0, and None for anything else."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def joined(pieces: list[str]) -> str:
    """Join streamed text; a character whose two halves came in two pieces becomes whole again."""
    text = "".join(pieces)
    if without_surrogates(text)[1]:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def parsed(document: bytes | str) -> Fields | None:
    """Return a strictly parsed JSON object, or None where it is none."""
    try:
        value = load_json(document, source="reply")
    except BadInputError:
        return None
    return value if isinstance(value, dict) else None
