"""Check pushed lines: pass over sound pieces fast, have any other line looked at closely."""

from collections.abc import Iterator
from typing import cast

from mindpipe.core.bad_lines import BadLines
from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem
from mindpipe.core.text import storable_text
from mindpipe.inbox.filing import LineRules
from mindpipe.inbox.piece import Piece, piece_of
from mindpipe.inbox.wire import Said, Wire, lines_of, said_in, said_in_all, sure_words


def check(number: int, octets: bytes, rules: LineRules, bad_lines: BadLines) -> Piece | None:
    """Return the sound ones of whole lines, ready to be stored; refuse the others.

    `number` is that of the first line. None means that no line is left.
    """
    said = _sure(octets, rules)
    if said is not None:
        return piece_of(said, first=number, given=rules.given, ceilings=rules.bounds.ceilings)
    from mindpipe.inbox.closely import look_closely

    kept = _Kept()
    for at, line in enumerate(_whole_lines(octets), number):
        said = _sure(line, rules)
        if said is not None:
            kept.add(at, said)
        elif line.strip():
            try:
                wire, original = look_closely(at, line, rules)
            except BadInputError as error:
                bad_lines.refuse(error.problems, line)
            else:
                kept.add(at, said_in([wire]), original)
    return kept.piece(rules)


def check_text(octets: bytes, rules: LineRules) -> Piece:
    """Return words that are no JSON as one event, ready to be stored.

    Raises:
        BadInputError: longer than an event may be, or what strictness refuses.
    """
    text, odd = storable_text(octets)
    limit = rules.bounds.max_bytes
    if len(octets) > limit:
        message = f"longer than {limit} bytes; split it or raise inbox.max_bytes"
        raise BadInputError([Problem(source=rules.source, message=message)])
    original = None
    if odd:
        from mindpipe.inbox.closely import original_of

        original = original_of(octets, rules)
    kept = _Kept()
    kept.add(1, said_in([Wire(text=text, lossy=odd or None)]), original)
    return cast("Piece", kept.piece(rules))


class _Kept:
    """The sound lines of a block in which not all were."""

    def __init__(self) -> None:
        self._said: list[Said] = []
        self._numbers: list[int] = []
        self._originals: list[str | None] = []

    def add(self, number: int, said: Said, original: str | None = None) -> None:
        """Keep one line."""
        self._said.append(said)
        self._numbers.append(number)
        self._originals.append(original)

    def piece(self, rules: LineRules) -> Piece | None:
        """Return what was kept, or None if that is nothing."""
        if not self._numbers:
            return None
        first, ceilings = self._numbers[0], rules.bounds.ceilings
        said = said_in_all(self._said)
        piece = piece_of(said, first=first, given=rules.given, ceilings=ceilings)
        piece.numbers = self._numbers
        if any(self._originals):
            piece.each["original"] = list(self._originals)
        return piece


def _sure(octets: bytes, rules: LineRules) -> Said | None:
    """Return what lines say that need no close look."""
    needed = rules.agent_needed and rules.given.agent is None
    said = sure_words(octets, agent_needed=needed, unknown=rules.unknown)
    return None if said is not None and _may_command(said, rules) else said


def _may_command(said: Said, rules: LineRules) -> bool:
    """Tell whether an interrupt among lines has a body, which may hold a command to a loop."""
    if rules.given.type != "interrupt" and "interrupt" not in said.column("type"):
        return False
    return bool(said.column("body"))


def _whole_lines(octets: bytes) -> Iterator[bytes]:
    """Yield lines with their ends; the last one may have none."""
    ended = octets.endswith(b"\n")
    lines = lines_of(octets)
    for place, line in enumerate(lines, 1):
        yield line + b"\n" if ended or place < len(lines) else line
