"""Short words stay with what they speak of, by their shape: few, naming nothing of their own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.agents.records import StrategyName
from mindpipe.compaction.selection.reactions import assents, hangs, reactions, reacts
from mindpipe.compaction.strategies.table import STRATEGIES
from mindpipe.core.messages import Conversation
from support.histories import conversation, said, user
from support.short_windows import windows
from support.tables import each_row

pytestmark = pytest.mark.heavy

NO_MODEL: list[StrategyName] = [name for name in STRATEGIES if name != "model"]
# What is claimed, what the agent makes of it, and what of the claim tells that it stands there.
CLAIMS = (
    ("The pump of Rossi goes to quay 9 on Friday.", "Quay 9 on Friday, noted.", "quay 9"),
    ("My aunt says that I owe Selin 900 crowns.", "900 crowns for Selin.", "900 crowns"),
    ("Order 14 lamps of type L-77 from Omar.", "I order 14 lamps, type L-77.", "L-77"),
    ("I sold the boat Merle to Ines in 2019.", "Merle went to Ines in 2019.", "Merle"),
    ("Is it so that I signed form T-17 in Mainz?", "I see form T-17 of Mainz.", "T-17"),
)
# What takes it back, in ways of which no list is made.
REACTIONS = (
    "Hold your horses.",
    "My cousin had mixed them up.",
    "It came to nothing.",
    "Off the table since noon.",
    "By no means.",
    "A slip of the tongue.",
    "We got cold feet.",
    "In another life, perhaps.",
    "That was under the old owner.",
    "Somebody had forged the paper.",
    "The weather decided otherwise.",
    "Or so they hope.",
    "Says who?",
    "So war es aber gar nicht.",
)
CHATTER = (
    ("How is the sea today, and what do the gulls do?", "The sea is calm and the gulls are loud."),
    ("Please tell the crew of the Heron to mend 12 nets.", "The crew of the Heron mends 12 nets."),
    ("The lamp in Bergen burns until 6 in the morning.", "I wrote down that it burns until 6."),
    ("What does a rope of 40 metres cost in Hull?", "In Hull it costs about 70 crowns."),
)


def talk(claim: int, reaction: str, *, apart: int, form: str, days: int) -> Conversation:
    """Return a talk with a claim and, a few turns behind it, short words that take it back."""
    told, echo, _ = CLAIMS[claim]
    turns = [*CHATTER[:2]]
    if apart == 0:
        turns.append((f"{told} {reaction}", "I hear you."))
    else:
        turns += [(told, echo), *[CHATTER[0]] * (apart - 1), (reaction, "I hear you.")]
    turns += [CHATTER[(day + claim) % len(CHATTER)] for day in range(days)]
    written = {
        "plain": "{}",
        "named": "Karl: {}",
        "inbox": 'INBOX (1 event):\n[Port] Karl (human): "{}"',
    }[form]
    return conversation(
        *[one for asked, told in turns for one in (user(written.format(asked)), said(told))]
    )


@pytest.mark.parametrize("strategy", NO_MODEL)
@settings(deadline=None, derandomize=True, max_examples=150)
@given(
    st.integers(0, len(CLAIMS) - 1),
    st.sampled_from(REACTIONS),
    st.integers(0, 2),
    st.sampled_from(["plain", "named", "inbox"]),
    st.integers(6, 12),
    st.integers(60, 260),
    st.integers(0, 1),
)
def test_no_window_tells_a_claim_without_the_short_words_that_take_it_back(
    strategy: StrategyName,
    claim: int,
    reaction: str,
    apart: int,
    form: str,
    days: int,
    budget: int,
    keep: int,
) -> None:
    told = talk(claim, reaction, apart=apart, form=form, days=days)
    for window, sent in windows(told, strategy, budget, max(60, budget // 2), keep=keep):
        lines = [one for one in window.split("\n") if not one.startswith(("- ids:", "- paths:"))]
        assert (
            CLAIMS[claim][2].lower() not in "\n".join(lines).lower() or reaction.rstrip(".") in sent
        ), window


@pytest.mark.parametrize("strategy", ["self-summary", "layered", "semantic", "masked"])
@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    st.integers(0, len(CLAIMS) - 1),
    st.sampled_from(REACTIONS),
    st.integers(6, 12),
    st.integers(60, 260),
)
def test_no_closing_words_stand_without_what_takes_them_back_behind_a_longer_answer(
    strategy: StrategyName, claim: int, reaction: str, days: int, budget: int
) -> None:
    told, echo, named = CLAIMS[claim]
    between = "Herring from Hull keep for 2 days on ice, and smoked ones for a week and more."
    turns = [*CHATTER[:2], (told, echo), ("How long do herring keep?", between)]
    turns += [(reaction, "I hear you."), *(CHATTER[day % len(CHATTER)] for day in range(days))]
    talk = conversation(
        *[one for asked, told in turns for one in (user(f"Karl: {asked}"), said(told))]
    )
    for window, sent in windows(talk, strategy, budget, max(60, budget // 2)):
        shown = window.partition("[The rest is")[0].split("\n")
        lines = [one for one in shown if not one.startswith(("- ids:", "- paths:"))]
        is_told = named.lower() in "\n".join(lines).lower()
        assert not is_told or reaction.rstrip(".") in sent, window


# What says how others are meant, before them in their message, or in the turn before.
FRAMES = (
    "Never do any of the following.",
    "None of what the paper wrote is true.",
    "You are wrong about all of this.",
    "Ines told me this:",
    "Let us suppose the bank agrees.",
    "I had a dream about the mill.",
    "Is any of that so?",
)
FRAMED = (
    ("Sell the boat Merle. Pay Selin 900 crowns in May.", "900 crowns"),
    ("The pump went to quay 9 in Kiel. It cost 312 crowns.", "quay 9"),
)


@pytest.mark.parametrize("strategy", NO_MODEL)
@settings(deadline=None, derandomize=True, max_examples=100)
@given(
    st.sampled_from(FRAMES),
    st.sampled_from(FRAMED),
    st.booleans(),
    st.booleans(),
    st.integers(6, 10),
    st.integers(60, 260),
)
def test_no_window_tells_what_was_led_in_without_what_leads_it_in(
    strategy: StrategyName,
    frame: str,
    framed: tuple[str, str],
    apart: object,
    named: object,
    days: int,
    budget: int,
) -> None:
    words, told = framed
    turns = [*CHATTER[:2]]
    if apart and not frame.endswith("?"):
        turns += [(frame, "I see."), (words, "Well, well.")]
    else:
        turns.append((f"{frame} {words}", "I see."))
    turns += [CHATTER[day % len(CHATTER)] for day in range(days)]
    who = "Karl: " if named else ""
    talk = conversation(
        *[each for one, other in turns for each in (user(f"{who}{one}"), said(other))]
    )
    for window, sent in windows(talk, strategy, budget, max(60, budget // 2), keep=1):
        assert told not in window or frame.rstrip(".:") in sent, window


@each_row(
    ("words", "before", "is_one"),
    [
        ("It fell through.", "We move to Kiel on 3 May.", True),
        ("Just two, Kim is my niece.", "I have three children, Ida, Tom and Kim.", True),
        ("At least that is what Petra hopes.", "Karl owes me 900 crowns.", True),
        ("Says who?", "Karl owes me 900 crowns.", True),
        ("The pump stands at quay 9.", "We move to Kiel on 3 May.", False),
        ("We saw Petra in Ulm.", "We move to Kiel on 3 May.", False),
        ("How long do eggs keep?", "We move to Kiel on 3 May.", False),
        ("Okay, thanks a lot!", "We move to Kiel on 3 May.", False),
        ("That sounds lovely!", "We move to Kiel on 3 May.", False),
        ("We talked of mills, harbours, nets, lamps and gulls.", "We move to Kiel.", False),
    ],
)
def test_short_words_that_name_nothing_of_their_own_react(
    words: str, before: str, *, is_one: bool
) -> None:
    assert reacts(words, before) is is_one


@each_row(
    ("words", "only"),
    [
        ("Okay, will do.", True),
        ("No, thanks.", True),
        ("Thanks, see you at noon!", True),
        ("No.", False),
        ("Yes, but that is a lie.", False),
        ("Thanks, but no.", False),
        ("Wait, don't.", False),
    ],
)
def test_words_that_only_take_in_what_was_said(words: str, *, only: bool) -> None:
    assert assents(words) is only


@each_row(
    ("words", "before", "stays"),
    [
        ("I did nothing of the kind.", "They say that I sold the mill.", True),
        ("Said the miller.", "I had ten beers and drove home.", True),
        ("The lab had mixed them up.", "My sugar is at 212.", True),
        ("The sea was calm.", "We mended nets.", False),
        ("We had so much fun with it!", "We met 14 friends.", False),
    ],
)
def test_in_a_message_what_denies_governs_or_speaks_of_a_figure_stays_with_it(
    words: str, before: str, *, stays: bool
) -> None:
    assert hangs(words, before) is stays


ORDER, ECHO = ("ana", "Book the train to Kiel for Tuesday."), ("", "The train to Kiel is booked.")
OTHER = (("ana", "How long do eggs keep?"), ("", "For about four weeks."))


@each_row(
    ("voices", "found"),
    [
        ((ORDER, ECHO, ("ana", "It fell through.")), {0: [2], 1: [2]}),
        ((ORDER, ECHO, *OTHER, ("ana", "It fell through.")), {0: [4], 1: [4], 2: [4], 3: [4]}),
        ((ORDER, ECHO, ORDER), {}),
        (
            (ORDER, ("bo", "I was at the quay with the whole crew of the Heron, at 9 or at " * 2)),
            {},
        ),
        ((ECHO, ("", 'ana: "It fell through." I see.')), {0: [1]}),
        ((("ana", "Do none of the following."), ("", "Why?"), ORDER), {2: [0]}),
    ],
)
def test_a_short_turn_is_of_what_its_speaker_said_and_of_what_was_made_of_that(
    voices: tuple[tuple[str, str], ...], found: dict[int, list[int]]
) -> None:
    assert reactions(voices) == found
