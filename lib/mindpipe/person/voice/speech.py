"""Let persons think with the voices of a run: who speaks for whom, and several at a time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from mindpipe.person.mind.moment import Thinker
from mindpipe.person.prompts import PromptBuilder
from mindpipe.person.records.person import Person, model_of
from mindpipe.person.records.thought import VoiceError, VoiceRequest
from mindpipe.person.voice.composed import NAME
from mindpipe.person.voice.models import Voices

Words = str | VoiceError


class Speakers:
    """Finds words for persons, each with its own model, or all with the one that is asked for.

    At most `parallel` voices speak at a time; what each says does not depend on the others.
    """

    def __init__(self, voices: Voices, *, model: str | None = None, parallel: int = 1) -> None:
        self._voices = voices
        self._model = model
        self._parallel = parallel
        self._thinkers: dict[str, Thinker] = {}

    def thinker(self, person: Person) -> Thinker:
        """Return with what a person thinks.

        Raises:
            UsageError: its model is none.
            UnavailableError: the key or the file of its model is missing.
        """
        name = model_of(person, asked=self._model)
        found = Thinker(
            model=name,
            voice=self._voices.of(name),
            prompts=PromptBuilder,
            composed=name == NAME,
            instead=self._voices.of(NAME),
        )
        self._thinkers[person.person] = found
        return found

    def speak(self, asked: Sequence[VoiceRequest]) -> list[Words]:
        """Return the words, or the failure, for each of several persons, in their order."""
        if self._parallel == 1 or len(asked) == 1:
            return [self._words(one) for one in asked]
        with ThreadPoolExecutor(self._parallel) as pool:
            return list(pool.map(self._words, asked))

    def _words(self, asked: VoiceRequest) -> Words:
        """Return what one voice says, or how it failed."""
        voice = self._thinkers[asked.moment.person].voice
        if voice is None:
            return ""
        try:
            return voice(asked)
        except VoiceError as error:
            return error
