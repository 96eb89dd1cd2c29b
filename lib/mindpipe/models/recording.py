"""A Model that writes down every turn of another one, so that it can be replayed."""

from collections.abc import Callable

import msgspec

from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import Model, Preview
from mindpipe.core.records import to_json
from mindpipe.core.redaction import redact
from mindpipe.formats.requests import canonical_request, canonical_sha256
from mindpipe.models.recordings import RecordedTurn


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
