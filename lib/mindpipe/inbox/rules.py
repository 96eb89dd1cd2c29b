"""What an event may be, and how many of them an inbox may hold.

The checks are plain functions, since to convert each field to its type by msgspec takes 39 us a
line where these take 6, raises at half a surrogate pair, and would save 11 lines.
"""

from collections.abc import Callable, Sequence
from typing import cast, get_args

import msgspec

from mindpipe.core.errors import MindError, UsageError
from mindpipe.core.events import OPERATOR, Command, EventType, Priority
from mindpipe.core.instants import parse_instant
from mindpipe.core.json import MAX_KEY_BYTES
from mindpipe.core.sources import MAX_SOURCES, Sources
from mindpipe.core.text import breaks_a_line, hides, safe_name
from mindpipe.inbox.records import Ceiling, EventDefaults
from mindpipe.inbox.wire import MAX_WORD, Unknown, nobody

_SHOWN = 40


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_word(value: object) -> bool:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_WORD:
        return False
    return not (breaks_a_line(value) or hides(value))


def _is_key(value: object) -> bool:
    return isinstance(value, str) and 1 <= len(value.encode()) <= MAX_KEY_BYTES


def _is_type(value: object) -> bool:
    return isinstance(value, str) and value in get_args(EventType)


def _is_priority(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 4


def _is_instant(value: object) -> bool:
    return isinstance(value, str) and _passes(parse_instant, value)


def _is_agent(value: object) -> bool:
    return isinstance(value, str) and _passes(safe_name, value)


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_sources(value: object) -> bool:
    try:
        msgspec.convert(value, Sources)
    except msgspec.ValidationError:
        return False
    return True


def _passes(check: Callable[[str], object], text: str) -> bool:
    """Tell whether a check raises nothing."""
    try:
        check(text)
    except MindError:
        return False
    return True


_RULES: dict[str, tuple[Callable[[object], bool], str]] = {
    "agent": (_is_agent, "a name of a-z, 0-9, _ and -"),
    "type": (_is_type, "one of " + ", ".join(get_args(EventType))),
    "source": (_is_word, f"one line of 1..{MAX_WORD} plain characters"),
    "key": (_is_key, f"text of 1..{MAX_KEY_BYTES} bytes"),
    "priority": (_is_priority, "0..4"),
    "due": (_is_instant, "an instant like 2026-11-21T20:00:00Z"),
    "space": (_is_word, f"one line of 1..{MAX_WORD} plain characters"),
    "sender": (_is_word, f"one line of 1..{MAX_WORD} plain characters"),
    "text": (_is_text, "text"),
    "body": (_is_object, "an object"),
    "lossy": (_is_flag, "true or false"),
    "sources": (_is_sources, f"up to {MAX_SOURCES} names of sources"),
}


def problems_of(
    value: object, *, agent_needed: bool, unknown: Unknown = nobody
) -> list[tuple[str, str]]:
    """Return path and words of every fault of a parsed line, in the order of its fields."""
    if not isinstance(value, dict):
        return [("$", f"expected an object, got {_shown(value)}")]
    faults = []
    for name, content in value.items():
        if name not in _RULES:
            faults.append((f"$.{name}", _unknown(name)))
        elif content is not None and not _RULES[name][0](content):
            faults.append((f"$.{name}", f"expected {_RULES[name][1]}, got {_shown(content)}"))
        elif name == "agent" and content is not None and (words := unknown(cast("str", content))):
            faults.append(("$.agent", words))
    if agent_needed and value.get("agent") is None:
        faults.append(("$.agent", "missing; name one there or with --agent"))
    return faults


def command_faults(value: object, given: EventDefaults) -> list[tuple[str, str]]:
    """Return path and words of a command that no loop knows, in an operator's own interrupt."""
    if not isinstance(value, dict) or not isinstance(body := value.get("body"), dict):
        return []
    kind, source = value.get("type") or given.type, value.get("source") or given.source
    others = value.get("sender") or given.sender or value.get("sources")
    if kind != "interrupt" or source != OPERATOR or others or "command" not in body:
        return []
    if body["command"] in list(Command):
        return []
    known = ", ".join(Command)
    return [("$.body.command", f"expected one of {known}, got {_shown(body['command'])}")]


def _unknown(name: str) -> str:
    """Return the words for a field that events do not have."""
    import difflib

    near = difflib.get_close_matches(name, _RULES, n=1)
    return f"unknown field; did you mean {near[0]}?" if near else "unknown field"


def _shown(value: object) -> str:
    """Return a value as short JSON."""
    import json

    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def parse_ceilings(text: str) -> tuple[Ceiling, ...]:
    """Read a setting like `tool:*=2 web=3` (spaces or commas between).

    Raises:
        UsageError: an entry is no `SOURCE=PRIORITY`.
    """
    return tuple(map(_parse_one, text.replace(",", " ").split()))


def _parse_one(entry: str) -> Ceiling:
    """Read one entry."""
    source, _, number = entry.rpartition("=")
    if not source or number not in {str(priority.value) for priority in Priority}:
        raise UsageError(f'inbox.ceilings: "{entry}" is no SOURCE=PRIORITY; write it like web=3.')
    return Ceiling(source=source, priority=int(number))


def ceiling_of(source: str, ceilings: Sequence[Ceiling]) -> int:
    """Return the most urgent priority of a source: its own entry, else the longest that fits."""
    best, priority = -1, int(Priority.EMERGENCY)
    for ceiling in ceilings:
        if ceiling.source == source:
            return ceiling.priority
        stem = ceiling.source.removesuffix("*")
        if stem != ceiling.source and source.startswith(stem) and len(stem) > best:
            best, priority = len(stem), ceiling.priority
    return priority
