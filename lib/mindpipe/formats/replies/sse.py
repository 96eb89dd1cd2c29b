"""Server-sent events out of bytes that may be cut anywhere."""

from collections.abc import Iterator
from dataclasses import dataclass

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class Event:
    """One event: its name ("" where it has none) and its text, the lines joined by newlines.

    A comment line, with which servers show that they are alive, is an event without text.
    """

    name: str = ""
    text: str = ""


class EventReader:
    """Read events as their bytes arrive; an event counts only with the blank line that ends it.

    Lines end with LF or CR LF. Time and memory are linear in the bytes fed.
    """

    def __init__(self) -> None:
        self._unended: list[bytes] = []
        self._name = ""
        self._lines: list[str] = []
        self._begun = False

    def feed(self, octets: bytes) -> Iterator[Event]:
        """Take the next bytes and yield the events that they complete."""
        if b"\n" not in octets:
            self._unended.append(octets)
            return
        *lines, rest = b"".join([*self._unended, octets]).split(b"\n")
        self._unended = [rest]
        if not self._begun:
            lines[0] = lines[0].removeprefix(_BOM)
            self._begun = True
        for line in lines:
            event = self._take(line.removesuffix(b"\r").decode("utf-8", "replace"))
            if event is not None:
                yield event

    def _take(self, line: str) -> Event | None:
        """Take one line and return the event that it ends, if any."""
        if not line:
            event = Event(name=self._name, text="\n".join(self._lines))
            whole = bool(self._lines)
            self._name, self._lines = "", []
            return event if whole else None
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            self._name = value
        elif field == "data":
            self._lines.append(value)
        elif not field:
            return Event()
        return None
