"""Lines about persons on stdout: byte for byte, or in a table the heart of each."""

from collections.abc import Iterable

import msgspec

from mindpipe.person.calendar import instant_text
from mindpipe_cli import output
from mindpipe_cli.session import Session

_LINE_COLUMNS = ("at", "person", "kind", "what")


def write_lines(session: Session, lines: Iterable[bytes]) -> None:
    """Write lines to stdout, byte for byte unless a table is wished."""
    if session.shape == "json":
        output.write_bytes(piece for line in lines for piece in (line, b"\n"))
    else:
        told = (one for one in map(_told, lines) if one["kind"] != "chart")
        session.write(told, columns=_LINE_COLUMNS)


def _told(line: bytes) -> dict[str, str]:
    """Return what people are told of a line."""
    plain: dict[str, object] = msgspec.json.decode(line)
    t_us = plain.get("t_us")
    return dict(
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
