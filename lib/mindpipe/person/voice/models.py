"""Voices of persons: the composed one, or any model, which is asked once per thought."""

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import msgspec

from mindpipe.core.errors import (
    CapReachedError,
    MindError,
    RefusedError,
    UnavailableError,
    UsageError,
)
from mindpipe.core.messages import Role, TextPart
from mindpipe.core.models import ModelFault, ModelReply, ModelRequest, Target
from mindpipe.core.ports import Model
from mindpipe.core.text import RecordedWords, did_you_mean
from mindpipe.person.records.thought import BUDGET, NO_VOICE, Voice, VoiceError, VoiceRequest
from mindpipe.person.voice.composed import NAME, ComposedModel, composed
from mindpipe.providers.completions import GivenMessage, GivenRequest
from mindpipe.providers.model_names import DEFAULT_MODELS, parse_model_name
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import canonical_sha256, make_request

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


class VoiceModel(NamedTuple):
    """A model, what refuses a request that costs too much, and who answered a recording.

    `refuse` is given a request and who is asked about, and raises RefusedError; `answered` is by
    whom each request of a recording was answered, by the hash of the conversation.
    """

    model: Model
    refuse: Callable[[ModelRequest, str], None]
    answered: Mapping[str, str]


class VoiceModels(Protocol):
    """Opens models by their names for the voices of a run."""

    @property
    def records(self) -> bool:
        """Tell whether turns are written down."""
        ...

    def open(self, name: str) -> VoiceModel:
        """Return a model, which writes its turns down where that is asked.

        Raises:
            UnavailableError: its key, its file or its program is missing.
        """
        ...

    def recorded(self, model: Model) -> Model:
        """Return a model that writes its turns down where that is asked, or itself."""
        ...


class Voices:
    """The voices of one run; each model is opened once, when somebody first speaks with it.

    Voices may be used by several threads.
    """

    def __init__(self, models: VoiceModels) -> None:
        self._models = models
        self._opened: dict[str, VoiceModel] = {}
        self._lock = threading.Lock()

    def of(self, model: str) -> Voice | None:
        """Return the voice over a model by its full name, None for `none`.

        Raises:
            UsageError: the name is that of no model.
            UnavailableError: its key, its file or its program is missing.
        """
        if model == NO_VOICE:
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
        if not self._models.records:
            return words
        with self._lock:
            model = self._models.recorded(ComposedModel(words))
            return words_of(model.reply(request_of(prompt, model.target)))

    def _model(self, name: str) -> VoiceModel:
        """Return a model and what belongs to it."""
        with self._lock:
            if name not in self._opened:
                self._opened[name] = self._models.open(require_model(name))
            return self._opened[name]

    def _composed(self, asked: VoiceRequest) -> str:
        """Return what the composed voice says."""
        return self.said(composed(asked), asked)

    def _words(self, chosen: VoiceModel, prompt: Prompted, *, place: str) -> str:
        """Ask a model once and return the text of its reply; of a recording as it was said."""
        model, refuse, answered = chosen
        request = request_of(prompt, model.target)
        try:
            refuse(request, place)
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
        return words if by is None else RecordedWords(words, by)


def require_model(name: str, *, others: Sequence[str] = (NAME, NO_VOICE)) -> str:
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


def words_of(reply: ModelReply) -> str:
    """Return the text of a reply."""
    return "\n".join(part.text for part in reply.parts if isinstance(part, TextPart))


def _class_of(error: MindError) -> str:
    """Return in one word why a model was not asked."""
    if isinstance(error, CapReachedError) and error.scope == BUDGET:
        return BUDGET
    return "refused" if isinstance(error, RefusedError) else "unavailable"
