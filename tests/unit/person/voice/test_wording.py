"""What is read from the text of an event: things, deeds, doings, and what was said."""

from mindpipe.person.voice.language import language
from mindpipe.person.voice.wording import EventWords
from support.tables import each_row

READ = language().reader.read
# The text, its most particular thing, its first deed and its first doing.
TOLD = (
    ("you sit at Nora's bed and read to her", "Nora's bed", "I sat at Nora's bed",
     "sitting at Nora's bed"),
    ("Ilse sits beside you and peels apples that nobody eats", "the apples",
     "Ilse sat beside me", "Ilse sitting beside me"),
    ("you and Tomas fold the sheets", "the sheets", "Tomas and I folded the sheets",
     "folding the sheets with Tomas"),
    ("your boss moves your desk next to the printer", "the printer", "my boss moved my desk",
     "my boss moving my desk"),
    ("a letter from the bank lies on the mat", "the letter",
     "a letter from the bank lay on the mat", "a letter from the bank lying on the mat"),
    ("the children sing for you in the yard", "the children",
     "the children sang for me in the yard", "the children singing for me in the yard"),
    ("your sister's wedding is called off", "my sister's wedding",
     "my sister's wedding was called off", ""),
    ("the ward telephones: Nora's heart has stopped", "Nora's heart", "Nora's heart stopped",
     "Nora's heart stopping"),
    ("a crate drops on your right hand", "the crate", "a crate dropped on my right hand",
     "a crate dropping on my right hand"),
    ("YOU HAVE LOST THE HOUSE", "the house", "I lost the house", "losing the house"),
    ("you miss the last bus and walk home through the snow", "the snow", "I missed the last bus",
     "missing the last bus"),
)  # fmt: skip
UNREAD = ("", "Fire", "Der Hund hat mein Brot gefressen", "🎉🎉🎉", "...", "?", "the", "you and")


@each_row("text, thing, deed, doing", TOLD)
def test_an_event_becomes_parts_of_a_sentence(text: str, thing: str, deed: str, doing: str) -> None:
    words = READ(text)
    assert (words.things[:1], words.deeds[:1]) == ((thing,), (deed,))
    assert next(iter(words.doings), "") == doing


@each_row("text", UNREAD)
def test_what_cannot_be_read_surely_gives_no_parts(text: str) -> None:
    assert READ(text) == EventWords()


def test_speech_is_said_again_in_short_stretches_and_its_things_are_the_hearers() -> None:
    words = READ("You should sell your car before the winter.", spoken=True)
    assert words.sayings == ("You should sell your car", "before the winter")
    assert words.things == ("the winter", "my car")
    assert READ("Mum, wait!", spoken=True).deeds == ()


def test_a_goal_is_an_infinitive_and_a_gerund() -> None:
    words = READ("pass the driving test", aimed=True)
    assert (words.aim, words.aiming) == ("pass the driving test", "passing the driving test")
    assert READ("the driving test", aimed=True).aim == ""


def test_a_short_question_is_asked_again_as_it_stands() -> None:
    assert READ("How do I pay the rent in May?").asked == "How do I pay the rent in May?"


def test_somebody_is_named_as_the_hearer_names_them() -> None:
    assert language().reader.turned("your mother") == "my mother"
