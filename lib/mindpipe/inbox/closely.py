"""Look closely at one pushed line: clean what can be cleaned, else name every problem."""

import base64
from typing import cast

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.core.text import storable_text
from mindpipe.inbox.cleaning import cleaned
from mindpipe.inbox.filing import LineRules
from mindpipe.inbox.rules import command_faults, problems_of
from mindpipe.inbox.wire import Wire

_STRICT = "; without --strict it is kept as base64"


def look_closely(number: int, line: bytes, rules: LineRules) -> tuple[Wire, str | None]:
    """Return one line, and its bytes as base64 if it had to be cleaned.

    Raises:
        BadInputError: all that is wrong with it.
    """
    octets = line.rstrip(b"\r\n")
    text, odd = storable_text(octets)
    original = original_of(octets, rules, number=number) if odd else None
    try:
        value = load_json(text, source=rules.source, line=number)
    except BadInputError:
        if line.endswith(b"\n") or not _is_cut(text):
            raise
        words = "ends in the middle of a record; the producer may have stopped"
        raise _refusal(rules, number, words) from None
    value, changed = cleaned(value)
    if changed and original is None:
        original = original_of(octets, rules, number=number)
    fields = _sound_fields(value, number, rules)
    lossy = {"lossy": True} if original else {}
    return Wire(**{**fields, **lossy}), original  # type: ignore[arg-type]  # held to their rules


def original_of(octets: bytes, rules: LineRules, *, number: int | None = None) -> str:
    """Return bytes that had to be cleaned as base64.

    Raises:
        BadInputError: strictness refuses them.
    """
    if rules.strict:
        raise _refusal(rules, number, f"{_what_is_odd(octets)}{_STRICT}")
    return base64.b64encode(octets).decode()


def _sound_fields(value: object, number: int, rules: LineRules) -> dict[str, object]:
    """Return the fields of a parsed line; raises BadInputError with all that is wrong with them."""
    needed = rules.agent_needed and rules.given.agent is None
    faults = problems_of(value, agent_needed=needed, unknown=rules.unknown)
    faults += command_faults(value, rules.given)
    if faults:
        raise BadInputError(
            [
                Problem(source=rules.source, line=number, field=field, message=message)
                for field, message in faults
            ]
        )
    return cast("dict[str, object]", value)


def _refusal(rules: LineRules, number: int | None, message: str) -> BadInputError:
    """Return the error of a line that is refused as a whole."""
    return BadInputError([Problem(source=rules.source, line=number, message=message)])


def _what_is_odd(octets: bytes) -> str:
    """Return why bytes cannot be stored as they are."""
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError as fault:
        return f"not UTF-8 at byte {fault.start}"
    if 0 in octets:
        return f"NUL at byte {octets.index(0)}"
    return "holds an escaped NUL or half of a surrogate pair"


def _is_cut(text: str) -> bool:
    """Tell whether a document stops before its end."""
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        return "truncated" in str(error)
    except RecursionError:
        return False
    return False
