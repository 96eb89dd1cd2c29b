"""Voices of persons: the composed one, or any model, which is asked once per thought."""

import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from mindpipe.core.errors import MindError, RefusedError, UnavailableError
from mindpipe.core.messages import Role, TextPart
from mindpipe.core.models import ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Model
from mindpipe.formats.records import RenderOptions
from mindpipe.formats.requests import make_request
from mindpipe.models.requests import GivenMessage, GivenRequest
from mindpipe.person.records.person import Person
from mindpipe.person.voice.composed import composed
from mindpipe.person.voicing import Asked, Voice, VoiceError
from mindpipe.wiring.composing import NAME, ComposedModel
from mindpipe.wiring.models import ModelShop, PriceList, refuse_above

NONE = "none"
SECONDS = 60.0
"""How long one call of a voice may take."""


def model_of(person: Person, *, asked: str | None = None) -> str:
    """Return the model of a person's voice: the one that is asked for, else the person's own.

    `anthropic` alone is the person's setting `anthropic_model`.
    """
    name = asked or person.settings.model
    return f"anthropic/{person.settings.anthropic_model}" if name == "anthropic" else name


class Voices:
    """The voices of one run; each model is made once, when somebody first speaks with it.

    `shop` gives what makes models, which write their turns to `record` where that is given; `cap`
    is the most that one call may cost in micro-dollars. Voices may be used by several threads.
    """

    def __init__(
        self,
        shop: Callable[[], ModelShop],
        *,
        record: Path | None = None,
        cap: int | None = None,
    ) -> None:
        self._make_shop = shop
        self._record = record
        self._cap = cap
        self._models: dict[str, tuple[Model, PriceList]] = {}
        self._lock = threading.Lock()

    def of(self, model: str) -> Voice | None:
        """Return the voice over a model by its full name, None for `none`.

        Raises:
            UsageError: the name is that of no model.
            UnavailableError: its key or its file is missing.
        """
        if model == NONE:
            return None
        if model == NAME:
            return composed if self._record is None else self._recorded
        chosen, prices = self._model(model)
        return lambda asked: self._words(chosen, prices, asked)

    def _model(self, name: str) -> tuple[Model, PriceList]:
        """Return a model and what models cost."""
        with self._lock:
            if name not in self._models:
                shop = self._make_shop()
                self._models[name] = shop.model(name, record=self._record), shop.prices()
            return self._models[name]

    def _words(self, model: Model, prices: PriceList, asked: Asked) -> str:
        """Ask a model once and return the text of its reply."""
        request = request_of(asked, model.target)
        try:
            if self._cap is not None:
                refuse_above(self._cap, request, prices, place=asked.moment.person)
            return words_of(model.reply(request))
        except ModelFault as fault:
            missed = model.target.provider == "replay"
            name = "replay_miss" if missed else fault.fault.value
            raise VoiceError(str(fault), error_class=name) from fault
        except (RefusedError, UnavailableError) as error:
            raise VoiceError(str(error), error_class=_class_of(error)) from error

    def _recorded(self, asked: Asked) -> str:
        """Return what the composed voice says, written down as the reply of a model."""
        with self._lock:
            model = self._make_shop().recorded(ComposedModel(asked.moment), record=self._record)
            return words_of(model.reply(request_of(asked, model.target)))


def request_of(asked: Asked, target: Target) -> ModelRequest:
    """Return the request of one thought: a system text and one user message, no tools."""
    given = GivenRequest(
        messages=(GivenMessage(role=Role.USER, parts=(TextPart(text=asked.user),)),),
        system=asked.system,
        max_tokens=asked.max_tokens,
        temperature=asked.temperature,
    )
    request = make_request(given.conversation(), target, given.options(), RenderOptions())
    return msgspec.structs.replace(request, seconds=SECONDS)


def words_of(reply: ModelReply) -> str:
    """Return the text of a reply."""
    return "\n".join(part.text for part in reply.parts if isinstance(part, TextPart))


def _class_of(error: MindError) -> str:
    """Return in one word why a model was not asked."""
    return "refused" if isinstance(error, RefusedError) else "unavailable"
