"""The Model port over recorded turns: what was asked before is answered as it was then."""

import collections
import threading

import msgspec

from mindpipe.core.models import FaultClass, ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview
from mindpipe.formats.requests import canonical_request, canonical_sha256
from mindpipe.models.recordings import RecordedTurn, miss, read_recording
from mindpipe.models.whole_preview import show_whole


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
