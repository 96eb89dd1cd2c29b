"""In the real loop: turns by share, reflections, memories, patterns and what they change."""

from collections import Counter
from pathlib import Path

import pytest

from mindpipe.agents.verbs import note as note_verbs
from mindpipe.core.errors import IllegalStateError, NothingToDoError
from mindpipe.engine.records.attention import (
    Adjustments,
    Attended,
    AttentionRules,
    ConcernTrigger,
    PatternChange,
    PatternKind,
    PatternState,
)
from mindpipe.engine.records.journal import CycleLimits, TicketState
from mindpipe.engine.verbs import concern, reflect, think
from mindpipe.engine.verbs import concern as concerns
from mindpipe.engine.verbs import reflect as reflecting
from mindpipe.engine.verbs import ticket as tickets
from mindpipe.engine.worker.modes import ModeRules, ModeShift, adjusted
from mindpipe.knowledge.claims.of_items import claims_of_items
from mindpipe.language.strict import STRICT
from mindpipe.memory.records import ItemFilter
from mindpipe.memory.verbs import memory, reflection
from mindpipe.workers.records import LoopMode
from support.attention import FAILS, SAYS, Mulling
from support.histories import ANTHROPIC
from support.life import AGENT
from support.scripted_model import Scripted
from support.tables import each_row


@pytest.fixture
def life(tmp_path: Path) -> Mulling:
    """Return an agent whose loop looks back."""
    return Mulling(tmp_path / "life")


def failing(life: Mulling, events: int) -> None:
    """Let the only tool fail from now on, with so many events to take up one by one."""
    life.sink.missing.add("pure")
    life.model = Scripted(ANTHROPIC, {}, otherwise=FAILS)
    life.modes = ModeRules(most={LoopMode.NORMAL: 1, LoopMode.OVERLOAD: 1})
    life.push(*["Do it."] * events, source="mail")


@pytest.mark.heavy
def test_turns_go_round_by_share_and_are_named_as_they_were(life: Mulling) -> None:
    life.modes = ModeRules(most=dict.fromkeys(LoopMode, 1), overload_queue=10_000)
    life.seconds = 0.1
    for name, share in (("book", 0.1), ("mail", 0.25)):
        life.concern(name, share=share)
    life.focus("book")
    for source in ("book", "mail", "nobody"):
        life.push(*["words"] * 40, source=source)
    seen = life.live(40)
    had = Counter(one.iteration.concern for one in seen)
    assert (had["book"], had["mail"], had["others"]) == (24, 10, 6)
    for one in seen:
        ((source,),) = life.rows(f"SELECT source FROM event WHERE id='{one.attended.events[0]}'")
        assert one.reflected.concern == {"nobody": "others"}.get(source, source)
    with life.open() as store:
        standing = concerns.list_(store, agent=AGENT, rules=AttentionRules())
    assert {one.name: one.turns for one in standing} == dict(had)


def test_what_is_significant_enough_becomes_an_episode_once(tmp_path: Path) -> None:
    life = Mulling(tmp_path / "life", threshold=4.0)
    life.push("The disk is full!", priority=0, source="disk")
    (seen,) = life.live(1)
    life.push("Hello again", source="disk")
    (calm,) = life.live(1)
    assert (seen.reflected.significance >= 4.0, calm.reflected.item) == (True, None)
    with life.open() as store:
        found = [one for one in memory.list_(store, agent=AGENT, wanted=ItemFilter())]
    (kept,) = [one for one in found if "reflection" in one.tags]
    assert (kept.id, kept.kind, kept.origin) == (seen.reflected.item, "episodic", "program")
    assert "disk" not in kept.text
    assert claims_of_items([kept], STRICT) == []


def test_a_cycle_that_was_looked_back_on_changes_nothing_again(life: Mulling) -> None:
    life.push("Hello")
    (seen,) = life.live(1)
    before = life.everything()
    with life.mirror() as mirror:
        again = reflecting.look_back(mirror, iteration=seen.iteration, attended=seen.attended)
    assert again == seen.reflected
    assert life.everything() == before
    with life.mirror() as mirror, pytest.raises(NothingToDoError):
        reflecting.reflect(mirror, agent=AGENT)


def test_a_stop_in_order_is_no_failure_and_costs_no_attempt(life: Mulling) -> None:
    def stop(_: object) -> None:
        raise KeyboardInterrupt

    life.push("One", "Two", source="mail")
    model = Scripted(ANTHROPIC, {}, otherwise=SAYS)
    for _ in range(3):
        model.listen = stop
        with life.open() as store, pytest.raises(KeyboardInterrupt):
            think.think(life.dependencies(store, model), agent=AGENT, limits=CycleLimits())
        assert life.rows("SELECT DISTINCT state, attempts FROM event") == [("ready", 0)]
    with life.mirror() as mirror, pytest.raises(NothingToDoError):
        reflecting.reflect(mirror, agent=AGENT)
    assert life.rows("SELECT DISTINCT reason FROM cycle WHERE state = 'failed'") == []
    life.live(1)
    assert life.rows("SELECT DISTINCT state, attempts FROM event") == [("done", 1)]


def test_who_is_stuck_yields_and_is_told_and_it_can_be_undone(life: Mulling) -> None:
    life.concern("mail", share=0.9)
    failing(life, events=12)
    life.live(5)
    with life.open() as store:
        found = {one.kind: one for one in reflecting.patterns(store, agent=AGENT, limit=9)}
        stuck = found[PatternKind.STUCK]
        notes = {one.key: one.value for one in note_verbs.list_(store, agent=AGENT)}
    assert (stuck.concern, stuck.iterations, stuck.change) == (
        "mail",
        (3, 4, 5),
        PatternChange.YIELD,
    )
    assert notes["attention.stuck.mail"].startswith("You are stuck with mail: the same 3 times")
    life.push("Something else", source="nobody")
    (next_one,) = life.live(1)
    assert next_one.attended.concern == "others"
    with life.open() as store:
        undone = reflecting.undo(store, pattern=stuck.id, by="husam")
        assert (undone.state, undone.by) == (PatternState.UNDONE, "husam")
        assert "attention.stuck.mail" not in {n.key for n in note_verbs.list_(store, agent=AGENT)}
        with pytest.raises(IllegalStateError):
            reflecting.undo(store, pattern=stuck.id, by="husam")
    life.push("Something else", source="nobody")
    assert life.live(1)[0].attended.concern == "mail"


def test_who_does_nothing_that_has_an_effect_escalates_once(life: Mulling) -> None:
    failing(life, events=12)
    life.live(6)
    with life.open() as store:
        (ticket,) = tickets.list_(store, life.clock, agent=AGENT)
        found = reflecting.patterns(store, agent=AGENT, limit=9)
    (pattern,) = [one for one in found if one.kind is PatternKind.INEFFECTIVE]
    assert (ticket.kind, ticket.id) == ("escalation", pattern.ticket)


@pytest.mark.heavy
def test_what_stays_without_effect_is_one_ticket_until_a_person_closes_it(life: Mulling) -> None:
    failing(life, events=99)
    life.live(20)
    with life.open() as store:
        (ticket,) = tickets.list_(store, life.clock, agent=AGENT)
        found = reflecting.patterns(store, agent=AGENT, limit=99)
        again = [one for one in found if one.kind is PatternKind.INEFFECTIVE]
        assert len(again) > 1
        assert {one.ticket for one in again} == {ticket.id}
        with life.mirror() as mirror:
            deliver, verdict = mirror.deliver, tickets.TicketVerdict("husam")
            tickets.settle(
                mirror.store,
                life.clock,
                deliver,
                ticket=ticket.id,
                found="resolved",
                verdict=verdict,
            )
    life.live(10)
    with life.open() as store:
        (another,) = tickets.list_(store, life.clock, agent=AGENT)
    assert (another.state, another.id == ticket.id) == (TicketState.OPEN, False)


def test_what_a_pattern_changed_is_over_after_some_iterations(life: Mulling) -> None:
    failing(life, events=20)
    life.live(5)
    with life.open() as store:
        found = reflecting.patterns(store, agent=AGENT, limit=9)
    assert {one.state for one in found} == {PatternState.IN_FORCE}
    life.model = Scripted(ANTHROPIC, {}, otherwise=SAYS)
    life.live(5)
    with life.open() as store:
        found = reflecting.patterns(store, agent=AGENT, limit=9)
        assert note_verbs.list_(store, agent=AGENT) == []
    assert {one.state for one in found} == {PatternState.OVER}


def test_a_queue_that_only_grows_brings_overload(life: Mulling) -> None:
    life.modes = ModeRules(most={LoopMode.NORMAL: 1, LoopMode.OVERLOAD: 3})
    life.push("first", "second", source="mail")

    def meanwhile(_: int) -> None:
        life.push(*["more"] * 3)

    life.meanwhile = meanwhile
    seen = life.live(12)
    assert seen[-1].iteration.mode is LoopMode.OVERLOAD
    assert seen[-1].attended.queue < 50
    assert any("patterns over iterations" in said for said in life.said)


def test_a_focus_is_summarised_before_it_moves_and_comes_back(life: Mulling) -> None:
    for name in ("book", "mail"):
        life.concern(name, text=f"All about {name}.")
    life.focus("book")
    life.push("a page", source="book")
    life.live(1)
    life.clock.pass_time(60)
    life.focus("mail")
    with life.open() as store:
        (left,) = reflection.list_(store, agent=AGENT)
    assert (left.origin, left.tags) == ("program", ("focus", "concern:book"))
    assert "1 iteration, cycles 1 to 1: 1 done" in left.text
    life.focus("book")
    with life.open() as store:
        note = note_verbs.get(store, agent=AGENT, key=concerns.FOCUS_NOTE)
    assert note.value == f"Your focus is book. All about book.\nHow you left it: {left.text}"


def test_a_concern_gets_its_turn_after_idle_time_once(life: Mulling) -> None:
    life.concern("tidy", text="Tidy up.", trigger=ConcernTrigger(idle_seconds=300))
    life.push("Hello")
    life.live(1)
    (turn,) = life.live(1)
    (event,) = turn.attended.events
    found = life.rows(f"SELECT source, text, body FROM event WHERE id = '{event}'")
    assert found == [("attention", "It is time for tidy. Tidy up.", '{"concern":"tidy"}')]
    assert turn.attended.concern == "tidy"
    assert life.value("SELECT count(*) FROM event WHERE source = 'attention'") == 1


def test_a_concern_gets_its_turn_every_so_many_iterations(life: Mulling) -> None:
    life.modes = ModeRules(most={LoopMode.NORMAL: 1})
    life.concern("tidy", share=0.5, trigger=ConcernTrigger(every=4))
    life.push(*["Hello"] * 12)
    had = [one.attended.concern for one in life.live(12)]
    assert had.count("tidy") >= 2


def test_a_day_says_what_the_agent_is_good_at(life: Mulling) -> None:
    failing(life, events=6)
    life.live(6)
    with life.open() as store:
        made = reflect.day(store, life.clock, life.chance, agent=AGENT)
        assert "I struggle with pure." in made.text
        with pytest.raises(NothingToDoError):
            reflect.day(store, life.clock, life.chance, agent=AGENT)


@each_row(
    ("mode", "asked", "follows", "queue", "expected"),
    [
        (LoopMode.NORMAL, Adjustments(), LoopMode.SLEEP, 1, LoopMode.SLEEP),
        (LoopMode.NORMAL, Adjustments(dwell_until=9), LoopMode.EXPLORATION, 1, None),
        (
            LoopMode.NORMAL,
            Adjustments(dwell_until=5),
            LoopMode.EXPLORATION,
            1,
            LoopMode.EXPLORATION,
        ),
        (LoopMode.NORMAL, Adjustments(dwell_until=9), LoopMode.SLEEP, 0, LoopMode.SLEEP),
        (LoopMode.NORMAL, Adjustments(dwell_until=9), LoopMode.OVERLOAD, 1, LoopMode.OVERLOAD),
        (LoopMode.NORMAL, Adjustments(mode=LoopMode.OVERLOAD), None, 1, LoopMode.OVERLOAD),
        (LoopMode.OVERLOAD, Adjustments(mode=LoopMode.OVERLOAD), LoopMode.NORMAL, 1, None),
        (
            LoopMode.OVERLOAD,
            Adjustments(mode=LoopMode.OVERLOAD),
            LoopMode.NORMAL,
            0,
            LoopMode.NORMAL,
        ),
        (
            LoopMode.RECOVERY,
            Adjustments(mode=LoopMode.OVERLOAD),
            LoopMode.NORMAL,
            1,
            LoopMode.NORMAL,
        ),
    ],
)
def test_patterns_bear_on_the_mode_while_something_waits(
    mode: LoopMode,
    asked: Adjustments,
    follows: LoopMode | None,
    queue: int,
    expected: LoopMode | None,
) -> None:
    seen = Attended(agent="ava", at="", mode=mode, concern="others", queue=queue)
    change = None if follows is None else ModeShift(follows, "as ever")
    found = adjusted(mode, change, asked, seen, iteration=5)
    assert (found and found.after) == expected


def test_ten_thousand_waiting_events_are_not_all_read(life: Mulling) -> None:
    """Of what waits only the first events of each priority are read, however many there are."""
    from mindpipe.inbox.verbs import inbox
    from mindpipe.workers.records import Checkpoint

    for priority in range(1, 5):
        life.push(*["words"] * 300, priority=priority)
    with life.open() as store:
        seen = inbox.glimpse(
            store, life.clock, agent=AGENT, limit=concern.GLIMPSED, window=concern.WINDOW
        )
        session = Checkpoint(agent=AGENT, at=life.clock.now())
        found = concern.attend(
            store, life.clock, agent=AGENT, session=session, limits=AttentionRules()
        )
    assert (len(seen), found.queue) == (4 * concern.GLIMPSED, 1200)
