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
    ("your boss moves your desk next to the printer", "the printer",
     "my boss moved my desk next to the printer", "my boss moving my desk next to the printer"),
    ("a letter from the bank lies on the mat", "the letter",
     "a letter from the bank lay on the mat", "a letter from the bank lying on the mat"),
    ("the children sing for you in the yard", "the children",
     "the children sang for me in the yard", "the children singing for me in the yard"),
    ("your sister's wedding is called off", "my sister's wedding",
     "my sister's wedding was called off", "my sister's wedding being called off"),
    ("the ward telephones: Nora's heart has stopped", "Nora's heart", "Nora's heart stopped",
     "Nora's heart stopping"),
    ("a crate drops on your right hand", "the crate", "a crate dropped on my right hand",
     "a crate dropping on my right hand"),
    ("you and Tomas watch a programme about owls", "the programme about owls",
     "Tomas and I watched a programme about owls",
     "watching a programme about owls with Tomas"),
    ("YOU HAVE LOST THE HOUSE", "the house", "I lost the house", "losing the house"),
    ("you miss the last bus and walk home through the snow", "the last bus",
     "I missed the last bus", "missing the last bus"),
)  # fmt: skip
TOLD_OF_HEARER = (
    ("Beatriz tells you that you are dismissed", ("I am dismissed",)),
    ("Beatriz tells you the rest", ("Beatriz tells me the rest",)),
    ("you are ill", ("I am ill",)),
    ("you are dismissed from the depot", ("I am dismissed from the depot",)),
)


@each_row("text, bits", TOLD_OF_HEARER)
def test_a_clause_that_would_have_to_turn_is_no_bit(text: str, bits: tuple[str, ...]) -> None:
    assert READ(text).bits == bits


def test_a_verb_at_the_end_of_a_clause_is_no_noun() -> None:
    assert "the contractions" in READ("the contractions begin").things
    assert not any("begin" in one for one in READ("the contractions begin").things)


# What people write who hurry, shout, deny, look ahead or tell what was done to somebody.
ODD = (
    ("THE DOG DIED", "the dog", "the dog died", "the dog dying"),
    ("you did not get into the choir", "the choir", "I did not get into the choir",
     "not getting into the choir"),
    ("you didn't pass the driving test", "the driving test", "I did not pass the driving test",
     "not passing the driving test"),
    ("Oskar did not get the job", "the job", "Oskar did not get the job",
     "Oskar not getting the job"),
    ("you can't find your passport", "my passport", "I could not find my passport", ""),
    ("you got fired", "", "I got fired", "getting fired"),
    ("you were told to leave the flat by Friday", "the flat",
     "I was told to leave the flat by Friday", "being told to leave the flat by Friday"),
    ("Emil has been arrested for fighting", "", "Emil was arrested for fighting",
     "Emil being arrested for fighting"),
    ("the nurse is stitching your arm", "the nurse", "the nurse was stitching my arm",
     "the nurse stitching my arm"),
    ("Rosa and Luis are getting married", "", "Rosa and Luis were getting married",
     "Rosa and Luis getting married"),
    ("ur dog was run over by a car", "my dog", "my dog was run over by a car",
     "my dog being run over by a car"),
    ("your knee throbs where the nail was", "my knee", "my knee throbbed",
     "my knee throbbing"),
    ("your landlord wants to sell the house", "my landlord",
     "my landlord wanted to sell the house", "my landlord wanting to sell the house"),
    ("the police want to speak to you", "the police", "the police wanted to speak to me",
     "the police wanting to speak to me"),
    ("they have decided to let you go", "", "they decided to let me go", ""),
    ("you weigh 3.5 kilos more", "", "I weighed 3.5 kilos more",
     "weighing 3.5 kilos more"),
    ("you meet Dr. Wolff at the ferry", "the ferry", "I met Dr Wolff at the ferry",
     "meeting Dr Wolff at the ferry"),
    ("nobody came to your birthday", "my birthday", "nobody came to my birthday", ""),
    ("Henk puts his last biscuit on your music stand", "my music stand",
     "Henk put his last biscuit on my music stand",
     "Henk putting his last biscuit on my music stand"),
    ("Bruno is going to be operated on on Monday", "", "",
     "the thought that Bruno is going to be operated on on Monday"),
    ("the bank are not going to lend", "the bank", "",
     "the thought that the bank are not going to lend"),
    ("you will be moved to the north office in May", "the north office", "",
     "the thought that I will be moved to the north office in May"),
    ("Maud writes that the child has come, a girl", "the child",
     "Maud wrote that the child had come", "the child coming"),
    ("the clinic says grandmother Ada has fallen and does not wake", "",
     "the clinic said that grandmother Ada had fallen", "grandmother Ada falling"),
    ("Anton writes that he has sold the horse", "the horse",
     "Anton wrote that he had sold the horse", "Anton selling the horse"),
    ("the office writes that your lease ends in June", "my lease",
     "the office wrote that my lease ends in June", "my lease ending in June"),
    ("the wind shakes the door", "the wind", "the wind shook the door",
     "the wind shaking the door"),
    ("Ruth and you paint the boat blue", "the boat", "Ruth and I painted the boat blue",
     "painting the boat blue with Ruth"),
    ("father drives you to the station", "the station", "father drove me to the station",
     "father driving me to the station"),
    ("Luz shouts that you were never there and slams the door", "the door",
     "Luz shouted that I was never there", "Luz shouting that I was never there"),
    ("Tito tells Ana that mother's house has been sold", "mother's house",
     "Tito told Ana that mother's house had been sold",
     "Tito telling Ana that mother's house had been sold"),
    ("you show Firmin how to bone a shoulder of pork", "the shoulder",
     "I showed Firmin how to bone a shoulder", "showing Firmin how to bone a shoulder"),
    ("the long belt runs double speed tonight", "the long belt",
     "the long belt ran double speed", "the long belt running double speed"),
)  # fmt: skip
UNREAD = ("", "Fire", "Der Hund hat mein Brot gefressen", "🎉🎉🎉", "...", "?", "the", "you and")


@each_row("text, thing, deed, doing", TOLD)
def test_an_event_becomes_parts_of_a_sentence(text: str, thing: str, deed: str, doing: str) -> None:
    words = READ(text)
    assert (words.things[:1], words.deeds[:1]) == ((thing,), (deed,))
    assert next(iter(words.doings), "") == doing


@each_row("text, thing, deed, doing", ODD)
def test_whatever_way_a_text_is_written_what_is_said_of_it_is_a_sentence(
    text: str, thing: str, deed: str, doing: str
) -> None:
    words = READ(text)
    assert next(iter(words.things), "") == thing
    assert (next(iter(words.deeds), ""), next(iter(words.doings), "")) == (deed, doing)


def test_what_is_to_come_is_told_as_it_stands() -> None:
    assert READ("Bruno is going to be operated on on Monday").bits[:1] == (
        "Bruno is going to be operated on on Monday",
    )


@each_row("text", UNREAD)
def test_what_cannot_be_read_surely_gives_no_parts(text: str) -> None:
    assert READ(text) == EventWords()


def test_speech_is_said_again_in_short_stretches_and_its_things_are_the_hearers() -> None:
    words = READ("You should sell your car before the winter.", spoken=True)
    assert words.sayings == ("You should sell your car before the winter",)
    assert words.things == ("the winter", "my car")
    assert READ("Mum, wait!", spoken=True).deeds == ()


def test_a_goal_is_an_infinitive_and_a_gerund() -> None:
    words = READ("pass the driving test", aimed=True)
    assert (words.aim, words.aiming) == ("pass the driving test", "passing the driving test")
    assert READ("I want to stop smoking", aimed=True).aiming == "stopping smoking"
    assert READ("getting my licence back", aimed=True).aim == "get my licence back"
    assert READ("the driving test", aimed=True).aim == ""


def test_a_short_question_is_asked_again_as_it_stands() -> None:
    assert READ("How do I mend the roof in June?").asked == "How do I mend the roof in June?"
    assert READ("what if my hands shake again").asked == "What if my hands shake again?"
    sleeper = READ("Where does a man of sixty-eight sleep when he has left?")
    assert (sleeper.asked[:10], sleeper.deeds) == ("Where does", ())
    assert "Ondine" in READ("the child has come, a girl, Ondine").things
    assert "Wait" not in READ("She said nothing. Wait. She went.").things
    assert READ("Will the gearbox hold in the hills?").things[0] == "the gearbox"


def test_somebody_is_named_as_the_hearer_names_them() -> None:
    assert language().reader.turned("your mother") == "my mother"


@each_row("asked, within", (
    ("Who will mend the roof?", "who will mend the roof"),
    ("Do I still play in May?", "whether I still play in May"),
    ("How do I mend the roof?", "how I mend the roof"),
    ("How will I tell her?", "how I will tell her"),
    ("Does he know?", ""),
    ("Rosa or Luis?", "Rosa or Luis"),
    ("", ""),
))  # fmt: skip
def test_a_question_stands_within_a_sentence(asked: str, within: str) -> None:
    assert language().reader.within(asked) == within


def test_a_thing_is_named_in_short_by_its_head_and_what_somebody_does_has_none() -> None:
    brief = language().reader.brief
    assert brief("the harpsichord solo") == "the solo"
    assert brief("the miller letting grain run") == "the miller letting grain run"


def test_a_birth_is_no_state_of_somebody() -> None:
    for text in ("your daughter Nia is born", "your daughter is born", "your mother Ruth is ill"):
        assert language().reader.read(text, spoken=False).states == ()
    assert language().reader.read("your window is broken", spoken=False).states


def test_what_is_told_as_to_come_is_not_over() -> None:
    (said,) = language().reader.read("the trust writes that your post ends in March").deeds
    assert said == "the trust wrote that my post ends in March"


def test_what_was_said_is_quoted_whole_or_not() -> None:
    read = language().reader.read
    said = "You gave bed six the wrong dose of the new drug, Ruth."
    assert read(said, spoken=True).sayings == ()
    assert read("I was proud of you, you know.", spoken=True).sayings == ("I was proud of you",)
    assert read("Your coat is on the wrong way, little owl.", spoken=True).sayings == (
        "Your coat is on the wrong way",
    )


@each_row("said, asks", (
    ("Which nails do I use, Mum?", True),
    ("Mum, which nails do I use?", True),
    ("I won the raffle, can you believe it?", False),
    ("I am back. Shall we eat?", True),
    ("We shall eat.", False),
))  # fmt: skip
def test_a_question_is_asked_by_its_main_clause(said: str, *, asks: bool) -> None:
    assert language().reader.asks(said) is asks
