"""Show a matter whole to the person who decides it, and take who that is and why."""

from collections.abc import Sequence

import msgspec

from mindpipe.core.ports import Deliver
from mindpipe.core.records import to_json
from mindpipe.core.text import visible_text, whole_text
from mindpipe.think.verbs.tickets import Verdict
from mindpipe_cli import output
from mindpipe_cli.persons import person
from mindpipe_cli.session import Session

_TEXT_LENGTH = 16_000


def verdict(by: str | None, reason: str | None = None) -> Verdict:
    """Return who decides and why; raises UsageError for a name or words that cannot be kept."""
    text = reason and whole_text(reason, field="--reason", limit=_TEXT_LENGTH)
    return Verdict(person(by), text)


def deliver(session: Session) -> Deliver:
    """Return what tells an agent of a decision."""
    from mindpipe.wiring.inboxes import announce_to

    return announce_to(session.store, session.clock, session.chance, session.settings)


def write_whole(session: Session, found: msgspec.Struct, *, columns: Sequence[str]) -> None:
    """Write a record with nothing cut and nothing hidden: odd characters are JSON escapes."""
    if session.shape == "table":
        output.write_text("".join(f"{line}\n" for line in _lines(found)))
    else:
        session.show_whole([found], columns=columns)


def _lines(found: msgspec.Struct) -> list[str]:
    """Return a record as one line per field, then each document in it on as many as it needs."""
    fields: dict[str, object] = msgspec.to_builtins(found)
    width = max(map(len, fields)) + 2
    long = [name for name in fields if isinstance(fields[name], dict)]
    lines = [f"{name + ':':{width}}{_shown(fields[name])}" for name in fields if name not in long]
    for name in long:
        whole = msgspec.json.format(to_json(fields[name]), indent=2).decode()
        lines += [f"{name}:", *(f"  {line}" for line in visible_text(whole).split("\n"))]
    return lines


def _shown(value: object) -> str:
    """Return a field's value: plain words as they are, anything odd in them escaped."""
    if isinstance(value, str):
        return visible_text(to_json(value).decode())[1:-1].replace('\\"', '"')
    return "" if value is None else visible_text(to_json(value).decode())
