"""Checks one canonical message by itself: rules H7, H8, H9 and H13."""

import hashlib
import re
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from mindpipe.validator.ledger import Ledger
from mindpipe.validator.plain import as_list, as_object, as_text, type_name

HASH_PATTERN = re.compile(r"[0-9a-f]{64}")

PARTS_OF_ROLE: dict[str, frozenset[str]] = {
    "user": frozenset({"text", "file"}),
    "note": frozenset({"text", "file"}),
    "assistant": frozenset({"text", "file", "thinking", "call", "opaque"}),
    "tool": frozenset({"result"}),
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
    "file": frozenset({"type", "sha256", "media_type", "name"}),
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
