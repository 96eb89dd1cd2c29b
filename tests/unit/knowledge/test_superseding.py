"""What takes the place of what is held, ends it, contests it, or is said of another thing."""

from mindpipe.knowledge.deciding.consolidation import RememberedClaims
from mindpipe.knowledge.deciding.files import consolidated
from mindpipe.knowledge.keys import SLOTS, added_to
from mindpipe.knowledge.records import BeliefStatus
from mindpipe.language.strict import strict_reader
from support.sayings import TERMS, after, held, said
from support.tables import each_row

BUDGET = "The budget is 40,000 euros."
NAMED = (
    ((BUDGET, "They raised it to 50,000."), "50000"),
    ((BUDGET, "The budget went up to 50,000."), "50000"),
    ((BUDGET, "The board raised the budget from 40,000 to 50,000 euros."), "50000"),
    ((BUDGET, "The budget is now 50,000 euros."), "50000"),
    ((BUDGET, "The budget is 50,000 now."), "50000"),
    (("The deadline is 10 August.", "The deadline was extended to 20 August."), "2026-08-20"),
    (("The party is on 3 August.", "no, it's on 5 August"), "2026-08-05"),
    (("The party is on 3 August.", "My exam is at noon.", "It's on 5 August."), None),
    (("The lease ends on 31 July.", "The lease was extended to 31 December."), "2026-12-31"),
    (
        ("The launch of Atlas is on July 5.", "The launch of Atlas slipped to August 1."),
        "2026-08-01",
    ),
    (("Error rate is 2%.", "Error rate went from 2% to 3%."), "3"),
    ((BUDGET, "We plan to raise the budget to 50,000 euros."), None),
    ((BUDGET, "If they like it, the budget goes up to 50,000 euros."), None),
    (("The meeting is at 9:30.", "The meeting was moved to 10:15."), "10:15"),
    (("The test coverage is 80 %.", "Our test coverage reached 90 %."), "90"),
    (("The rent is 300 euros.", "The rent is between 300 and 400 euros now."), "300-400"),
    ((BUDGET, "The marketing budget went up to 50,000."), None),
    (("My travel budget is 900 euros.", BUDGET, "The budget went up to 50,000."), None),
    ((BUDGET, "My rent is 700 euros.", "They raised it to 50,000 dollars."), None),
    (("My rent is 700 euros. My savings are 4,000 euros.", "It went up to 900."), None),
    (("The test coverage is 80 %.", "The test coverage went up to 9."), None),
)


@each_row(("texts", "value"), NAMED)
def test_a_figure_that_names_the_one_that_it_changes_needs_no_second_word(
    texts: tuple[str, ...], value: str | None
) -> None:
    assert list(held(after(*texts)).values()) == ([value] if value else [])


RENT = "The rent is 800 euros."
DENIED = (
    ((RENT, RENT, "The rent isn't 800 euros."), None),
    ((RENT, RENT, "The rent isn't 700 euros."), "800"),
    ((RENT, RENT, "The rent is not 800 euros but 900 euros."), "900"),
    ((RENT, RENT, "The rent isn't 800 euros, it's 900."), "900"),
    (("The rent isn't 800 euros.",), None),
    ((RENT, RENT, "The rent used to be 700 euros."), "800"),
)


@each_row(("texts", "value"), DENIED)
def test_a_figure_that_is_denied_is_held_no_more(texts: tuple[str, ...], value: str | None) -> None:
    assert list(held(after(*texts)).values()) == ([value] if value else [])


def test_the_right_figure_is_told_with_what_it_is_of() -> None:
    found = after(RENT, "The rent is not 800 euros but 900 euros.").observations
    assert found[-1].summary == "Mara: 900 euros (rent)."


def test_a_day_that_is_denied_gives_way_to_the_right_one() -> None:
    texts = ("The deadline of Atlas is May 10.", "The deadline of Atlas is not May 10 but May 12.")
    assert held(after(*texts)) == {"deadline": "2026-05-12"}


def test_a_day_changes_that_which_the_one_project_is_held_to_have() -> None:
    reader = strict_reader(added_to(SLOTS))
    texts = ("The deadline of Atlas is July 3.", "The deadline was extended to July 20.")
    items = [said(day, text) for day, text in enumerate(texts, 1)]
    found = consolidated([], RememberedClaims(items=items), TERMS, reader=reader)
    assert held(found) == {"deadline": "2026-07-20"}
    assert found.observations[-1].summary == "Atlas's deadline is 2026-07-20."
    several = [*items[:1], said(3, "The deadline of Kite is July 5."), said(4, texts[1])]
    found = consolidated([], RememberedClaims(items=several), TERMS, reader=reader)
    assert sorted(one.value for one in found.observations if one.slot == "deadline") == [
        "2026-07-03",
        "2026-07-05",
    ]


OF_ATLAS = "The budget of Atlas is 50,000 euros."
OF_PROJECTS = (
    ((OF_ATLAS, "The budget was raised to 60,000 euros."), ["60,000 euros"]),
    ((OF_ATLAS, "The budget went up to 60,000."), ["60,000 euros"]),
    ((OF_ATLAS, "The budget went up to 60,000 dollars."), ["50,000 euros"]),
    ((OF_ATLAS, "The marketing budget went up to 60,000 euros."), ["50,000 euros"]),
    ((OF_ATLAS, "The budget should be raised to 60,000 euros."), ["50,000 euros"]),
    ((OF_ATLAS, "The budget isn't 50,000 euros."), []),
    (
        (OF_ATLAS, "The budget of Kite is 9,000 euros.", "The budget was raised to 60,000 euros."),
        ["50,000 euros", "9,000 euros"],
    ),
)


@each_row(("texts", "values"), OF_PROJECTS)
def test_a_figure_changes_that_which_the_one_project_is_held_to_have(
    texts: tuple[str, ...], values: list[str]
) -> None:
    found = consolidated(
        [], RememberedClaims(items=[said(day, text) for day, text in enumerate(texts, 1)]), TERMS
    )
    assert [
        one.value
        for one in found.observations
        if (one.slot, one.status) == ("budget", BeliefStatus.ACTIVE)
    ] == values


def test_of_two_figures_of_one_message_the_one_that_it_was_raised_to_is_told() -> None:
    (one,) = after(f"{BUDGET} They raised it to 50,000.").observations
    assert (one.value, one.summary) == ("50000", "Mara: They raised it to 50,000 (budget).")


def test_another_s_word_replaces_nobody_s_and_both_are_told_with_their_weights() -> None:
    tom = said(1, "Mara lives in Rome.", speaker="Tom")
    ana = [said(day, "Mara lives in Oslo.", speaker="Ana") for day in (5, 9)]
    found = consolidated([], RememberedClaims(items=[tom, *ana]), TERMS)
    (home,) = found.observations
    assert (home.value, home.status, home.contested) == ("Rome", BeliefStatus.ACTIVE, True)
    assert {(one.call, one.new_value) for one in found.decisions} == {("contradict", "Oslo")}
    assert found.decisions[-1].new_weight > found.decisions[-1].old_weight
    left = said(6, "Mara no longer lives in Rome.", speaker="Ana")
    (home,) = consolidated([], RememberedClaims(items=[tom, left]), TERMS).observations
    assert (home.status, home.contested) == (BeliefStatus.ACTIVE, True)
    later = said(6, "Mara lives in Oslo.", speaker="Tom")
    assert held(consolidated([], RememberedClaims(items=[tom, later]), TERMS)) == {
        "residence": "Oslo"
    }
    own = said(9, "I live in Kiel.")
    assert held(consolidated([], RememberedClaims(items=[tom, *ana, own]), TERMS)) == {
        "residence": "Kiel"
    }


# What is said one after the other, and what is held at the end.
LATER = (
    (("I prefer tea.", "I prefer coffee."), {"prefers.drink": "coffee"}),
    (
        ("I prefer tea.", "I prefer trains."),
        {"prefers.drink": "tea", "prefers.trains": "trains"},
    ),
    (
        ("I prefer tea to coffee.", "I prefer coffee."),
        {"prefers.coffee_tea": "not tea to coffee", "prefers.drink": "coffee"},
    ),
    (
        ("I prefer tea.", "I prefer coffee to tea."),
        {"prefers.drink": "not tea", "prefers.coffee_tea": "coffee to tea"},
    ),
    (
        ("My favourite colour is green.", "nope, not green", "it's blue, not green"),
        {"favourite.colour": "blue"},
    ),
    (("I live in Porto.", "I don't live in Porto.", "It's Kiel, not Porto"), {"residence": "Kiel"}),
    (("I have a dog, Rex.",), {"pet.rex": "Rex (dog)"}),
    (("I have a dog, Rex.", "Rex died."), {"pet.rex": "not Rex (dog)"}),
    (("I have a dog, Rex. Rex died.",), {}),
    (("We have a cat called Mia.", "Our cat passed away."), {"pet.mia": "not Mia (cat)"}),
    (("My wife is Anna.", "We got divorced."), {"partner": "not Anna"}),
    (("My wife is Petra.", "Petra died."), {"partner": "not Petra"}),
    (("Petra is my sister.", "Petra died."), {"relation.sister_petra": "Petra"}),
    (("I work at Siemens.", "I left Siemens."), {"workplace": "not Siemens"}),
    (("I work at Siemens.", "I quit."), {"workplace": "not Siemens"}),
    (("I live in Rome.", "I left Rome."), {"residence": "Rome"}),
    (("I work at Bosch.", "I work at Siemens, not at Bosch."), {"workplace": "Siemens"}),
    (("I hate olives.", "Olives I quite like them now."), {"taste.olive": "Olives"}),
    (("I live in Heidelberg. Sorry, I meant Mannheim.",), {"residence": "Mannheim"}),
    (("I work at Bosch.", "My last day at Bosch was yesterday"), {"workplace": "not Bosch"}),
    (("I work at Bosch.", "got the sack today"), {"workplace": "not Bosch"}),
    (
        ("I work at Lidl.", "I never worked at Lidl, that was my brother"),
        {"workplace": "not Lidl"},
    ),
    (
        ("I'm lactose intolerant.", "turns out I'm not lactose intolerant after all"),
        {"health.lactose_intolerant": "not lactose intolerant"},
    ),
    (("I'm pregnant.", "We lost the baby."), {"health.pregnant": "not pregnant"}),
    (("I have a red bike.", "someone stole my bike"), {"owns.red_bike": "not red bike"}),
    (
        ("I have a dog called Rex.", "we had to put Rex down on Friday, I'm heartbroken"),
        {"pet.rex": "not Rex (dog)"},
    ),
    (("I work at Ikea.", "I haven't quit Ikea yet"), {"workplace": "Ikea"}),
    (("My dog is Rex.", "Rex isn't my dog, he's my neighbour's"), {"pet.rex": "not Rex (dog)"}),
    (
        ("I live in Graz.", "I'm moving to Lyon on 20 May.", "we're not moving"),
        {"residence": "Graz"},
    ),
    (("I start at Nordlicht on 20 May.", "Nordlicht withdrew the offer"), {}),
    (("I start at Nordlicht on 20 May.", "The job fell through"), {}),
    (("I have two kids.", "I have three kids now."), {"children": "3"}),
    (("I live in Graz.", "I'm moving to Lyon.", "We're in!"), {"residence": "Lyon"}),
    (
        ("I live in Graz.", "I'm moving to Lyon.", "first week in the house"),
        {"residence": "Lyon"},
    ),
    (("I'm moving to Lyon.", "I live in Ulm.", "We're in!"), {"residence": "Ulm"}),
    (("I live in Graz.", "We're in!"), {"residence": "Graz"}),
)


# What is held of somebody for months, and what he says then of which it may be past.
TURNING = (
    ("I live in Graz.", "the new flat is tiny", None),
    ("I live in Graz.", "Tom's new flat is tiny", "Graz"),
    ("I live in Graz.", "I don't need a new flat", "Graz"),
    ("I live in Graz.", "the flat is tiny", "Graz"),
    ("I live in Graz.", "I do miss Graz sometimes", None),
    ("I live in Long Eaton.", "Tom is long gone", "Long Eaton"),
    ("I work at Tesco.", "handed my notice in this morning", None),
    ("I work at Tesco.", "they canned me on Thursday", None),
    ("I work at Tesco.", "my sister got a new job", "Tesco"),
    ("I work at Tesco.", "if I got a new job I'd be happy", "Tesco"),
    ("My boyfriend is Max.", "single again, who wants to go out?", None),
    ("My boyfriend is Max.", "single again", None),
    ("I work as a cook.", "first day at the new job done", None),
    ("I'm an apprentice.", "got promoted yesterday", None),
    ("I'm an apprentice.", "my brother got promoted yesterday", "apprentice"),
    ("My boss is called Imke.", "got promoted yesterday", "Imke"),
    ("My boss is called Imke.", "first day at the new job done", None),
    ("My landlord is Mr Falk.", "the new landlord is Mrs Ober", None),
    ("I take ramipril.", "they took me off it", None),
    ("I take ramipril.", "they put me on something else", None),
    ("I live in Graz.", "signed for the flat", None),
    ("I live in Graz.", "it's ours! keys on the 15th", None),
    ("I'm vegan.", "I'm not strictly vegan any longer, I eat eggs.", None),
    ("I'm allergic to peanuts.", "The test came back: I'm not allergic to peanuts.", None),
    ("I work at Wirecard.", "Wirecard went bust", None),
    ("I live in Bonn.", "I'm back at my parents' in Radom", None),
    ("I live in Liège.", "Back in Ghent since Sunday", None),
    ("I love oysters.", "oysters make me sick", None),
    ("My dog is called Rex.", "I don't take Rex to work", "Rex (dog)"),
    ("I love jazz.", "I can't get enough of jazz", "jazz"),
    ("I play the piano.", "I don't play the piano for money", "piano"),
    ("I hate tripe.", "tripe is fine actually", None),
    ("I love rowing.", "rowing can go hang. i hate it now", None),
    ("I'm allergic to water.", "The thing about being allergic to water was a joke.", None),
    ("I work as a cook.", "Contrary to what I said, I never worked as a cook.", None),
)

# Whom somebody has but one of, and who is his only while he works or lives there.
HIS_OWN = (
    (("My dentist is Dr Adler.", "My dentist is Dr Benz."), {"relation.dentist": "Dr Benz"}),
    (("I work at Aldi.", "My boss is called Imke.", "I work at Lidl."), {"workplace": "Lidl"}),
    (("I live in Bonn.", "My landlord is called Falk.", "I moved to Kiel."), {"residence": "Kiel"}),
    (
        ("I work at Aldi.", "My sister is called Imke.", "I work at Lidl."),
        {"workplace": "Lidl", "relation.sister_imke": "Imke"},
    ),
    (
        ("My sister is called Lea.", "My sister's name is Lena, not Lea."),
        {"relation.sister_lena": "Lena", "relation.sister_lea": "not Lea"},
    ),
    (("I don't have a car.",), {}),
    (("I own a bike.", "I don't own a bike."), {"owns.bike": "not bike"}),
)


@each_row(("texts", "left"), HIS_OWN)
def test_who_hangs_on_a_home_or_an_office_is_in_doubt_with_it(
    texts: tuple[str, ...], left: dict[str, str]
) -> None:
    assert held(after(*texts)) == left


def test_who_is_called_by_a_small_word_before_his_name_speaks_for_himself() -> None:
    told = said(2, "tante Uta is allergic to glue.", speaker="Jan")
    items = [said(1, "Good morning!", speaker="Uta"), told]
    assert held(consolidated([], RememberedClaims(items=items), TERMS)) == {}


def test_who_is_called_by_a_title_is_one_person() -> None:
    found = after("Uncle Bo lives in Oslo.", "Bo lives in Oslo.").observations
    assert [one.subject_id for one in found] == ["bo"]


@each_row(("first", "later", "value"), TURNING)
def test_what_tells_of_a_change_leaves_open_what_was_held_for_long(
    first: str, later: str, value: str | None
) -> None:
    items = [said(1, first, at="2026-01-01T10:00:00Z"), said(2, later)]
    found = held(consolidated([], RememberedClaims(items=items), TERMS))
    assert list(found.values()) == ([value] if value else [])


@each_row(("texts", "home"), LATER)
def test_of_what_is_said_later_or_is_over(texts: tuple[str, ...], home: dict[str, str]) -> None:
    assert held(after(*texts)) == home


# What is said, after "I live in Porto.", and where somebody then lives.
NOT_THERE = (
    ("no i don't live in porto", "not Porto"),
    ("i dont live in porto", "not Porto"),
    ("nope, not Porto", "not Porto"),
    ("no, not porto!", "not Porto"),
    ("It's Kiel, not Porto", "Kiel"),
    ("it's kiel, not porto", "Kiel"),
    ("I don't live there", "not Porto"),
    ("Porto is nice. I don't live there any more.", "not Porto"),
    ("I liked Kiel. I don't live there.", "Porto"),
    ("Not Porto, Köln!", "Köln"),
    ("wait no, I meant Kiel, not Porto", "Kiel"),
    ("Sorry, typo: I live in Kiel", "Kiel"),
    ("I don't live in Porto because I like it", "Porto"),
    ("No way I'm leaving Porto", "Porto"),
    ("I don't live in fear", "Porto"),
    ("I don't live in Porto in winter", "Porto"),
    ("not Porto", "Porto"),
    ("It's the cat, not the dog", "Porto"),
)


@each_row(("text", "home"), NOT_THERE)
def test_a_denial_counts_as_it_is_typed(text: str, home: str) -> None:
    assert held(after("I live in Porto.", text)) == {"residence": home}


def test_there_is_the_place_that_another_named_right_before() -> None:
    home = said(1, "I live in Porto.")
    for place, left in (("Dortmund", "Porto"), ("Porto", "not Porto")):
        asked = said(2, f"I think {place} is lovely.", speaker="Ben", at="2026-05-02T09:59:00Z")
        items = [home, asked, said(3, "I don't live there.", at="2026-05-02T10:01:00Z")]
        found = consolidated([], RememberedClaims(items=items), TERMS)
        assert held(found)["residence"] == left


AT_ONCE = (
    (("I live in Leipzig.", "I don't live in Leipzig any more."), "not Leipzig"),
    (("I work at Siemens.", "I quit my job."), "not Siemens"),
    (("I quit my job at Siemens.", "I work at Bosch."), "Bosch"),
    (("I work at Bosch.", "I quit my job at Siemens."), "Bosch"),
    (("I hate mushrooms.", "I love mushrooms."), "mushrooms"),
    (("I love mushrooms.", "I hate mushrooms."), "not mushrooms"),
)


@each_row(("texts", "value"), AT_ONCE)
def test_of_what_one_says_at_one_instant_the_last_word_counts(
    texts: tuple[str, ...], value: str
) -> None:
    items = [said(1, text, id=f"it_{place}") for place, text in enumerate(texts)]
    found = held(consolidated([], RememberedClaims(items=items), TERMS))
    assert list(found.values()) == [value]


THINGS = (
    ("The board game costs 40 euros.", "40"),
    ("The film lasts 140 minutes.", "140"),
    ('The novel "Dune" costs 12 euros.', "12"),
    ('My bike "Rocket" costs 900 euros.', "900"),
    ("In the game the rent is 800 euros.", None),
    ("In my novel the rent is 900 euros.", None),
    ("Imagine the game costs 40 euros.", None),
    ("The hero of the novel pays 30 euros rent.", None),
    ('Kim said "The rent is 900 euros".', None),
    ('"The Rent Is 900 Euros" said Kim.', None),
)


@each_row(("text", "value"), THINGS)
def test_a_figure_of_a_game_is_no_figure_in_one(text: str, value: str | None) -> None:
    found = [one.value for one in after(text).observations]
    assert found == ([value] if value else [])
