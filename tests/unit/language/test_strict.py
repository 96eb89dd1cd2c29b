"""The strict reader: few forms, each the whole of a clause, and nothing that is meant otherwise."""

from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.numerals import number_of
from mindpipe.language.records import Statement, Utterance
from mindpipe.language.strict import STRICT
from support.tables import each_row


def read(text: str) -> tuple[Statement, ...]:
    """Return what Mara says in a text, but for figures."""
    (found,) = STRICT.read([Utterance(text, "Mara", "2026-05-01T10:00:00Z")])
    return tuple(one for one in found if one.unit is None)


STATED = (
    ("I live in Porto, near the river.", ("residence", "Porto", "asserted")),
    ("ok so I'm based in New Haven these days", ("residence", "New Haven", "asserted")),
    ("i live in Porto now", ("residence", "Porto", "asserted")),
    ("We've moved to Ribeira, Porto.", ("residence", "Ribeira, Porto", "asserted")),
    ("No, I don't live in Bremen!", ("residence", "Bremen", "denied")),
    ("I don't live in Bremen any more.", ("residence", "Bremen", "ended")),
    ("I work at Nordlicht.", ("workplace", "Nordlicht", "asserted")),
    ("I got fired from Siemens", ("workplace", "Siemens", "ended")),
    ("I quit my job.", ("workplace", None, "ended")),
    ("I'm a nurse", ("job", "nurse", "asserted")),
    ("I'm a game designer", ("job", "game designer", "asserted")),
    ("I work as a tree surgeon in the park", ("job", "tree surgeon", "asserted")),
    ("I'm thirty-four, honestly", ("age", "34", "asserted")),
    ("I'm 35 now", ("age", "35", "asserted")),
    ("I adore sea swimming", ("taste", "sea swimming", "asserted")),
    ("I really can't stand cold soup.", ("taste", "not cold soup", "asserted")),
    ("I went off ramen completely", ("taste", "not ramen", "asserted")),
    ("I don't eat gluten btw", ("food", "not gluten", "asserted")),
    ("I don't do meat, not since I was nine", ("food", "not meat", "asserted")),
    ("I'm not vegan!!", ("diet", "vegan", "denied")),
    ("I've gone vegetarian", ("diet", "vegetarian", "asserted")),
    ("I'm allergic to bee stings.", ("allergy", "bee stings", "asserted")),
    ("I have asthma.", ("health", "asthma", "asserted")),
    ("I speak Polish", ("skill", "Polish", "asserted")),
    ("My sister's name is Eva.", ("relation", "Eva", "asserted")),
    ("my supervisor, Prof Adeyemi, wants chapter two", ("relation", "Prof Adeyemi", "asserted")),
    ("My husband is Jonas.", ("partner", "Jonas", "asserted")),
    ("Ruairi and me are finished.", ("partner", "Ruairi", "ended")),
    ("We split up.", ("partner", None, "ended")),
    ("we split last month", ("partner", None, "ended")),
    ("we've split, nearly three weeks ago", ("partner", None, "ended")),
    ("my wife left me", ("partner", None, "ended")),
    ("I'm sick of ramen", ("taste", "not ramen", "asserted")),
    ("I retired in May", ("workplace", None, "ended")),
    ("we adopted a cat called Points", ("pet", "Points (cat)", "asserted")),
    ("I moved to Porto in March", ("residence", "Porto", "asserted")),
    ("I used to live in Durham", ("residence", "Durham", "ended")),
    ("I'm off sertraline now", ("medication", "sertraline", "ended")),
    ("the doctor put me on ramipril", ("medication", "ramipril", "asserted")),
    ("I love the sea", ("taste", "sea", "asserted")),
    ("that was my daughter Sara's birthday", ("relation", "Sara", "asserted")),
    ("Petra speaks Polish", ("skill", "Polish", "asserted")),
    ("That settles it for me: I hate ferries", ("taste", "not ferries", "asserted")),
    ("How did I ever like vinyl", ("taste", "vinyl", "ended")),
    ("why did I ever live in Hull?", ("residence", "Hull", "ended")),
    ("I'm done with running", ("taste", "running", "ended")),
    ("I've lost my taste for gin", ("taste", "gin", "ended")),
    ("can't face sushi since the poisoning", ("taste", "sushi", "ended")),
    ("Knitting isn't my thing any more", ("taste", "Knitting", "ended")),
    ("I'm not big on seafood", ("taste", "not seafood", "asserted")),
    ("No more warfarin, the nurse was firm", ("medication", "warfarin", "ended")),
    ("The clinic stopped my warfarin.", ("medication", "warfarin", "ended")),
    ("I've been on metformin for years", ("medication", "metformin", "asserted")),
    ("Piotr moved out on Sunday", ("housemate", "Piotr", "ended")),
    ("Lou is my ex now", ("partner", "Lou", "ended")),
    ("Bea called off the engagement.", ("partner", "Bea", "ended")),
    ("Hana and I called it quits", ("partner", "Hana", "ended")),
    ("me and Linda have been married twenty years", ("partner", "Linda", "asserted")),
    ("Biscuit is no longer with us", ("pet", "Biscuit", "ended")),
    ("We had to say goodbye to Biscuit", ("pet", "Biscuit", "ended")),
    ("My motorbike got nicked last night", ("owns", "motorbike", "ended")),
    ("I traded the van in", ("owns", "van", "ended")),
    ("The van's gone to the scrapyard", ("owns", "van", "ended")),
    ("gave up being vegan, it was too much", ("diet", "vegan", "ended")),
    ("I drink coffee again", ("food", "coffee", "asserted")),
    ("I'm back on meat", ("food", "meat", "asserted")),
    ("I don't touch alcohol", ("food", "not alcohol", "asserted")),
    ("My days as a baker are over", ("job", "baker", "ended")),
    ("I retrained as a gardener", ("job", "gardener", "asserted")),
    ("I've left Ghent for good", ("residence", "Ghent", "ended")),
    ("We gave up the flat in Ghent", ("residence", "Ghent", "ended")),
    ("I got made redundant by Lidl", ("workplace", "Lidl", "ended")),
    ("Lidl let me go", ("workplace", "Lidl", "ended")),
    ("I dropped the Greek classes", ("skill", "Greek", "ended")),
    ("I speak a bit of Welsh", ("skill", "Welsh", "asserted")),
    ("I was born on 9 October 1996", ("birthday", "9 October", "asserted")),
    ("Just had my 42nd birthday", ("age", "42", "asserted")),
    ("my best mate Kel is late", ("relation", "Kel", "asserted")),
    ("I get migraines", ("health", "migraines", "asserted")),
    ("I love gin and I hate queues of any kind of people at all", ("taste", "gin", "asserted")),
    ("I went vegan today", ("diet", "vegan", "asserted")),
    ("I live in the US", ("residence", "US", "asserted")),
    ("my friend Will is late", ("relation", "Will", "asserted")),
    ("I'm 10 years old", ("age", "10", "asserted")),
    ("The move was a nightmare. I live in Leeds now", ("residence", "Leeds", "asserted")),
    ("Heron is in debug mode", ("mode", "debug", "asserted")),
    ("moved to Leeds last week!", ("residence", "Leeds", "asserted")),
    ("I've lived in Rome for ten years", ("residence", "Rome", "asserted")),
    ("I live on Larch Street", ("residence", "Larch Street", "asserted")),
    ("I've moved in with my parents in Leeds", ("residence", "Leeds", "asserted")),
    ("I live in Leeds with my wife and two kids", ("residence", "Leeds", "asserted")),
    ("handed back the flat. since then I'm nowhere", ("residence", None, "ended")),
    ("I've moved out of the flat", ("residence", None, "ended")),
    ("I moved in with Ana", ("housemate", "Ana", "asserted")),
    ("got a new job at Bosch", ("workplace", "Bosch", "asserted")),
    ("Harbour Hotel hired me as a cashier", ("workplace", "Harbour Hotel", "asserted")),
    ("the BBC took me on", ("workplace", "BBC", "asserted")),
    ("I've got a job with the NHS", ("workplace", "NHS", "asserted")),
    ("handed back the keys to the landlord", ("residence", None, "ended")),
    ("I'm on leave.", ("away", "on leave", "asserted")),
    ("back from leave", ("away", None, "ended")),
    ("I work in my wife's bakery", ("workplace", "bakery", "asserted")),
    ("I'm moving to Rome for a new job", ("residence", "Rome", "asserted")),
    ("My birthday is on the third of May", ("birthday", "the third of May", "asserted")),
    ("my birthday's May 3rd", ("birthday", "May 3rd", "asserted")),
    ("I dread flying", ("taste", "not flying", "asserted")),
    ("I got into climbing", ("taste", "climbing", "asserted")),
    ("I work in a small bakery", ("workplace", "small bakery", "asserted")),
    ("I work at Bosch as an engineer", ("workplace", "Bosch", "asserted")),
    ("friday was my last day at Bosch", ("workplace", "Bosch", "ended")),
    ("handed in my notice", ("workplace", None, "ended")),
    ("so I am without work, hurra", ("workplace", None, "ended")),
    ("I'm retired", ("workplace", None, "ended")),
    ("I became a nurse", ("job", "nurse", "asserted")),
    ("they promoted me to manager", ("job", "manager", "asserted")),
    ("Devan and I have called it off", ("partner", "Devan", "ended")),
    ("Tom and I are together", ("partner", "Tom", "asserted")),
    ("I got engaged to Tom!", ("partner", "Tom", "asserted")),
    ("My wife (Hettie) is out", ("partner", "Hettie", "asserted")),
    ("my other half Ruairi is late", ("partner", "Ruairi", "asserted")),
    ("Tom's my brother", ("relation", "Tom", "asserted")),
    ("The doctor has taken me off the tablets.", ("medication", None, "ended")),
    ("no more pills for me", ("medication", None, "ended")),
    ("I have high blood pressure", ("health", "high blood pressure", "asserted")),
    ("I broke my left wrist", ("health", "broken left wrist", "asserted")),
    ("I don't drink", ("food", "not alcohol", "asserted")),
    ("I'm not allergic to nuts after all", ("allergy", "nuts", "denied")),
    ("I don't have a car", ("owns", "car", "denied")),
    ("I've bought a new laptop", ("owns", "laptop", "asserted")),
    ("I drive a Tesla", ("owns", "Tesla", "asserted")),
    ("the Ford is gone", ("owns", "Ford", "ended")),
    ("we have a dog", ("pet", "dog", "asserted")),
    ("our cat Points is ill", ("pet", "Points (cat)", "asserted")),
    ("I do not care for dogs", ("taste", "not dogs", "asserted")),
    ("I'm really into chess these days", ("taste", "chess", "asserted")),
    ("I'm a big jazz fan", ("taste", "jazz", "asserted")),
    ("not a fan of olives", ("taste", "not olives", "asserted")),
    ("can't stand olives", ("taste", "not olives", "asserted")),
    ("I LOVE gin", ("taste", "gin", "asserted")),
    ("One must be honest: I like dogs now", ("taste", "dogs", "asserted")),
    ("Truth be told: I hate opera", ("taste", "not opera", "asserted")),
    ("I'm on holiday in Crete", ("away", "on holiday", "asserted")),
    ("back from holiday", ("away", None, "ended")),
    ("my birthday was yesterday", ("birthday", "30 April", "asserted")),
    ("I owe podcasts an apology. I like them now", ("taste", "mentioned", "asserted")),
    ("User prefers PostgreSQL over MongoDB.", ("prefers", "PostgreSQL over MongoDB", "asserted")),
)


@each_row(("text", "expected"), STATED)
def test_the_forms_are_read(text: str, expected: tuple[str, str, str]) -> None:
    assert [(one.attribute, one.value, one.meant) for one in read(text)] == [expected]


MEANT_OTHERWISE = (
    ("Does anybody know if Eva lives in Turin?", None),
    ("My parents think I live in Paris.", None),
    ("Imagine I live in Bonn.", None),
    ("She says, I live in Rome.", "reported"),
    ('He said "I live in Berlin"', None),
    ("I moved to Berlin in my dream.", None),
    ("In my dream, I live in Berlin.", "imagined"),
    ("In the game, I live in Berlin.", "imagined"),
    ("We are moving to Paris in June.", "planned"),
    ("Maybe I like jazz.", None),
    ("Well, maybe, I like jazz.", "hedged"),
    ("Oh great, I love queues.", "ironic"),
    ("If I win, I live in Rome.", "imagined"),
    ("looking for a flat in Leipzig", None),
    ("I like when it rains.", None),
    ("I hate it.", None),
    ("I love the thought, Nate!", None),
    ("I love your turtles so much!", None),
    ("Nobody lives in Porto.", None),
)


@each_row(("text", "meant"), MEANT_OTHERWISE)
def test_what_is_meant_otherwise_is_no_claim(text: str, meant: str | None) -> None:
    assert [one.meant for one in read(text)] == ([] if meant is None else [meant])
    assert not any(one.holds for one in read(text))


def test_a_statement_stands_on_its_sentence() -> None:
    text = "What a day. I live in Porto, with a cat. Bye!"
    (found,) = read(text)
    assert text[found.start : found.end] == "I live in Porto, with a cat."
    assert (found.reader, found.speaker, found.subject) == ("strict/1", "Mara", "Mara")


TIMES = (
    ("I start at Nordlicht on 1 June", "planned", "2026-06-01", ""),
    ("We're moving to Paris next month", "planned", "2026-06-01", ""),
    ("I'll be 35 on 14 May", "planned", "2026-05-14", ""),
    ("I'll be 35, and it's thursday the 14th of May", "planned", "2026-05-14", ""),
    ("I live in Rome until June", "asserted", "", "2026-07-01"),
    ("I moved to Porto on 3 March", "asserted", "2026-03-03", ""),
    ("I'll be 35", "planned", "", ""),
)


@each_row(("text", "meant", "since", "until"), TIMES)
def test_a_statement_says_when_it_holds(text: str, meant: str, since: str, until: str) -> None:
    (found,) = read(text)
    assert (found.meant, found.since[:10], found.until[:10]) == (meant, since, until)


def test_what_takes_the_place_of_another_names_it_or_not() -> None:
    (named,) = read("They switched me from ramipril to losartan")
    (other,) = read("the tablets were bad so she swapped me to losartan")
    assert (named.instead_of, other.instead_of) == ("ramipril", "")


def test_code_is_not_read_and_places_stay() -> None:
    text = "```\nI live in Rome.\n``` I live in Porto."
    assert [one.value for one in read(text)] == ["Porto"]
    (sentence,) = sentences("a, b and I c")
    assert [one.text for one in clauses(sentence)] == ["a", "b", "I c"]
    assert [text[one.start : one.end] for one in sentences(text)] == ["I live in Porto."]


def test_numbers_are_read_in_words_too() -> None:
    assert [number_of(one) for one in ("7", "twelve", "thirty-four", "forty two", "umpteen")] == [
        *(7, 12, 34, 42),
        None,
    ]


DENIALS = (
    ("Big news: I moved to Lisbon!", ("residence", "Lisbon", "asserted")),
    ("I do NOT live in Bremen", ("residence", "Bremen", "denied")),
    ("I've never lived in Bremen.", ("residence", "Bremen", "denied")),
    ("I haven't moved to Bremen", ("residence", "Bremen", "denied")),
    ("It's not true that I live in Bremen", ("residence", "Bremen", "denied")),
    ("I'm not a nurse", ("job", "nurse", "denied")),
    ("I'm no nurse", ("job", "nurse", "denied")),
    ("I'm no longer a nurse", ("job", "nurse", "ended")),
    ("Tom isn't a nurse", ("job", "nurse", "denied")),
    ("I'm not working for Bosch", ("workplace", "Bosch", "denied")),
    ("Sarah isn't my wife", ("partner", "Sarah", "denied")),
    ("My sister isn't Eva", ("relation", "Eva", "denied")),
    ("I'm not married to Sarah", ("partner", "Sarah", "denied")),
    ("we're not together anymore", ("partner", None, "ended")),
    ("That's wrong, I don't have a dog", ("pet", "dog", "denied")),
    ("I have no cats", ("pet", "cat", "denied")),
    ("I don't own a car", ("owns", "car", "denied")),
    ("I don't speak French", ("skill", "French", "denied")),
    ("I'm not 40", ("age", "40", "denied")),
    ("my name isn't Mia", ("name", "Mia", "denied")),
    ("Hession swapped me to amlodipine", ("medication", "amlodipine", "asserted")),
    ("she called so Hession put me on ramipril", ("medication", "ramipril", "asserted")),
    ("Hession took me off ramipril", ("medication", "ramipril", "ended")),
    ("I live in Berlin, not Munich", ("residence", "Berlin", "asserted")),
)


@each_row(("text", "expected"), DENIALS)
def test_denials_and_changes_of_many_forms_are_read(
    text: str, expected: tuple[str, str | None, str]
) -> None:
    assert expected in [(one.attribute, one.value, one.meant) for one in read(text)]


INTRODUCED = (
    (
        "Mara. Fifty-eight. Avos outside Tzaneen, one wife (Hettie), two collies",
        {("age", "58"), ("partner", "Hettie")},
    ),
    ("Mara, vet, cats and dogs mostly. vegetarian", {("job", "vet"), ("diet", "vegetarian")}),
    (
        "Mara, sound engineer at Radio Sonke. flat in Melville with Zin who plays the tuba",
        {("job", "sound engineer"), ("workplace", "Radio Sonke"), ("residence", "Melville")},
    ),
    (
        "I am Mara, ground floor, forty-one years. One son, Kuba, he is ten.",
        {("relation", "Kuba")},
    ),
    (
        "hello! I'm Mara, 34, teacher, living in Leeds with my wife Ana, 39, baker",
        {("age", "34"), ("job", "teacher"), ("residence", "Leeds"), ("partner", "Ana")},
    ),
    ("Hi all, Mara here, 29, new", {("age", "29")}),
    ("Mara, retired teacher, 70", {("age", "70")}),
    ("Mara, not a nurse, 30", set()),
    ("Mara, nurse?", set()),
    ("Mara, you nurse!", set()),
    ("Mara, vet bills are mad", set()),
    ("Mara, 40 minutes late", set()),
    ("Mara: maybe a nurse", set()),
    ("Mara: 20", set()),
    ("I'm Mara, the nurse at Lidl", {("job", "nurse"), ("workplace", "Lidl")}),
    ("Tom, 30, nurse", set()),
    ("Mara, 30, married to Tom.", {("age", "30"), ("partner", "Tom")}),
    (
        "Mara, one wife (Hettie), one son, Kuba, 12, nurse",
        {("partner", "Hettie"), ("relation", "Kuba")},
    ),
    ("Mara, nurse, 20 years", {("job", "nurse")}),
    ("it's my birthday, 40!", {("birthday", "1 May"), ("age", "40")}),
    ("It's my 40th birthday on Monday.", {("birthday", "4 May")}),  # not yet
    ("It's my birthday, 20 years ago we met.", {("birthday", "1 May")}),
    ("friday was my birthday, forty-two", set()),  # said on a Friday
    ("yesterday was my 30th birthday", {("birthday", "30 April"), ("age", "30")}),
    ("monday was my birthday, forty-two", {("birthday", "27 April"), ("age", "42")}),
    ("It's Tom's birthday today", set()),
    ("it was my birthday present", set()),
    ("Is it my birthday?", set()),
)


@each_row(("text", "expected"), INTRODUCED)
def test_pieces_behind_the_own_name_and_birthdays_are_read(
    text: str, expected: set[tuple[str, str]]
) -> None:
    assert {(one.attribute, one.value) for one in read(text) if one.holds} == expected


NOT_BELIEVED = (
    "I'm Mara, not married to Tom.",
    "Mara here, never married to Tom.",
    "Mara here, I was married to Tom.",
    "Mara here, my sister is married to Bob.",
    "Mara here, my boss has a son Tom.",
    "Mara here, I don't have a brother called Tom.",
    "Hi, it's Mara, the combination is 24, 18, 33.",
    "Hi, it's Mara, 24, 18, 33.",
    "Mara - 30 - is the score.",
    "Mara, 30, is the score.",
    "Mara. Doctor Smith, 45, called.",
    "Mara, thanks, doctor!",
    "Mara here, doctor, please call me.",
    "She thinks I'm Mara, 40, a nurse.",
    "It was my birthday.",
    "It was my birthday, 20 years ago we met.",
    "I joked, it's my 50th birthday today.",
    "I handed back the keys to the office.",
    "I handed back the keys to the car.",
    "Tom hired me.",
    "Sarah took me on.",
    "Tom gave me a job.",
    "I got a job with Tom.",
    "I have no time for lunch",
    "I dread the interview.",
    "I hate the interview.",
    "It's my birthday on Friday.",
    "I'm into extra time.",
    "I'm into overtime",
    "I got into trouble",
    "My birthday is coming up",
    "My birthday is going well",
    "My birthday is next week",
    "I don't drink during Lent",
    "I don't drink after eight",
    "I'm moving to Rome for a month",
    "I'm moving to Rome for the semester",
    "My boss drinks coffee all day. Yesterday she brought a dog to the office. I love it now.",
    "I tried sushi. There is one on ships. I love it now.",
    "we split the bill",
    "we split the work last week",
    "we split at the junction",
    "Rex hates the fourth",
    "I like the 21st",
    "We almost split up",
    "My sister rang. Moved to Leeds.",
    "Tom is fine. Quit the job. Moved to Leeds.",
    "moved to tears",
    "left the house",
    "Tom is home now",
    "we have a mouse",
    "I drive an Uber",
    "I share a room with Tom tonight",
    "handed back the book",
    "she handed back the keys",
    "I'm moving out of the way",
    "bought a laptop for my sister",
    "friday is my last day at Bosch",
    "I became a bit of a nurse",
    "I don't have a car today",
    "I don't care for my mother any more",
    "I'm into week three",
    "I have a dog to walk",
    "my dog Rex was lovely",
    "I broke my phone",
    "Tom says I'm on holiday",
    "my boss: I'm vegan",
    "I love it!",
    "I like it now that you are here",
    "I hate everybody but I breathe",
    "I love gin and hate vodka",
    "I love running my own studio",
    "I hate trains right now",
    "I love mushrooms today",
    "I'm a chef today",
    "I'm a sailor at heart",
    "I'm a chef in training",
    "I'm a pilot in my spare time",
    "I'm a doctor (of dachshunds)",
    "I'm vegan (mostly)",
    "I'm a bad cook",
    "I'm a careful driver",
    "I'm 10",
    "L has asthma",
    "my sister LOVES horses",
    "my boss IS mad",
    "my brother I'm told is late",
    "my friend, Monday is fine",
    "I'm working at Christmas",
    "I work with Anna",
    "I work with Python",
    "I dreamt about a castle. I live in Paris there.",
    "Had a weird dream last night. Biscuit died.",
    "Dinner is finished",
    "She is on hold",
    "Ran 10.5 today",
    "See Chapter 2.3 first",
    "Mum is in zombie mode",
    "never knew that about you",
    "always happens to me",
    "My favourite part is when they sing",
    "The chorus goes: I hate ferries",
    "They read to me: I live in Hull",
    "Sofia's motto: I love ferries",
    "Tom moved out of the way",
    "How do I like vinyl",
    "oh I just love doing tax returns",
    "Lou is my ex-colleague, maybe",
    "I'd be done with running",
    "We might have to say goodbye to Biscuit",
    "Did the clinic stop my warfarin?",
    "My sister says I'm back on meat",
    "What if Bea called off the engagement",
    "Someone moved in with us",
    "Nobody dumped me",
    "None of them put me on amlodipine",
    "Neither doctor switched me to amlodipine",
    "Hardly anyone put me on losartan",
    "Not Hession put me on ramipril",
    "If Hession put me on amlodipine I would faint",
    "Hession wants to put me on ramipril",
    "I'm not just a nurse",
    "I'm not a bad nurse",
    "I'm not a nurse for nothing",
    "I'm not a nurse, am I?",
    "I don't think I live in Bremen",
    "It's not like I live in Bremen",
    "I'm a chef tonight",
    "I'm allergic to Mondays",
    "I don't drink and drive",
    "I can't bear another meeting",
    "I like Tom's idea",
    "I prefer that",
    "She didn't put me on lithium.",
    "My doctor never swapped me to sertraline.",
    "Nobody put me on warfarin.",
    "They should have put me on insulin.",
    "I've lived in Bremen.",
    "I've worked at Bosch.",
    "Bitcoin moved to London.",
    "On Monday I moved to Bremen.",
    "I'm moving to Oslo, maybe.",
    "We're moving to Oslo, or not.",
    "Translate: I live in Kiel.",
    "Tom: I live in Kiel.",
    "I live in Kiel. Just kidding.",
    "I live in Kiel. Not.",
    "I live in Kiel... as if!",
    "I live in Kiel, I mean Bremen.",
    "Tom lives in Kiel, I heard.",
    "I'm a former teacher.",
    "I don't live in Kiel in the summer.",
)


@each_row("text", NOT_BELIEVED)
def test_what_is_taken_back_or_somebody_elses_is_not_believed(text: str) -> None:
    assert [one for one in read(text) if one.holds] == []
