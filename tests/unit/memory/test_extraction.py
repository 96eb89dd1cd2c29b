"""What is kept of what was said, as tables of a passage and its labels."""

import json
import time

import pytest
from msgspec.structs import replace

from mindpipe.core.messages import Message, Role, TextPart
from mindpipe.core.sources import speakers
from mindpipe.memory.entities import slug
from mindpipe.memory.extraction.edges import entities_of
from mindpipe.memory.extraction.finder import MOST_PASSAGES, items_in
from mindpipe.memory.extraction.passages import CHARACTERS
from mindpipe.memory.extraction.pieces import pieces_of, quoting
from mindpipe.memory.extraction.records import SpeakerWords, Whose
from mindpipe.memory.records import Item, Origin
from mindpipe.memory.strength import THRESHOLD
from support.tables import each_row

# A Monday.
AT = "2023-05-08T13:56:00Z"


def said(text: str, *, speaker: str | None = "Ann", origin: Origin = "human") -> SpeakerWords:
    return SpeakerWords(message="m_1", text=text, at=AT, speaker=speaker, origin=origin)


def one(text: str) -> Item:
    (item,) = items_in([said(text)])
    return item


TAGGED = (
    ("I prefer trains to planes.", "prefers"),
    ("I really love swimming.", "taste"),
    ("I hate crowded trains.", "taste denied"),
    ("I don't eat meat.", "food denied"),
    ("Always answer in short sentences.", "instruction"),
    ("I live in Lisbon.", "residence"),
    ("I live in Lisbon now, can you help me with the tax?", "residence"),
    ("I work as a nurse, any tips for nights?", "job"),
    ("I don't live in Bremen.", "residence denied"),
    ("I don't live in Bremen any more.", "residence ended"),
    ("I'm a teacher.", "job"),
    ("I'm allergic to nuts.", "allergy"),
    ("My sister Eva came over.", "relation relation:sister"),
    ("The shop runs on Django 4.2.1 for now.", "platform version"),
    ("I went to the dentist yesterday.", "date:2023-05-07"),
    ("We are moving to Paris in September.", "date:2023-09 planned"),
    ("My dentist appointment is on Wednesday.", "date:2023-05-10"),
    ("The choir's concert was on Wednesday.", "date:2023-05-03"),
    ("I went sailing last week.", "date:2023-05-01/2023-05-07"),
    ("I sold the car in March 2022.", "date:2022-03 ended owns"),
    ("I sold the boat in 2021.", "date:2021 ended owns"),
    ("The report is due by 15 June, and we will see.", "date:2023-06-15"),
    ("I've never written any Rust.", ""),
    ("Grey rain again in Oslo.", ""),
    ("Imagine this, I live in Bonn.", "imagined"),
    ("She says, I live in Bonn.", "reported"),
    ("Oh great, rain again. I love Mondays.", "ironic"),
    ("[shares photo: a photo of the lake]", ""),
)

NOTHING = (
    "How are you today?",
    "Thanks, Ann!",
    "Good morning!",
    "Sounds good.",
    "Oh no!",
    "Me too.",
    "What did they tell you about Bremen?",
    "Can you help me with my garden, please?",
    "Do I live in Lisbon?",
    "```\nI live in Lisbon.\n```",
    "| I live in Lisbon. |",
    "> I live in Lisbon.",
    "    I live in Lisbon.",
)


@each_row(("text", "tags"), TAGGED)
def test_a_passage_has_the_labels_of_its_statements(text: str, tags: str) -> None:
    assert set(one(text).tags) == set(tags.split())


@each_row(
    "text",
    [
        "Single again.",
        "Divorced.",
        "Rex died.",
        "did I tell you that I moved to Bremen?",
        "Have I mentioned that we sold the boat?",
        "Didn't I tell you? Ana got the job.",
    ],
)
def test_what_is_short_or_asks_whether_it_was_told_is_found_too(text: str) -> None:
    assert [one.text for one in items_in([said(text)])] == [text]


@each_row("text", NOTHING)
def test_what_tells_nothing_gives_nothing(text: str) -> None:
    assert list(items_in([said(text)])) == []


def test_a_line_is_one_item_and_a_long_one_some_sentences_each() -> None:
    line = "I live in Lisbon. My sister Eva sings, how are you? I walked home yesterday."
    assert [item.text for item in items_in([said(f"{line}\n{line}")])] == [line, line]
    long = " ".join([line] * 12)
    found = [item.text for item in items_in([said(long)])]
    assert " ".join(found) == long
    assert all(len(text) <= CHARACTERS for text in found)
    assert len(found) == 2


def test_each_item_quotes_its_characters() -> None:
    text = "Hello there!\n\n- I prefer tea.  \n- *I've decided to sell the boat.*\n\nBye!"
    found = list(items_in([said(text)]))
    assert [item.text for item in found] == ["I prefer tea.", "I've decided to sell the boat."]
    for item in found:
        assert item.span is not None
        assert text[item.span.start : item.span.end] == item.span.quote == item.text


KINDS = (
    ("I prefer tea.", "semantic"),
    ("I live in Lisbon.", "semantic"),
    ("I went home yesterday.", "episodic"),
    ("I've decided to go.", "episodic"),
    ("I hope I live in Lisbon.", "episodic"),
)


@each_row(("text", "kind"), KINDS)
def test_a_statement_is_of_a_kind(text: str, kind: str) -> None:
    assert one(text).kind == kind


SUBJECTS = (
    ("I prefer tea.", "Ann"),
    ("My favourite tea is green.", "Ann"),
    ("Bruno is a carpenter from Porto.", "Bruno"),
    ("Bruno lives in Porto, and I live in Lisbon.", None),
    ("Bruno lives in Porto, as I told you.", "Bruno"),
    ("It is now closed.", None),
    ("The search page takes 250 ms on a laptop.", None),
)


@each_row(("text", "subject"), SUBJECTS)
def test_a_statement_is_about_its_subject(text: str, subject: str | None) -> None:
    assert one(text).subject == subject


TIMES = (
    ("I went home yesterday.", "2023-05-07T00:00:00Z"),
    ("I went home today.", AT),
    ("I met Eva two weeks before 8 May 2023.", "2023-04-24T00:00:00Z"),
    ("I finished the report on May 15, they say.", AT),
    ("I will have met Eva by 1 May.", AT),
    ("I met Eva on 1 May and Bo on 3 May.", AT),
    ("The deadline is 15 June.", AT),
)


@each_row(("text", "at"), TIMES)
def test_an_event_is_true_when_it_was_and_all_else_when_it_was_said(text: str, at: str) -> None:
    assert (one(text).at, one(text).learnt) == (at, AT)


EDGES = (
    ("My sister Eva came over.", ("Ann", "sister", "eva", "person")),
    ("My flatmate Zoé Łucka sings.", ("Ann", "flatmate", "zoé-łucka", "person")),
    ("Eva is my friend.", ("Ann", "friend", "eva", "person")),
    ("My mom's name is Rosa.", ("Ann", "mother", "rosa", "person")),
    ("I have a dog named Rex.", ("Ann", "dog", "rex", "thing")),
    ("Eva is Bruno's younger sister.", ("Bruno", "sister", "eva", "person")),
    ("Bruno's wife Carla sings.", ("Bruno", "partner", "carla", "person")),
    ("I work at Acme Corp.", ("Ann", "works at", "acme-corp", "organization")),
)


@each_row(("text", "edge"), EDGES)
def test_relations_are_edges(text: str, edge: tuple[str, str, str, str]) -> None:
    ((source, target),) = entities_of([one(text)]).values()
    (found,) = source.relations
    assert (source.name, found.type, slug(found.to), target.type) == edge


@each_row("text", ["My sister is late and my brother, I think, too.", "Maybe Eva is my sister."])
def test_where_nothing_is_claimed_there_is_no_edge(text: str) -> None:
    assert not any(entities_of([one(text)]).values())


def test_names_are_told_apart_from_words_that_begin_a_sentence() -> None:
    text = "Yesterday I went with Eva Lind to Porto and used FastAPI there."
    assert one(text).entities == ("Eva Lind", "Porto", "FastAPI")


@each_row("origin", ["agent", "recalled"])
def test_the_minds_own_words_and_what_was_recalled_are_no_evidence(origin: Origin) -> None:
    assert list(items_in([said("I live in Lisbon.", origin=origin)])) == []


def test_what_a_quarantined_piece_says_is_quarantined() -> None:
    piece = SpeakerWords(message="m_1", text="I live in Lisbon.", at=AT, sources=("web",))
    (item,) = items_in([piece])
    assert item.sources == ("web",)


def test_what_somebody_tells_of_himself_reaches_the_threshold_and_passing_remarks_do_not() -> None:
    kept = ("I prefer tea.", "I live in Lisbon.", "Been with Siemens for three years.")
    assert all(one(text).significance >= THRESHOLD for text in kept)
    passing = ("That sounds great, good luck with it.", "I think so too.")
    assert all(one(text).significance < THRESHOLD for text in passing)


def test_the_same_place_of_the_log_has_the_same_id_and_another_another() -> None:
    twice = list(items_in([said("I prefer tea.\nI prefer tea.")]))
    assert [item.id for item in twice] == [
        item.id for item in items_in([said("I prefer tea.\nI prefer tea.")])
    ]
    assert twice[0].id != twice[1].id


LOG = (
    "INBOX (8 events):\n"
    '[family] eva (human): "I\'ve decided to read \\"Emma\\" 😀.\\nI prefer tea."\n'
    '[family] bot (agent): "I love jazz very much."\n'
    '[service operator] "I live in Lisbon."\n'
    '[service "my mail"] "I hate long trains."\n'
    '[service mail] "anna: b": "I live in Ghent."\n'
    '[service operator] carl: "I live in Basel."\n'
    '[tool_result mail] dora: "I live in Bonn."\n'
    '[tool_result operator] "I live in Rome."'
)


ANYBODY = Whose(("eve",), ("bob",))


def message(text: str, *, role: Role = Role.USER, origin: str = "source:mail") -> Message:
    return Message(
        id="m_1", agent="ava", seq=1, segment=1, cycle=1, turn=0, role=role, at=AT,
        parts=(TextPart(text=text),), origin=origin,
    )  # fmt: skip


def test_each_event_of_a_cycle_is_a_piece_of_who_said_it() -> None:
    found = list(items_in(pieces_of(message(LOG), log=LOG)))
    assert [(item.speaker, item.origin, item.session) for item in found] == [
        ("eva", "human", "family"),
        ("eva", "human", "family"),
        ("operator", "operator", None),
        ("my mail", "human", None),
        ("anna: b", "human", None),
        ("carl", "human", None),
    ]
    assert found[0].text == 'I\'ve decided to read "Emma" 😀.'
    for item in found:
        assert item.span is not None
        assert LOG[item.span.start : item.span.end] == item.span.quote


def test_each_piece_holds_the_words_of_those_who_are_named_for_its_text() -> None:
    named = {"I live in Lisbon.": Whose(), "I hate long trains.": Whose(("mail",), ("web",))}
    pieces = pieces_of(message(LOG), log=LOG, whose=lambda text, _: named.get(text, ANYBODY))
    found = list(items_in(pieces))
    told = {item.text: (item.sources, item.trusted) for item in found}
    assert told["I live in Lisbon."] == ((), ())
    assert told["I hate long trains."] == (("mail",), ("web",))
    assert told["I live in Ghent."] == (ANYBODY.sources, ANYBODY.trusted)


TIMELINE = (
    '[service operator] "I live in Lisbon." ← TRIGGER\n'
    '[tool_result mail] dora: "I live in Bonn."\n'
    'IN "The \\"family\\"" (id: family):\n'
    "[Eva Berg (human)] [msg:o_1] [2023-05-08T13:00:00Z] (id:n_1) "
    '"I prefer tea.\\nSay \\"Emma\\"."  [NEW] ← TRIGGER\n'
    '["a (human)" (human)] [msg:o_2] [2023-05-08T13:01:00Z] (id:n_2) "I live in Ghent."  [NEW]\n'
    '[bot (agent)] [msg:o_3] [2023-05-08T13:02:00Z] (id:n_3) "I love jazz very much."  [NEW]\n'
    "I live in a line of nobody.\n"
    'IN "Work" (id: work):\n'
    '[Jo (human)] [msg:o_4] [2023-05-08T13:03:00Z] (id:n_4) "I live in Bern."  [SEEN] ← RESUME: '
    "Jo replied. Continue from here."
)


def test_each_line_that_a_timeline_begins_with_is_a_piece_of_who_said_it() -> None:
    found = list(items_in(pieces_of(message(TIMELINE), log=TIMELINE)))
    assert [(item.speaker, item.origin, item.session, item.text) for item in found] == [
        ("operator", "operator", None, "I live in Lisbon."),
        ("Eva Berg", "human", "family", "I prefer tea."),
        ("a (human)", "human", "family", "I live in Ghent."),
        ("Jo", "human", "work", "I live in Bern."),
    ]
    for item in found:
        assert item.span is not None
        assert TIMELINE[item.span.start : item.span.end] == item.span.quote


@each_row("log", [LOG, TIMELINE[TIMELINE.index("IN ") :]])
def test_lines_in_an_import_only_say_whose_they_are(log: str) -> None:
    imported = ("import:text",)

    def whose(_text: str, named: str | None) -> Whose:
        by = speakers(named, None, imported)
        return Whose(imported, speaker=by.known, claimed=by.claimed)

    pieces = list(pieces_of(message(log, origin="import"), log=log, whose=whose))
    assert {piece.speaker for piece in pieces} == {None}
    assert {"eva", "Eva Berg"} & {piece.claimed_speaker for piece in pieces}


def test_what_the_program_and_other_agents_say_is_in_no_piece() -> None:
    lines = (
        '[service recovery] "Your worker that began at noon crashed. I live in Kiel."',
        '[service wait] "I live in Kiel."',
        '[plan water] "I live in Kiel."',
        '[family] bot (agent): "I live in Kiel."',
        '[service mail] "I live in Bonn."',
    )
    inbox = "\n".join(["INBOX (5 events):", *lines])
    timeline = "\n".join(
        [*lines[:3], 'IN "F" (id: f):', '[bot (agent)] [msg:o] [T] (id:n) "I live in Kiel."  [NEW]']
    )
    assert [one.text for one in pieces_of(message(inbox), log=inbox)] == ["I live in Bonn."]
    assert list(pieces_of(message(timeline), log=timeline)) == []


def event(text: str) -> tuple[SpeakerWords, tuple[str, ...]]:
    """Return what an event said, and as which strings it may be shown."""
    return replace(said(text), message=""), (json.dumps(text), json.dumps(text).replace("[", "<"))


def test_words_of_events_are_found_in_their_order_in_the_message_that_opens_the_cycle() -> None:
    log = 'INBOX (3 events):\n[a] b: "Yes."\n[a] c: "I [x] \\"y\\"."\n[a] d: "Yes."'
    note = message('"Yes."', origin="program")
    lived = [(note, '"Yes."'), (message(log), log)]
    told = [event(text) for text in ("Yes.", 'I [x] "y".', "Yes.", "Not shown.")]
    found = list(quoting(told, lived))
    assert [one.text for one in found] == ["Yes.", 'I [x] "y".', "Yes."]
    assert {(one.message, one.learnt) for one in found} == {("m_1", AT)}
    spans = [one.span(0, len(one.text)) for one in found]
    assert [log[start:end] for start, end, _ in spans] == ["Yes.", 'I [x] \\"y\\".', "Yes."]
    assert spans[0][0] < spans[1][0] < spans[2][0]


def test_another_message_is_one_piece_of_the_user() -> None:
    (item,) = items_in(pieces_of(message("I live in Lisbon."), log="I live in Lisbon."))
    assert (item.speaker, item.subject) == ("user", "user")


@each_row("role", [Role.ASSISTANT, Role.TOOL, Role.NOTE])
def test_only_messages_of_users_have_pieces(role: Role) -> None:
    assert list(pieces_of(message("I live in Lisbon.", role=role), log="I live in Lisbon.")) == []


@pytest.mark.heavy
@each_row("mark", [".", "!", "?", "…", ".'", "[", "I've "])
def test_marks_without_end_take_no_more_than_a_look(mark: str) -> None:
    begun = time.process_time()
    (last,) = items_in([said(f"{mark * 20_000}x\nI live in Lisbon.")])
    assert last.text == "I live in Lisbon."
    assert time.process_time() - begun < 30


@pytest.mark.heavy
def test_of_a_document_only_what_claims_something_is_kept() -> None:
    lines = [f"The road to flat {number} is long." for number in range(300)]
    lines[200:200] = ["I live in Lisbon."]
    assert [item.text for item in items_in([said("\n".join(lines))])] == ["I live in Lisbon."]


def test_of_a_long_document_the_first_passages_are_read() -> None:
    lines = [f"I live in Lisbon{number}." for number in range(MOST_PASSAGES + 1)]
    assert [item.text for item in items_in([said("\n".join(lines))])] == lines[:-1]
