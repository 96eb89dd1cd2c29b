"""A Model that writes down every turn of another one, so that it can be replayed."""

from collections.abc import Callable

import msgspec

from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import Model, Preview
from mindpipe.core.redaction import redact
from mindpipe.formats.requests import canonical_request, canonical_sha256
from mindpipe.models.recordings import RecordedTurn, line_of


class Recording:
    """Pass requests on to `model` and give each finished turn to `append` as one line.

    What looks like a secret is blotted out in the line; the key is the hash of the request as it
    was sent. A failed attempt is not recorded.
    """

    def __init__(self, model: Model, *, append: Callable[[bytes], None]) -> None:
        self._model = model
        self._append = append

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._model.target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return the other model's reply after it was written down."""
        reply = self._model.reply(request, preview)
        turn = RecordedTurn(
            request_sha256=canonical_sha256(request.conversation),
            request=msgspec.Raw(canonical_request(request.conversation)),
            reply=msgspec.structs.replace(reply, raw=_clean(reply.raw)),
            target=self._model.target,
        )
        self._append(redact(line_of(turn)).encode() + b"\n")
        return reply


def _clean(raw: bytes) -> bytes:
    """Return raw bytes, which stand encoded in the line, without secrets."""
    return redact(raw.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
