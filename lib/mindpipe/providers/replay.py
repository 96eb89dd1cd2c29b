"""Recorded turns: kept while a model answers, and answered from again."""

import collections
import difflib
import threading
from collections.abc import Callable, Iterable

import msgspec

from mindpipe.core.errors import BadInputError
from mindpipe.core.messages import CallPart, TextPart, ThinkingPart
from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Model, Preview
from mindpipe.core.problems import Problem
from mindpipe.core.records import NO_RECORD, Record, to_json
from mindpipe.core.redaction import redact
from mindpipe.providers.request import canonical_request, canonical_sha256

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


class Recording:
    """Pass requests on to `model` and give each finished turn to `append` as one line.

    What looks like a secret, and every one of `secrets`, is blotted out in the line; the key is
    the hash of the request as it was sent. A failed attempt is not recorded.
    """

    def __init__(
        self, model: Model, *, append: Callable[[bytes], None], secrets: tuple[str, ...] = ()
    ) -> None:
        self._model = model
        self._append = append
        self._secrets = secrets

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._model.target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return the other model's reply after it was written down."""
        reply = self._model.reply(request, preview)
        raw = self._clean(reply.raw.decode("utf-8", "surrogateescape"))
        assert isinstance(raw, str)
        turn = RecordedTurn(
            request_sha256=canonical_sha256(request.conversation),
            request=msgspec.Raw(canonical_request(request.conversation)),
            reply=msgspec.structs.replace(reply, raw=raw.encode("utf-8", "surrogateescape")),
            target=self._model.target,
        )
        self._append(to_json(self._clean(msgspec.json.decode(to_json(turn)))) + b"\n")
        return reply

    def _clean(self, value: object) -> object:
        """Return a JSON value with every text in it redacted."""
        if isinstance(value, str):
            return redact(value, self._secrets)
        if isinstance(value, dict):
            return {key: self._clean(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self._clean(inner) for inner in value]
        return value


def show_whole(reply: ModelReply, preview: Preview | None) -> None:
    """Tell every part of the reply, in order."""
    if preview is None:
        return
    for part in reply.parts:
        if isinstance(part, TextPart):
            preview.text(part.text)
        elif isinstance(part, ThinkingPart) and part.text:
            preview.thinking(part.text)
        elif isinstance(part, CallPart):
            preview.call(part.tool)
            preview.argument(part.args_text)


class Replay:
    """Answer from a recording (its bytes and its name for messages).

    A request that was recorded several times is answered in that order, and after the last time as
    the last time. Replies are given from their parts: their raw bytes belong to another API.
    """

    def __init__(self, target: Target, *, recording: bytes, source: str) -> None:
        self._target = target
        self._source = source
        self._turns = read_recording(recording, source=source)
        self._by_key: dict[str, list[RecordedTurn]] = {}
        for turn in self._turns:
            self._by_key.setdefault(turn.request_sha256, []).append(turn)
        self._served: collections.Counter[str] = collections.Counter()
        self._lock = threading.Lock()

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return the recorded reply.

        Raises:
            ModelFault: the request was never recorded; the message shows how it differs from the
                nearest one that was.
        """
        key = canonical_sha256(request.conversation)
        with self._lock:
            recorded = self._by_key.get(key, [])
            place = min(self._served[key], len(recorded) - 1)
            self._served[key] += 1
        if not recorded:
            wanted = canonical_request(request.conversation)
            raise ModelFault(
                miss(wanted, self._turns, source=self._source),
                fault=FaultClass.LOCAL,
                sent=False,
            )
        reply = msgspec.structs.replace(recorded[place].reply, raw=b"")
        show_whole(reply, preview)
        return reply
