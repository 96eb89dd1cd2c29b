"""Which words take back what was said right before them."""

from mindpipe.language.withdrawals import takes_back, withdrawal_in, withdrawn
from support.tables import each_row

WITHDRAW = (
    "I was joking",
    "just kidding",
    "lol jk",
    "haha just kidding!!",
    "scratch that",
    "that was a lie",
    "That was just a stupid joke, sorry.",
    "no wait, wrong dog",
    "oops, wrong chat",
    "I made that up.",
    "sorry, I was only kidding about the dog",
    "forget what I just said",
    "please ignore my last message",
    "Wrong one - it was Bello.",
    "I didn't mean that",
    "April fools!",
    "I take that back.",
    "That was a typo",
    "I was joking, Kim!",
    "just kidding, I do",
)
STAND = (
    "I was joking, but he really is ill",
    "I was joking with Tom about Rex all day",
    "Are you kidding me?",
    "you're joking",
    "I like joking",
    "joking aside, I moved",
    "He said that was a lie",
    "that was a lie of hers",
    "Forget it is what they say",
    "I never forget that",
    "no wait, I live in Linz",
    "wrong dogs bark louder",
    "It was a joke shop.",
    "Was that a joke?",
    "I'm not joking",
    "I was joking, of course I like you.",
    "Forget it, I'm tired.",
    "That's a lie, said Kim.",
)


@each_row("text", WITHDRAW)
def test_what_takes_back_the_last_word(text: str) -> None:
    assert withdrawn(text) is not None


@each_row("text", STAND)
def test_what_takes_nothing_back(text: str) -> None:
    assert withdrawn(text) is None


@each_row("text", WITHDRAW)
def test_what_takes_back_the_last_word_does_so_beside_more(text: str) -> None:
    found = withdrawal_in(f"The boat is blue. {text}")
    assert found is not None
    assert found[0] >= len("The boat is blue. ")


@each_row(
    ("text", "taken"),
    [
        ("I take that back.", True),
        ("Sorry all, I've changed my mind.", True),
        ("On second thought, no.", True),
        ("We met at noon, and I take back what I said of Kim.", True),
        ("Please cancel that, the boat is sold.", True),
        ("I withdraw my offer.", True),
        ("The deal is off.", True),
        ("Ich nehme das zurück.", True),
        ("Sorry, Wednesday.", True),
        ("I took this picture last summer.", False),
        ("Don't forget that you have neighbours.", False),
        ("It's simple to wander off and forget that.", False),
        ("Sorry! Maybe there are others.", False),
        ("Oops, sorry 'bout the mess.", False),
        ("We ignore that most of the time.", False),
        ("I will take it.", False),
    ],
)
def test_what_a_text_takes_back_among_other_words(text: str, *, taken: bool) -> None:
    assert (withdrawal_in(text) is not None) == taken


OPENS = (
    "correction, six. six pages",
    "Correction to the list: her brother is Rohan",
    "sorry, other way about!!",
    "no hold on, strike that",
    "Make that three.",
    "I meant Tuesday",
    "Hang on it's overnight so I land the 20th",
    "*17th, the 10th is just documents",
    "That was a lie, I never sold it.",
    "wrong person, sorry",
    "lol jk",
)
OPENS_OTHERWISE = (
    "No, I don't think so.",
    "Sorry to hear that!",
    "I made a correction to the text.",
    "Wait for me!",
    "Hang on!",
    "** loud **",
    "This is a test of the pump.",
    "It's off the coast of Spain.",
)


@each_row("text", OPENS)
def test_what_opens_by_taking_back_what_was_said_right_before(text: str) -> None:
    assert takes_back(text)


@each_row("text", OPENS_OTHERWISE)
def test_what_opens_in_words_that_are_alike(text: str) -> None:
    assert not takes_back(text)
