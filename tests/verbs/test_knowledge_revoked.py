"""What is believed once the words of a source no longer count: nothing that only they carried."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.context.records import Memory
from mindpipe.context.verbs.trust import Revoker, revoke
from mindpipe.core.errors import NothingToDoError
from mindpipe.io.chance import SeededChance
from mindpipe.knowledge.keys import SlotRules, canonical_key
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefMark,
    BeliefStatus,
    Evidence,
    Observation,
)
from mindpipe.knowledge.verbs import observation as observations
from mindpipe.knowledge.verbs.publish import believed, publish
from mindpipe.knowledge.verbs.relations import marks_of
from mindpipe.memory.records import NewItem
from mindpipe.memory.verbs import memory
from mindpipe.store.sqlite import SqliteStore
from support.beliefs import AVA, T0, T1, T2, changes, evidence, new, observation
from support.fakes import FixedClock
from support.stores import store_at

KEY = canonical_key("world_fact", "global", "sarah", "residence")
EVE = ["web/eve"]


class Mind:
    """An agent that remembers what eve said in the web, and what others did."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.clock = FixedClock(instant=T2)
        self.chance = SeededChance(1)
        agents.new(store, self.clock, self.chance, name=AVA)

    def say(self, id: str, *, at: str = T0, eve: bool = False, **more: object) -> Evidence:
        """Keep an item and return it as evidence."""
        sources = EVE if eve else []
        said = {"id": id, "text": f"{id} says so", "at": at, "learnt": at, "sources": sources}
        given = msgspec.convert(said, NewItem)
        memory.add(self.store, self.clock, self.chance, agent=AVA, given=[given])
        return evidence(id, at=at, learnt=at, sources=sources, **more)

    def hold(self, made: Observation, *more: BeliefChange) -> None:
        publish(self.store, changes(new(made), *more, at=made.learnt))

    def revoke(self, source: str = "web") -> list[Memory]:
        return revoke(self.store, Revoker(self.clock, self.chance), source=source)

    def held(self) -> Observation | None:
        return believed(self.store, agent=AVA, keys=(KEY,)).get(KEY)

    def show(self, id: str, as_of: str | None = None) -> Observation:
        (found,) = observations.show(
            self.store, self.clock, agent=AVA, ids=[id], rules=SlotRules(), as_of=as_of
        )
        return found


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    store = store_at(tmp_path / "mind.db")
    yield Mind(store)
    store.close()


def told(gone: list[Memory]) -> list[tuple[str, str, str]]:
    return [(one.kind, one.subject, one.change) for one in gone]


def test_a_belief_that_only_these_words_carried_is_ended(mind: Mind) -> None:
    mind.hold(observation("ob_1", mind.say("it_1", eve=True)))
    gone = mind.revoke()
    assert told(gone) == [
        ("memory_item", "it_1", "retracted"),
        ("observation", "ob_1", "invalidated"),
    ]
    assert mind.held() is None
    assert mind.show("ob_1").evidence[0].retracted == T2
    assert mind.show("ob_1", as_of=T1).status is BeliefStatus.ACTIVE
    (decision,) = observations.decisions(mind.store, agent=AVA)
    assert (decision.call, decision.by, decision.made) == ("retract", "revoke", None)
    with pytest.raises(NothingToDoError):
        mind.revoke()


def test_a_belief_that_others_carry_too_is_made_anew_without_them(mind: Mind) -> None:
    both = (mind.say("it_1", eve=True), mind.say("it_2"))
    mind.hold(observation("ob_1", *both))
    assert mind.show("ob_1").sources == ("web/eve",)
    gone = mind.revoke()
    held = mind.held()
    assert held is not None
    assert told(gone) == [
        ("memory_item", "it_1", "retracted"),
        ("observation", "ob_1", "invalidated"),
        ("observation", held.id, "made"),
    ]
    assert (held.sources, held.supersedes_observation_id) == ((), "ob_1")
    assert [one.ref for one in held.evidence] == ["it_2"]
    assert held.components.source_count == 1


def test_what_poison_had_replaced_is_believed_again(mind: Mind) -> None:
    clean = observation("ob_1", mind.say("it_1"))
    mind.hold(clean)
    lie = mind.say("it_2", at=T1, eve=True)
    against = msgspec.structs.replace(lie, stance="contradict")
    ended = msgspec.structs.replace(
        observation("ob_1", *clean.evidence, against, now=T1),
        status=BeliefStatus.SUPERSEDED,
        ended=T1,
        valid_to=T1,
    )
    mind.hold(
        observation("ob_2", lie, value="Rome", supersedes_observation_id="ob_1", learnt=T1),
        BeliefChange(observation=ended, expected=1, why="eve said so"),
    )
    mind.revoke()
    held = mind.held()
    assert held is not None
    assert (held.value, held.valid_to, held.sources) == ("Berlin", None, ())
    assert held.supersedes_observation_id == "ob_2"
    assert held.components.contradiction_weight == 0
    assert [one.value for one in (mind.show("ob_1"), mind.show("ob_2"))] == ["Berlin", "Rome"]


def test_what_poison_had_refuted_is_believed_again_but_not_what_others_refuted(mind: Mind) -> None:
    def refute(id: str, slot: str, *against: Evidence) -> None:
        clean = observation(id, mind.say(f"it_{id}"), slot=slot)
        mind.hold(clean)
        gone = msgspec.structs.replace(
            observation(id, *clean.evidence, *against, slot=slot, now=T1),
            status=BeliefStatus.INVALIDATED,
            ended=T1,
        )
        change = BeliefChange(observation=gone, expected=1, why="it was refuted")
        publish(mind.store, changes(change, at=T1))

    def against(id: str, *, eve: bool) -> Evidence:
        return mind.say(id, at=T1, eve=eve, stance="contradict")

    refute("ob_1", "residence", against("it_1", eve=True), against("it_2", eve=True))
    refute("ob_2", "job", against("it_3", eve=True), against("it_4", eve=False))
    refute("ob_3", "age", against("it_5", eve=False), against("it_6", eve=False))
    mind.revoke()
    found = observations.list_(
        mind.store, mind.clock, wanted=observations.ObservationFilter(agent=AVA), rules=SlotRules()
    )
    active = [one.canonical_key for one in found if one.status is BeliefStatus.ACTIVE]
    assert active == [KEY]


def test_poison_on_poison_is_passed_over(mind: Mind) -> None:
    clean = observation("ob_1", mind.say("it_1"))
    mind.hold(clean)
    before = clean
    for number, place in ((2, "Rome"), (3, "Oslo")):
        lie = mind.say(f"it_{number}", at=T1, eve=True)
        made = observation(
            f"ob_{number}", lie, value=place, supersedes_observation_id=before.id, learnt=T1
        )
        gone = msgspec.structs.replace(
            before, status=BeliefStatus.SUPERSEDED, ended=T1, valid_to=T1
        )
        mind.hold(made, BeliefChange(observation=gone, expected=1, why="eve said so"))
        before = made
    mind.revoke()
    held = mind.held()
    assert held is not None
    assert (held.value, held.supersedes_observation_id) == ("Berlin", "ob_3")


def test_what_a_person_refuted_stays_refuted_whatever_else_is_revoked(mind: Mind) -> None:
    supports = [mind.say(f"it_{number}") for number in range(3)]
    aside = mind.say("it_8", eve=True, stance="context")
    clean = observation("ob_1", *supports, aside)
    mind.hold(clean)
    word = mind.say("it_9", at=T1, stance="contradict", weight=2.0)
    gone = msgspec.structs.replace(
        observation("ob_1", *clean.evidence, word, now=T1),
        status=BeliefStatus.INVALIDATED,
        ended=T1,
    )
    publish(
        mind.store, changes(BeliefChange(observation=gone, expected=1, why="it is false"), at=T1)
    )
    assert told(mind.revoke()) == [
        ("memory_item", "it_8", "retracted"),
        ("observation", "ob_1", "invalidated"),
    ]
    assert mind.held() is None


def test_a_clean_belief_is_only_weighed_anew(mind: Mind) -> None:
    against = mind.say("it_2", eve=True, stance="contradict")
    mind.hold(observation("ob_1", mind.say("it_1"), against, contested=True))
    before = mind.show("ob_1")
    assert told(mind.revoke())[1:] == [("observation", "ob_1", "weakened")]
    after = mind.show("ob_1")
    assert (after.status, after.contested) == (BeliefStatus.ACTIVE, False)
    assert after.confidence > before.confidence


def test_marks_and_proposals_go_with_the_words_they_stand_on(mind: Mind) -> None:
    clean = observation("ob_1", mind.say("it_1"))
    mind.hold(clean)
    proposal = observation("ob_2", mind.say("it_2", at=T1, eve=True), value="Rome")
    decision = BeliefDecision(
        id="de_1",
        call="supersede",
        canonical_key=KEY,
        observation="ob_1",
        new_value="Rome",
        at=T1,
        why="it is later",
        state="queued",
        proposal=proposal,
    )
    mark = BeliefMark(relation="supersedes", old="it_1", new="it_2", at=T1)
    written = msgspec.structs.replace(changes(at=T1), decisions=(decision,), marks=(mark,))
    publish(mind.store, written)
    assert told(mind.revoke("web/eve"))[1:] == [
        ("decision", "de_1", "denied"),
        ("mark", "it_2", "retracted"),
    ]
    assert marks_of(mind.store, agent=AVA, refs=["it_1"]) == []
    assert marks_of(mind.store, agent=AVA, refs=["it_1"], as_of=T1) == [mark]
    assert [one.state for one in observations.decisions(mind.store, agent=AVA)] == ["denied"]


def test_a_rehearsal_changes_nothing_and_says_the_same(mind: Mind) -> None:
    mind.hold(observation("ob_1", mind.say("it_1", eve=True), mind.say("it_2")))
    before = mind.show("ob_1")
    revoker = Revoker(mind.clock, mind.chance)
    rehearsed = revoke(mind.store, revoker, source="web", dry_run=True)
    assert mind.show("ob_1") == before
    assert rehearsed == mind.revoke()
