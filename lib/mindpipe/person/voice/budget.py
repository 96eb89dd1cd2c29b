"""Voices within a budget of calls, and of money, for all who think in a run; then nobody thinks.

What was answered before a run was killed is answered again from what was kept, and not paid twice.
"""

from collections.abc import Callable, Iterable, Sequence

from mindpipe.core.records import Natural, Record
from mindpipe.person.records.scales import Instant
from mindpipe.person.records.thought import BUDGET, SPENT, VoiceError, VoiceReply, VoiceRequest
from mindpipe.person.voice.models import Voices
from mindpipe.person.voice.speech import Speakers, Words, request_hash, words_of_reply


class PaidReply(Record):
    """What a model answered a person, and the most micro-dollars that the call can have cost."""

    person: str
    reply: VoiceReply
    micros: Natural = 0


class BudgetedSpeakers(Speakers):
    """Finds words for persons until the budget is used up, and none for anybody from then on.

    `calls` is how many were made, `ended_us` when one more was wanted, None while there are any.
    The composed voice costs nothing.
    """

    def __init__(
        self,
        voices: Voices,
        *,
        model: str | None,
        most_calls: int | None,
        paid: Iterable[PaidReply],
        keep: Callable[[PaidReply], None],
        spent: Callable[[], int],
    ) -> None:
        """Begin with what was paid for before.

        Args:
            voices: The voices of the run, which refuse what is over a budget of money.
            model: The model of all, None for each one's own.
            most_calls: The most calls, those that were paid for included; None for any number.
            paid: What was answered before.
            keep: Keeps a reply for good, before anybody hears it.
            spent: Tells the micro-dollars that the voices have spent, each call at most.
        """
        super().__init__(voices, model=model)
        self.calls = 0
        self.ended_us: Instant | None = None
        self._most, self._keep, self._spent = most_calls, keep, spent
        self._paid = {(one.person, one.reply.t_us, one.reply.request): one.reply for one in paid}

    def speak(self, asked: Sequence[VoiceRequest]) -> list[Words]:
        """Return the words, or the failure, for each of several persons, in their order."""
        return [self._within(one) for one in asked]

    def _within(self, asked: VoiceRequest) -> Words:
        """Return what one voice says within the budget, or that it is used up."""
        person, t_us = asked.moment.person, asked.moment.t_us
        thinker = self._thinkers[person]
        if thinker.composed or thinker.voice is None:
            return self._words(asked)
        known = self._paid.get((person, t_us, request_hash(asked)))
        if self._most is not None and self.calls >= self._most:
            self.ended_us = t_us if self.ended_us is None else self.ended_us
        if self.ended_us is not None:
            return _spent()
        self.calls += 1
        if known is not None:
            return words_of_reply(known)
        before = self._spent()
        said = self._words(asked)
        (reply,) = self.replies(person)
        if isinstance(said, VoiceError):
            if said.error_class == BUDGET:
                self.calls -= 1
                self.ended_us = t_us
                return _spent()
            return said
        self._keep(PaidReply(person=person, reply=reply, micros=self._spent() - before))
        return said


def _spent() -> VoiceError:
    """Return what is heard where the budget is used up."""
    return VoiceError("the budget is used up", error_class=SPENT)
