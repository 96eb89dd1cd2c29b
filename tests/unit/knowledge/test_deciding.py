"""Claims weighed against what is held: what supports, refines, replaces, contradicts, ends it."""

import itertools
from collections.abc import Sequence

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.knowledge.audit import faults_of
from mindpipe.knowledge.confidence import WINDOWS, trust_of
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.authority import authority_of, standing_in_words
from mindpipe.knowledge.deciding.beliefs import Beliefs
from mindpipe.knowledge.deciding.consolidation import (
    RememberedClaims,
    claims_by_subject,
    mark_after,
    shared_out,
    weigh,
)
from mindpipe.knowledge.deciding.files import Consolidation, consolidated
from mindpipe.knowledge.deciding.files import given as judged
from mindpipe.knowledge.deciding.slots import compare
from mindpipe.knowledge.deciding.weights import new_weight, old_weight
from mindpipe.knowledge.keys import SLOTS
from mindpipe.knowledge.records import BeliefStatus, Evidence, GivenVerdict, Observation
from mindpipe.memory.records import Entity, Item, Lesson, Reflection, Relation
from support.draws import tries
from support.sayings import NOW, TERMS, after, calls, held, said
from support.tables import each_row


def marked(outcome: Consolidation) -> list[tuple[str, str, str]]:
    """Return the marks."""
    return [(one.relation, one.old, one.new) for one in outcome.marks]


def test_what_is_said_again_supports() -> None:
    found = after("I live in Porto.", "Yes, I live in Porto.")
    (one,) = found.observations
    assert (calls(found), one.components.source_count) == (["corroborate"], 2)
    assert marked(found) == []


def test_a_denial_names_what_is_held_by_its_kind_or_by_the_last_of_its_words() -> None:
    animal = after("I have a dog, Rex.", "Rex isn't a dog, he's a cat")
    kin = after("My sister is Ina.", "My brother is Bo.", "I don't have a brother")
    bike = after("I have a red bike.", "I don't have a bike")
    both = after("I have a red bike.", "I have a blue bike.", "I sold my bike")
    assert held(animal) == {"pet.rex": "Rex (cat)"}
    assert held(kin) == {"relation.sister_ina": "Ina", "relation.brother_bo": "not Bo"}
    assert held(bike) == {"owns.red_bike": "not red bike"}
    assert held(both) == {}  # one of the two is gone, and nobody knows which


def test_two_who_are_named_by_one_source_that_nobody_vouches_for_contradict_nobody() -> None:
    items = [
        said(1, text, id=name, speaker=None, claimed_speaker=name, sources=["web"])
        for name, text in (("Bea", "I live in Rome."), ("Ada", "I live in Oslo."))
    ]
    claims = claims_by_subject(RememberedClaims(items=items))
    assert [one.summary for found in claims.values() for one in found] == [
        "Somebody who says it is Ada (web) lives in Oslo.",
        "Somebody who says it is Bea (web) lives in Rome.",
    ]


def test_what_somebody_never_said_is_in_doubt() -> None:
    found = after("I'm vegan.", "I live in Hull.", "I never said I was vegan, my sister is.")
    assert held(found) == {"residence": "Hull"}


@each_row(
    ("text", "home"),
    [
        ("I said I live in Hull, but that was wrong.", {}),
        ("I told you I live in Hull. That was a lie.", {}),
        ("You remembered that I live in Hull, which is wrong.", {}),
        ("I told you I live in Hull, and that it is cold.", {"residence": "Hull"}),
    ],
)
def test_what_somebody_once_said_and_calls_wrong_is_in_doubt(
    text: str, home: dict[str, str]
) -> None:
    assert held(after("I live in Hull.", text)) == home


def test_of_several_budgets_the_one_that_its_speaker_told_of_is_changed() -> None:
    items = [
        said(1, "The budget of Vega is 10,000 euros."),
        said(2, "The budget of Lyra is 20,000 euros.", speaker="Tom"),
        said(3, "The budget went up to 30,000 euros.", speaker="Tom"),
    ]
    found = consolidated([], RememberedClaims(items=items), TERMS).observations
    active = {one.value for one in found if one.status is BeliefStatus.ACTIVE}
    assert active == {"10,000 euros", "30,000 euros"}


def test_a_pronoun_turns_the_one_taste_that_is_held_and_named_before_it() -> None:
    apology = "There is one on ships. I owe the podcasts an apology. I like them now"
    found = after("I can't stand podcasts.", "I hate sushi.", apology)
    assert (calls(found), held(found)) == (
        ["supersede"],
        {"taste.podcast": "podcasts", "taste.sushi": "not sushi"},
    )
    both = after("I can't stand podcasts.", "I hate sushi.", "podcasts, sushi. I like them now")
    none = after("I can't stand podcasts.", "The weather is fine. I like it now")
    office = (
        "My boss drinks coffee all day. Yesterday she brought a dog to the office. I love it now."
    )
    others = after("I hate coffee.", "I hate dogs.", office)
    beside = after("I hate dogs.", "I tried sushi with my dog. I love it now.")
    other = after("I hate coffee.", "I tried coffee ice cream. I love it now.")
    again = after("I hate coffee.", "I tried coffee again. I love it now.")
    assert calls(both) == calls(none) == calls(others) == calls(beside) == calls(other) == []
    assert calls(again) == ["supersede"]
    assert "taste.mentioned" not in held(both) | held(none)


def test_who_is_on_holiday_is_so_for_two_weeks_or_until_the_day_he_names() -> None:
    named = after("I'm on holiday until 20 May.").observations[0]
    (open_ended,) = after("I'm on holiday.").observations
    assert (named.slot, named.value, (named.valid_to or "")[:10]) == (
        *("state.away", "on holiday"),
        "2026-05-21",
    )
    assert (open_ended.valid_to or "")[:10] == "2026-05-15"
    assert held(after("I'm on holiday.", "I'm back from holiday.")) == {}


def test_what_is_said_more_exactly_refines_and_keeps_its_support() -> None:
    found = after("I live in Porto.", "I live in Ribeira, Porto.", "I live in Porto.")
    assert (calls(found), held(found)) == (
        ["refine", "corroborate"],
        {"residence": "Ribeira, Porto"},
    )
    before, now = found.observations
    assert (before.status, now.supersedes_observation_id) == (BeliefStatus.SUPERSEDED, before.id)
    assert [one.ref for one in now.evidence] == ["it_1", "it_2", "it_3"]
    assert marked(found) == []


DENIED = (
    ("I live in Porto.", "No, I don't live in Porto.", "residence", "not Porto"),
    ("I live in Porto.", "I no longer live in Porto.", "residence", "not Porto"),
    ("I work at Nordlicht.", "I don't work at Nordlicht.", "workplace", "not Nordlicht"),
    ("I work at Nordlicht.", "I lost my job.", "workplace", "not Nordlicht"),
    ("I enjoy cold soup.", "I can't stand cold soup.", "taste.cold_soup", "not cold soup"),
)


@each_row(("first", "then", "slot", "value"), DENIED)
def test_a_denial_or_an_end_takes_the_place_of_what_it_denies(
    first: str, then: str, slot: str, value: str
) -> None:
    found = after(first, then)
    assert (calls(found), held(found)) == (["supersede"], {slot: value})
    assert marked(found) == [("supersedes", "it_1", "it_2")]


@each_row(
    ("texts", "home"),
    [
        (("I don't live in Porto.",), "not Porto"),
        (("I live in Bergen.", "I don't live in Porto."), "Bergen"),
        (("I don't live in Porto.", "I live in Bergen."), "Bergen"),
    ],
)
def test_a_denial_says_nothing_against_another_value(texts: tuple[str, ...], home: str) -> None:
    assert held(after(*texts)) == {"residence": home}


@each_row(
    ("texts", "found"),
    [
        (("I lost my job.",), {}),
        (("I'm a nurse.", "I lost my job."), {"job": "not nurse"}),
        (("I'm a nurse.", "I lost my job.", "I quit my job."), {"job": "not nurse"}),
        (("I lost my job.", "I'm a nurse."), {"job": "nurse"}),
        (("I'm a nurse.", "I lost my job.", "I work as a cook."), {"job": "cook"}),
    ],
)
def test_what_ends_without_a_name_ends_what_is_held(
    texts: tuple[str, ...], found: dict[str, str]
) -> None:
    assert held(after(*texts)) == found


@each_row(
    ("text", "home"),
    [
        ("I don't live in Porto, I live in Bergen.", "Bergen"),
        ("I live in Bergen, I don't live in Porto.", "Bergen"),
    ],
)
def test_of_one_breath_what_is_so_is_held(text: str, home: str) -> None:
    assert held(after("I live in Porto.", text)) == {"residence": home}


@each_row(
    ("texts", "slot"),
    [
        (("I'm vegan.", "the vegan thing is over"), "diet"),
        (("I'm vegan.", "not vegan any more, told you"), "diet"),
        (("We adopted a cat called Pretzel.", "Pretzel is gone"), "pet.pretzel"),
        (("I own a red bike.", "the bike is scrap"), "owns.red_bike"),
        (("I work in a bakery.", "quit the bakery"), "workplace"),
    ],
)
def test_what_is_said_to_be_over_ends_whatever_is_held_of_it(
    texts: tuple[str, ...], slot: str
) -> None:
    outcome = after(*texts)
    assert not held(after(texts[0])).get(slot, "not").startswith("not")
    assert held(outcome).get(slot, "not").startswith("not")
    assert all(one.slot != "ending" for one in after(texts[1]).observations)


def test_a_home_told_of_just_now_is_the_one_that_is_moved_to() -> None:
    outcome = after("I've taken a flat in Kiel.", "All moved in.")
    assert held(outcome) == {"residence": "Kiel"}
    at = "2026-01-02T10:00:00Z"
    long_ago = said(1, "I live in Kiel.", at=at, learnt=at)
    items = [long_ago, said(2, "All moved in.")]
    outcome = consolidated([], RememberedClaims(items=items), TERMS)
    assert held(outcome) == {"residence": "not Kiel"}


def test_who_is_retired_works_nowhere_and_is_told_to_be_so() -> None:
    outcome = after("I work at Bosch.", "I'm retired.", "I no longer drink coffee.")
    found = [one for one in outcome.observations if one.status is BeliefStatus.ACTIVE]
    assert {one.value for one in found} >= {"retired", "not Bosch", "not coffee"}
    told = {one.summary for one in found}
    assert told >= {"Mara is retired.", "Mara does not drink coffee."}


def test_what_fills_a_day_of_the_week_takes_the_place_of_what_did() -> None:
    outcome = after("My Sunday routine is brunch.", "My Sunday routine will be walks.", "I quit it")
    assert held(outcome) == {"routine.sunday": "walks"}
    assert held(after("I go running every day.", "I gave up running")) == {
        "routine.running": "not running"
    }


def test_a_move_replaces_what_was_held_and_marks_what_it_stood_on() -> None:
    found = after("I live in Porto.", "I live in Porto.", "I've moved to Bergen.")
    assert held(found) == {"residence": "Bergen"}
    before, now = found.observations
    assert (before.valid_to, now.valid_from) == (("2026-05-03T10:00:00Z",) * 2)
    assert marked(found) == [("supersedes", "it_1", "it_3"), ("supersedes", "it_2", "it_3")]
    assert [(one.ref, one.stance) for one in before.evidence][-1] == ("it_3", "contradict")


BRIEF, LONG = "I respond best to short answers.", "I respond best to long letters."


def test_the_decision_says_by_which_weights_it_was_made() -> None:
    found = after("I prefer loose leaf tea.", BRIEF, LONG)
    (one,) = found.decisions
    assert (one.call, one.new_weight, one.margin) == ("contradict", 1.0, 0.25)
    assert 0.9 < one.old_weight < 1.0
    told = (one.old_value, one.new_value, one.evidence)
    assert told == ("short answers", "long letters", ("it_3",))


def test_below_the_margin_the_older_stays_and_is_contested_until_more_is_said() -> None:
    found = after(BRIEF, LONG)
    (one,) = found.observations
    status = BeliefStatus.ACTIVE
    assert (one.value, one.contested, one.status) == ("short answers", True, status)
    assert marked(found) == [("contradicts", "it_1", "it_2")]
    again = after(BRIEF, LONG, LONG)
    assert calls(again) == ["contradict", "supersede"]
    assert held(again) == {"communication_style": "long letters"}
    assert again.observations[-1].components.source_count == 2


def test_ones_own_later_word_on_ones_taste_is_right_however_soon_it_comes() -> None:
    tea = after("My favourite tea is oolong.", "My favorite tea is sencha now.")
    assert (calls(tea), held(tea)) == (["supersede"], {"favourite.tea": "sencha"})
    color = after("my favorite color is green", "my favourite colour is blue")
    assert held(color) == {"favourite.colour": "blue"}
    sister = after("My sister's name is Ana.", "my sister isn't called Ana, it's Anna")
    assert held(sister)["relation.sister_anna"] == "Anna"
    assert held(sister)["relation.sister_ana"] == "not Ana"
    assert [one.summary for one in sister.observations][-1] == "Ana is not Mara's sister."
    others = after("My favourite tea is oolong.")
    heard = [said(9, "Mara's favourite tea is sencha.", speaker="Ben")]
    more = consolidated(others.observations, RememberedClaims(items=heard), TERMS)
    assert held(more) == {"favourite.tea": "oolong"}


def test_who_calls_a_name_wrong_and_says_the_right_one_replaces_it() -> None:
    wrong = "my husband isn't called Tomek, it's Tomasz, Tomek is the short form"
    for texts in (("My husband is Tomek.", wrong), (wrong,)):
        assert held(after(*texts)) == {"partner": "Tomasz"}
    assert held(after("I don't live in Graz, it's Linz")) == {"residence": "Linz"}
    assert held(after("I don't live in Graz, it's cold there")) == {"residence": "not Graz"}


def test_who_eats_meat_again_lives_on_plants_no_more() -> None:
    again = after("I'm vegetarian", "I eat meat again")
    assert held(again) == {"eats.meat": "meat", "diet": "not vegetarian"}
    assert held(after("I'm vegan", "I drink coffee again"))["diet"] == "vegan"


def test_who_left_one_place_and_is_at_another_works_there() -> None:
    texts = ("I work at Siemens", "I left Siemens, I'm at Bosch now")
    assert held(after(*texts)) == {"workplace": "Bosch"}
    home = after("I work at Siemens", "I left Siemens, I'm at home now")
    assert held(home) == {"workplace": "not Siemens"}


def test_what_was_true_before_changes_nothing_that_is_held() -> None:
    items = [said(5, "I live in Porto."), said(2, "I live in Bergen.")]
    first = consolidated([], RememberedClaims(items=items[:1]), TERMS)
    found = consolidated(first.observations, RememberedClaims(items=items[1:]), TERMS)
    (one,) = found.observations
    assert (one.value, one.contested, calls(found)) == ("Porto", False, [])
    assert [piece.stance for piece in one.evidence] == ["context", "support"]


NEWER = (
    (
        "My bird list for the lagoon has 45 species so far.",
        "The bird list for the lagoon has now reached 52 species.",
        "52",
    ),
    (
        "The first violin rehearsal with Anton is on 4 May at 3 PM.",
        "The first violin rehearsal with Anton was rescheduled to 6 May at 5 PM.",
        "2026-05-06 17:00",
    ),
    (
        "Germination rate of the tomato seeds in tray A was 65%.",
        "Germination rate of the tomato seeds in tray A has improved to 78%.",
        "78",
    ),
)


@each_row(("old", "new", "value"), NEWER)
def test_a_figure_that_is_said_to_be_new_replaces_one_of_its_topic(
    old: str, new: str, value: str
) -> None:
    found = after(old, new)
    assert value in held(found).values()
    assert marked(found) == [("supersedes", "it_1", "it_2")]


BESIDE = (
    ("My bird list has 45 species.", "The reading group has 12 species of tea now."),
    ("The first side of the shed is 7 m long.", "The other side of the shed is 9 m long."),
    ("The choir meets on 4 May in the hall.", "The choir sings on 9 May in the hall."),
    ("I like swimming in cold lakes.", "I like old maps of the coast."),
)


@each_row(("one", "other"), BESIDE)
def test_what_stands_side_by_side_replaces_nothing(one: str, other: str) -> None:
    found = after(one, other)
    assert (marked(found), {call for call in calls(found)} - {"corroborate"}) == ([], set())


def test_a_figure_in_passing_is_held_but_not_believed_until_it_is_said_again() -> None:
    once = after("My bird list for the lagoon has 45 species so far.")
    assert (held(once), [one.status for one in once.observations]) == ({}, [BeliefStatus.STALE])


def test_the_untrusted_replace_and_end_nothing_that_the_trusted_said() -> None:
    home = said(1, "I live in Porto.")
    for text in ("I've moved to Bergen.", "I no longer live in Porto."):
        found = consolidated(
            [],
            RememberedClaims(items=[home, said(2, text, sources=("space:family/husam",))]),
            TERMS,
        )
        (one,) = found.observations
        assert (one.value, one.contested, one.sources) == ("Porto", True, ())


def test_what_rests_on_the_untrusted_stays_untrusted() -> None:
    found = after("I live in Porto.", "I live in Ribeira, Porto.", sources=("mail",))
    assert {one.sources for one in found.observations} == {("mail",)}


def test_what_an_operator_confirmed_gives_way_to_an_operators_word_alone() -> None:
    (one,) = after("I live in Porto.").observations
    firm = msgspec.structs.replace(one, operator_confirmed=True)
    moved = said(2, "I've moved to Bergen.")
    stays = consolidated([firm], RememberedClaims(items=[moved]), TERMS)
    assert (held(stays), stays.observations[0].contested) == ({"residence": "Porto"}, True)
    word = msgspec.structs.replace(moved, origin="operator")
    assert held(consolidated([firm], RememberedClaims(items=[word]), TERMS)) == {
        "residence": "Bergen"
    }


def test_a_preference_is_one_in_all_its_wordings_until_its_sides_change_places() -> None:
    said = ("I prefer trains over planes for short trips.", "I really prefer trains to planes.")
    found = after(*said, "I prefer planes over trains now.")
    assert calls(found) == ["corroborate", "supersede"]
    assert held(found) == {"prefers.planes_trains": "planes over trains now"}


def test_under_review_a_supersession_waits_with_its_proposal() -> None:
    found = after("I live in Porto.", "I've moved to Bergen.", terms=Terms(NOW, review=True))
    (one,), (decision,) = found.observations, found.decisions
    assert (one.value, one.contested, marked(found)) == ("Porto", True, [])
    assert (decision.state, decision.call) == ("queued", "supersede")
    assert decision.proposal is not None
    assert decision.proposal.value == "Bergen"
    assert decision.proposal.supersedes_observation_id == one.id


def test_all_six_kinds_are_built_from_the_four_substrates() -> None:
    at = "2026-05-01T10:00:00Z"
    remembered = RememberedClaims(
        items=[
            said(1, "I live in Porto. I prefer trains over planes. We run Redwood 7.2.1 here."),
            said(2, "Larkspur is now in beta."),
        ],
        lessons=[Lesson(id="ls_1", text="Back up before upgrading.", learnt=at)],
        reflections=[Reflection(id="rf_1", text="I tend to hurry.", since=at, until=at, learnt=at)],
        entities=[
            Entity(
                id="ines", name="Ines", relations=(Relation(type="sister", to="mara"),), learnt=at
            )
        ],
    )
    found = consolidated([], remembered, TERMS)
    assert {one.kind for one in found.observations} == set(SLOTS)
    assert {piece.source for one in found.observations for piece in one.evidence} == {
        "memory_item",
        "lesson",
        "reflection",
        "entity",
    }
    assert [fault for one in found.observations for fault in faults_of(one, slots=SLOTS)] == []


LINES = (
    "I live in Porto.",
    "I've moved to Bergen.",
    "I no longer live in Bergen.",
    "My favourite tea is oolong.",
    "My favourite tea is sencha.",
    "The bird list for the lagoon has 45 species.",
    "The bird list for the lagoon has now reached 52 species.",
    "We run Redwood 7.2 here.",
    "We run Redwood 7.2.1 here.",
    "My Sunday routine is a swim.",
    "My Sunday routine will be the sauna.",
)


@settings(max_examples=tries(60), deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=12), st.integers(0, 12))
def test_reading_in_parts_or_twice_is_reading_at_once(texts: Sequence[str], cut: int) -> None:
    items = [said(day, text) for day, text in enumerate(texts, 1)]
    whole = consolidated([], RememberedClaims(items=items), TERMS)
    first = consolidated([], RememberedClaims(items=items[:cut]), TERMS)
    then = consolidated(first.observations, RememberedClaims(items=items[cut:]), TERMS)

    def sorted_by_id(found: Sequence[Observation]) -> list[Observation]:
        return sorted(found, key=lambda one: one.id)

    assert sorted_by_id(then.observations) == sorted_by_id(whole.observations)
    again = consolidated(whole.observations, RememberedClaims(items=items), TERMS)
    assert again.observations == whole.observations
    assert (again.decisions, again.marks) == ([], [])
    active = [one.canonical_key for one in whole.observations if one.status is BeliefStatus.ACTIVE]
    assert len(active) == len(set(active))
    assert [fault for one in whole.observations for fault in faults_of(one, slots=SLOTS)] == []


VALUES = (
    ("residence", "Porto", "Ribeira, Porto", "finer"),
    ("residence", "Ribeira, Porto", "Porto", "coarser"),
    ("residence", "Porto", "Bergen", "other"),
    ("version", "3.11", "3.11.2", "finer"),
    ("version", "3.11", "3.12", "other"),
    ("date", "2026-05-04", "2026-05-04 15:00", "finer"),
    ("date", "2026-05-04 15:00", "2026-05-04 16:00", "other"),
    ("count", "12", "12", "same"),
    ("count", "12", "120", "other"),
    ("taste", "long walks by the sea", "walks by the sea", "same"),
    ("shoe_size", "42", "43", "other"),
    ("blood_type", "O negative", "A negative", "other"),
    ("database", "PostgreSQL", "PostgreSQL 16", "finer"),
)


@each_row(("word", "old", "new", "expected"), VALUES)
def test_values_are_compared_by_what_their_slot_holds(
    word: str, old: str, new: str, expected: str
) -> None:
    assert compare(word, old=old, new=new) == expected


def test_old_evidence_loses_weight_and_words_of_change_add_some() -> None:
    one = Evidence(source="memory_item", ref="it_1", stance="support", at=NOW, learnt=NOW)
    assert [new_weight([one], change=change) for change in (0, 1, 2, 9)] == [1.0, 1.5, 2.0, 2.0]
    later = "2026-08-30T00:00:00Z"
    assert old_weight([one], kind="world_fact", at=later, windows=WINDOWS) == 0.5
    assert old_weight([], kind="world_fact", at=later, windows=WINDOWS) == 0.0


def test_no_subject_waits_for_the_flood_of_another() -> None:
    unread = [*((number, "loud") for number in range(100)), (100, "shy"), (101, "quiet")]
    assert shared_out(unread, limit=6) == (0, 1, 2, 3, 100, 101)
    assert shared_out(unread, limit=200) == tuple(range(102))


def test_the_mark_moves_over_what_was_read_without_a_gap() -> None:
    assert mark_after(4, [5, 7, 9, 12], frozenset({5, 7, 12})) == 7
    assert mark_after(4, [5, 7], frozenset({7})) == 4


def test_verdicts_mark_each_old_item_with_each_new_one() -> None:
    verdict = GivenVerdict(relation="supersedes", old=("a", "b"), new=("c",), reason="corrected")
    found = judged([verdict], {"a", "b", "c"}, now=NOW, source="v")
    assert [(one.old, one.new, one.by) for one in found.marks] == [
        ("a", "c", "verdict"),
        ("b", "c", "verdict"),
    ]
    (decision,) = found.decisions
    assert (decision.call, decision.evidence, decision.why) == (
        "supersede",
        ("a", "b", "c"),
        "corrected",
    )


def test_verdicts_on_items_of_a_conversation_find_them_by_it() -> None:
    verdict = GivenVerdict(relation="contradicts", old=("1",), new=("2",), conversation="7")
    found = judged([verdict], {"7/1", "7/2"}, now=NOW, source="v")
    assert [(one.old, one.new) for one in found.marks] == [("7/1", "7/2")]


def test_a_verdict_on_unknown_items_is_a_fault_with_its_line() -> None:
    verdicts = [
        GivenVerdict(relation="supersedes", old=("a",), new=("b",)),
        GivenVerdict(relation="supersedes", old=(), new=("x",)),
        GivenVerdict(relation="supersedes", old=("a",), new=("a",)),
    ]
    found = judged(verdicts, {"a", "b"}, now=NOW, source="v")
    assert [one.line_of_text() for one in found.problems] == [
        "v:2: $.old names no item",
        'v:2: $.new: there is no item "x"',
        "v:3: $.new: names what $.old names; no item stands against itself",
    ]
    assert len(found.marks) == 1


def test_a_thousand_words_for_one_belief_are_counted_one_by_one() -> None:
    at = "2026-05-01T10:00:00Z"
    items = [
        Item(id=f"it_{number}", text="I live in Porto.", at=at, learnt=at, speaker="Mara")
        for number in range(1000)
    ]
    (one,) = consolidated([], RememberedClaims(items=items), TERMS).observations
    assert (one.components.source_count, one.components.support_weight) == (1000, 1000.0)
    assert len(set(itertools.chain(piece.ref for piece in one.evidence))) == 1000


def of_ada(
    *relations: Relation, profile: str = "Ada keeps bees.", version: int = 1
) -> RememberedClaims:
    """Return what is known of Ada in a version of hers."""
    learnt = f"2026-05-{version:02}T10:00:00Z"
    ada = Entity(id="ada", name="Ada", profile=profile, relations=relations, learnt=learnt)
    return RememberedClaims(entities=[ada])


def lived_through(*versions: RememberedClaims) -> list[Consolidation]:
    """Return what comes of each version of an entity, read one after the other."""
    outcomes = [consolidated([], versions[0], TERMS)]
    for one in versions[1:]:
        outcomes.append(consolidated(outcomes[-1].observations, one, TERMS))
    return outcomes


def test_what_is_said_anew_of_an_entity_takes_the_place_of_what_was_said_before() -> None:
    began, left = "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"
    bob = Relation(type="manager", to="bob", since=began)
    gone = msgspec.structs.replace(bob, until=left)
    carl = Relation(type="manager", to="carl", since=left)
    eve = Relation(type="friend", to="eve")
    first, moved, read_again, ended = lived_through(
        of_ada(bob, eve),
        of_ada(bob, eve, carl, profile="Ada builds boats.", version=2),
        of_ada(bob, eve, carl, profile="Ada builds boats.", version=3),
        of_ada(gone, msgspec.structs.replace(eve, until=left), carl, version=4),
    )
    assert held(first)["manager"] == "bob"
    assert held(moved) == {
        "manager": "carl",
        "relation.friend_eve": "eve",
        "definition": "Ada builds boats.",
    }
    assert calls(read_again) == []
    assert held(read_again) == held(moved)
    assert held(ended) == {"manager": "carl", "definition": "Ada keeps bees."}


def test_what_was_refuted_of_an_entity_is_not_believed_again_for_being_read_again() -> None:
    bob = Relation(type="manager", to="bob")
    (first,) = lived_through(of_ada(bob))
    refuted = [
        msgspec.structs.replace(one, status=BeliefStatus.INVALIDATED, ended=NOW)
        for one in first.observations
    ]
    eve = Relation(type="friend", to="eve")
    again = consolidated(refuted, of_ada(bob, eve, version=2), TERMS)
    assert held(again) == {"relation.friend_eve": "eve"}


def test_an_edge_says_nothing_beside_the_items_it_was_made_from() -> None:
    item = said(1, "My sister Lena is a nurse.", speaker="Ada")
    edge = Relation(type="sister", to="Lena", items=(item.id,))
    alone = msgspec.structs.replace(edge, items=())
    for relation, sources in ((edge, 1), (alone, 2)):
        remembered = of_ada(relation)._replace(items=[item])
        found = consolidated([], remembered, TERMS)
        one = next(one for one in found.observations if one.slot.startswith("relation"))
        assert (one.components.source_count, one.components.source_diversity) == (sources, sources)
        assert calls(found) == ["corroborate"] * (sources - 1)


@each_row("over", ["We broke up, Lena and I.", "Lena isn't my partner."])
def test_an_end_stays_an_end_when_a_later_version_of_the_entity_is_read(over: str) -> None:
    items = [said(1, "My girlfriend is Lena.", speaker="Ada"), said(2, over, speaker="Ada")]
    edge = Relation(type="partner", to="lena", items=(items[0].id,))
    known: list[Observation] = []
    told = (items[:1], items[1:], [said(3, "My boss is Katrin.", speaker="Ada")])
    for version, more in enumerate(told, 10):
        remembered = of_ada(edge, version=version)._replace(items=more)
        known = list(consolidated(known, remembered, TERMS).observations)
    held = [one.summary for one in known if one.status is BeliefStatus.ACTIVE]
    assert [one for one in held if "partner" in one] in (
        ["Lena is no longer Ada's partner."],
        ["Lena is not Ada's partner."],
    )


@each_row(
    ("told", "left"),
    [
        ("My wife is Petra.", "Petra is no longer mara's partner."),
        ("My dog is called Petra.", "mara no longer has Petra (dog)."),
        ("My sister is called Petra.", "Petra is mara's sister."),
    ],
)
def test_who_died_is_whoever_had_the_name(told: str, left: str) -> None:
    remembered = RememberedClaims(items=[said(1, told), said(9, "Petra died.")])
    found = consolidated([], remembered, TERMS).observations
    held = [one.summary for one in found if one.status is BeliefStatus.ACTIVE]
    assert left.casefold() in [one.casefold() for one in held]


def test_an_edge_that_another_alone_told_begins_nothing_of_who_speaks_here() -> None:
    told = said(1, "Ada's sister is called Lena.", speaker="Bob")
    own = said(2, "Tea, please.", speaker="Ada")
    remembered = of_ada(Relation(type="sister", to="Lena", items=(told.id,)))
    for items, many in (([told], 1), ([told, own], 0)):
        found = consolidated([], remembered._replace(items=items), TERMS)
        slots = [one.slot for one in found.observations if one.subject_id == "ada"]
        assert sum(one.startswith("relation") for one in slots) == many


def test_what_was_replaced_in_the_run_that_made_it_says_why_it_ended() -> None:
    items = [said(1, "I live in Porto."), said(2, "I moved to Bergen.")]
    beliefs = Beliefs(())
    weigh(beliefs, claims_by_subject(RememberedClaims(items=items))["mara"], TERMS)
    first, second = beliefs.changes(now=NOW, windows=WINDOWS)
    assert first.observation.status is BeliefStatus.SUPERSEDED
    assert first.why.startswith("it_2: ")
    assert second.why == first.why


MARAS_HOME = said(1, "I live in Porto.")


@each_row(
    ("text", "count", "call"),
    [
        ("Mara lives in Turin.", 1, None),
        ("Mara moved to Turin.", 1, None),
        ("Mara lives in Porto.", 2, "corroborate"),
        ("Mara lives in Ribeira, Porto.", 2, "corroborate"),
    ],
)
def test_hearsay_supports_and_never_replaces_what_somebody_said_of_himself(
    text: str, count: int, call: str | None
) -> None:
    tom = [said(day, text, speaker="Tom") for day in range(3, 8)]
    found = consolidated([], RememberedClaims(items=[MARAS_HOME, *tom]), TERMS)
    (home,) = [one for one in found.observations if one.slot == "residence"]
    supports = [one for one in home.evidence if one.stance == "support"]
    assert (home.value, home.contested, home.status) == ("Porto", False, BeliefStatus.ACTIVE)
    assert len(supports) == (count if call is None else 6)
    assert {*calls(found)} == ({call} if call else set())


def test_ones_own_word_replaces_hearsay_however_much_it_weighs() -> None:
    own = said(6, "I moved to Porto.")
    heard = [said(day, "Mara lives in Turin.", speaker="Tom") for day in range(1, 5)]
    first = consolidated([], RememberedClaims(items=heard), TERMS)
    assert held(first) == {"residence": "Turin"}
    found = consolidated(first.observations, RememberedClaims(items=[own]), TERMS)
    assert held(found)["residence"] == "Porto"
    (supersession,) = [one for one in found.decisions if one.call == "supersede"]
    assert supersession.why == "it is one's own word against hearsay"


def test_of_somebody_who_speaks_here_nothing_begins_with_the_word_of_another() -> None:
    heard = said(1, "Mara's cat Bramble. Mara lives in Turin.", speaker="Tom")
    found = consolidated([], RememberedClaims(items=[heard, said(2, "Good morning!")]), TERMS)
    assert held(found) == {}


def test_a_name_in_a_line_whose_source_may_not_speak_for_it_is_hearsay() -> None:
    mail = said(3, "Mara lives in Turin.", speaker=None, sources=("mail",))
    found = consolidated([], RememberedClaims(items=[MARAS_HOME, mail]), TERMS)
    (home,) = [one for one in found.observations if one.slot == "residence"]
    assert (home.value, home.contested) == ("Porto", False)


@each_row(
    ("more", "trust", "authority", "words"),
    [
        ({}, 1.0, 1.0, []),
        ({"speaker": "Tom"}, 1.0, 0.5, ["another's word"]),
        ({"speaker": None}, 1.0, 1.0, []),
        ({"speaker": None, "sources": ("mail",)}, 0.5, 0.5, ["nobody vouches", "another's word"]),
        ({"origin": "operator", "speaker": "op"}, 1.0, 1.0, []),
    ],
)
def test_trust_and_authority_of_evidence(
    more: dict[str, object], trust: float, authority: float, words: list[str]
) -> None:
    link = {
        "source": "memory_item", "ref": "it_1", "stance": "support", "at": NOW, "learnt": NOW,
        "speaker": "Mara",
    }  # fmt: skip
    evidence = msgspec.convert({**link, **more}, Evidence)
    assert (trust_of(evidence), authority_of(evidence, "mara", own=True)) == (trust, authority)
    assert authority_of(evidence, "mara", own=False) == 1.0
    said = standing_in_words(evidence, "mara", own=True).split("; ") if words else []
    assert [
        one.partition(":")[0][: len(word)] for one, word in zip(said, words, strict=True)
    ] == words
    assert bool(standing_in_words(evidence, "mara", own=True)) is bool(words)


def reflected(text: str, *items: str) -> Reflection:
    return Reflection(
        id="rf_1", text=text, since=NOW, until=NOW, learnt=NOW, items=items, origin="human"
    )


@each_row(
    ("reflection", "sources"),
    [
        (reflected("Mara lives in Porto."), 2),
        (reflected("Mara lives in Porto.", "it_1"), 1),
        (reflected("Mara lives in Turin."), 1),
        (reflected("I live in Porto."), 1),
    ],
)
def test_a_reflection_supports_what_is_so_in_the_world(
    reflection: Reflection, sources: int
) -> None:
    remembered = RememberedClaims(items=[MARAS_HOME], reflections=[reflection])
    (home,) = consolidated([], remembered, TERMS).observations
    assert (home.value, home.contested) == ("Porto", False)
    assert (home.components.source_count, home.components.source_diversity) == (sources, sources)


def test_a_profile_supports_what_it_states_of_its_entity_alone() -> None:
    profile = "Mara is a nurse. Mara lives in Porto. Tom lives in Kiel."
    mara = Entity(id="mara", name="Mara", type="person", profile=profile, learnt=NOW)
    found = consolidated([], RememberedClaims(items=[MARAS_HOME], entities=[mara]), TERMS)
    homes = {one.subject_id: one for one in found.observations if one.slot == "residence"}
    assert set(homes) == {"mara"}
    assert homes["mara"].components.source_diversity == 2
