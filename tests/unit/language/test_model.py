"""What a model says that words state is taken only where the words bear it out."""

import msgspec
import pytest

from mindpipe.knowledge.claims.attributes import ATTRIBUTES
from mindpipe.language.model import ReadStatement, fault_of, statement_of
from mindpipe.language.prompts import CHARACTERS, UTTERANCES, batches, question_of
from mindpipe.language.records import Utterance
from support.tables import each_row

AT = "2026-05-01T10:00:00Z"
TOLD = {attribute: one.told for attribute, one in ATTRIBUTES.items()}
ROME = {"quote": "I live in Rome", "attribute": "residence", "value": "Rome"}


def line(**given: object) -> ReadStatement:
    return msgspec.convert({"said": 1, "meant": "asserted", **given}, ReadStatement)


FAULTS = (
    ("I live in Rome.", ROME, ""),
    ("I lived in Rome.", ROME, "$.quote"),
    ("`I live in Rome`", ROME, "$.quote"),
    ("I live in Rome.", {**ROME, "quote": " "}, "$.quote"),
    ("I live in Rome.", {**ROME, "value": "Roma"}, "$.value"),
    ("I live in Rome.", {**ROME, "value": "..."}, "$.value"),
    ("I live in Rome.", {**ROME, "attribute": "star_sign"}, "$.attribute"),
    ("I live in Rome.", {**ROME, "subject": "Petra"}, "$.subject"),
    ("Petra and I live in Rome.", {**ROME, "subject": "Petra"}, ""),
    ("Petra is here. I live in Rome.", {**ROME, "subject": "Petra"}, "$.subject"),
    ("She says they live in Rome.", {**ROME, "quote": "live in Rome"}, "$.subject"),
    ("Petra and Tom live in Rome.", {**ROME, "quote": "live in Rome"}, "$.subject"),
    ("They live in Rome.", {**ROME, "quote": "live in Rome", "subject": "They"}, "$.subject"),
    ("You live in Rome, I know.", {**ROME, "quote": "You live in Rome, I know"}, "$.subject"),
    ("My brother lives in Rome and I at home.",
     {**ROME, "quote": "My brother lives in Rome and I at home"}, "$.subject"),
    ("Wohne in Rome.", {**ROME, "quote": "Wohne in Rome"}, ""),
    ("My mother is Eva.", {"quote": "My mother is Eva", "attribute": "relation", "value": "Eva"},
     "$.topic"),
    ("I turned thirty-five.", {"quote": "I turned thirty-five", "attribute": "age", "value": "35"},
     ""),
    ("I turned thirty-five.", {"quote": "I turned thirty-five", "attribute": "age", "value": "36"},
     "$.value"),
    ("No meat for me.", {"quote": "No meat for me", "attribute": "diet", "value": "vegetarian"},
     ""),
    ("No meat for me.", {"quote": "No meat for me", "attribute": "diet", "value": "carnivore"},
     "$.value"),
)  # fmt: skip


@each_row(("text", "given", "expected"), FAULTS)
def test_what_does_not_stand_there_is_refused(
    text: str, given: dict[str, str], expected: str
) -> None:
    found = fault_of(line(**given), Utterance(text, "Mara", AT), attributes=TOLD)
    assert found.split(":")[0] == expected


MEANT = (
    ("I live in Rome.", "asserted", "asserted"),
    ("I live in Rome.", "hedged", "hedged"),
    ("Do you think I live in Rome?", "asserted", "asked"),
    ('He said: "I live in Rome".', "asserted", "quoted"),
    ("Imagine I live in Rome.", "asserted", "imagined"),
    ("Tom claims I live in Rome.", "asserted", "reported"),
    ("I live in Rome, says Tom.", "asserted", "reported"),
    ("Oh great, no heating. I live in Rome.", "asserted", "ironic"),
    ("I live in Rome soon.", "asserted", "planned"),
    ("I don't think I live in Rome.", "asserted", "reported"),
    ("It is not true that I live in Rome.", "asserted", "hedged"),
    ("I live in Rome.", "denied", "hedged"),
    ("I live in Rome.", "ended", "ended"),
    ("I live in Rome. Not.", "asserted", "hedged"),
    ("It is not so, whatever they print, that I live in Rome.", "asserted", "hedged"),
    ("I do not eat meat, and I live in Rome.", "asserted", "asserted"),
    ("The idea that I live in Rome is absurd.", "asserted", "hedged"),
    ("Back then I live in Rome.", "asserted", "hedged"),
    ("I dreamt all night. I live in Rome.", "asserted", "imagined"),
    ("Ben: I live in Rome", "asserted", "reported"),
    ("My character is rich. I live in Rome.", "asserted", "imagined"),
    ("According to Tom I live in Rome.", "asserted", "reported"),
)


@each_row(("text", "said", "expected"), MEANT)
def test_the_guards_have_the_last_word(text: str, said: str, expected: str) -> None:
    told = line(**{**ROME, "meant": said})
    said = Utterance(text, "Mara", AT)
    assert fault_of(told, said, attributes=TOLD) == ""
    found = statement_of(told, said, reader="model/2 it")
    assert (found.meant, found.subject, found.speaker) == (expected, "Mara", "Mara")
    assert text[found.start : found.end] == ROME["quote"]


WHOLE = (
    ("I used to take lisinopril.", "take lisinopril", "asserted", "hedged"),
    ("I used to take lisinopril.", "take lisinopril", "ended", "ended"),
    ("I never take lisinopril.", "take lisinopril", "asserted", "hedged"),
    ("I stopped to take lisinopril.", "take lisinopril", "asserted", "hedged"),
    ("If I had to take lisinopril I would cry.", "take lisinopril", "asserted", "imagined"),
    ("I take lisinopril.", "take lisinopril", "asserted", "asserted"),
    ("I refuse to take lisinopril.", "take lisinopril", "asserted", "hedged"),
    ("I failed to take lisinopril.", "take lisinopril", "asserted", "hedged"),
    ("I could have had to take lisinopril.", "take lisinopril", "asserted", "hedged"),
    ("As a student I had to take lisinopril.", "take lisinopril", "asserted", "hedged"),
)


@each_row(("text", "quote", "said", "expected"), WHOLE)
def test_a_quote_is_read_in_its_whole_sentence(
    text: str, quote: str, said: str, expected: str
) -> None:
    told = line(quote=quote, attribute="medication", value="lisinopril", meant=said)
    assert statement_of(told, Utterance(text, "Mara", AT), reader="model/2 it").meant == expected


def test_days_are_taken_where_the_words_name_them() -> None:
    text = "I live in Rome until August."
    told = line(**{**ROME, "quote": text[:-1]}, until="2026-08-15")
    said = Utterance(text, "Mara", AT)
    assert fault_of(told, said, attributes=TOLD) == ""
    assert statement_of(told, said, reader="model/2 it").until == "2026-09-01T00:00:00Z"
    wrong = msgspec.structs.replace(told, until="2027-01-01")
    assert fault_of(wrong, said, attributes=TOLD).startswith("$.until")
    text = "I live in Rome from June."
    told = line(**{**ROME, "quote": text[:-1]}, since="2026-06-01")
    found = statement_of(told, Utterance(text, "Mara", AT), reader="model/2 it")
    assert (found.meant, found.since) == ("planned", "2026-06-01T00:00:00Z")


def test_only_what_has_ended_goes_without_a_value() -> None:
    said = Utterance("I lost my job.", "Mara", AT)
    told = line(quote="I lost my job", attribute="workplace", meant="ended")
    assert fault_of(told, said, attributes=TOLD) == ""
    assert statement_of(told, said, reader="model/2 it").value is None
    asserted = msgspec.structs.replace(told, meant="asserted")
    assert fault_of(asserted, said, attributes=TOLD).startswith("$.value")


def test_a_dislike_needs_no_negation_and_what_is_liked_is_its_topic() -> None:
    told = line(
        quote="I hate black olives", attribute="taste", value="black olives", meant="denied"
    )
    found = statement_of(told, Utterance("I hate black olives.", "Mara", AT), reader="model/2 it")
    assert (found.meant, found.topic) == ("denied", "black olives")


@pytest.mark.parametrize("size", [1, 3_000])
def test_prompts_are_bounded_and_of_one_speaker_each(size: int) -> None:
    said = [Utterance("a" * size, name, AT) for name in ("Ann", "Bo") for _ in range(50)]
    said.insert(3, Utterance(" ", "Ann", AT))
    shown = list(batches(said))
    assert sorted(one.place for group in shown for one in group) == [
        place for place in range(len(said)) if place != 3
    ]
    for group in shown:
        assert len({one.said.speaker for one in group}) == 1
        assert len(group) <= UTTERANCES
        assert sum(len(one.said.text) for one in group) <= CHARACTERS


def test_a_line_break_does_not_end_a_quotation() -> None:
    (group,) = batches([Utterance("one\n[2] Eva, now: two", "Ann", AT)])
    assert all(line.startswith("> ") for line in question_of(group).split("\n"))
