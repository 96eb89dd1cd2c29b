"""Recorded turns: one line of JSON per request and its reply, keyed by the canonical request."""

import difflib
from collections.abc import Iterable

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.models import ModelReply, Target
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, Record

_SHOWN_LINES = 60


class RecordedTurn(Record, kw_only=True):
    """One request and its reply.

    `request` is the canonical normal form whose hash is `request_sha256`, kept so that a miss can
    be explained; `target` is the model that gave the reply.
    """

    request_sha256: str
    request: msgspec.Raw = msgspec.Raw(b"{}")
    reply: ModelReply
    target: Target | None = None


def read_recording(octets: bytes, *, source: str) -> list[RecordedTurn]:
    """Read every line of a recording; blank lines are passed over.

    Raises:
        BadInputError: every line that is no recorded turn.
    """
    turns: list[RecordedTurn] = []
    problems: list[Problem] = []
    for number, line in enumerate(octets.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            turns.append(msgspec.json.decode(line, type=RecordedTurn))
        except NO_RECORD as error:
            problems.append(Problem(source=source, line=number, message=str(error)))
    if problems:
        raise BadInputError(problems)
    return turns


def miss(request: bytes, turns: Iterable[RecordedTurn], *, source: str) -> str:
    """Say that a request was never recorded, with its difference to the nearest that was."""
    wanted = _lines(request)
    recorded = [_lines(bytes(turn.request)) for turn in turns]
    if not recorded:
        return f"{source} holds no recorded turn."
    nearest = max(recorded, key=lambda lines: _likeness(lines, wanted))
    found = difflib.unified_diff(
        nearest,
        wanted,
        fromfile="nearest recorded request",
        tofile="this request",
        lineterm="",
        n=2,
    )
    lines = list(found) or ["(the recorded request is the same; its request_sha256 is not)"]
    if len(lines) > _SHOWN_LINES:
        lines = [*lines[:_SHOWN_LINES], f"… {len(lines) - _SHOWN_LINES} more lines"]
    text = "\n".join(lines)
    return f"{source} holds no reply to this request; record it again.\n{text}"


def _lines(document: bytes) -> list[str]:
    """Return a JSON document with one value per line."""
    try:
        return msgspec.json.format(document, indent=1).decode("utf-8", "replace").split("\n")
    except msgspec.DecodeError:
        return document.decode("utf-8", "replace").split("\n")


def _likeness(lines: list[str], wanted: list[str]) -> int:
    """Return how many lines at the start and at the end are the same."""
    same = 0
    for one, other in zip(lines, wanted, strict=False):
        if one != other:
            break
        same += 1
    tail = 0
    for one, other in zip(reversed(lines[same:]), reversed(wanted[same:]), strict=False):
        if one != other:
            break
        tail += 1
    return same + tail - abs(len(lines) - len(wanted))
