"""The inner voice inside a life: its first thought, its sleep, and who it takes itself for."""

from collections.abc import Iterable, Sequence

import msgspec
import pytest

from mindpipe.person.body.bank import Bank
from mindpipe.person.calendar import instant_us
from mindpipe.person.life.attention import Attention
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.mind.gates import ThoughtEngine
from mindpipe.person.mind.memory import Recollection
from mindpipe.person.mind.moment import Thinker
from mindpipe.person.prompts import PromptBuilder
from mindpipe.person.records.person import Person
from mindpipe.person.records.state import PersonState
from mindpipe.person.records.thought import PersonMemory, Thought, VoiceRequest
from mindpipe.person.voice.composed import composed
from support.lone_life import happening, person


class Aware:
    """Persons with the composed voice who live from the first midnight on; `asked` is all calls."""

    def __init__(
        self, *persons: Person, states: Sequence[PersonState] = (), past: Sequence[object] = ()
    ) -> None:
        self.asked: list[VoiceRequest] = []
        self._past = past
        states = states or [first_state(one) for one in persons]
        self.population = Population(persons, states, self._attending)

    def _attending(self, bank: Bank) -> Attention:
        thinker = Thinker("composed", composed, PromptBuilder, composed=True)
        memories = [one for one in self._past if isinstance(one, PersonMemory)]
        engines = [
            ThoughtEngine(one, thinker, Recollection(thoughts(self._past), memories))
            for one in bank.persons
        ]
        return Attention(bank, engines, self._speak)

    def _speak(self, asked: Sequence[VoiceRequest]) -> list[str]:
        self.asked += asked
        return [composed(one) for one in asked]


def thoughts(happened: Iterable[object]) -> list[Thought]:
    return [one for one in happened if isinstance(one, Thought)]


def test_the_first_thought_of_the_rested_day() -> None:
    life = Aware(person("ann", seed=7))
    (first,) = thoughts(life.population.advance(instant_us("07:01:59")))
    assert first.t_us == instant_us("07:01:30")
    assert (first.trigger.category, first.trigger.source) == ("BiologicalNeed", "sleep")
    assert first.content == "I could eat something. I think about my bed. I am useless."
    assert life.asked[0].moment.distortions == ("labeling",)


def test_nobody_thinks_asleep_and_what_is_said_wakes_and_is_answered() -> None:
    life = Aware(person("ann", seed=7))
    call = happening("03:00:00.5", "speech", text="Wake up!", valence=-0.5)
    found = thoughts(life.population.advance(instant_us("03:00:10"), {"ann": [call]}))
    assert (found[0].t_us, found[0].mode) == (instant_us("03:00:00.5"), "respond")
    later = thoughts(life.population.advance(instant_us("06:59")))
    asleep_us = life.population.states()[0].flags.since_us
    assert instant_us("03:10") < asleep_us < instant_us("04:00")
    assert later
    assert max(one.t_us for one in later) <= asleep_us


def test_who_an_event_says_one_is_stands_in_every_later_prompt() -> None:
    life = Aware(person("ann", seed=7))
    told = happening("08:00", "identity", self_narrative="I am a diver.")
    life.population.advance(instant_us("08:02"), {"ann": [told]})
    after = [one for one in life.asked if one.moment.t_us > instant_us("08:00")]
    assert len(after) > 2
    assert all("I am a diver." in one.system for one in after)
    assert life.population.persons[0].identity.self_narrative == "I am a diver."


def test_persons_who_think_side_by_side_think_as_each_alone() -> None:
    until_us = instant_us("07:20")
    both = (person("ann", seed=7), person("bo", seed=3))
    together = thoughts(Aware(*both).population.advance(until_us))
    alone = [thoughts(Aware(one).population.advance(until_us)) for one in both]
    assert [[one for one in together if one.person == who.person] for who in both] == alone
    assert len(alone[0]) > 30


@pytest.mark.heavy
def test_a_life_that_is_put_out_as_lines_and_taken_back_goes_on_in_the_same_thoughts() -> None:
    who, until = person("ann", n=0.84), "12:30"
    events = [
        happening("10:00", "news", text="you hear that he has died", valence=-1.0, importance=1.0),
        happening("12:00:00.5", "injury", nrs=9.0, cls="fracture", text="you fell"),
        happening("12:00:01", "speech", text="Are you all right?", valence=0.5),
    ]
    whole = Aware(who)
    happened = whole.population.advance(instant_us(until), {"ann": events})
    assert {one.mode for one in thoughts(happened)} == {"react", "respond", "spontaneous"}
    assert len(happened) > len(thoughts(happened)) + 50
    states, past = [first_state(who)], list[object]()
    for edge in ("07:10:00.1", "10:00:00.9", "12:00:00.5", "12:00:02", until):
        life = Aware(who, states=states, past=past)
        coming = [one for one in events if states[0].t_us <= one.t_us <= instant_us(edge)]
        past += life.population.advance(instant_us(edge), {"ann": coming})
        past = [msgspec.json.decode(msgspec.json.encode(one), type=type(one)) for one in past]
        line = msgspec.json.encode(life.population.states()[0])
        states = [msgspec.json.decode(line, type=PersonState)]
        events = [one for one in events if one.t_us > instant_us(edge)]
    assert past == happened
    assert states == whole.population.states()
