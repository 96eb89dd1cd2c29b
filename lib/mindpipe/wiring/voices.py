"""Voices of persons: the composed one, or any model, which is asked once per thought."""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec

from mindpipe.core.errors import MindError, RefusedError, UnavailableError, UsageError
from mindpipe.core.messages import Role, TextPart
from mindpipe.core.models import ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.names import did_you_mean
from mindpipe.core.ports import Model
from mindpipe.core.said import Said
from mindpipe.formats.records import RenderOptions
from mindpipe.formats.requests import canonical_sha256, make_request
from mindpipe.models.catalogue import DEFAULT_MODELS, parse_model_name
from mindpipe.models.recordings import read_recording
from mindpipe.models.requests import GivenMessage, GivenRequest
from mindpipe.person.records.person import Person
from mindpipe.person.voice.composed import composed
from mindpipe.person.voicing import Asked, Voice, VoiceError
from mindpipe.stream.files import read_whole
from mindpipe.wiring.composing import NAME, ComposedModel
from mindpipe.wiring.models import ModelShop, PriceList, refuse_above

NONE = "none"
REPLAY = "replay:"
PROGRAM = "program:"
SECONDS = 60.0
"""How long one call of a voice may take."""


class Prompted(Protocol):
    """Two texts for a model, and what shapes its reply."""

    @property
    def system(self) -> str:
        """Return who the model is to be."""
        ...

    @property
    def user(self) -> str:
        """Return what it is asked."""
        ...

    @property
    def max_tokens(self) -> int:
        """Return the most tokens of the reply."""
        ...

    @property
    def temperature(self) -> float:
        """Return how freely it speaks, from 0 on."""
        ...


def model_of(person: Person, *, asked: str | None = None) -> str:
    """Return the model of a person's voice: the one that is asked for, else the person's own.

    `anthropic` alone is the person's setting `anthropic_model`.
    """
    name = asked or person.settings.model
    return f"anthropic/{person.settings.anthropic_model}" if name == "anthropic" else name


class Chosen(NamedTuple):
    """A model, what models cost, and of a recording by whom each request was answered, by hash."""

    model: Model
    prices: PriceList
    answered: Mapping[str, str]


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
        self._models: dict[str, Chosen] = {}
        self._lock = threading.Lock()

    def of(self, model: str) -> Voice | None:
        """Return the voice over a model by its full name, None for `none`.

        Raises:
            UsageError: the name is that of no model.
            UnavailableError: its key, its file or its program is missing.
        """
        if model == NONE:
            return None
        if model == NAME:
            return self._composed
        chosen = self._model(model)
        return lambda asked: self._words(chosen, asked, place=asked.moment.person)

    def ask(self, model: str, prompt: Prompted, *, place: str) -> str:
        """Ask a model once and return the text of its reply; `place` names who is asked about.

        Raises:
            UsageError: the name is that of no model.
            UnavailableError: its key or its file is missing.
            VoiceError: the call failed.
        """
        return self._words(self._model(model), prompt, place=place)

    def said(self, words: str, prompt: Prompted) -> str:
        """Return words that needed no model, written down as the reply of one where that is asked.

        What a model would have been asked is the prompt.
        """
        if self._record is None:
            return words
        with self._lock:
            model = self._make_shop().recorded(ComposedModel(words), record=self._record)
            return words_of(model.reply(request_of(prompt, model.target)))

    def _model(self, name: str) -> Chosen:
        """Return a model and what belongs to it."""
        with self._lock:
            if name not in self._models:
                _require_program(require_model(name))
                shop = self._make_shop()
                model = shop.model(name, record=self._record)
                self._models[name] = Chosen(model, shop.prices(), _answered(name))
            return self._models[name]

    def _composed(self, asked: Asked) -> str:
        """Return what the composed voice says."""
        return self.said(composed(asked), asked)

    def _words(self, chosen: Chosen, prompt: Prompted, *, place: str) -> str:
        """Ask a model once and return the text of its reply; of a recording as it was said."""
        model, prices, answered = chosen
        request = request_of(prompt, model.target)
        try:
            if self._cap is not None:
                refuse_above(self._cap, request, prices, place=place)
            words = words_of(model.reply(request))
            if not words.strip():
                raise VoiceError(f"{model.target.label()} gave no words", error_class="empty")
        except ModelFault as fault:
            missed = model.target.provider == "replay"
            name = "replay_miss" if missed else fault.fault.value
            raise VoiceError(str(fault), error_class=name) from fault
        except (RefusedError, UnavailableError) as error:
            raise VoiceError(str(error), error_class=_class_of(error)) from error
        by = answered.get(canonical_sha256(request.conversation)) if answered else None
        return words if by is None else Said(words, by)


def require_model(name: str, *, others: Sequence[str] = (NAME, NONE)) -> str:
    """Return a name unchanged if it is a model's or one of `others`; it need not be within reach.

    Raises:
        UsageError: the name is that of no model; names the nearest.
    """
    if name in others:
        return name
    try:
        parse_model_name(name)
    except UsageError as error:
        near = did_you_mean(name, (*others, *DEFAULT_MODELS))
        words = str(error).replace("; write ", f"; {near}write {', '.join(others)}, ")
        raise UsageError(words) from None
    return name


def _require_program(name: str) -> None:
    """Raise UnavailableError where a model is a program that cannot be started."""
    file = name.removeprefix(PROGRAM)
    if file != name and not os.access(file, os.X_OK):
        raise UnavailableError(f"{file} is no program that can be started; check the name.")


def request_of(prompt: Prompted, target: Target) -> ModelRequest:
    """Return the request of one thought: a system text and one user message, no tools."""
    given = GivenRequest(
        messages=(GivenMessage(role=Role.USER, parts=(TextPart(text=prompt.user),)),),
        system=prompt.system,
        max_tokens=prompt.max_tokens,
        temperature=prompt.temperature,
    )
    request = make_request(given.conversation(), target, given.options(), RenderOptions())
    return msgspec.structs.replace(request, seconds=SECONDS)


def _answered(name: str) -> dict[str, str]:
    """Return by whom each request of a recording was answered; nothing of any other model."""
    if not name.startswith(REPLAY):
        return {}
    file = name.removeprefix(REPLAY)
    turns = read_recording(read_whole(Path(file)), source=file)
    return {one.request_sha256: one.target.label() for one in turns if one.target is not None}


def words_of(reply: ModelReply) -> str:
    """Return the text of a reply."""
    return "\n".join(part.text for part in reply.parts if isinstance(part, TextPart))


def _class_of(error: MindError) -> str:
    """Return in one word why a model was not asked."""
    return "refused" if isinstance(error, RefusedError) else "unavailable"
