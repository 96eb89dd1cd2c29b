"""Voices within a budget of calls, and of money, for all who think in a run; then nobody thinks.

A call is kept before it is made, and then what came of it. So what was answered before a run was
killed is answered again from what was kept, and a call that was under way then counts as made.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import msgspec

from mindpipe.core.records import Natural, Record
from mindpipe.person.records.scales import Instant
from mindpipe.person.records.thought import BUDGET, SPENT, VoiceError, VoiceReply, VoiceRequest
from mindpipe.person.voice.models import Voices
from mindpipe.person.voice.speech import Speakers, Words, request_hash, words_of_reply


class PaidReply(Record):
    """A call that is under way, with the most micro-dollars that it may cost; then what it gave.

    While it is `pending`, `reply` says only when and what was asked.
    """

    person: str
    reply: VoiceReply
    micros: Natural = 0
    pending: bool = False


class BudgetedSpeakers(Speakers):
    """Finds words for persons until the budget is used up, and none for anybody from then on.

    `calls` is how many were made, `ended_us` when one more was wanted, None while there are any.
    The composed voice costs nothing, and is no call.
    """

    def __init__(
        self,
        voices: Voices,
        *,
        model: str | None,
        most_calls: int | None,
        paid: Iterable[PaidReply],
        keep: Callable[[PaidReply], None],
        since: Mapping[str, Instant] = MappingProxyType({}),
    ) -> None:
        """Begin with what was paid for before.

        Args:
            voices: The voices of the run, which refuse what is over a budget of money.
            model: The model of all, None for each one's own.
            most_calls: The most calls, those that were paid for included; None for any number.
            paid: The calls that were made before, and what they gave.
            keep: Keeps a call for good before it is made, and what it gave before anybody hears it.
            since: The instants, by person, before which one thinks nothing; others always think.
        """
        before = list(paid)
        super().__init__(voices, model=model)
        known = [one for one in before if not one.pending]
        self.calls = max(0, len(before) - 2 * len(known))  # those of which nothing came
        self.ended_us: Instant | None = None
        self._most, self._keep, self._since = most_calls, keep, since
        self._paid = {(one.person, one.reply.t_us, one.reply.request): one.reply for one in known}
        self._asked: PaidReply | None = None

    def speak(self, asked: Sequence[VoiceRequest]) -> list[Words]:
        """Return the words, or the failure, for each of several persons, in their order."""
        return [self._within(one) for one in asked]

    def reserve(self, micros: int) -> None:
        """Count the call that is about to be made, which may cost so much; keep that it is made."""
        assert self._asked is not None
        self._asked = msgspec.structs.replace(self._asked, micros=micros, pending=True)
        self._keep(self._asked)
        self.calls += 1

    def _within(self, asked: VoiceRequest) -> Words:
        """Return what one voice says within the budget, or that it is used up."""
        person, t_us = asked.moment.person, asked.moment.t_us
        thinker = self._thinkers[person]
        if t_us < self._since.get(person, t_us):
            return _spent()
        if thinker.composed or thinker.voice is None:
            return self._words(asked)
        request = request_hash(asked)
        known = self._paid.get((person, t_us, request))
        if self._most is not None and self.calls >= self._most:
            self.ended_us = t_us if self.ended_us is None else self.ended_us
        if self.ended_us is not None:
            return _spent()
        if known is not None:
            self.calls += 1
            return words_of_reply(known)
        self._asked = PaidReply(person=person, reply=VoiceReply(t_us=t_us, request=request))
        said = self._words(asked)
        (reply,) = self.replies(person)
        if isinstance(said, VoiceError) and said.error_class == BUDGET:
            self.ended_us = t_us
            return _spent()
        if self._asked.pending:
            self._keep(PaidReply(person=person, reply=reply))
        return said


def _spent() -> VoiceError:
    """Return what is heard where nothing is to be thought, as where the budget is used up."""
    return VoiceError("the budget is used up", error_class=SPENT)
