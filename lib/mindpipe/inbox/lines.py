"""Check pushed lines: pass over sound pieces fast, name every problem of any other line."""

import base64
from collections.abc import Iterator
from typing import cast

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.strict_json import load_json
from mindpipe.core.text import storable_text
from mindpipe.inbox.cleaning import cleaned
from mindpipe.inbox.filing import BadLines
from mindpipe.inbox.piece import Piece, piece_of
from mindpipe.inbox.records import Bounds, Given
from mindpipe.inbox.rules import problems_of
from mindpipe.inbox.wire import Unknown, Wire, cells_of, lines_of, nobody, sure_cells

_STRICT = "; without --strict it is kept as base64"


class LineRules(msgspec.Struct, frozen=True, kw_only=True):
    """What lines are held to; `given` holds for what they do not say, `source` names them.

    `unknown` finds agents that are not there; without `agent_needed` a line may name none.
    `strict` refuses what would have to be cleaned: bytes that are not UTF-8, NUL, lone surrogates.
    """

    source: str
    given: Given = Given()
    bounds: Bounds = Bounds()
    agent_needed: bool = True
    strict: bool = False
    unknown: Unknown = nobody


def check(number: int, octets: bytes, rules: LineRules, bad_lines: BadLines) -> Piece | None:
    """Return the sound ones of whole lines, ready to be stored; refuse the others.

    `number` is that of the first line. None means that no line is left.
    """
    cells = _sure(octets, rules)
    if cells is not None:
        return piece_of(cells, first=number, given=rules.given, ceilings=rules.bounds.ceilings)
    kept = _Kept()
    for at, line in enumerate(_whole_lines(octets), number):
        cells = _sure(line, rules)
        if cells is not None:
            kept.add(at, cells)
        elif line.strip():
            try:
                wire, original = _look_closely(at, line, rules)
            except BadInputError as error:
                bad_lines.refuse(error.problems, line)
            else:
                kept.add(at, cells_of([wire]), original)
    return kept.piece(rules)


def check_text(octets: bytes, rules: LineRules) -> Piece:
    """Return words that are no JSON as one event, ready to be stored.

    Raises:
        BadInputError: longer than an event may be, or what strictness refuses.
    """
    text, odd = storable_text(octets)
    limit = rules.bounds.max_bytes
    message = None
    if len(octets) > limit:
        message = f"longer than {limit} bytes; split it or raise inbox.max_bytes"
    elif odd and rules.strict:
        message = f"{_what_is_odd(octets)}{_STRICT}"
    if message is not None:
        raise _refusal(rules, 1, message)
    kept = _Kept()
    original = base64.b64encode(octets).decode() if odd else None
    kept.add(1, cells_of([Wire(text=text, lossy=odd or None)]), original)
    return cast("Piece", kept.piece(rules))


class _Kept:
    """The sound lines of a block in which not all were."""

    def __init__(self) -> None:
        self._cells: list[object] = []
        self._numbers: list[int] = []
        self._originals: list[str | None] = []

    def add(self, number: int, cells: list[object], original: str | None = None) -> None:
        """Keep one line."""
        self._cells += cells
        self._numbers.append(number)
        self._originals.append(original)

    def piece(self, rules: LineRules) -> Piece | None:
        """Return what was kept, or None if that is nothing."""
        if not self._numbers:
            return None
        first, ceilings = self._numbers[0], rules.bounds.ceilings
        piece = piece_of(self._cells, first=first, given=rules.given, ceilings=ceilings)
        piece.numbers = self._numbers
        if any(self._originals):
            piece.each["original"] = list(self._originals)
        return piece


def _sure(octets: bytes, rules: LineRules) -> list[object] | None:
    """Return the fields of lines that need no close look."""
    needed = rules.agent_needed and rules.given.agent is None
    return sure_cells(octets, agent_needed=needed, unknown=rules.unknown)


def _whole_lines(octets: bytes) -> Iterator[bytes]:
    """Yield lines with their ends; the last one may have none."""
    ended = octets.endswith(b"\n")
    lines = lines_of(octets)
    for place, line in enumerate(lines, 1):
        yield line + b"\n" if ended or place < len(lines) else line


def _look_closely(number: int, line: bytes, rules: LineRules) -> tuple[Wire, str | None]:
    """Return one line, and its bytes as base64 if it had to be cleaned.

    Raises:
        BadInputError: all that is wrong with it.
    """
    octets = line.rstrip(b"\r\n")
    text, odd = storable_text(octets)
    if odd and rules.strict:
        raise _refusal(rules, number, f"{_what_is_odd(octets)}{_STRICT}")
    try:
        value = load_json(text, source=rules.source, line=number)
    except BadInputError:
        if line.endswith(b"\n") or not _is_cut(text):
            raise
        words = "ends in the middle of a record; the producer may have stopped"
        raise _refusal(rules, number, words) from None
    value, changed = cleaned(value)
    if changed and rules.strict:
        raise _refusal(rules, number, f"holds a NUL or half a surrogate pair{_STRICT}")
    fields = _sound_fields(value, number, rules)
    if not (odd or changed):
        return Wire(**fields), None  # type: ignore[arg-type]  # they were held to their rules
    original = base64.b64encode(octets).decode()
    return Wire(**{**fields, "lossy": True}), original  # type: ignore[arg-type]  # as above


def _sound_fields(value: object, number: int, rules: LineRules) -> dict[str, object]:
    """Return the fields of a parsed line; raises BadInputError with all that is wrong with them."""
    needed = rules.agent_needed and rules.given.agent is None
    faults = problems_of(value, agent_needed=needed, unknown=rules.unknown)
    if faults:
        raise BadInputError(
            [
                Problem(source=rules.source, line=number, field=field, message=message)
                for field, message in faults
            ]
        )
    return cast("dict[str, object]", value)


def _refusal(rules: LineRules, number: int, message: str) -> BadInputError:
    """Return the error of a line that is refused as a whole."""
    return BadInputError([Problem(source=rules.source, line=number, message=message)])


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
