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


# What a careless model claims with the whole sentence: the words, the attribute, the value.
NOT_SO = (
    ("Jo reckons I live in Porto now", "residence", "Porto"),
    ("according to the council I live in Porto", "residence", "Porto"),
    ("the letter is addressed as if I live in Porto", "residence", "Porto"),
    ("my aunt goes round telling people I live in Porto", "residence", "Porto"),
    ("word at the pub is that I work at Lidl", "workplace", "Lidl"),
    ("the app has me down as vegan", "diet", "vegan"),
    ("my profile says vegan but I typed that drunk", "diet", "vegan"),
    ("if only I could live in Porto", "residence", "Porto"),
    ("I'd give anything to live in Porto", "residence", "Porto"),
    ("one day I'll live in Porto, mark my words", "residence", "Porto"),
    ("my dream is to live in Porto", "residence", "Porto"),
    ("can you picture me living in Porto", "residence", "Porto"),
    ("we looked at living in Porto and dropped it", "residence", "Porto"),
    ("I toyed with working at Lidl", "workplace", "Lidl"),
    ("I was this close to working at Lidl", "workplace", "Lidl"),
    ("I applied to Lidl and heard nothing", "workplace", "Lidl"),
    ("I had an interview at Lidl on Friday", "workplace", "Lidl"),
    ("before the flood I rented a house in Porto", "residence", "Porto"),
    ("as a boy I kept a tortoise called Fred", "pet", "Fred"),
    ("my first job was at Lidl, aged sixteen", "workplace", "Lidl"),
    ("once upon a time I was vegan", "diet", "vegan"),
    ("ten years ago I played the cello every day", "skill", "cello"),
    ("I grew up in Porto", "residence", "Porto"),
    ("in my Porto years I ate out a lot", "residence", "Porto"),
    ("I am anything but vegan", "diet", "vegan"),
    ("me, vegan? my butcher would weep", "diet", "vegan"),
    ("there is no way I work at Lidl", "workplace", "Lidl"),
    ("nobody here is called Fred, least of all the dog", "pet", "Fred"),
    ("it would be a lie to say I work at Lidl", "workplace", "Lidl"),
    ("hardly a vegan, me", "diet", "vegan"),
    ("I live everywhere except Porto", "residence", "Porto"),
    ("the whole family lives in Porto apart from me", "residence", "Porto"),
    ("my flatmate works at Lidl and steals my milk", "workplace", "Lidl"),
    ("Tom lives in Porto, I only visit", "residence", "Porto"),
    ("our landlord is vegan", "diet", "vegan"),
    ("the neighbours have a dog, Fred", "pet", "Fred"),
    ("her cousin plays the cello", "skill", "cello"),
    ("the man in the film lives in Porto", "residence", "Porto"),
    ("they say people who live in Porto live longer", "residence", "Porto"),
    ("that guy on the radio works at Lidl", "workplace", "Lidl"),
    ("as Gran used to put it, I live in Porto", "residence", "Porto"),
    ("in another life I work at Lidl", "workplace", "Lidl"),
    ("on paper I live in Porto", "residence", "Porto"),
    ("for tax reasons I live in Porto", "residence", "Porto"),
    ("I play the cello like a cow skates", "skill", "cello"),
    ("love Porto as much as toothache", "taste", "Porto"),
    ("for one night only I am vegan", "diet", "vegan"),
    ("my twin is allergic to nuts", "allergy", "nuts"),
    ("the doctor ruled out that I am allergic to nuts", "allergy", "nuts"),
    ("thought I was allergic to nuts, it was the soap", "allergy", "nuts"),
    ("I stopped being vegan in May", "diet", "vegan"),
    ("I gave Fred the dog to my sister", "pet", "Fred"),
    ("Porto turned me down, so did Lidl", "workplace", "Lidl"),
    ("the census puts me in Porto", "residence", "Porto"),
    ("Anna insists I am vegan", "diet", "vegan"),
    ("rumour has it I work at Lidl", "workplace", "Lidl"),
    ("somebody signed me up as vegan", "diet", "vegan"),
    ("my boss thinks I live in Porto, let him", "residence", "Porto"),
    ("Mum keeps saying how I play the cello", "skill", "cello"),
    ("I'm dying to live in Porto", "residence", "Porto"),
    ("I fancy living in Porto", "residence", "Porto"),
    ("I'm saving up to live in Porto", "residence", "Porto"),
    ("I mean to work at Lidl some day", "workplace", "Lidl"),
    ("what I'd need is a job at Lidl", "workplace", "Lidl"),
    ("I keep meaning to learn the cello", "skill", "cello"),
    ("I've never lived in Porto", "residence", "Porto"),
    ("I've lived in Porto, Hull and Ulm over the years", "residence", "Porto"),
    ("I had lived in Porto until the flood", "residence", "Porto"),
    ("I've worked at Lidl before", "workplace", "Lidl"),
    ("I was vegan till the bacon", "diet", "vegan"),
    ("I no more live in Porto than you do", "residence", "Porto"),
    ("I neither smoke nor play the cello", "skill", "cello"),
    ("I'm not exactly vegan", "diet", "vegan"),
    ("I'm far too hungry to be vegan", "diet", "vegan"),
    ("I'm too old to learn the cello", "skill", "cello"),
    ("I pretended to be vegan for her", "diet", "vegan"),
    ("we nearly moved to Porto", "residence", "Porto"),
    ("I met a man who works at Lidl", "workplace", "Lidl"),
    ("I know a girl who plays the cello", "skill", "cello"),
    ("I love the man who lives in Porto", "residence", "Porto"),
    ("I read that everyone in Porto is vegan", "diet", "vegan"),
    ("I drew a dog called Fred", "pet", "Fred"),
    ("I babysit a dog called Fred", "pet", "Fred"),
    ("I buried Fred in May", "pet", "Fred"),
    ("I'm writing about a nurse who lives in Porto", "residence", "Porto"),
    ("I sit next to Jo, she is allergic to nuts", "allergy", "nuts"),
    ("I'd call myself vegan if it weren't for cheese", "diet", "vegan"),
    ("I could live in Porto", "residence", "Porto"),
    ("I hear I'm vegan now", "diet", "vegan"),
    ("I wrote vegan on the form to get the better lunch", "diet", "vegan"),
    ("Granny believes to this day that I work at Lidl", "workplace", "Lidl"),
    ("officially, if you ask the bank, I live in Porto", "residence", "Porto"),
    ("it says here I'm vegan", "diet", "vegan"),
    ("funny how everyone assumes I'm vegan", "diet", "vegan"),
    ("had I stayed I would live in Porto", "residence", "Porto"),
    ("maybe by spring I live in Porto", "residence", "Porto"),
    ("give me a year and I live in Porto", "residence", "Porto"),
    ("I'm hoping for a job at Lidl", "workplace", "Lidl"),
    ("I still dream of living in Porto", "residence", "Porto"),
    ("I left Porto years ago", "residence", "Porto"),
    ("I moved away from Porto", "residence", "Porto"),
    ("we parted and I lost Fred the dog", "pet", "Fred"),
    ("my ex has our dog Fred", "pet", "Fred"),
    ("Lidl let me go", "workplace", "Lidl"),
    ("I got sacked from Lidl", "workplace", "Lidl"),
    ("I live nowhere near Porto", "residence", "Porto"),
    ("never in my life was I vegan", "diet", "vegan"),
    ("vegan is the last thing I am", "diet", "vegan"),
    ("I couldn't play the cello to save my life", "skill", "cello"),
    ("my son's teacher lives in Porto", "residence", "Porto"),
    ("ask my brother, he works at Lidl", "workplace", "Lidl"),
    ("our dog sitter plays the cello", "skill", "cello"),
    ("my late wife played the cello", "skill", "cello"),
    ("Dad and his dog Fred came over", "pet", "Fred"),
    ("I look like a vegan", "diet", "vegan"),
    ("I dress as if I live in Porto", "residence", "Porto"),
    ("I feel vegan today", "diet", "vegan"),
    ("I'm playing a vegan in the new show", "diet", "vegan"),
    ("I got called a vegan at work", "diet", "vegan"),
    ("I was offered a job at Lidl", "workplace", "Lidl"),
    ("I turned down Lidl", "workplace", "Lidl"),
    ("I took the cello to the tip", "skill", "cello"),
    ("I was told I'm allergic to nuts", "allergy", "nuts"),
    ("I used to live in Porto", "residence", "Porto"),
    ("I lived in Porto", "residence", "Porto"),
    ("supposed to be living in Porto by now", "residence", "Porto"),
)


@each_row(("text", "attribute", "value"), NOT_SO)
def test_a_model_that_claims_everything_is_not_believed(
    text: str, attribute: str, value: str
) -> None:
    told, said = line(quote=text, attribute=attribute, value=value), Utterance(text, "Mara", AT)
    fault = fault_of(told, said, attributes=TOLD)
    assert fault or statement_of(told, said, reader="model/2 it").meant != "asserted"


SO = (
    ("I live in Porto", "residence", "Porto"),
    ("we've been living in Porto since March", "residence", "Porto"),
    ("I work at Lidl, on the tills", "workplace", "Lidl"),
    ("I'm vegan and happy", "diet", "vegan"),
    ("my dog is called Fred", "pet", "Fred"),
    ("I'm allergic to nuts", "allergy", "nuts"),
    ("I play the cello in a quartet", "skill", "cello"),
    ("Lidl hired me!", "workplace", "Lidl"),
    ("nuts make me swell up", "allergy", "nuts"),
    ("our new home is in Porto", "residence", "Porto"),
    ("I do the tills at Lidl", "workplace", "Lidl"),
    ("my dog Fred ate my shoes", "pet", "Fred"),
    ("Wohne in Porto.", "residence", "Porto"),
    ("Well, my home has been Porto for a year.", "residence", "Porto"),
)


@each_row(("text", "attribute", "value"), SO)
def test_what_somebody_tells_of_himself_is_taken(text: str, attribute: str, value: str) -> None:
    told, said = line(quote=text, attribute=attribute, value=value), Utterance(text, "Mara", AT)
    assert fault_of(told, said, attributes=TOLD) == ""
    assert statement_of(told, said, reader="model/2 it").meant == "asserted"
