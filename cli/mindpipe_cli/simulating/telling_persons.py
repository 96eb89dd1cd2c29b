"""Write lines about persons as they are, or as a table for people."""

from collections.abc import Iterable

import msgspec

from mindpipe.core.records import Record
from mindpipe.person.calendar import instant_text
from mindpipe_cli import output
from mindpipe_cli.session import Session

COLUMNS = ("at", "person", "kind", "what")


class Told(Record):
    """One line as people read it: when, of whom, its kind, and the heart of what it says."""

    at: str
    person: str
    kind: str
    what: str


def write_lines(session: Session, lines: Iterable[bytes]) -> None:
    """Write lines to stdout, byte for byte unless a table is wished."""
    if session.shape == "json":
        output.write_bytes(piece for line in lines for piece in (line, b"\n"))
    else:
        session.write((told(line) for line in lines), columns=COLUMNS)


def told(line: bytes) -> Told:
    """Return what people are told of a line."""
    plain: dict[str, object] = msgspec.json.decode(line)
    t_us = plain.get("t_us")
    return Told(
        at=instant_text(t_us) if isinstance(t_us, int) else "",
        person=str(plain.get("person", "")),
        kind=str(plain.get("kind", "")),
        what=_what(plain),
    )


def _what(plain: dict[str, object]) -> str:
    """Return the heart of a line."""
    read = plain.get("read")
    if isinstance(read, dict):
        shown = ("arousal", "valence", "energy", "stress")
        return ", ".join(f"{name} {read[name]:.2f}" for name in shown if name in read)
    trigger = plain.get("trigger")
    if plain.get("kind") == "salience" and isinstance(trigger, dict):
        return str(trigger.get("text", ""))
    if plain.get("kind") == "event":
        return ": ".join(str(plain[name]) for name in ("type", "text") if name in plain)
    return next((str(plain[name]) for name in ("content", "message", "name") if name in plain), "")
