"""Check pushed lines: pass over sound pieces fast, name every problem of any other line."""

import base64
from collections.abc import Iterator

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.core.text import storable_text
from mindpipe.inbox.cleaning import cleaned
from mindpipe.inbox.filing import BadLines, Lines
from mindpipe.inbox.rules import problems_of, wire_from
from mindpipe.inbox.wire import CheckedWire, encode_checked, lines_of, surely_right


class LineRules(msgspec.Struct, frozen=True, kw_only=True):
    """What lines are held to: their source's name, whether each needs an agent, and strictness.

    `strict` refuses what would have to be cleaned: bytes that are not UTF-8, NUL, lone surrogates.
    """

    source: str
    agent_needed: bool
    strict: bool = False


def check(piece: Lines, rules: LineRules, bad_lines: BadLines) -> Lines:
    """Return the sound lines of a piece in their checked form; refuse the others."""
    if surely_right(piece.octets, agent_needed=rules.agent_needed):
        return piece
    numbers: list[int] = []
    kept: list[bytes] = []
    for number, line in zip(piece.numbers, _whole_lines(piece.octets), strict=True):
        if surely_right(line, agent_needed=rules.agent_needed):
            checked = line if line.endswith(b"\n") else line + b"\n"
        elif not line.strip():
            continue
        else:
            found = _check_line(number, line, rules)
            if isinstance(found, list):
                bad_lines.refuse(found, line)
                continue
            checked = encode_checked(found)
        numbers.append(number)
        kept.append(checked)
    return Lines(numbers=numbers, octets=b"".join(kept))


def _whole_lines(octets: bytes) -> Iterator[bytes]:
    """Yield lines with their ends; the last one may have none."""
    ended = octets.endswith(b"\n")
    lines = lines_of(octets)
    for place, line in enumerate(lines, 1):
        yield line + b"\n" if ended or place < len(lines) else line


def _check_line(number: int, line: bytes, rules: LineRules) -> CheckedWire | list[Problem]:
    """Return one line that needs a close look, or all that is wrong with it."""

    def problem(message: str, field: str | None = None) -> Problem:
        return Problem(source=rules.source, line=number, field=field, message=message)

    octets = line.rstrip(b"\r\n")
    text, odd = storable_text(octets)
    if odd and rules.strict:
        return [problem(f"{_what_is_odd(octets)}; without --strict it is kept as base64")]
    try:
        value = load_json(text, source=rules.source, line=number)
    except BadInputError as error:
        if not line.endswith(b"\n") and _is_cut(text):
            return [problem("ends in the middle of a record; the producer may have stopped")]
        return error.problems
    value, changed = cleaned(value)
    if changed and rules.strict:
        words = "holds a NUL or half a surrogate pair; without --strict it is kept as base64"
        return [problem(words)]
    faults = problems_of(value, agent_needed=rules.agent_needed)
    if faults:
        return [problem(message, field) for field, message in faults]
    original = base64.b64encode(octets).decode() if odd or changed else None
    return wire_from(value, original=original)


def _what_is_odd(octets: bytes) -> str:
    """Return why bytes cannot be stored as they are."""
    try:
        octets.decode("utf-8")
    except UnicodeDecodeError as fault:
        return f"not UTF-8 at byte {fault.start}"
    return f"NUL at byte {octets.index(0)}"


def _is_cut(text: str) -> bool:
    """Tell whether a document stops before its end."""
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        return "truncated" in str(error)
    except RecursionError:
        return False
    return False
