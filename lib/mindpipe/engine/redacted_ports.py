"""Ports whose answers have no secrets in them, before anything is made of these or recorded."""

import msgspec

from mindpipe.core.messages import ReplyPart
from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import Model, Preview, ProgramCall, ProgramRun, Programs
from mindpipe.core.records import to_json
from mindpipe.core.redaction import Redactor


class RedactedModel:
    """A model whose replies are kept without secrets, also as the provider wrote them."""

    def __init__(self, model: Model, redactor: Redactor) -> None:
        self._model, self._redactor = model, redactor

    @property
    def target(self) -> Target:
        """Return what requests for this model are written for."""
        return self._model.target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Return the reply of the model."""
        reply = self._model.reply(request, preview)
        raw = self._redactor.octets(reply.raw)
        if raw is not reply.raw:
            reply = msgspec.structs.replace(reply, raw=raw)
        if not self._redactor.touches(to_json(reply.parts).decode()):
            return reply
        clean = self._redactor.value(msgspec.to_builtins(reply.parts))
        return msgspec.structs.replace(reply, parts=msgspec.convert(clean, tuple[ReplyPart, ...]))


class RedactedPrograms:
    """Programs whose output is kept without secrets."""

    def __init__(self, programs: Programs, redactor: Redactor) -> None:
        self._programs, self._redactor = programs, redactor

    def run(self, call: ProgramCall) -> ProgramRun:
        """Run one program to its end or deadline."""
        ended = self._programs.run(call)
        return msgspec.structs.replace(
            ended,
            stdout=self._redactor.octets(ended.stdout),
            stderr=self._redactor.octets(ended.stderr),
            found=self._redactor.value(ended.found),
        )
