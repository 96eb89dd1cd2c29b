"""What is held true: asked for now and as of then, explained, answered and looked at again."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from mindpipe.agents.verbs import agent as agents
from mindpipe.core.errors import NothingToDoError, RefusedError, UsageError
from mindpipe.core.lines import AllOrNothing
from mindpipe.io.chance import SeededChance
from mindpipe.knowledge.keys import SlotRules, canonical_key
from mindpipe.knowledge.records import (
    BeliefChange,
    BeliefDecision,
    BeliefStatus,
    Evidence,
    Observation,
    ObservationFilter,
    Revalidated,
)
from mindpipe.knowledge.tables import observations as tables
from mindpipe.knowledge.verbs import knowledge
from mindpipe.knowledge.verbs import knowledge as marking
from mindpipe.knowledge.verbs import observation as observations
from mindpipe.knowledge.verbs import observation as revalidating
from mindpipe.knowledge.verbs.observation import Corrected, Operator, reinforce
from mindpipe.knowledge.verbs.publish import believed, publish
from mindpipe.memory.records import GivenLesson, NewItem
from mindpipe.memory.verbs import lesson, memory
from mindpipe.store.sqlite import SqliteStore
from support.beliefs import AVA, T0, T1, T2, changes, evidence, new, observation
from support.fakes import FixedClock
from support.stores import store_at

RULES = SlotRules()
KEY = canonical_key("world_fact", "global", "sarah", "residence")


class Mind:
    """An agent in a store, with a clock that tests move."""

    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.clock = FixedClock(instant=T0)
        self.chance = SeededChance(1)
        agents.new(store, self.clock, self.chance, name=AVA)

    def say(self, id: str, text: str, *, at: str = T0, **more: object) -> Evidence:
        """Keep an item and return it as support."""
        given = msgspec.convert({"id": id, "text": text, "at": at, "learnt": at, **more}, NewItem)
        memory.add(self.store, self.clock, self.chance, agent=AVA, given=[given])
        return evidence(id, at=at, learnt=at)

    def hold(self, made: Observation, *, at: str = T0) -> None:
        publish(self.store, changes(new(made), at=at))

    def list_(self, as_of: str | None = None, **wanted: object) -> list[Observation]:
        asked = msgspec.convert({"agent": AVA, **wanted}, ObservationFilter)
        return observations.list_(self.store, self.clock, wanted=asked, rules=RULES, as_of=as_of)

    def show(self, id: str, as_of: str | None = None) -> Observation:
        (found,) = observations.show(
            self.store, self.clock, agent=AVA, ids=[id], rules=RULES, as_of=as_of
        )
        return found

    @property
    def operator(self) -> Operator:
        return Operator(self.store, self.clock, self.chance, agent=AVA, by="husam", rules=RULES)

    def revalidate(self, **due: bool) -> list[Revalidated]:
        wish = revalidating.RevalidationDue(**due)
        return revalidating.revalidate(self.store, self.clock, agent=AVA, due=wish, rules=RULES)


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    store = store_at(tmp_path / "mind.db")
    yield Mind(store)
    store.close()


def berlin(mind: Mind) -> Observation:
    said = mind.say("it_1", "Sarah lives in Berlin.")
    made = observation("ob_1", said)
    mind.hold(made)
    return made


def test_figures_are_of_the_instant_that_is_asked_for(mind: Mind) -> None:
    berlin(mind)
    (first,) = mind.list_()
    mind.clock.instant = T2
    (later,) = mind.list_()
    assert (first.freshness, first.confidence) == (1.0, 0.573366)
    assert later.freshness == pytest.approx(1 - 19 / 180, abs=1e-6)
    assert later.confidence < first.confidence
    assert mind.list_(as_of=T0) == [first]
    assert mind.list_(as_of="2026-10-31T00:00:00Z") == []


def test_only_what_is_new_is_linked(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    berlin(mind)
    held = believed(mind.store, agent=AVA, keys=("global:world_fact:sarah.residence",))
    (one,) = held.values()
    linked: list[str] = []

    def insert(_rows: object, made: Observation, *, at: str) -> None:
        linked.extend(one.ref for one in made.evidence if at)

    monkeypatch.setattr(tables, "insert_evidence", insert)
    more = mind.say("it_2", "Sarah lives in Berlin.", at=T1)
    grown = msgspec.structs.replace(one, evidence=(*one.evidence, more))
    change = BeliefChange(observation=grown, expected=one.version, why="she says so")
    publish(mind.store, changes(change, at=T1))
    assert linked == ["it_2"]


def test_filters_choose_by_kind_subject_and_status(mind: Mind) -> None:
    berlin(mind)
    mind.hold(observation("ob_2", mind.say("it_2", "x"), slot="job", subject="bob"))
    mind.hold(
        observation("ob_3", mind.say("it_3", "y"), kind="tooling_state", subject="bot", slot="mode")
    )
    assert {one.id for one in mind.list_()} == {"ob_1", "ob_2", "ob_3"}
    assert [one.id for one in mind.list_(kind="tooling_state")] == ["ob_3"]
    assert [one.id for one in mind.list_(subject="bob")] == ["ob_2"]
    assert mind.list_(statuses=["stale"]) == []
    with pytest.raises(UsageError, match="no agent"):
        mind.list_(agent="eva")
    with pytest.raises(UsageError, match="did you mean ob_1"):
        mind.show("ob_11")


def test_an_operator_confirms_and_both_times_stay_apart(mind: Mind) -> None:
    berlin(mind)
    mind.clock.instant = T1
    (confirmed,) = observations.confirm(mind.operator, ["ob_1"])
    assert confirmed.operator_confirmed
    assert confirmed.components.operator_confirmed_boost == 1.0
    assert confirmed.components.support_weight == 3.0
    assert confirmed.last_supported_at == T1
    assert confirmed.version == 2
    before = mind.show("ob_1", as_of=T0)
    assert not before.operator_confirmed
    assert [one.ref for one in before.evidence] == ["it_1"]
    word = memory.show(mind.store, agent=AVA, id=confirmed.evidence[-1].ref)
    assert (word.text, word.origin, word.speaker) == ("Sarah lives in Berlin.", "operator", "husam")


def test_a_correction_keeps_both_and_names_what_decided(mind: Mind) -> None:
    berlin(mind)
    mind.clock.instant = T1
    old, made = observations.correct(mind.operator, "ob_1", Corrected("Hamburg"))
    assert (old.status, old.ended, old.valid_to) == (BeliefStatus.SUPERSEDED, T1, T1)
    assert [one.stance for one in old.evidence] == ["support", "contradict"]
    assert (made.status, made.value) == (BeliefStatus.ACTIVE, "Hamburg")
    assert made.summary == "Sarah lives in Hamburg."
    assert made.supersedes_observation_id == "ob_1"
    assert [one.ref for one in made.evidence] == [old.evidence[-1].ref]
    (decision,) = observations.decisions(mind.store, agent=AVA, key=KEY)
    assert (decision.call, decision.observation, decision.made) == ("supersede", "ob_1", made.id)
    assert (decision.old_weight, decision.new_weight, decision.by) == (1.0, 2.0, "husam")
    assert [one.value for one in mind.list_(as_of=T0)] == ["Berlin"]
    assert mind.list_(as_of=T0)[0].status is BeliefStatus.ACTIVE
    assert [one.value for one in mind.list_(statuses=["active"])] == ["Hamburg"]
    told = observations.history(mind.store, agent=AVA, id=made.id)
    assert [(one.at, one.observation, one.status.value, one.value) for one in told] == [
        (T0, "ob_1", "active", "Berlin"),
        (T1, "ob_1", "superseded", "Berlin"),
        (T1, made.id, "active", "Hamburg"),
    ]
    assert observations.history(mind.store, agent=AVA, id="ob_1", as_of=T0) == told[:1]
    assert superseded(mind) == [("it_1", made.evidence[0].ref)]
    with pytest.raises(UsageError, match="is superseded since"):
        observations.confirm(mind.operator, ["ob_1"])
    with pytest.raises(UsageError, match="already"):
        observations.correct(mind.operator, made.id, Corrected("Hamburg"))


def superseded(mind: Mind) -> list[tuple[str, str]]:
    """Return which item each superseded one gave way to."""
    found = marking.marks(mind.store, agent=AVA, as_of=None)
    return [(one.old, one.new) for one in found if one.relation == "supersedes"]


def test_what_is_false_is_invalidated_and_nothing_takes_its_place(mind: Mind) -> None:
    berlin(mind)
    (gone,) = observations.correct(mind.operator, "ob_1", Corrected(None))
    assert (gone.status, gone.valid_to) == (BeliefStatus.INVALIDATED, None)
    (decision,) = observations.decisions(mind.store, agent=AVA)
    assert (decision.call, decision.made) == ("retract", None)
    assert believed(mind.store, agent=AVA, keys=(KEY,)) == {}


def test_a_recall_that_was_of_use_reinforces_a_little_and_never_more_than_one(mind: Mind) -> None:
    berlin(mind)
    before = mind.show("ob_1")
    for _ in range(12):
        reinforce(mind.store, mind.clock, agent=AVA, ids=["ob_1"], by="think", rules=RULES)
    after = mind.show("ob_1")
    assert (after.reinforced, after.components.support_weight) == (1.0, 2.0)
    assert after.components.source_count == before.components.source_count
    assert after.last_supported_at == before.last_supported_at
    assert after.confidence == pytest.approx(before.confidence + 0.05)
    assert reinforce(mind.store, mind.clock, agent=AVA, ids=[], by="think", rules=RULES) == 0
    assert len(after.evidence) == 1


def test_what_is_due_is_looked_at_again(mind: Mind) -> None:
    berlin(mind)
    said = mind.say("it_2", "The bot uses webhooks.")
    mind.hold(observation("ob_2", said, kind="tooling_state", subject="bot", slot="mode"))
    with pytest.raises(NothingToDoError):
        mind.revalidate()
    mind.clock.instant = T1
    assert [one.after for one in mind.revalidate(dry_run=True)] == [BeliefStatus.STALE]
    (stale,) = mind.revalidate()
    assert (stale.observation, stale.before, stale.after) == ("ob_2", "active", "stale")
    assert "below 0.5: last supported 2026-11-01T00:00:00Z" in stale.why
    assert mind.show("ob_2").status is BeliefStatus.STALE
    assert mind.show("ob_2", as_of=T0).status is BeliefStatus.ACTIVE
    (again,) = observations.confirm(mind.operator, ["ob_2"])
    assert again.status is BeliefStatus.ACTIVE


def test_what_is_pinned_does_not_age(mind: Mind) -> None:
    said = mind.say("it_2", "The bot uses webhooks.")
    mind.hold(observation("ob_2", said, kind="tooling_state", subject="bot", slot="mode"))
    observations.pin(mind.operator, ["ob_2"], pinned=True)
    mind.clock.instant = T2
    assert mind.revalidate() == []
    observations.pin(mind.operator, ["ob_2"], pinned=False)
    assert [one.after for one in mind.revalidate(every=True)] == [BeliefStatus.STALE]


def test_what_is_outweighed_is_invalidated_and_its_evidence_stays(mind: Mind) -> None:
    said = mind.say("it_1", "Sarah lives in Berlin.")
    against = [
        msgspec.structs.replace(mind.say(name, "Sarah left Berlin."), stance="contradict")
        for name in ("it_2", "it_3")
    ]
    mind.hold(observation("ob_1", said, *against, contested=True))
    (gone,) = mind.revalidate(every=True)
    assert gone.why == "what contradicts it weighs 2, what supports it 1"
    shown = mind.show("ob_1")
    assert (shown.status, shown.ended, len(shown.evidence)) == (BeliefStatus.INVALIDATED, T0, 3)


def test_untrusted_words_do_not_outweigh_what_a_trusted_one_said(mind: Mind) -> None:
    said = mind.say("it_1", "Sarah lives in Berlin.")
    against = [
        msgspec.structs.replace(
            mind.say(name, "Sarah left Berlin.", sources=["mail"]),
            stance="contradict",
            sources=("mail",),
        )
        for name in ("it_2", "it_3", "it_4")
    ]
    mind.hold(observation("ob_1", said, *against, contested=True))
    assert mind.revalidate(every=True) == []
    assert mind.show("ob_1").status is BeliefStatus.ACTIVE


def test_a_lesson_that_was_taken_back_no_longer_counts(mind: Mind) -> None:
    given = GivenLesson(id="ls_1", text="Test first.", retracted=T1)
    with lesson.add(
        mind.store, mind.clock, mind.chance, agent=AVA, bad_lines=AllOrNothing()
    ) as adding:
        adding.add([given])
    said = evidence("ls_1", source="lesson")
    mind.hold(observation("ob_1", said, kind="self_model", slot="procedure.test_first"))
    mind.clock.instant = T1
    (gone,) = mind.revalidate(every=True)
    assert (gone.after, gone.why) == (BeliefStatus.INVALIDATED, "nothing supports it any more")


def test_support_that_was_taken_back_no_longer_counts(mind: Mind) -> None:
    berlin(mind)
    mind.clock.instant = T1
    memory.retract(mind.store, mind.clock, agent=AVA, ids=["it_1"])
    (gone,) = mind.revalidate(every=True)
    assert (gone.after, gone.why) == (BeliefStatus.INVALIDATED, "nothing supports it any more")
    (link,) = mind.show("ob_1").evidence
    assert link.retracted == T1
    (before,) = mind.show("ob_1", as_of=T0).evidence
    assert before.retracted is None


def queue(mind: Mind) -> BeliefDecision:
    held = berlin(mind)
    mind.say("it_2", "Sarah lives in Rome.", at=T1)
    proposal = observation(
        "ob_2", evidence("it_2", at=T1, learnt=T1), value="Rome", valid_from=T1, now=T1
    )
    contested = observation(
        "ob_1",
        *held.evidence,
        evidence("it_2", stance="contradict", at=T1, learnt=T1),
        contested=True,
        now=T1,
    )
    decision = BeliefDecision(
        id="de_1",
        call="supersede",
        canonical_key=KEY,
        observation="ob_1",
        new_value="Rome",
        evidence=("it_2",),
        at=T1,
        why="it is later",
        state="queued",
        proposal=proposal,
    )
    change = BeliefChange(observation=contested, expected=1, why="it waits for a person")
    written = msgspec.structs.replace(changes(change, at=T1), decisions=(decision,))
    publish(mind.store, written)
    mind.clock.instant = T2
    return decision


def test_what_waits_is_approved(mind: Mind) -> None:
    queue(mind)
    assert [one.id for one in observations.decisions(mind.store, agent=AVA, queued=True)] == [
        "de_1"
    ]
    (done,) = observations.approve(
        mind.store, mind.clock, agent=AVA, ids=["de_1"], by="husam", rules=RULES
    )
    assert (done.state, done.made, done.answered, done.answered_by) == (
        "approved",
        "ob_2",
        T2,
        "husam",
    )
    assert [one.value for one in mind.list_(statuses=["active"])] == ["Rome"]
    assert superseded(mind) == [("it_1", "it_2")]
    assert observations.decisions(mind.store, agent=AVA, queued=True) == []
    assert mind.show("ob_1").valid_to == T1
    assert [one.state for one in observations.decisions(mind.store, agent=AVA, as_of=T1)] == [
        "queued"
    ]
    with pytest.raises(UsageError, match="does not wait"):
        observations.deny(mind.store, mind.clock, agent=AVA, ids=["de_1"], by="husam", rules=RULES)


def test_what_is_denied_counts_no_more_against_what_is_held(mind: Mind) -> None:
    queue(mind)
    before = mind.show("ob_1", as_of=T0)
    observations.deny(mind.store, mind.clock, agent=AVA, ids=["de_1"], by="husam", rules=RULES)
    held = mind.show("ob_1")
    assert (held.status, held.contested, held.contradicted_at) == (BeliefStatus.ACTIVE, False, None)
    assert held.components.contradiction_weight == before.components.contradiction_weight == 0.0
    assert [(one.ref, one.retracted) for one in held.evidence] == [("it_1", None), ("it_2", T2)]
    assert mind.show("ob_1", as_of=T1).contested
    found = knowledge.audit(mind.store, mind.clock, agent=AVA, rules=RULES)
    assert "contested" not in [one.check for one in found]
    check = knowledge.verify(mind.store, agent=AVA, rules=RULES)
    assert list(check.wrong()) == []
    revalidating.revalidate(
        mind.store, mind.clock, agent=AVA, due=revalidating.RevalidationDue(every=True), rules=RULES
    )
    assert mind.show("ob_1").confidence == held.confidence


def test_what_was_decided_on_something_else_is_not_approved(mind: Mind) -> None:
    queue(mind)
    observations.correct(mind.operator, "ob_1", Corrected("Oslo"))
    with pytest.raises(RefusedError, match="deny it and consolidate again"):
        observations.approve(
            mind.store, mind.clock, agent=AVA, ids=["de_1"], by="husam", rules=RULES
        )
    with pytest.raises(UsageError, match="did you mean de_1"):
        observations.deny(mind.store, mind.clock, agent=AVA, ids=["de_2"], by="husam", rules=RULES)


def test_an_audit_names_what_a_person_should_look_at(mind: Mind) -> None:
    berlin(mind)
    said = mind.say("it_2", "Sarah lives in Berlin.")
    twin = observation("ob_2", said, slot="state.home", summary="Sarah lives in Berlin.")
    mind.hold(twin)
    mind.clock.instant = T1
    memory.retract(mind.store, mind.clock, agent=AVA, ids=["it_2"])
    found = knowledge.audit(mind.store, mind.clock, agent=AVA, rules=RULES)
    assert sorted((one.check, one.observation, one.other) for one in found) == [
        ("near_duplicate", "ob_2", "ob_1"),
        ("one_source", "ob_1", None),
        ("one_source", "ob_2", None),
        ("orphan", "ob_2", None),
    ]


def test_verification_finds_what_the_log_does_not_say(mind: Mind) -> None:
    berlin(mind)
    lost = evidence("it_9", span={"message": "m_1", "start": 0, "end": 3, "quote": "Rome"})
    mind.hold(observation("ob_2", lost, slot="job"))
    check = knowledge.verify(mind.store, agent=AVA, rules=RULES)
    assert [(one.check, one.observation, one.why) for one in check.wrong()] == [
        ("link", "ob_2", "there is no memory_item it_9"),
        ("quote", "ob_2", "it_9 quotes m_1, not in the log"),
    ]
    verdict = check.verdict
    assert (verdict.observations, verdict.evidence, verdict.quotes, verdict.wrong) == (2, 2, 1, 2)
