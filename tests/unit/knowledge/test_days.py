"""Plans that wait for their day, what holds until one, ages that pass, and what takes a place."""

import msgspec

from mindpipe.knowledge.claims.of_items import claims_of_items
from mindpipe.knowledge.confidence import WINDOWS, is_doubted
from mindpipe.knowledge.deciding.applying import Terms
from mindpipe.knowledge.deciding.consolidation import RememberedClaims
from mindpipe.knowledge.deciding.files import Consolidation, consolidated
from mindpipe.knowledge.records import BeliefStatus
from mindpipe.knowledge.revision import revalidated
from mindpipe.language.strict import STRICT
from mindpipe.memory.records import Item
from support.tables import each_row


def said(day: str, text: str, speaker: str = "Mara") -> Item:
    """Return what somebody says on a day of 2026."""
    at = f"2026-{day}T10:00:00Z"
    return Item(id=f"it_{day}", text=text, at=at, learnt=at, speaker=speaker)


def run(now: str, *items: Item, known: Consolidation | None = None) -> Consolidation:
    """Return what is held on a day of 2026 after some items were read."""
    held = known.observations if known else []
    return consolidated(held, RememberedClaims(items=items), Terms(f"2026-{now}T00:00:00Z"))


def active(outcome: Consolidation) -> dict[str, str]:
    """Return the value of every slot that is believed."""
    return {
        one.slot: one.value for one in outcome.observations if one.status is BeliefStatus.ACTIVE
    }


HOME = said("03-01", "I live in Rome.")
PLAN = said("04-27", "I'm moving to Paris on 3 June.")


def test_a_plan_waits_for_its_day_and_is_not_so_by_that_alone() -> None:
    before = run("05-01", HOME, PLAN)
    assert active(before) == {"residence": "Rome"}
    (plan,) = (one for one in before.observations if one.slot == "plan.residence")
    assert (plan.value, plan.status) == ("Paris from 2026-06-03", BeliefStatus.STALE)
    assert active(run("06-02", known=before)) == {"residence": "Rome"}
    after = run("06-03", known=before)
    assert active(after) == active(run("06-09", known=after)) == {}
    home, overdue = sorted(after.observations, key=lambda one: one.slot, reverse=True)
    assert (home.value, home.status, is_doubted(home)) == ("Rome", BeliefStatus.STALE, True)
    assert (overdue.status, overdue.valid_to) == (BeliefStatus.STALE, "2026-06-03T00:00:00Z")


@each_row(
    ("text", "home"),
    [
        ("We're in!", "Paris"),
        ("I live in Paris.", "Paris"),
        ("I live in Rome.", "Rome"),
        ("I'm not moving to Paris after all. I still live in Rome.", "Rome"),
        ("I love croissants.", None),
    ],
)
def test_behind_the_day_of_a_plan_somebody_has_to_say_what_is_so(
    text: str, home: str | None
) -> None:
    overdue = run("06-03", HOME, PLAN)
    after = run("06-09", said("06-08", text), known=overdue)
    assert active(after).get("residence") == home
    assert active(run("06-09", HOME, PLAN, said("06-08", text))).get("residence") == home


def test_a_plan_of_the_next_days_is_so_when_its_day_has_come() -> None:
    soon = said("05-29", "I'm moving to Paris on 3 June.")
    after = run("06-03", known=run("05-30", HOME, soon))
    assert active(after) == {"residence": "Paris"}
    new = next(one for one in after.observations if one.value == "Paris")
    assert (new.valid_from, new.summary) == ("2026-06-03T00:00:00Z", "Mara lives in Paris.")
    assert [one.ref for one in new.evidence if one.stance == "support"] == ["it_05-29"]
    assert active(run("07-01", soon)) == {"residence": "Paris"}


def test_an_age_that_is_to_come_comes() -> None:
    assert active(run("06-09", said("03-01", "I'll be 34 in June."))) == {"age": "34"}


def test_who_counts_his_days_at_a_new_place_works_where_he_planned_to() -> None:
    work, plan = said("04-01", "I work at Lidl."), said("04-02", "I start at Nordlicht on 1 May.")
    there = said("05-04", "second week at the new office")
    assert active(run("06-01", work, plan, there)) == {"workplace": "Nordlicht"}
    assert active(run("06-01", work, there)) == {"workplace": "Lidl"}


def test_a_plan_that_was_called_off_never_is() -> None:
    before = run("05-01", HOME, PLAN)
    off = run("05-20", said("05-15", "I'm not moving to Paris after all."), known=before)
    assert active(run("06-09", known=off)) == {"residence": "Rome"}


def test_a_plan_without_a_day_replaces_nothing_and_never_comes_true_by_itself() -> None:
    some_day = said("04-28", "I'm moving to Nice!")
    told = run("05-01", HOME, some_day)
    assert active(told) == active(run("09-01", known=told)) == {"residence": "Rome"}
    (plan,) = (one for one in told.observations if one.slot == "plan.residence")
    assert (plan.value, plan.summary) == (
        "Nice from some day",
        "From some day on: Mara lives in Nice.",
    )
    moved = run("09-03", said("09-02", "I moved to Nice."), known=told)
    assert active(moved) == {"residence": "Nice"}


def test_a_plan_without_a_day_goes_by_the_day_of_the_same_and_ends_another() -> None:
    again = said("04-29", "I'm moving to Paris!")
    in_it = said("06-08", "We're in!")
    assert active(run("06-09", HOME, PLAN, again, in_it)) == {"residence": "Paris"}
    before = said("04-20", "I'm moving to Paris!")
    assert active(run("06-09", HOME, before, PLAN, in_it)) == {"residence": "Paris"}
    other = said("04-29", "We're moving to Nice instead.")
    assert active(run("06-09", HOME, PLAN, other)) == {"residence": "Rome"}


def test_the_day_of_a_plan_is_no_figure_besides() -> None:
    slots = {one.slot for one in run("05-01", PLAN).observations}
    assert slots == {"plan.residence"}


def test_what_holds_until_a_day_is_held_no_more_behind_it() -> None:
    before = run("04-01", said("03-01", "I live in Rome until 3 May."))
    assert active(before) == {"residence": "Rome"}
    after = run("05-04", known=before)
    assert active(after) == {}
    (home,) = (one for one in after.observations if one.slot == "residence")
    assert home.valid_to == "2026-05-04T00:00:00Z"


def test_an_age_is_stale_half_a_year_after_it_was_told() -> None:
    told = run("01-15", said("01-14", "I'm thirty-four, yes."))
    assert active(run("07-01", known=told)) == {"age": "34"}
    assert active(run("07-20", known=told)) == {}
    again = run("07-21", said("07-20", "I'm 35 now"), known=told)
    assert active(again) == {"age": "35"}


def test_what_takes_a_place_ends_the_one_that_had_it() -> None:
    first = said("02-22", "the doctor put me on ramipril")
    swapped = said("07-10", "so she swapped me to candesartan")
    both = {"medication.candesartan": "candesartan", "medication.ramipril": "not ramipril"}
    assert active(run("08-01", first, swapped)) == both
    named = said("07-10", "She switched me from ramipril to candesartan")
    other = said("03-01", "I take insulin")
    assert active(run("08-01", first, other, named)) == {
        "medication.candesartan": "candesartan",
        "medication.insulin": "insulin",
        "medication.ramipril": "not ramipril",
    }
    both = run("08-01", first, other, swapped)
    assert len(active(both)) == 3  # nobody knows which of two it was


def test_who_ever_spoke_here_speaks_for_himself() -> None:
    heard = said("04-05", "Rohit is Priya's brother.", speaker="Theo")
    (alone,) = claims_of_items([heard], STRICT)
    (known,) = claims_of_items([heard], STRICT, spoken=frozenset({"priya"}))
    assert (alone.begins, known.begins) == (True, False)


def test_an_end_that_names_nobody_ends_the_one_partner() -> None:
    together = said("02-01", "I'm married to Jonas.")
    assert active(run("03-01", together)) == {"partner": "Jonas"}
    assert active(run("05-01", together, said("04-01", "We split up."))) == {"partner": "not Jonas"}
    assert active(run("05-01", said("04-01", "We split up."))) == {}


def test_a_plan_that_was_called_off_does_not_come_true_however_late_it_is_read() -> None:
    told = (
        said("06-01", "I live in Hamburg."),
        said("06-02", "I'm moving to Oslo on 20 June."),
        said("06-05", "I'm not moving to Oslo after all."),
    )
    assert active(run("08-01", *told))["residence"] == "Hamburg"
    put_off = (
        said("06-01", "I work at Siemens."),
        said("06-02", "I start at Nordlicht on 20 June."),
        said("06-05", "I won't start at Nordlicht."),
    )
    assert active(run("08-01", *put_off))["workplace"] == "Siemens"


@each_row(
    "text",
    [
        "The move to Oslo is off.",
        "the move is off, the landlord changed his mind",
        "I changed my mind, I'm staying in Hamburg.",
        "Oslo fell through :(",
        "The move got postponed until autumn.",
        "The move has been put off.",
        "The move won't happen.",
        "Oslo is cancelled.",
        "I changed my mind about Oslo.",
        "We've decided to stay in Hamburg.",
        "Change of plan, I'm staying here.",
        "I've called it off.",
        "we're staying put",
    ],
)
def test_whatever_calls_a_move_off_keeps_it_from_coming_true(text: str) -> None:
    home, plan = (
        said("06-01", "I live in Hamburg."),
        said("06-02", "I'm moving to Oslo on 20 June."),
    )
    assert active(run("08-01", home, plan, said("06-05", text)))["residence"] == "Hamburg"


@each_row(
    "text",
    [
        "I turned Nordlicht down.",
        "Nordlicht cancelled my contract.",
        "I won't be starting at Nordlicht.",
        "Nordlicht took someone else.",
        "I said no to Nordlicht in the end.",
        "Nordlicht fell through.",
        "The job at Nordlicht fell through.",
        "My start date got pushed back.",
        "My start at Nordlicht is postponed to 1 September.",
    ],
)
def test_whatever_calls_a_start_off_keeps_it_from_coming_true(text: str) -> None:
    work, plan = said("06-01", "I work at Lidl."), said("06-02", "I start at Nordlicht on 20 June.")
    told = run("08-01", work, plan, said("06-05", text))
    assert active(told)["workplace"] == "Lidl"
    later = active(run("09-02", known=told)).get("workplace")
    assert later == (None if "September" in text else "Lidl")


def test_what_is_said_to_hold_longer_holds_longer() -> None:
    first = said("03-01", "I live in Rome until 3 May.")
    longer = said("04-01", "I live in Rome until 3 June.")
    assert active(run("05-20", first, longer)) == {"residence": "Rome"}
    assert active(run("06-10", first, longer)) == {}


def test_the_job_ends_with_the_workplace_only_where_neither_is_named() -> None:
    nurse = said("02-01", "I'm a nurse.")
    assert active(run("05-01", nurse, said("03-01", "I quit Siemens."))) == {
        "job": "nurse",
        "workplace": "not Siemens",
    }
    lost = active(run("05-01", nurse, said("03-01", "I lost my job.")))
    assert lost == {"job": "not nurse"}


def test_a_trade_is_doubted_where_the_work_has_ended_until_it_is_said_again() -> None:
    cook, work = said("02-01", "I'm a cook."), said("02-02", "I work at Bosch.")
    quits = said("03-01", "I quit Bosch.")
    assert "job" not in active(run("05-01", cook, work, quits))
    again = said("03-02", "I'm a cook.")
    assert active(run("05-01", cook, work, quits, again))["job"] == "cook"
    other = said("03-01", "I quit Siemens.")
    assert active(run("05-01", cook, work, other))["job"] == "cook"
    whole = run("05-01", cook, work)
    assert "job" not in active(run("05-01", quits, known=whole))


@each_row(
    ("begun", "later", "doubted"),
    [
        ("I work at Hartwig.", "Hartwig's is closing, they handed me a box", True),
        ("I take bisoprolol.", "doc wants me off the bisoprolol, my gut hurts", True),
        ("I have a dog called Rex.", "our poor old Rex has gone to the big meadow", True),
        ("I have a hamster called Fluff.", "Fluff got out and a cat got him", True),
        ("I have a cat, Tiger.", "Tiger didn't make it", True),
        ("I take bisoprolol.", "Dr Lam took the bisoprolol away again", True),
        ("I own a ThinkPad.", "that ThinkPad goes to Rashid", True),
        ("I love ferries.", "I was wrong about ferries", True),
        ("I love olives.", "the thought of olives turns my stomach", True),
        ("I love olives.", "I'm over olives", True),
        ("I take ramipril.", "My doctor swapped the ramipril for something milder", True),
        ("I have a dog called Rex.", "Rex lives with my parents now", True),
        ("I have a dog called Rex.", "we gave Rex to a farmer", True),
        ("My husband is Jo.", "Jo's sister lives with Jo and me", False),
        ("I play the cello.", "I haven't touched the cello in a year", True),
        ("I own a Volvo.", "A student bought my Volvo", True),
        ("I live in Kiel.", "we've packed up, Kiel is behind us now", True),
        ("I have asthma.", "my asthma has cleared up", True),
        ("I have asthma.", "the asthma is finally gone", True),
        ("I drive a Volvo V70.", "Finally got rid of the Volvo", True),
        ("I own a Brompton bike.", "My Brompton got stolen", True),
        ("I own a Brompton bike.", "My scooter got stolen", False),
        ("I have a dog called Rex.", "Rex isn't with us any more", True),
        ("I have a dog called Rex.", "I took Rex out for a walk", False),
        ("I love olives.", "I took the olives out of the jar", False),
        ("My husband is Jo.", "Jo isn't hungry any more", False),
        ("I live in Kiel.", "I took my sister to Kiel", False),
        ("I have a cat, Tiger.", "He died this morning", True),
        ("I have a cat, Tiger.", "My grandad was ill. He died this morning", False),
        ("I work at Hartwig.", "I almost quit Hartwig", False),
        ("I work at Hartwig.", "I left Hartwig early today", False),
        ("I work at Hartwig.", "I'm done at Hartwig for today", False),
        ("I live in Kiel.", "I left Kiel at noon", False),
        ("I work at Hartwig.", "My colleague at Hartwig was fired", False),
        ("I work at Hartwig.", "I left my keys at Hartwig", False),
        ("I live in Kiel.", "I moved my desk to Kiel", False),
        ("I live in Kiel.", "My sister left Kiel", False),
        ("I have a car.", "I tried to sell my car", False),
        ("I'm vegan.", "I almost stopped being vegan", False),
        ("My husband is Jo.", "Jo is out in the garden", False),
        ("My husband is Jo.", "Jo left for the shop early", False),
        ("I work at Hartwig.", "we sold out at Hartwig, and I am still at Hartwig", False),
        ("I work at Hartwig.", "did Hartwig's close early?", False),
        ("I work at Hartwig.", "whoever left the lights on all night is at Hartwig now", False),
        ("I love dancing.", "a film to show off the dancing we do", False),
        ("I love sushi.", "sushi for lunch", False),
    ],
)
def test_what_sounds_as_though_it_were_over_is_doubted(
    begun: str, later: str, *, doubted: bool
) -> None:
    found = run("05-01", said("02-02", begun), said("03-01", later))
    (one, *_) = found.observations
    assert (one.status is BeliefStatus.STALE, is_doubted(one)) == (doubted, doubted)
    again = run("05-01", said("03-05", begun), known=found)
    assert again.observations[0].status is BeliefStatus.ACTIVE
    looked, _ = revalidated(one, now="2026-03-02T00:00:00Z", windows=WINDOWS)
    assert looked.status is one.status


@each_row(
    ("begun", "later", "doubted"),
    [
        ("I live in Kiel.", "since Monday we're upstairs at my dad's", True),
        ("I live in Kiel.", "last box is in the van", True),
        ("I work at Hartwig.", "second week at the new office", True),
        ("I work at Hartwig.", "they took me!", True),
        ("I work at Hartwig.", "they took me to the station", False),
        ("I work as a cook.", "self-employed from Friday", True),
        ("I work as a cook.", "I hung up my apron in March", True),
        ("I live in Kiel.", "Since we came to York I sleep better", True),
        ("I live in Kiel.", "The landlord wants us out by June", True),
        ("I live in Kiel.", "Since Monday I'm in a better mood", False),
        ("I live in Kiel.", "we moved on from that", False),
        ("I work at Hartwig.", "I jumped ship to Lidl", True),
        ("I work at Hartwig.", "I walked out, couldn't take it any more", True),
        ("I work at Hartwig.", "I walked out of the cinema", False),
        ("My husband is Jo.", "we called off the wedding", True),
        ("I'm vegan.", "I caved and had a burger", True),
        ("I live with Ana.", "I've got the flat to myself now", True),
        ("I live with Ana.", "I've got the flat to myself tonight", False),
        ("I'm vegan.", "we had a vegan burger", False),
        ("I'm vegan.", "I haven't eaten meat in years", False),
    ],
)
def test_a_turning_point_long_after_it_began_puts_it_in_doubt(
    begun: str, later: str, *, doubted: bool
) -> None:
    found = run("05-01", said("01-02", begun), said("04-01", later))
    assert is_doubted(found.observations[0]) == doubted


@each_row(
    ("begun", "later"),
    [
        ("I have a car.", "I totalled my car yesterday"),
        ("My best friend is Malte.", "Malte and I had a row, we're not friends any more"),
        ("I've taken up climbing.", "I had to stop climbing because of my back"),
        ("I play the cello.", "I gave up the cello, my shoulder couldn't take it"),
        ("I broke my arm.", "the cast came off today"),
        ("I'm allergic to cats.", "I've outgrown my cat allergy"),
        ("I work at Siemens.", "They let me go"),
        ("I have a hamster called Tom.", "I had to give Tom away"),
        ("My husband is Jens.", "Jens and I are history"),
        ("I speak Dutch.", "I forgot all my Dutch"),
        ("I've taken up climbing.", "I'm done with climbing."),
        ("My husband is Jens.", "Jens and I are no more"),
        ("I work at Siemens.", "Siemens and I have parted ways"),
        ("I'm studying law in Bonn.", "dropped out of uni"),
        ("I'm studying law in Bonn.", "I graduated yesterday"),
        ("I have a cat, Tiger.", "Tiger was ill for weeks. He died this morning."),
    ],
)
def test_what_is_told_to_be_over_ends(begun: str, later: str) -> None:
    found = active(run("05-01", said("02-02", begun), said("03-01", later)))
    assert all(value.startswith("not ") for value in found.values()) and found


@each_row(
    ("begun", "over", "back", "doubted"),
    [
        ("My girlfriend is Eve.", "Eve and I broke up.", "Eve and I are back together!", True),
        ("My girlfriend is Eve.", "Eve and I broke up.", "I'm back home, Eve isn't here", False),
        ("I work at Lidl.", "Lidl fired me.", "Lidl took me back!", True),
        ("I work at Lidl.", "Lidl fired me.", "I won't go back to Lidl", False),
        ("I work at Lidl.", "Lidl fired me.", "I'm back at the gym", False),
        ("I take statins.", "I stopped taking statins.", "Back on statins.", True),
    ],
)
def test_what_ended_and_sounds_as_though_it_went_on_is_held_to_be_over_no_more(
    begun: str, over: str, back: str, *, doubted: bool
) -> None:
    texts = (said("02-02", begun), said("03-01", over), said("04-01", back))
    assert (not active(run("05-01", *texts))) == doubted


@each_row(
    ("begun", "old"),
    [
        ("I'm vegan.", False),
        ("My brother is Otis.", False),
        ("I'm allergic to nuts.", False),
        ("I have a cat called Moss.", False),
        ("I live in Kiel.", True),
        ("The deadline of Atlas is 3 December.", True),
    ],
)
def test_what_lasts_is_still_told_half_a_year_later(begun: str, *, old: bool) -> None:
    (one,) = run("01-03", said("01-02", begun)).observations
    looked, _ = revalidated(one, now="2026-07-02T00:00:00Z", windows=WINDOWS)
    assert (looked.status is BeliefStatus.STALE) == old


def test_who_is_in_a_new_home_lives_in_the_old_one_no_more() -> None:
    found = run("05-01", said("01-02", "I live in Kiel."), said("04-01", "we're in the new house"))
    assert active(found) == {"residence": "not Kiel"}


def test_who_died_by_a_pronoun_was_named_right_before() -> None:
    cat = said("02-02", "I have a cat, Tiger")
    died = msgspec.structs.replace(cat, id="it_2", at="2026-02-02T10:05:00Z", text="He died today")
    assert active(run("05-01", cat, died)) == {"pet.tiger": "not Tiger (cat)"}


def test_no_stranger_puts_in_doubt_what_somebody_trusted_said() -> None:
    heard = said("03-01", "Hartwig's is closing.")
    stranger = msgspec.structs.replace(heard, sources=("web",), trusted=())
    work = said("02-02", "I work at Hartwig.")
    assert active(run("05-01", work, stranger)) == {"workplace": "Hartwig"}
    assert active(run("05-01", work, heard)) == {}


def test_a_move_of_long_ago_holds_where_no_other_home_is_known() -> None:
    for text in ("I moved to Bremen in 1999.", "I moved to Bremen ten years ago."):
        late = said("03-05", text)
        assert active(run("04-01", HOME, late)) == {"residence": "Rome"}
        assert active(run("04-01", late)) == {"residence": "Bremen"}
    stayed = said("03-05", "I moved to Bremen in 1999 for a year.")
    assert active(run("04-01", stayed)) == {}
    again = said("03-06", "In 2005 I moved to Rome.")
    first = said("03-05", "I moved to Oslo in 1999.")
    assert active(run("04-01", first, again)) == {"residence": "Rome"}
    both = said("03-05", "I moved to Ulm in 2019 but now I live in Graz.")
    assert active(run("04-01", both)) == {"residence": "Graz"}
    no, yes = said("03-04", "I don't live in Graz."), said("03-06", "I moved to Bergen in 2019.")
    assert active(run("04-01", no, yes)) == {"residence": "Bergen"}
    before = said("03-07", "I moved to Oslo in 1999.")
    assert active(run("04-01", again, before)) == {"residence": "Rome"}
    still = said("03-05", "I've been living in Bremen since 1999.")
    assert active(run("04-01", still)) == {"residence": "Bremen"}
    lately = said("03-05", "I moved to Bremen in February.")
    assert active(run("04-01", HOME, lately)) == {"residence": "Bremen"}


def test_what_ends_in_the_same_breath_is_not_held() -> None:
    both = said("03-02", "My girlfriend is Anna. We split up.")
    assert active(run("04-01", both)) == {}
    held = said("03-01", "My girlfriend is Anna.")
    assert active(run("04-01", held, both)) == {"partner": "not Anna"}
    new = said("03-02", "We split up. My girlfriend is Eva.")
    assert active(run("04-01", held, new)) == {"partner": "Eva"}


def test_an_animal_that_is_denied_by_its_kind_is_the_one_of_that_kind() -> None:
    dog = said("03-01", "I have a dog called Rex.")
    cat = said("03-02", "I have a cat called Tom.")
    no = said("03-03", "I don't have a dog.")
    assert active(run("04-01", dog, cat, no)) == {
        "pet.rex": "not Rex (dog)",
        "pet.tom": "Tom (cat)",
    }


def test_a_plan_is_of_what_can_begin_on_a_day() -> None:
    assert run("04-01", said("03-01", "I play bass on Friday.")).observations == []


@each_row(
    ("before", "words", "expected"),
    (
        ("I live in Bremen.", "No, Kiel not Bremen.", {"residence": "Kiel"}),
        ("I live in Bremen.", "Sorry, it's Kiel, not Bremen", {"residence": "Kiel"}),
        ("I live in Bremen.", "wrong, not Bremen, Kiel", {"residence": "Kiel"}),
        ("I live in Bremen.", "I meant Kiel, not Bremen", {"residence": "Kiel"}),
        ("I live in Bremen.", "I meant Kiel, not Ulm", {"residence": "Bremen"}),
        (
            "I'm allergic to nuts.",
            "no sorry, not nuts, it's shellfish",
            {"allergy.nut": "not nuts", "allergy.shellfish": "shellfish"},
        ),
        (
            "I'm allergic to nuts.",
            "Turns out I'm not allergic to nuts after all",
            {"allergy.nut": "not nuts"},
        ),
        ("I live in Turku.", "We've swapped Turku for Oulu", {"residence": "Oulu"}),
        ("I work at Tesco.", "I left Tesco for Aldi", {"workplace": "Aldi"}),
        ("I work at Tesco.", "No, Kiel not Bremen.", {"workplace": "Tesco"}),
        ("I'm a cook.", "went from cook to gardener", {"job": "gardener"}),
        ("My boss is Ulla.", "No, Mikko not Ulla", {"relation.boss": "Mikko"}),
        (
            "I take ramipril.",
            "traded ramipril for losartan",
            {"medication.losartan": "losartan", "medication.ramipril": "not ramipril"},
        ),
        (
            "We have a dog called Rex.",
            "His name is Max, not Rex",
            {"pet.max": "Max (dog)", "pet.rex": "not Rex (dog)"},
        ),
        ("I live in Bremen.", "My sister says it's Kiel, not Bremen", {"residence": "Bremen"}),
        ("I live in Bremen.", "The fair is in Kiel, not Bremen", {"residence": "Bremen"}),
        ("I live in Bremen.", "I went from Bremen to Kiel and back", {"residence": "Bremen"}),
    ),
)
def test_what_takes_the_place_of_a_value_is_of_the_attribute_that_has_it(
    before: str, words: str, expected: dict[str, str]
) -> None:
    known = run("03-02", said("03-01", before))
    assert active(run("03-09", said("03-08", words), known=known)) == expected
