"""The SQL functions that people have beside SQLite's own when they query a store."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from mindpipe.core import instants, text
from mindpipe.core.messages import CallPart, Part, TextPart
from mindpipe.core.records import Record

T = TypeVar("T")
_PARTS = msgspec.json.Decoder(tuple[Part, ...])


class SqlFunction(Record):
    """A function as SQL sees it; NULL in any argument gives NULL."""

    name: str
    arguments: int
    function: Callable[..., str | float]
    help: str


def message_text(parts: str) -> str:
    """Return the words of a message from the JSON of its parts."""
    return "\n".join(part.text for part in _PARTS.decode(parts) if isinstance(part, TextPart))


def message_tools(parts: str) -> str:
    """Return the tools that a message calls, in order, separated by commas."""
    return ",".join(part.tool for part in _PARTS.decode(parts) if isinstance(part, CallPart))


def instant_add(instant: str, seconds: float) -> str:
    """Return the instant that lies some seconds after another."""
    return instants.later(instant, seconds=seconds)


FUNCTIONS = (
    SqlFunction(
        name="message_text", arguments=1, function=message_text, help="words of message.parts"
    ),
    SqlFunction(name="message_tools", arguments=1, function=message_tools, help="tools it calls"),
    SqlFunction(name="instant_add", arguments=2, function=instant_add, help="instant plus seconds"),
    SqlFunction(
        name="instant_seconds",
        arguments=2,
        function=instants.seconds_between,
        help="seconds from the first instant to the second",
    ),
    SqlFunction(
        name="terminal_text",
        arguments=1,
        function=text.terminal_text,
        help="text without control characters",
    ),
)


def passing_null(function: Callable[..., T]) -> Callable[..., T | None]:
    """Return the function as SQL expects it: NULL where an argument is NULL."""

    def called(*values: str | float | None) -> T | None:
        return None if None in values else function(*values)

    return called
