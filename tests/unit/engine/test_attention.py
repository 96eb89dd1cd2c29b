"""What an iteration attends to: urgency, fair turns, and a name that is that of the work."""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.engine.records.attention import (
    CONSOLIDATION,
    OTHERS,
    AttentionRules,
    Concern,
    ConcernTurns,
    Relevance,
)
from mindpipe.engine.worker import attention
from mindpipe.engine.worker import attention as concerns
from mindpipe.inbox.ordering import Glimpse, ages
from support.draws import tries
from support.tables import each_row

NOW = "2026-11-21T20:00:00Z"
RULES = AttentionRules()


def concern(name: str, share: float = 0.1, *, focus: bool = False, boost: int = 0) -> Concern:
    about = Relevance(sources=(name,))
    return Concern(agent="ava", name=name, share=share, focus=focus, boost=boost, about=about)


def event(seq: int, source: str = "mail", priority: int = 3, **fields: object) -> Glimpse:
    known = {"pushed": NOW, "attempts": 0, "text": f"word {source}", "type": "service", **fields}
    return Glimpse(seq=seq, id=f"e{seq}", epoch=0, priority=priority, source=source, **known)


def picked(
    events: Iterable[Glimpse],
    standing: Iterable[Concern] = (),
    rules: AttentionRules = RULES,
    *,
    turns: Mapping[str, ConcernTurns] | None = None,
    novel: Mapping[int, float] | None = None,
    iteration: int = 1,
) -> attention.PickedConcern:
    known = list(standing)
    aged = ages(NOW, longest_wait=rules.longest_wait)
    found = attention.assess(events, known, rules, aged=aged, novel=novel or {})
    return attention.pick(found, known, turns or {}, rules, iteration=iteration)


def seqs(found: attention.PickedConcern) -> list[int]:
    return [one.seq for one in found.events]


@each_row(
    ("score", "expected"),
    [(100, 0), (99.9, 1), (20, 1), (19.9, 2), (10, 2), (9.9, 3), (-5, 3), (-5.1, 4), (-30, 4)],
)
def test_a_score_comes_to_a_priority(score: float, expected: int) -> None:
    assert attention.urgency(score) == expected


@each_row("priority", range(5))
def test_without_boosts_an_event_keeps_its_priority(priority: int) -> None:
    assert attention.urgency(attention.WORTH[priority]) == priority
    assert attention.urgency(attention.WORTH[priority] + 2.0) == priority


@each_row("priority", range(1, 5))
def test_no_boost_makes_an_emergency(priority: int) -> None:
    assert attention.urgency(attention.WORTH[priority] + 10 + 10 + 6) > 0


def test_what_the_focus_is_about_goes_before_its_equals() -> None:
    standing = [concern("book", focus=True)]
    first = picked([event(1), event(2, "book")], standing)
    assert (first.concern, seqs(first)) == ("book", [2])


def test_the_focus_adds_its_boost_to_that_of_the_concern() -> None:
    aged = ages(NOW, longest_wait=RULES.longest_wait)
    for focus, worth in ((True, RULES.primary_boost + 2), (False, 2)):
        standing = [concern("book", focus=focus, boost=2)]
        (found,) = attention.assess([event(1, "book")], standing, RULES, aged=aged, novel={})
        assert found.score == worth


@each_row(
    ("about", "fields"),
    [
        (Relevance(sources=("file:*",)), {"source": "file:notes"}),
        (Relevance(paths=("notes/*.md",)), {"path": "notes/deep/a.md"}),
        (Relevance(spaces=("family",)), {"space": "family"}),
        (Relevance(senders=("bob",)), {"sender": "bob"}),
        (Relevance(types=("plan",)), {"type": "plan"}),
        (Relevance(keywords=("Categorical imperative",)), {"text": "the categorical IMPERATIVE!"}),
        (Relevance(entities=("Kant",)), {"text": "what kant says"}),
    ],
)
def test_a_concern_is_about_what_any_of_its_rules_names(
    about: Relevance, fields: dict[str, object]
) -> None:
    mine = msgspec.structs.replace(concern("book"), about=about)
    found = event(1, **{"source": "mail", **fields})
    assert concerns.concern_of([mine], found) == "book"
    assert concerns.concern_of([mine], event(2)) == OTHERS


def test_a_word_is_a_whole_word() -> None:
    assert not concerns.has_words("cantankerous", "kant")
    assert not concerns.has_words("kantian", "kant")
    assert concerns.has_words("(kant)", "Kant")


def test_only_a_trigger_of_the_program_names_its_concern_itself() -> None:
    standing = [concern("book"), concern("mail")]
    named = event(1, "attention", concern="book", text="")
    forged = event(2, "mail", concern="book")
    assert concerns.concern_of(standing, named) == "book"
    assert concerns.concern_of(standing, forged) == "mail"


@settings(max_examples=tries(20), deadline=None)
@given(
    shares=st.lists(st.integers(1, 40), min_size=1, max_size=6),
    primary=st.sampled_from([0.3, 0.5, 0.6, 0.8]),
)
def test_shares_hold_over_a_thousand_iterations(shares: list[int], primary: float) -> None:
    """When all have work, each has its share of 1,000 turns within 2 % of all turns."""
    standing = [concern("focus", focus=True)]
    standing += [concern(f"c{at}", part / sum(shares) * 0.3) for at, part in enumerate(shares)]
    rules = AttentionRules(primary_share=primary)
    turns: dict[str, ConcernTurns] = {}
    events = [event(at, one.name) for at, one in enumerate(standing)] + [event(99, "nobody")]
    had = Counter(_live(events, standing, rules, turns, iterations=1000))
    wanted = concerns.shares(standing, rules)
    total = sum(wanted.values())
    for name, part in wanted.items():
        assert abs(had[name] / 1000 - part / total) <= 0.02, name
    assert {name: one.turns for name, one in turns.items()} == dict(had)


def test_the_name_is_always_that_of_what_was_worked_on() -> None:
    standing = [concern("focus", focus=True), concern("b"), concern("c")]
    turns: dict[str, ConcernTurns] = {}
    events = [event(at, source) for at, source in enumerate(["b", "c", "focus", "x"] * 3)]
    for iteration in range(1, 60):
        found = picked(events, standing, turns=turns, iteration=iteration)
        assert {concerns.concern_of(standing, one) for one in found.events} == {found.concern}
        _settle(turns, found, standing, RULES, iteration)


def test_a_share_that_nobody_uses_goes_to_the_others() -> None:
    standing = [concern("focus", focus=True), concern("b", 0.3), concern("c", 0.1)]
    had = Counter(_live([event(1, "b"), event(2, "c")], standing, RULES, {}, iterations=400))
    assert had == {"b": 300, "c": 100}


def test_who_was_idle_has_nothing_saved_up() -> None:
    """A concern that comes back after a long idle time does not take all turns at once."""
    standing = [concern("a", 0.45), concern("b", 0.45)]
    turns: dict[str, ConcernTurns] = {}
    list(_live([event(1, "a")], standing, RULES, turns, iterations=500))
    both = [event(1, "a"), event(2, "b")]
    had = Counter(_live(both, standing, RULES, turns, iterations=10))
    assert had == {"a": 5, "b": 5}


@each_row("priority", [0, 1])
def test_an_interrupt_goes_before_whose_turn_it_is_and_costs_no_turn(priority: int) -> None:
    standing = [concern("focus", focus=True)]
    found = picked([event(1, "focus"), event(2, "mail", priority)], standing)
    assert (found.concern, seqs(found), found.preempted) == (
        OTHERS,
        [
            2,
        ],
        True,
    )
    turns: dict[str, ConcernTurns] = {}
    _settle(turns, found, standing, RULES, 1)
    assert (turns[OTHERS].credit, turns[OTHERS].turns) == (0.0, 1)


def test_what_waited_too_long_goes_before_what_is_critical() -> None:
    late = event(1, "mail", 4, pushed="2026-11-21T18:00:00Z")
    flood = [event(seq, "pager", 1) for seq in range(2, 40)]
    assert seqs(picked([late, *flood], [concern("pager")])) == [1]
    assert seqs(picked([*flood, event(50, priority=0)], [concern("pager")])) == [50]


def test_in_overload_the_urgent_go_first_and_then_the_oldest() -> None:
    rules = AttentionRules(most=3, up_to=2)
    calm = [event(seq, priority=4 if seq == 1 else 3) for seq in range(1, 6)]
    assert seqs(picked([*calm, event(9, priority=2)], rules=rules)) == [9]
    assert seqs(picked(calm, rules=rules)) == [1, 2, 3]
    quiet = msgspec.structs.replace(rules, drains=False)
    assert picked(calm, rules=quiet).concern == CONSOLIDATION


def test_deep_focus_leaves_all_but_the_focus_and_what_is_urgent() -> None:
    rules = AttentionRules(focus_only=True)
    standing = [concern("book", focus=True)]
    assert seqs(picked([event(1), event(2, "book")], standing, rules)) == [2]
    assert seqs(picked([event(1), event(2, priority=2)], standing, rules)) == [2]
    assert picked([event(1)], standing, rules).events == ()


def test_what_is_critical_brings_nothing_along_that_its_mode_leaves() -> None:
    standing = [concern("book", focus=True)]
    focused, busy = AttentionRules(focus_only=True), AttentionRules(most=3, up_to=2)
    others = [event(1), event(2, priority=2), event(3, priority=1)]
    assert seqs(picked(others, standing, focused)) == [3, 2]
    assert seqs(picked(others, rules=busy)) == [3, 2]
    assert seqs(picked(others)) == [3, 2, 1]


def test_exploration_lets_the_new_go_first() -> None:
    rules = AttentionRules(novel_first=True, most=1)
    known, new = event(1, "feed"), event(2, "door")
    assert seqs(picked([known, new], rules=rules, novel={1: 0.1, 2: 2.0})) == [2]


def test_talk_is_never_taken_up_out_of_its_order() -> None:
    """The first words of a talk do not stay behind later ones that are newer in kind."""
    rules = AttentionRules(most=2)
    talk = [event(seq, "posts", space="family") for seq in (1, 2, 3)]
    assert seqs(picked(talk, rules=rules, novel={1: 0.0, 2: 0.5, 3: 2.0})) == [1, 2]


def test_what_was_tried_often_is_taken_up_alone() -> None:
    assert seqs(picked([event(1, attempts=2), event(2)])) == [1]
    assert seqs(picked([event(1), event(2, attempts=2), event(3)])) == [1]


def test_who_yields_lets_others_go_first_but_never_waits_alone() -> None:
    standing = [concern("stuck", 0.9), concern("b", 0.05)]
    turns = {"stuck": ConcernTurns(concern="stuck", credit=0.5, yields_until=10)}
    both = [event(1, "stuck"), event(2, "b")]
    assert picked(both, standing, turns=turns, iteration=9).concern == "b"
    assert picked(both, standing, turns=turns, iteration=10).concern == "stuck"
    assert picked(both[:1], standing, turns=turns, iteration=9).concern == "stuck"


def test_where_nothing_waits_the_time_is_for_consolidation() -> None:
    assert picked([]) == attention.PickedConcern(CONSOLIDATION, (), (), preempted=False)


def test_what_was_met_is_less_new_and_numbers_make_no_difference() -> None:
    first, again = event(1, text="Backup 17 done"), event(2, text="backup 18 DONE")
    assert attention.marks(first) == attention.marks(again)
    kind, words = attention.marks(first)
    assert attention.novelty((kind, words), {}) == 2.0
    assert attention.novelty((kind, words), {kind: 9}) == pytest.approx(1.1)
    assert attention.novelty((kind, words), {kind: 9, words: 1}) == pytest.approx(0.6)


def _live(
    events: list[Glimpse],
    standing: list[Concern],
    rules: AttentionRules,
    turns: dict[str, ConcernTurns],
    *,
    iterations: int,
) -> Iterable[str]:
    """Yield who was served in each of some iterations in which the same events wait."""
    for iteration in range(1, iterations + 1):
        found = picked(events, standing, rules, turns=turns, iteration=iteration)
        _settle(turns, found, standing, rules, iteration)
        yield found.concern


def _settle(
    turns: dict[str, ConcernTurns],
    found: attention.PickedConcern,
    standing: list[Concern],
    rules: AttentionRules,
    iteration: int,
) -> None:
    """Let turns stand as they do after an iteration."""
    after = attention.settled(
        turns,
        concerns.shares(standing, rules),
        served=found.concern,
        working=found.working,
        iteration=iteration,
    )
    turns.update({one.concern: one for one in after})
