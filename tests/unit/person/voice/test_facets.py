"""What something that happened holds, read from its text."""

from mindpipe.person.calendar import DAY_US, HOUR_US
from mindpipe.person.voice.facets import clock_words, days_until, stretch_words
from mindpipe.person.voice.language import language
from support.tables import each_row

READER = language().facets
LEXICON = READER.lexicon

# What happened, and one of its facets.
HAPPENED = (
    ("Bo asks you about tides over cold tea", "pieces", ("Bo asks me",)),
    ("Bo asks you about tides over cold tea", "parts", ("about tides", "over cold tea")),
    ("you and Bo fold the nets", "pieces", ("Bo and I fold the nets",)),
    ("Mia kneels on the ice and holds your hand", "acts", ("knelt on the ice", "held my hand")),
    ("Mia brings her chess set and a pot of jam", "gifts", ("Mia's chess set",)),
    ("neither of you says a word", "pieces", ()),
    ("one wrist is broken: five weeks without handball", "span", "five weeks"),
    ("one wrist is broken: five weeks without handball", "span_days", 35),
)
# What was said by Mia, and one of its facets.
SAID = (
    ("I am on the night boat. Wait up for me.", "asked", ("wait up for Mia",)),
    ("You should paint the shed before the thaw.", "asked_doing", ("painting the shed",)),
    ("You should paint the shed before the thaw.", "due", ("before the thaw",)),
    ("I'll teach you the song, and you nod.", "promised", ("teach me the song",)),
    ("I have to be back on Monday.", "weekday", "Monday"),
    ("Like me, you can sleep now.", "asked", ()),
)
CLOCK = ((9.0, "nine"), (9.49, "half past nine"), (0.0, "midnight"), (12.1, "noon"),
         (14.75, "quarter to three"), (23.9, "midnight"))  # fmt: skip
STRETCHES = (
    (0.2, ""),
    (1.0, "an hour"),
    (26.0, "twenty-six hours"),
    (35.8, "two days"),
    (72.0, "three days"),
)


@each_row("text, facet, wanted", HAPPENED)
def test_what_happened_is_taken_apart(text: str, facet: str, wanted: object) -> None:
    assert getattr(READER.read(text), facet) == wanted


@each_row("text, facet, wanted", SAID)
def test_what_was_said_is_taken_apart(text: str, facet: str, wanted: object) -> None:
    assert getattr(READER.read(text, spoken=True, source="Mia"), facet) == wanted


@each_row("hours, words", CLOCK)
def test_the_hour_is_told_to_the_quarter(hours: float, words: str) -> None:
    assert clock_words(round(hours * HOUR_US), LEXICON) == words


@each_row("hours, words", STRETCHES)
def test_a_stretch_of_time_is_told_roughly(hours: float, words: str) -> None:
    assert stretch_words(round(hours * HOUR_US), LEXICON) == words


def test_a_day_of_the_week_comes_nearer() -> None:
    assert [days_until("Monday", day * DAY_US) for day in range(8)] == [0, 6, 5, 4, 3, 2, 1, 0]


def test_numbers_are_words_and_back() -> None:
    assert [LEXICON.number(n) for n in (0, 7, 20, 42, 90, 100)] == [
        "", "seven", "twenty", "forty-two", "ninety", "",
    ]  # fmt: skip
    assert [LEXICON.value(w) for w in ("one", "twenty", "sixty", "hundred", "ox")] == [
        1, 20, 60, 0, 0,
    ]  # fmt: skip
