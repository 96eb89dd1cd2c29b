"""Events as they come in lines: read fast, checked closely, told apart."""

import base64
from collections.abc import Iterator
from typing import cast

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.events import NewEvent
from mindpipe.core.json import load_json
from mindpipe.core.lines import BadLines
from mindpipe.core.problems import Problem
from mindpipe.core.text import storable_text, without_surrogates
from mindpipe.inbox.batch import Batch, piece_of
from mindpipe.inbox.push_rules import LineRules
from mindpipe.inbox.rules import command_faults, problems_of
from mindpipe.inbox.wire import (
    PushedColumns,
    PushedLine,
    lines_of,
    said_in,
    said_in_all,
    sure_words,
)


def check(number: int, octets: bytes, rules: LineRules, bad_lines: BadLines) -> Batch | None:
    """Return the sound ones of whole lines, ready to be stored; refuse the others.

    `number` is that of the first line. None means that no line is left.
    """
    said = _sure(octets, rules)
    if said is not None:
        return piece_of(said, first=number, given=rules.given, ceilings=rules.bounds.ceilings)

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


def check_text(octets: bytes, rules: LineRules) -> Batch:
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
        original = original_of(octets, rules)
    kept = _Kept()
    kept.add(1, said_in([PushedLine(text=text, lossy=odd or None)]), original)
    return cast("Batch", kept.piece(rules))


class _Kept:
    """The sound lines of a block in which not all were."""

    def __init__(self) -> None:
        self._said: list[PushedColumns] = []
        self._numbers: list[int] = []
        self._originals: list[str | None] = []

    def add(self, number: int, said: PushedColumns, original: str | None = None) -> None:
        """Keep one line."""
        self._said.append(said)
        self._numbers.append(number)
        self._originals.append(original)

    def piece(self, rules: LineRules) -> Batch | None:
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


def _sure(octets: bytes, rules: LineRules) -> PushedColumns | None:
    """Return what lines say that need no close look."""
    needed = rules.agent_needed and rules.given.agent is None
    said = sure_words(octets, agent_needed=needed, unknown=rules.unknown)
    if said is not None and (_may_command(said, rules) or _may_be_unfit(said, rules)):
        return None
    return said


def _may_be_unfit(said: PushedColumns, rules: LineRules) -> bool:
    """Tell whether among lines with a body, or without words, is one for whom not all are fit."""
    bodies = rules.bodies
    if bodies is None or not (said.column("body") or None in said.columns.get("text", [None])):
        return False
    named = {rules.given.agent, *cast("set[str | None]", set(said.column("agent")))}
    return any(agent and bodies.hold_for(agent) for agent in named)


def _may_command(said: PushedColumns, rules: LineRules) -> bool:
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


_STRICT = "; without --strict it is kept as base64"


def look_closely(number: int, line: bytes, rules: LineRules) -> tuple[PushedLine, str | None]:
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
    return PushedLine(**{**fields, **lossy}), original  # type: ignore[arg-type]  # held to their rules


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
    if not faults and rules.bodies is not None:
        fields = cast("dict[str, object]", value)
        agent = cast("str | None", fields.get("agent")) or rules.given.agent or ""
        if rules.bodies.hold_for(agent):
            faults += rules.bodies.faults(agent, fields)
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
