"""Whether canonical messages and the log of a life are legal."""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from mindpipe.validator.plain import Ledger, as_list, as_object, as_text, is_whole, type_name
from mindpipe.validator.profiles import Profile
from mindpipe.validator.records import Finding, Kind


class Row(NamedTuple):
    """One row in its place: path, role, numbers, and the ids of the calls it makes."""

    at: str
    role: str
    seq: int
    segment: int
    cycle: int
    turn: int
    calls: tuple[str, ...]


class Cycles:
    """Hold the row before and every call id of one agent.

    Rows that are not `whole` are a window of a log: a summary may stand before them, and numbers
    are left out.
    """

    def __init__(self, ledger: Ledger, *, whole: bool = True) -> None:
        self.ledger = ledger
        self.whole = whole
        self.rows = 0
        self.before: Row | None = None
        self.spoken = 0
        self.call_ids: dict[str, str] = {}

    def read(self, at: str, role: str, fields: dict[str, object]) -> None:
        """Check the numbers of a row, then its place in cycle and turn."""
        row = self._numbered(at, role, fields)
        if row is None:
            return
        self._check_numbers(row)
        if self.before is None or row.cycle != self.before.cycle:
            self._close()
            self._open(row)
        else:
            self._check_place(row, self.before)
        if role == "assistant":
            self._check_calls(row)
        elif role == "tool":
            self._check_results(row, as_list(fields.get("parts")))
        self.before = row
        self.rows += 1

    def _numbered(self, at: str, role: str, fields: dict[str, object]) -> Row | None:
        numbers: list[int] = []
        for name in ("seq", "segment", "cycle", "turn"):
            value = fields.get(name)
            if isinstance(value, int) and is_whole(value) and value >= 0:
                numbers.append(value)
            else:
                self.ledger.add("H1", f"{at}.{name}", f"{name} is a whole number, not {value!r}")
        if len(numbers) < 4:
            return None
        calls = tuple(_call_ids(fields)) if role == "assistant" else ()
        seq, segment, cycle, turn = numbers
        return Row(at, role, seq, segment, cycle, turn, calls)

    def _check_numbers(self, row: Row) -> None:
        before = self.before
        if before is None:
            return
        if row.seq != before.seq + 1 and (self.whole or row.seq <= before.seq):
            what = f"seq {row.seq} follows {before.seq}"
            self.ledger.add("H1", f"{row.at}.seq", what)
        if row.segment < before.segment:
            what = f"segment {row.segment} follows {before.segment}"
            self.ledger.add("H1", f"{row.at}.segment", what)
        if row.cycle < before.cycle:
            self.ledger.add("H1", f"{row.at}.cycle", f"cycle {row.cycle} follows {before.cycle}")
        elif row.cycle == before.cycle and row.turn < before.turn:
            self.ledger.add("H1", f"{row.at}.turn", f"turn {row.turn} follows {before.turn}")

    def _open(self, row: Row) -> None:
        self.spoken = 0
        if row.role != "user":
            what = f"cycle {row.cycle} begins with a {row.role} message, not with the user's"
            self.ledger.add("H2", row.at, what)
        elif row.turn != 0:
            self.ledger.add("H2", f"{row.at}.turn", "the opening of a cycle is turn 0")

    def _check_place(self, row: Row, before: Row) -> None:
        if before.calls and row.role != "tool":
            what = "the calls of this turn have no tool message after them"
            self.ledger.add("H3", before.at, what)
            return
        if row.role == "user":
            self.ledger.add("H2", row.at, f"cycle {row.cycle} has a second user message")
        elif row.role == "tool":
            self._check_tool(row, before)
        elif before.role == "assistant":
            what = f"a {row.role} message follows the message that closed the cycle"
            self.ledger.add("H2", row.at, what)
        if row.role == "assistant":
            self.spoken += 1
            if row.turn != self.spoken:
                what = f"turn {row.turn} stands where turn {self.spoken} belongs"
                self.ledger.add("H2", f"{row.at}.turn", what)
                self.spoken = row.turn

    def _check_tool(self, row: Row, before: Row) -> None:
        if before.role != "assistant" or not before.calls:
            what = "a tool message stands where no call waits"
            self.ledger.add("H3", row.at, what)
        elif row.turn != before.turn:
            what = f"turn {row.turn} answers a call of turn {before.turn}"
            self.ledger.add("H2", f"{row.at}.turn", what)

    def _check_calls(self, row: Row) -> None:
        for name in row.calls:
            if name in self.call_ids:
                what = f"the call id is used before, at {self.call_ids[name]}"
                self.ledger.add("H5", row.at, what, id=name)
            self.call_ids.setdefault(name, row.at)

    def _check_results(self, row: Row, parts: list[object]) -> None:
        calls = self.before.calls if self.before is not None else ()
        if not calls:
            return
        named: list[str] = []
        for position, each in enumerate(parts):
            part = as_object(each)
            name = as_text(part.get("call"))
            if part.get("type") != "result":
                continue
            if name is None or name not in calls:
                what = "the result names no call of the message before it"
                self.ledger.add("H5", f"{row.at}.parts[{position}]", what, id=name)
            else:
                named.append(name)
        self._check_order(row, calls, named)

    def _check_order(self, row: Row, calls: tuple[str, ...], named: list[str]) -> None:
        if list(calls) == named:
            return
        present = set(named)
        missing = [name for name in calls if name not in present]
        for name in missing:
            self.ledger.add("H4", row.at, "a call has no result", id=name)
        if len(named) > len(present):
            self.ledger.add("H4", row.at, "a call has more than one result")
        elif not missing:
            self.ledger.add("H4", row.at, "the results stand in another order than the calls")

    def _close(self) -> None:
        """Report a cycle that another one follows although it was not closed."""
        before = self.before
        if before is None:
            return
        if before.calls:
            self.ledger.add("H3", before.at, "the calls of this turn have no tool message")
        elif before.role != "assistant" and not self._is_summary(before):
            what = f"cycle {before.cycle} ends with a {before.role} message, not the assistant's"
            self.ledger.add("H6", before.at, what)

    def _is_summary(self, row: Row) -> bool:
        """Tell whether a row is what opens a window."""
        return not self.whole and self.rows == 1 and row.role == "user"

    def end(self) -> None:
        """Report what the last cycle of the agent may not end with."""
        before = self.before
        if before is None:
            return
        if before.calls:
            what = "the last turn is unfinished; it belongs in the journal, not in history"
            self.ledger.add("H10", before.at, what)
        elif before.role == "user" and self.whole:
            what = "an open cycle ends with its tool message or a note, not with the user's"
            self.ledger.add("H6", before.at, what)


def _call_ids(fields: dict[str, object]) -> list[str]:
    parts = [as_object(each) for each in as_list(fields.get("parts"))]
    names = [as_text(part.get("id")) for part in parts if part.get("type") == "call"]
    return [name for name in names if name]


HASH_PATTERN = re.compile(r"[0-9a-f]{64}")

PARTS_OF_ROLE: dict[str, frozenset[str]] = {
    "user": frozenset({"text", "file"}),
    "note": frozenset({"text", "file"}),
    "assistant": frozenset({"text", "file", "thinking", "call", "opaque"}),
    "tool": frozenset({"result", "file"}),
}

ROW_FIELDS = frozenset(
    {
        "id",
        "agent",
        "seq",
        "segment",
        "cycle",
        "turn",
        "role",
        "parts",
        "raw",
        "origin",
        "taint",
        "synthetic",
        "at",
    }
)
PART_FIELDS: dict[str, frozenset[str]] = {
    "text": frozenset({"type", "text"}),
    "file": frozenset({"type", "sha256", "media_type", "name", "size", "width", "height", "pages"}),
    "thinking": frozenset({"type", "raw", "text"}),
    "call": frozenset({"type", "id", "tool", "args", "args_text", "invalid"}),
    "result": frozenset({"type", "call", "status", "text", "json", "ticket"}),
    "opaque": frozenset({"type", "provider", "kind"}),
}
STATUSES = frozenset({"ok", "error", "unknown", "refused", "ticketed", "invalid", "skipped"})
_OWN_ORIGINS = frozenset({"operator", "program"})


class _Step(NamedTuple):
    """One step of a path; the path is written out only where something is wrong."""

    before: "_Step | None"
    name: str

    def path(self) -> str:
        names: list[str] = []
        step: _Step | None = self
        while step is not None:
            names.append(step.name)
            step = step.before
        return "".join(reversed(names))


def check_parts(at: str, role: str, row: dict[str, object], ledger: Ledger) -> None:
    """Report empty messages, blank text and parts that do not belong (H7), bad arguments (H8)."""
    if not row.keys() <= ROW_FIELDS:
        ledger.unknown(at, row.keys() - ROW_FIELDS)
    parts = row.get("parts")
    if not isinstance(parts, list) or not parts:
        what = "the message has no parts"
        if not isinstance(parts, list):
            what = f"parts is a list, not {type_name(parts)}"
        ledger.add("H7", f"{at}.parts", what)
        return
    for position, part in enumerate(parts):
        place = f"{at}.parts[{position}]"
        kind = as_text(as_object(part).get("type"))
        if kind is None or kind not in PARTS_OF_ROLE[role]:
            what = f"a {role} message has no {kind} part" if kind else "a part has a type"
            ledger.add("H4" if role == "tool" and kind else "H7", place, what)
        else:
            _check_part(place, kind, as_object(part), ledger)


def _check_part(at: str, kind: str, part: dict[str, object], ledger: Ledger) -> None:
    if not part.keys() <= PART_FIELDS[kind]:
        ledger.unknown(at, part.keys() - PART_FIELDS[kind])
    if kind == "text":
        text = part.get("text")
        if not isinstance(text, str) or not text.strip():
            ledger.add("H7", at, "the text is empty or blank")
    elif kind == "call":
        _check_call(at, part, ledger)
    elif kind == "result":
        status = part.get("status")
        if not isinstance(status, str) or status not in STATUSES:
            what = f"the status {status!r} is not one of {', '.join(sorted(STATUSES))}"
            ledger.add("H4", f"{at}.status", what, id=as_text(part.get("call")))


def _check_call(at: str, part: dict[str, object], ledger: Ledger) -> None:
    name = as_text(part.get("id"))
    args, invalid = part.get("args"), part.get("invalid")
    if args is not None and not isinstance(args, dict):
        what = f"args is an object or null, not {type_name(args)}"
        ledger.add("H8", f"{at}.args", what, id=name)
    elif args is None and not invalid:
        ledger.add("H8", f"{at}.args", "args is null but invalid gives no reason", id=name)
    elif args is not None and invalid is not None:
        ledger.add("H8", f"{at}.invalid", "the call is invalid but has args", id=name)
    if not isinstance(part.get("args_text"), str):
        ledger.add("H8", f"{at}.args_text", "args_text is what the model wrote", id=name)


def check_raw(
    at: str,
    role: str,
    row: dict[str, object],
    ledger: Ledger,
    *,
    raw_bytes: Mapping[str, bytes] | None,
) -> None:
    """Report raw that is missing, out of place, or does not fit its hash (H9)."""
    raw = row.get("raw")
    origin = as_text(row.get("origin")) or ""
    synthetic = row.get("synthetic") is True
    if raw is None:
        if role == "assistant" and origin == "model" and not synthetic:
            ledger.add("H9", f"{at}.raw", "the message came from a model but has no raw")
        elif _leans_on_raw(row):
            ledger.add("H9", f"{at}.raw", "thinking or opaque parts live in raw, which is missing")
        return
    if role != "assistant" or synthetic or origin in _OWN_ORIGINS:
        ledger.add("H9", f"{at}.raw", "raw is there but no model spoke")
        return
    hashes = as_object(raw).get("sha256")
    spans = hashes if isinstance(hashes, list) else [hashes]
    if not spans:
        ledger.add("H9", f"{at}.raw.sha256", "raw names no stored bytes")
    for span in spans:
        _check_hash(f"{at}.raw.sha256", span, ledger, raw_bytes=raw_bytes)


def _leans_on_raw(row: dict[str, object]) -> bool:
    for each in as_list(row.get("parts")):
        part = as_object(each)
        if part.get("type") == "opaque" or (
            part.get("type") == "thinking" and part.get("raw") is not False
        ):
            return True
    return False


def _check_hash(
    at: str, span: object, ledger: Ledger, *, raw_bytes: Mapping[str, bytes] | None
) -> None:
    name = as_text(span)
    if name is None or not HASH_PATTERN.fullmatch(name):
        ledger.add("H9", at, "a hash is 64 hexadecimal digits", id=name)
    elif raw_bytes is not None and name not in raw_bytes:
        ledger.add("H9", at, "no bytes are stored under this hash", id=name)
    elif raw_bytes is not None and hashlib.sha256(raw_bytes[name]).hexdigest() != name:
        ledger.add("H9", at, "the stored bytes have another hash", id=name)


def check_characters(at: str, row: dict[str, object], ledger: Ledger) -> None:
    """Report NUL and lone surrogates in any string of the row (H13)."""
    try:
        if b"\\u0000" not in msgspec.json.encode(row):
            return
    except (UnicodeError, RecursionError, ValueError, OverflowError, TypeError):
        pass  # the slow walk below says where
    waiting: list[tuple[_Step, object]] = [(_Step(None, at), row)]
    while waiting:
        step, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend((_Step(step, f".{name}"), each) for name, each in value.items())
            waiting.extend((_Step(step, ".(name)"), name) for name in value)
        elif isinstance(value, list):
            waiting.extend((_Step(step, f"[{n}]"), each) for n, each in enumerate(value))
        elif isinstance(value, str):
            _check_string(step, value, ledger)


def _check_string(step: _Step, text: str, ledger: Ledger) -> None:
    if "\x00" in text:
        ledger.add("H13", step.path(), "the text holds a NUL")
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        what = f"the text holds a lone surrogate at character {problem.start}"
        ledger.add("H13", step.path(), what)


def check_segments(rows: list[object], segments: object, ledger: Ledger) -> None:
    """Report segments of rows whose head has no stored hash (H11); None checks nothing."""
    if segments is None:
        return
    known: set[int] = set()
    for position, each in enumerate(as_list(segments)):
        segment = as_object(each)
        number, head = segment.get("segment"), as_text(segment.get("head"))
        if isinstance(number, int) and is_whole(number):
            known.add(number)
        if head is None or not HASH_PATTERN.fullmatch(head):
            what = "the hash of a head is 64 hexadecimal digits"
            ledger.add("H11", f"segments[{position}].head", what, id=head)
    for index, row in enumerate(rows):
        number = as_object(row).get("segment")
        if isinstance(number, int) and number not in known:
            known.add(number)
            what = f"segment {number} has no head of its own"
            ledger.add("H11", f"messages[{index}].segment", what)


def check_coverage(rows: list[object], history: dict[str, object], ledger: Ledger) -> None:
    """Report cycles that are neither covered nor sent, or both (H12)."""
    if history.get("covers") is None and history.get("sent") is None:
        return
    covered = _ranges("covers", history.get("covers"), ledger)
    sent = _ranges("sent", history.get("sent"), ledger)
    seen: set[int] = set()
    for index, row in enumerate(rows):
        cycle = as_object(row).get("cycle")
        if not isinstance(cycle, int) or cycle in seen:
            continue
        seen.add(cycle)
        times = _holds(covered, cycle) + _holds(sent, cycle)
        if times != 1:
            what = f"cycle {cycle} is both covered and sent"
            if times == 0:
                what = f"cycle {cycle} is neither covered by the summary nor sent"
            ledger.add("H12", f"messages[{index}].cycle", what)


def _ranges(name: str, given: object, ledger: Ledger) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    if given is not None and not isinstance(given, list):
        ledger.add("H12", name, f"it is a list of ranges, not {type_name(given)}")
    for position, each in enumerate(as_list(given)):
        ends = [end for end in as_list(each) if isinstance(end, int) and is_whole(end)]
        if len(ends) == 2 and len(as_list(each)) == 2 and ends[0] <= ends[1]:
            ranges.append((ends[0], ends[1]))
        else:
            ledger.add("H12", f"{name}[{position}]", "a range is its first and its last cycle")
    return _joined(sorted(ranges))


def _joined(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for first, last in ranges:
        if joined and first <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return joined


def _holds(ranges: list[tuple[int, int]], cycle: int) -> int:
    """Return 1 if one of the sorted, separate ranges holds the cycle, else 0."""
    position = bisect_right(ranges, (cycle, cycle)) - 1
    nearby = ranges[max(position, 0) : position + 2]
    return int(any(first <= cycle <= last for first, last in nearby))


ROLES = frozenset({"user", "assistant", "tool", "note"})
_HISTORY_FIELDS = frozenset({"messages", "segments", "covers", "sent"})


def check_mindpipe(body: object, *, profile: Profile, kind: Kind) -> list[Finding]:
    """Return every problem of a list of canonical rows or of an object with messages.

    As a request the rows are a window: they keep the numbers that they have in the log, of which
    some are left out, and may begin with a summary that nobody answers.
    """
    del profile  # the canonical form knows no models
    whole = kind == "history"
    if isinstance(body, list):
        return check_canonical(body, whole=whole)
    history = as_object(body)
    ledger = Ledger()
    ledger.unknown("", history.keys() - _HISTORY_FIELDS)
    rows = history.get("messages")
    if not isinstance(rows, list):
        ledger.add("H1", "messages", f"messages is a list of rows, not {type_name(rows)}")
        return ledger.findings
    check_segments(rows, history.get("segments"), ledger)
    check_coverage(rows, history, ledger)
    return check_canonical(rows, whole=whole) + ledger.findings


def check_canonical(
    rows: Iterable[object],
    *,
    raw_bytes: Mapping[str, bytes] | None = None,
    whole: bool = True,
) -> list[Finding]:
    """Return every problem of canonical rows, in the order of `seq`, of one or several agents.

    With `raw_bytes`, stored replies by their hash, the hashes of raw are computed and compared.
    Rows that are not `whole` are a window.
    """
    ledger = Ledger()
    agents: dict[str, Cycles] = {}
    for index, each in enumerate(rows):
        at = f"messages[{index}]"
        if not isinstance(each, dict):
            ledger.add("H1", at, f"a row is an object, not {type_name(each)}")
            continue
        row: dict[str, object] = each
        check_characters(at, row, ledger)
        role = as_text(row.get("role"))
        if role is None or role not in ROLES:
            what = f"the role is {row.get('role')!r}; use {', '.join(sorted(ROLES))}"
            ledger.add("H2", f"{at}.role", what)
            continue
        check_parts(at, role, row, ledger)
        check_raw(at, role, row, ledger, raw_bytes=raw_bytes)
        agent = as_text(row.get("agent")) or ""
        agents.setdefault(agent, Cycles(ledger, whole=whole)).read(at, role, row)
    for cycles in agents.values():
        cycles.end()
    return ledger.findings
