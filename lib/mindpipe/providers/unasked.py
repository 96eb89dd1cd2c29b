"""A model that requests are only written for: who inspects or acts asks none, and needs no key."""

from mindpipe.core.errors import UnavailableError
from mindpipe.core.models import ModelReply, ModelRequest, Target
from mindpipe.core.ports import Preview


class UnaskedModel:
    """A model by its target alone."""

    def __init__(self, target: Target) -> None:
        self.target = target

    def reply(self, request: ModelRequest, preview: Preview | None = None) -> ModelReply:
        """Refuse to think; raises UnavailableError."""
        raise UnavailableError("this worker asks no model; mind think does.")
