"""The strict reader: few forms, each the whole of a clause, and nothing that is meant otherwise."""

from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.numerals import number_of
from mindpipe.language.records import Statement, Utterance
from mindpipe.language.strict import STRICT
from support.tables import each_row


def read(text: str) -> tuple[Statement, ...]:
    """Return what Mara says in a text."""
    (found,) = STRICT.read([Utterance(text, "Mara", "2026-05-01T10:00:00Z")])
    return found


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
    ("it's over with Jess", ("partner", "Jess", "ended")),
    ("we adopted a cat called Points", ("pet", "Points (cat)", "asserted")),
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
    ("We are moving to Paris in June.", None),
    ("Maybe I like jazz.", None),
    ("Well, maybe, I like jazz.", "hedged"),
    ("Oh great, I love queues.", "ironic"),
    ("If I win, I live in Rome.", "imagined"),
    ("looking for a flat in Leipzig", None),
    ("I like when it rains.", None),
    ("I hate it.", None),
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
