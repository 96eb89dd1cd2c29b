"""Let persons think with the voices of a run: who speaks for whom, and several at a time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import msgspec

from mindpipe.core.records import to_json
from mindpipe.core.text import RecordedWords
from mindpipe.person.mind.moment import Thinker
from mindpipe.person.mind.residue import storable
from mindpipe.person.prompts import PromptBuilder
from mindpipe.person.records.person import Person, model_of
from mindpipe.person.records.thought import VoiceError, VoiceReply, VoiceRequest
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
        self._replies: dict[str, list[VoiceReply]] = {}

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

    def model(self, person: str) -> str:
        """Return the name of the model that a person thinks with, nothing where it does not."""
        thinker = self._thinkers[person]
        return "" if thinker.voice is None else thinker.model

    def replies(self, person: str) -> tuple[VoiceReply, ...]:
        """Return what a person's model answered since that was last asked for."""
        return tuple(self._replies.pop(person, ()))

    def _words(self, asked: VoiceRequest) -> Words:
        """Return what one voice says, or how it failed."""
        thinker = self._thinkers[asked.moment.person]
        if thinker.voice is None:
            return ""
        try:
            said: Words = thinker.voice(asked)
        except VoiceError as error:
            said = error
        if not thinker.composed:
            self._replies.setdefault(asked.moment.person, []).append(reply_of(asked, said))
        return said


def request_hash(asked: VoiceRequest) -> str:
    """Return the SHA-256 of what a voice is asked: both texts, and what shapes the reply."""
    sent = (asked.system, asked.user, asked.max_tokens, asked.temperature)
    return sha256(to_json(sent)).hexdigest()


def reply_of(asked: VoiceRequest, said: Words) -> VoiceReply:
    """Return what a model answered as it is kept."""
    reply = VoiceReply(t_us=asked.moment.t_us, request=request_hash(asked))
    if isinstance(said, VoiceError):
        message = storable(str(said))
        return msgspec.structs.replace(reply, words=message, error_class=said.error_class)
    by = said.model if isinstance(said, RecordedWords) else ""
    return msgspec.structs.replace(reply, words=storable(said), model=by)


def words_of_reply(reply: VoiceReply) -> Words:
    """Return what a model answered, again."""
    if reply.error_class:
        return VoiceError(reply.words, error_class=reply.error_class)
    return RecordedWords(reply.words, reply.model) if reply.model else reply.words
