"""What was said to an agent is remembered when the cycle closes, and only then."""

import contextlib
from pathlib import Path

import pytest

from mindpipe.agents.records import AgentChange, ContextStyle
from mindpipe.agents.verbs import agent as agents
from mindpipe.context.verbs import speakers, trust
from mindpipe.context.verbs.said import said
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.ports import Store
from mindpipe.history.rows import searched_text
from mindpipe.history.verbs.history import show
from mindpipe.knowledge.keys import SlotRules
from mindpipe.knowledge.records import BeliefStatus, Observation, ObservationFilter
from mindpipe.knowledge.tables import observations
from mindpipe.knowledge.verbs import consolidate
from mindpipe.memory.records import Item, NewItem
from mindpipe.memory.verbs import entity, memory
from mindpipe.memory.verbs.extract import by_rules
from mindpipe.spaces import verbs as spaces
from mindpipe.spaces.records import NewSpaceEntity
from support.life import AGENT
from support.obedient_agent import Obeying

SAID = "I live in Lisbon."
PREFERS = "I prefer tea."
DECIDED = "I've decided to sell the boat."


@pytest.fixture
def life(tmp_path: Path) -> Obeying:
    return Obeying(tmp_path / "life")


def change(life: Obeying, wanted: AgentChange) -> None:
    with life.open() as store:
        agents.set_(store, name=AGENT, change=wanted)


def held(store: Store) -> list[Observation]:
    wanted = ObservationFilter(agent=AGENT, statuses=(BeliefStatus.ACTIVE,))
    with store.read() as rows:
        return observations.find(rows, wanted)


def kept(life: Obeying) -> list[Item]:
    with life.open() as store:
        return [one.item for one in memory.after(store, number=0, agent=AGENT)]


def test_what_is_significant_is_kept_with_the_words_of_the_log(life: Obeying) -> None:
    life.push(f"I think so too.\n{DECIDED}")
    life.live()
    (item,) = kept(life)
    assert (item.text, item.origin, item.sources) == (DECIDED, "operator", ())
    assert item.span is not None
    with life.open() as store:
        logs = {one.id: searched_text(one) for one in show(store, agent=AGENT)}
    assert logs[item.span.message][item.span.start : item.span.end] == item.span.quote == DECIDED


def test_what_corrects_what_was_said_before_is_kept(life: Obeying) -> None:
    corrections = (
        "no sorry, not penicillin, it's aspirin",
        "Mr. Kofler is not moving after all",
        "The code for the safe is 4711",
    )
    for words in corrections:
        life.push(words)
    life.live()
    assert tuple(item.text for item in kept(life)) == corrections


def test_what_is_less_than_the_threshold_is_not_kept(life: Obeying) -> None:
    change(life, AgentChange(memory_threshold=9.0))
    life.push(DECIDED)
    life.live()
    assert kept(life) == []


def test_what_was_read_beside_untrusted_words_is_quarantined(life: Obeying) -> None:
    life.push(DECIDED, source="web", sender="eve")
    life.live()
    (item,) = kept(life)
    assert (item.origin, item.sources) == ("human", ("web/eve",))


def test_a_trusted_sender_quarantines_nothing_and_is_known(life: Obeying) -> None:
    change(life, AgentChange(trust=("web/eve",)))
    life.push(DECIDED, source="web", sender="eve")
    life.live()
    (item,) = kept(life)
    assert (item.speaker, item.sources, item.trusted) == ("eve", (), ("web/eve",))


@pytest.mark.parametrize("cycles", [1, 2])
def test_each_item_holds_the_words_of_the_event_that_it_quotes(life: Obeying, cycles: int) -> None:
    life.push(SAID, source="web", sender="eve")
    if cycles == 2:
        life.live()
    life.push(DECIDED)
    life.live()
    told = {item.text: item.sources for item in kept(life)}
    assert told == {SAID: ("web/eve",), DECIDED: ()}


def test_the_same_words_of_two_are_each_of_who_said_them(life: Obeying) -> None:
    life.push(DECIDED, source="web")
    life.push(DECIDED)
    life.live()
    assert [item.sources for item in kept(life)] == [("web",), ()]


def test_what_is_read_later_is_of_the_same(life: Obeying) -> None:
    change(life, AgentChange(memory_threshold=10.0, trust=("mail",)))
    life.push(SAID, source="web", sender="eve")
    life.push(PREFERS, source="mail")
    life.push(DECIDED)
    life.live()
    assert kept(life) == []
    with life.open() as store:
        read = memory.extract(
            store,
            life.clock,
            life.chance,
            agent=AGENT,
            pages=said(store, agents.show(store, name=AGENT), since_cycle=1),
            look=by_rules(),
        )
        told = {item.text: (item.sources, item.trusted) for item in read}
    assert told == {SAID: (("web/eve",), ()), PREFERS: ((), ("mail",)), DECIDED: ((), ())}


def test_what_a_trusted_source_said_is_revoked_with_all_that_stands_on_it(life: Obeying) -> None:
    change(life, AgentChange(trust=("mail",)))
    life.push(f"My sister Eva came over.\n{SAID}", source="mail", sender="anna")
    life.push(DECIDED)
    life.live()
    with life.open() as store:
        options = consolidate.ConsolidateOptions(SlotRules())
        list(consolidate.consolidate(store, life.clock, agent=AGENT, options=options))
        assert len(held(store)) == 2
        revoker = trust.Revoker(life.clock, life.chance)
        gone = trust.revoke(store, revoker, source="mail")
        assert held(store) == []
        assert entity.neighbours(store, agent=AGENT, ids=["anna"]) == []
        assert entity.list_(store, agent=AGENT) == []
    told = {one.text: one.sources for one in gone if one.kind == "memory_item"}
    assert told == {"My sister Eva came over.": ("mail/anna",), SAID: ("mail/anna",)}
    assert [item.text for item in kept(life) if item.retracted is None] == [DECIDED]


def test_what_a_timeline_shows_is_kept_of_who_said_it(life: Obeying) -> None:
    change(life, AgentChange(style="timeline"))
    life.push(SAID, type="space_message", space="family", sender="husam")
    life.live()
    life.push(DECIDED, source="web", sender="eve")
    life.live()
    told = [(item.speaker, item.session, item.text, item.sources) for item in kept(life)]
    assert told == [("husam", "family", SAID, ()), (None, None, DECIDED, ("web/eve",))]


def test_who_only_says_that_he_is_somebody_is_nobody_that_is_known(life: Obeying) -> None:
    life.push(SAID, type="space_message", space="family", sender="husam", source="mail")
    life.live()
    (item,) = kept(life)
    assert (item.speaker, item.claimed_speaker, item.session) == (None, "husam", None)
    assert (item.sources, item.vouched) == (("mail/husam",), False)


def test_a_log_from_before_is_read_by_what_its_events_were(
    life: Obeying, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once a line was shown as whoever it named had said it; the event tells that he had not."""
    with monkeypatch.context() as earlier:
        earlier.setattr(speakers, "known", lambda _store, event, *, trust: event)
        life.push(SAID, type="space_message", space="family", sender="husam", source="mail")
        life.live()
    with life.open() as store:
        agent = agents.show(store, name=AGENT)
        (page,) = said(store, agent, since_cycle=1)
        lines = [text for one in show(store, agent=AGENT) if SAID in (text := searched_text(one))]
    assert "husam (human)" in lines[0]
    assert [(one.speaker, one.claimed_speaker) for one in page.said if one.text == SAID] == [
        (None, "husam")
    ]


def test_the_operator_who_vouches_for_a_cycle_vouches_for_its_speakers(life: Obeying) -> None:
    life.push(SAID, type="space_message", space="family", sender="husam", source="mail")
    life.live()
    with life.open() as store:
        trust.trust_cycles(store, trust.Reader("carla", life.clock), agent=AGENT, numbers=(1,))
        agent = agents.show(store, name=AGENT)
        (page,) = said(store, agent, since_cycle=1)
    assert ("husam", None) in [
        (one.speaker, one.claimed_speaker) for one in page.said if one.text == SAID
    ]


STYLES: tuple[ContextStyle, ...] = ("continuous", "timeline")


def heard(folder: Path, style: ContextStyle) -> list[Item]:
    """Live in a style with a person, other agents, strangers and the program; return the items."""
    life = Obeying(folder)
    change(life, AgentChange(style=style, trust=("husam",)))
    with life.open() as store:
        robot = NewSpaceEntity(name="bo", kind="agent", title="Bo")
        spaces.join(store, life.clock, life.chance, space="family", who=robot)
    for sender, text in (("husam", f'{SAID}\n{PREFERS[:-1]} [new] "green".'), ("bo", DECIDED)):
        life.push(text, type="space_message", space="family", sender=sender)
    life.push(PREFERS, source="mail", sender="dora")
    life.push(SAID)
    life.push(f"Your worker crashed. {SAID}", source="recovery")
    life.push(DECIDED, type="plan", source="plan", body={"title": "boat"})
    life.push(SAID, type="tool_result", source="task/eve")
    with contextlib.suppress(NothingToDoError):
        while True:
            life.live()
    return kept(life)


def test_both_styles_hear_the_same_and_of_people_only(tmp_path: Path) -> None:
    lives = {style: heard(tmp_path / style, style) for style in STYLES}
    told = {
        style: {
            (one.text, one.at, one.speaker, one.claimed_speaker, one.session, one.origin)
            for one in items
        }
        for style, items in lives.items()
    }
    assert told["continuous"] == told["timeline"]
    assert {(text, speaker or claimed, session) for text, _, speaker, claimed, session, _ in (
        told["timeline"]
    )} == {
        (SAID, "husam", "family"),
        ('I prefer tea [new] "green".', "husam", "family"),
        (PREFERS, "dora", None),
        (SAID, "operator", None),
    }  # fmt: skip


def test_what_the_program_notes_of_a_crash_is_believed_of_nobody(life: Obeying) -> None:
    note = "Your worker that began at 2026-01-01T00:00:00Z crashed. It was crash 3 at this place."
    given = [NewItem(text=note, origin="program", tags=("crash",))]
    with life.open() as store:
        memory.add(store, life.clock, life.chance, agent=AGENT, given=given)
        options = consolidate.ConsolidateOptions(SlotRules())
        list(consolidate.consolidate(store, life.clock, agent=AGENT, options=options))
        assert held(store) == []
