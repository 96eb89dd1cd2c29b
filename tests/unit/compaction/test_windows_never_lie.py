"""No window says the opposite of what was denied, doubted or reported, however it is shortened."""

import re
from collections.abc import Iterable, Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.core.messages import Conversation, Message
from support.histories import conversation, said, user
from support.short_windows import windows

FACTS = (
    "Miriam lives in Dresden",
    "the deploy of Friday failed",
    "there is an allergy to penicillin",
    "Jonas owns the green boat",
    "we sold the mill to Omar",
    "ich wohne in Bremen",
    "we decided to close the harbour",
)
# What is told and governs the fact {0}, in words that a window may not part from it.
DENIALS = (
    "No, {0} is wrong.",
    "Nope! It is false that {0}.",
    "Nah, {0}, they say, but that is not so.",
    "Well, it is not true that {0}.",
    "I don't think {0}.",
    "Nobody told me that {0}.",
    "{0}? No.",
    "{0}? Nope, never.",
    "{0}. Not!",
    "{0}… not.",
    "{0}. That is simply wrong.",
    "{0}. Just kidding.",
    "Yeah, right, as if {0}.",
    "Tom claims that {0}, which is nonsense.",
    'Tom said: "{0}. I know it. Believe me."',
    "Tom wrote:\n> {0}\n> and so on",
    "Imagine that {0}. It would be odd.",
    "In my dream {0}.",
    "If {0}, we sail; if {0}, we stay.",
    "Perhaps {0} - perhaps it is otherwise.",
    "Does anybody know if {0}?",
    "These are false:\n- {0}\n- the moon is a lamp",
    "## Not so\n\n* {0}\n* the moon is a lamp",
    "It is not so\nthat {0}.",
    "We looked at all of it, and it was a long day, because nobody could say that {0}.",
    "It is said by all who were there and by many who came in the night, over and over again, in "
    "the inn, at the quay, on the boats, in the long hours of the lamp, that {0}, and it is a lie.",
    "Es stimmt nicht, dass {0}.",
    "No es verdad que {0}.",
    "I doubt, as I told you on the quay, where {0}; where else, they ask.",
    "(They say: {0}. Truly. I never did.)",
    "Here is the plot of my novel. Clara poisons her uncle in Kiel. {0}.",
    "In my novel, Clara sails to Oslo. Then {0}.",
    "Here is what my tenant wrote me. {0}.",
    "{0}. It was an April fool.",
    "Kim of Meier u. Co. 900 told us in Kantstr. 12, and on Jan. 5, that {0}: never so.",
    "At 8 a.m. Kim told the U.S. Office in Lindauer Str. 5 that {0}, which nobody believes.",
    "{0}. Sorry, wrong: it is the other one.",
    "What they say of it: {0}\n\nis not what I said.",
    "{0}. No wait, scrap that, it is the other one.",
    "{0}, or so I was told. Sort of, as they say.",
)
GOVERNING = re.compile(
    r"(?i)\?|\b(?:no|nope|nah|not|never|nobody|wrong|false|lie|nonsense|kidding|don't|claims|said|say|"
    r"wrote|imagine|dream|if|perhaps|doubt|nicht|Tom|"
    r"novel|tenant|fool|sorry|scrap|told)\b"
)
NO_MODEL: list[StrategyName] = [name for name in STRATEGIES if name != "model"]
CHATTER = "Good morning. The sea was calm today and the gulls were loud. We mended nets."


def talk(denials: list[str], *, taint: bool) -> Conversation:
    """Return a talk in which people and the agent deny, amid words that govern nothing."""
    messages: list[Message] = []
    for number, words in enumerate(denials):
        lead = f"{CHATTER} It is day {number}.\n\n" if number % 2 else ""
        heard = user(f"{lead}{words}\n\n{CHATTER}")
        messages.append(msgspec.structs.replace(heard, taint=taint))
        messages.append(said(f"{CHATTER} {number}\n\n{words}" if number % 3 else "I hear you."))
    return conversation(*messages)


def summaries(told: Conversation, strategy: StrategyName, budgets: Iterable[int]) -> Iterator[str]:
    """Yield the summary of a talk within each budget into which not all fits."""
    for budget in budgets:
        yield from (window for window, _ in windows(told, strategy, budget))


def pieces(window: str) -> Iterator[str]:
    """Yield what stands between two marks at which something is left out, or a line ends."""
    for line in window.split("\n"):
        yield from line.split(" … ")


def lies(window: str) -> list[str]:
    """Return what of a window holds a fact without a word that governed it."""
    return [
        piece
        for piece in map(str.lower, pieces(window))
        for fact in map(str.lower, FACTS)
        if fact in piece and not GOVERNING.search(piece.replace(fact, ""))
    ]


DENIED = st.lists(
    st.builds(
        lambda form, fact: form.format(fact[0].upper() + fact[1:] if form[0] == "{" else fact),
        st.sampled_from(DENIALS),
        st.sampled_from(FACTS),
    ),
    min_size=4,
    max_size=14,
)


@pytest.mark.parametrize("strategy", NO_MODEL)
@settings(deadline=None, derandomize=True)
@given(DENIED, st.integers(60, 900), st.sampled_from([True, False]), st.integers(0, 3))
def test_no_window_says_the_opposite(
    strategy: StrategyName, denials: list[str], budget: int, taint: object, keep: int
) -> None:
    told = talk(denials, taint=bool(taint))
    rooms = (budget, max(60, budget // 2))
    for window, _ in windows(told, strategy, *rooms, keep=keep, inbox="the harbour"):
        assert lies(window) == []


@pytest.mark.parametrize("strategy", NO_MODEL)
def test_what_is_told_plainly_is_still_told(strategy: StrategyName) -> None:
    plain = [f"{fact}." for fact in FACTS]
    ((window, _),) = windows(talk(plain, taint=False), strategy, 300)
    assert lies(window)


CLAIMS = ("We decided that {0}.", "{0}.", "I'll see to it: {0}.")
ANSWERS = (
    "No, that is wrong.",
    "Nope.",
    "That's not so.",
    "Wrong.",
    "Correction: that was wrong.",
    "No, I never said so.",
    "It isn't so at all.",
    "Nein, das stimmt nicht.",
)


@pytest.mark.heavy
@pytest.mark.parametrize("strategy", NO_MODEL)
@pytest.mark.parametrize("days", [6, 60])
def test_what_was_denied_in_the_next_turn_stands_with_its_denial_or_not_at_all(
    strategy: StrategyName, days: int
) -> None:
    before = [one for day in range(3) for one in (user(f"Day {day}."), said(CHATTER))]
    after = [one for day in range(days) for one in (user(f"{CHATTER} {day}"), said("I hear you."))]
    kept = 0
    for place, answer in enumerate(ANSWERS):
        fact = FACTS[place % len(FACTS)]
        claim = CLAIMS[place % len(CLAIMS)].format(fact)
        told = conversation(
            *before, user("Hello."), said(claim), user(answer), said("Fine."), *after
        )
        for budget in (60, 100, 150, 250, 400, 700):
            for window in (one.lower() for one, _ in windows(told, strategy, budget, keep=1)):
                kept += fact.lower() in window
                assert fact.lower() not in window or answer.rstrip(".").lower() in window, window
    assert kept > 0 or (strategy, days) == ("layered", 60)


TAKEN_BACK = (
    # What was claimed, its denial, and whether it is the other's or the teller's own next turn.
    ("I order the pump at Sonne in Kiel.", "Please do not, Sonne is far too dear.", True),
    ("The form T-17 was filed on 3 March.", "That's not what the office says.", True),
    ("The boat Merle is insured until 2027.", "It is not, Helvia cancelled that in March.", True),
    ("I booked the Hotel Sacher for two.", "Scrap that, please.", True),
    ("I live in Graz near the old mill.", "I do not live in Graz.", False),
    ("web-3 is not restarted before ten.", "web-3 is restarted at any time.", False),
    ("I'll take the blue pills at noon.", "I will not take the blue pills.", False),
    ("Jonas owns the green boat.", "Jonas never owned the green boat.", False),
)


@pytest.mark.heavy
@pytest.mark.parametrize("strategy", NO_MODEL)
@settings(deadline=None, derandomize=True)
@given(
    st.sampled_from(TAKEN_BACK),
    st.integers(50, 400),
    st.integers(0, 2),
    st.integers(1, 8),
    st.booleans(),
    st.booleans(),
)
def test_no_claim_stands_without_the_turn_that_denies_it(
    strategy: StrategyName,
    turn: tuple[str, str, bool],
    budget: int,
    keep: int,
    days: int,
    agents: object,
    again: object,
) -> None:
    claim, denial, of_other = turn
    one, other = (said, user) if agents else (user, said)
    talk = [one(claim), other(denial) if of_other else other("I see.")]
    talk.append(one("I hear you.") if of_other else one(denial))
    begun = [user("Hello there."), *([] if agents else [said("Hello.")])]
    after = [each for day in range(days) for each in (user(f"{CHATTER} {day}"), said(CHATTER))]
    ended = [] if agents else [said("Fine.")]
    told = conversation(*begun, *talk, *ended, *after)
    rooms = (budget, max(50, budget // 2)) if again else (budget,)
    for window, sent in windows(told, strategy, *rooms, keep=keep):
        assert claim.rstrip(".") not in window or denial.rstrip(".") in sent, window


HANGING = (
    ("The lawyer says that we owe Rossi 900 euros.", "I don't share her view."),
    ("The office claims that quay 9 is closed in March.", "We do not believe them."),
    ("Tell Marta that the boat Merle is sold.", "Don't tell Pedro."),
    ("Water the figs in the hall on Monday.", "Please never water the cactus."),
)


@pytest.mark.parametrize("strategy", NO_MODEL)
@settings(deadline=None, derandomize=True)
@given(
    st.sampled_from(HANGING),
    st.integers(50, 400),
    st.integers(0, 2),
    st.integers(1, 8),
    st.booleans(),
)
def test_no_window_parts_what_is_told_from_what_its_teller_adds_against_it(
    strategy: StrategyName,
    turn: tuple[str, str],
    budget: int,
    keep: int,
    days: int,
    apart: object,
) -> None:
    claim, added = turn
    heard = [user(claim), user(added)] if apart else [user(f"{CHATTER} {claim} {added}")]
    after = [each for day in range(days) for each in (user(f"{CHATTER} {day}"), said(CHATTER))]
    told = conversation(user("Hello there."), said("Hello."), *heard, said("Fine."), *after)
    for window, sent in windows(told, strategy, budget, keep=keep):
        assert claim.rstrip(".") not in window or added.rstrip(".") in sent, window


TALK = (
    "The balloons of Klein cost 40 euros.",
    "The pump of Rossi stands at quay 9.",
    "No, that is wrong, it stands in Kiel.",
    "Agreed, it was moved to Kiel on Friday.",
    "Shall we close the hall in Mainz?",
    "Nope, the hall is paid until 2027.",
)


@pytest.mark.heavy
@pytest.mark.parametrize("strategy", NO_MODEL)
def test_who_denies_by_a_name_before_the_words_is_not_left_out(strategy: StrategyName) -> None:
    talk = [f"{name}: {one}" for name, one in zip("BABACA", TALK, strict=True)]
    heard = [each for one in talk for each in (user(one), said(f"I hear you. {CHATTER}"))]
    told = conversation(*heard)
    for window in summaries(told, strategy, range(50, 200)):
        assert "at quay 9" not in window or "that is wrong" in window, window


@pytest.mark.parametrize("strategy", NO_MODEL)
@settings(deadline=None, derandomize=True)
@given(
    st.permutations(TALK),
    st.lists(st.sampled_from("ABC"), min_size=6, max_size=6),
    st.integers(50, 400),
)
def test_what_is_denied_in_a_window_stands_before_and_what_was_said_to_it_behind(
    strategy: StrategyName, turns: list[str], names: list[str], budget: int
) -> None:
    talk = [f'[Port] {name} (human): "{one}"' for name, one in zip(names, turns, strict=True)]
    inbox = "\n".join(("INBOX (6 events):", *talk, CHATTER))
    heard = [user(inbox), said(CHATTER), user(CHATTER), said(CHATTER)]
    for whole in summaries(conversation(*heard), strategy, [budget]):
        window, _, _ = whole.partition("[Kept")
        stands = [window.find(one.rstrip(".?")) for one in turns]
        for place, own in enumerate(stands):
            if own >= 0 and turns[place].startswith("No"):
                assert all(one < own for one in stands[:place]), window
                assert all(one > own for one in stands[place + 1 :] if one >= 0), window


@pytest.mark.parametrize(
    ("words", "hanging", "on"),
    [
        (
            "My lawyer believes three things. We owe Rossi nothing. The pump is 11 years old.",
            "We owe Rossi nothing",
            "believes",
        ),
        (
            "This is what I do NOT want: a mail to Rossi. A call to Kiel. A review of quay 9.",
            "A review of quay 9",
            "NOT",
        ),
        (
            "On Friday Rossi comes at 14:30 to quay 9. He rings twice. That was a joke, of course.",
            "Rossi comes at 14:30",
            "joke",
        ),
        (
            "The new supplier costs 900 euros more than Klein in Ulm. We won't use them.",
            "We won't use them",
            "supplier",
        ),
        ("Selin hired Omar for the mill in June 2021. I never trusted him.", "trusted him", "Omar"),
    ],
)
def test_a_denial_stands_with_whom_it_speaks_of(words: str, hanging: str, on: str) -> None:
    told = talk(["The pump stands at quay 14 in Kiel, as before.", words], taint=True)
    kept = 0
    for window in summaries(told, "anchored", range(60, 200, 5)):
        held = [piece for piece in pieces(window) if hanging in piece]
        kept += len(held)
        assert all(on in piece for piece in held), window
    assert kept


@pytest.mark.parametrize("taint", [True, False])
def test_a_short_answer_stands_with_its_question_and_a_pronoun_never_alone(*, taint: bool) -> None:
    turns = (
        "Cara: Shall we cancel the hall in Mainz?\nAna: No way.\nBen: We paid 900 euros for it.",
        "Ben: The balloons of Klein cost 40 euros.\nCara: I hate them.\nAna: Budget is 1900 euros.",
    )
    heard = [msgspec.structs.replace(user(f"{one}\n{CHATTER}"), taint=taint) for one in turns]
    told = conversation(*[one for words in heard for one in (words, said(CHATTER))])
    kept = 0
    for window in summaries(told, "anchored", range(60, 220, 5)):
        answers = [piece for piece in pieces(window) if "No way" in piece]
        kept += len(answers)
        assert all("Shall we cancel" in piece for piece in answers), window
        assert "hate them" not in window, window
    assert kept


def test_a_claim_stands_with_the_slip_that_its_speaker_took_back() -> None:
    turns = (
        "Kim: We shipped Atlas 2.1.\nLena: Did we?\nKim: No wait, I mean that we almost did.",
        "Ben: My flight LH-440 leaves at 7:15 on Tuesday. Sorry, wrong: Wednesday.",
    )
    told = talk([*turns, "Kim: The pump stands at quay 14 in Kiel.", CHATTER], taint=True)
    for window in summaries(told, "anchored", range(60, 300, 10)):
        assert "We shipped" not in window or "almost did" in window, window
        assert "on Tuesday" not in window or "Wednesday" in window, window


def test_a_quotation_shows_its_semicolon() -> None:
    heard = "Neither Ana nor Ben has access to the vault; hardly anyone does."
    (window,) = summaries(talk([heard, CHATTER * 3], taint=True), "anchored", [90])
    assert "vault; hardly" in window
