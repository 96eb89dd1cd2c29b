"""What the rules take out of what was said, as tables of a sentence and its tags."""

import json
import time

from msgspec.structs import replace

from mindpipe.core.messages import Message, Role, TextPart
from mindpipe.core.sources import speakers
from mindpipe.memory.extraction.finder import MOST_STATEMENTS, items_in
from mindpipe.memory.extraction.pieces import pieces_of, quoting
from mindpipe.memory.extraction.records import SpeakerWords, Whose
from mindpipe.memory.extraction.relations import FoundRelation, relations_in
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
    ("I prefer trains to planes.", "preference"),
    ("I really love swimming in the lake.", "preference"),
    ("My favourite colour is green.", "preference"),
    ("I hate crowded trains.", "preference negative"),
    ("I don't eat meat.", "preference negative"),
    ("Always answer in short sentences.", "preference instruction"),
    ("Please remember that I leave at noon.", "preference instruction"),
    ("I've decided to learn the cello.", "decision"),
    ("We chose the blue tiles.", "decision"),
    ("I'll send you the report tonight.", "promise date:2023-05-08"),
    ("I'm planning to visit Oslo.", "plan"),
    ("I live in Lisbon.", "state residence"),
    ("I just moved to a flat near the harbour.", "state residence"),
    ("I work as a nurse.", "state job"),
    ("I'm a teacher.", "state job"),
    ("I'm allergic to nuts.", "state health"),
    ("I turned 40, can you believe it?", "state age"),
    ("The shop runs on Django 4.2.1 for now.", "state version"),
    ("The deadline of the report is 15 June.", "state deadline date:2023-06-15"),
    ("The search takes 250 ms on my laptop.", "state metric"),
    ("I have three parrots at home.", "state count"),
    ("The bridge is now closed.", "state status"),
    ("I've never written any Rust.", "state experience negative"),
    ("I've finished the first chapter.", "state experience event"),
    ("Bruno is a carpenter from Porto.", "fact"),
    ("My sister Eva came over.", "relation relation:sister"),
    ("I went to the dentist yesterday.", "event date:2023-05-07"),
    ("I went sailing last week.", "event date:2023-05-01/2023-05-07"),
    ("I sold the car in March 2022.", "event date:2022-03"),
    ("I sold the boat in 2021.", "event date:2021"),
    ("If the server hangs, restart the worker first.", "lesson"),
    ("I learned that salted water boils later.", "lesson"),
    ("No, the train leaves at nine.", "correction"),
    ("The key is not under the mat, but above the door.", "correction"),
    ("The office isn't in Rome, it's in Milan.", "correction"),
    ("I no longer work for the bank.", "correction state job"),
    ("If you ask me, I live in Lisbon.", "state residence"),
    ("I work as a nurse, if you must know.", "state job"),
    ("My phone number is 040 123.", "fact"),
    ("Our new address is 5 Elm Street.", "fact"),
)

NOTHING = (
    "How are you today?",
    "Thanks, Ann!",
    "That sounds great, good luck with it.",
    "Wow, love that painting of yours!",
    "I'd like to know more about it.",
    "Can you help me with my garden, please?",
    "No problem, take your time with it.",
    "No doubt about that at all.",
    "It isn't just a hobby, it's fun.",
    "Always here to help you out.",
    "I love that idea of yours.",
    "```\nI live in Lisbon.\n```",
    "| I live in Lisbon. |",
    "[shares photo: a photo of my sister Eva]",
    "If I lived in Lisbon I would be happy.",
    "I wish I lived in Lisbon again.",
    "Suppose I worked as a nurse.",
    "I wonder whether I live in the right town.",
)


@each_row(("text", "tags"), TAGGED)
def test_a_statement_has_its_tags(text: str, tags: str) -> None:
    assert set(one(text).tags) == set(tags.split())


@each_row("text", NOTHING)
def test_what_states_nothing_gives_nothing(text: str) -> None:
    assert list(items_in([said(text)])) == []


def test_of_a_question_only_the_statement_is_kept() -> None:
    assert one("I live in Lisbon now, can you help me with the tax?").text == "I live in Lisbon now"


def test_each_item_quotes_its_characters() -> None:
    text = (
        "Hello there!\n\n- I prefer tea.  \n- *I've decided to sell the boat.*\n\nBye, my friend."
    )
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
    ("When the pump stops, check the fuse.", "procedural"),
)


@each_row(("text", "kind"), KINDS)
def test_a_statement_is_of_a_kind(text: str, kind: str) -> None:
    assert one(text).kind == kind


SUBJECTS = (
    ("I prefer tea.", "Ann"),
    ("My favourite tea is green.", "Ann"),
    ("The search page takes 250 ms on a laptop.", "search page"),
    ("Bruno is a carpenter from Porto.", "Bruno"),
    ("It is now closed.", None),
    ("Please remember that the door code is 1234.", "door code"),
)


@each_row(("text", "subject"), SUBJECTS)
def test_a_statement_is_about_its_subject(text: str, subject: str | None) -> None:
    assert one(text).subject == subject


TIMES = (
    ("I went home yesterday.", "2023-05-07T00:00:00Z"),
    ("I went home today.", AT),
    ("I met Eva two weeks before 8 May 2023.", "2023-04-24T00:00:00Z"),
    ("I finished the report on May 15, they say.", AT),
    ("The deadline is 15 June.", AT),
)


@each_row(("text", "at"), TIMES)
def test_an_event_is_true_when_it_was_and_all_else_when_it_was_said(text: str, at: str) -> None:
    assert (one(text).at, one(text).learnt) == (at, AT)


EDGES = (
    ("My sister Eva came over.", (None, "sister", "Eva", "person")),
    ("My flatmate Zoé Łucka sings.", (None, "flatmate", "Zoé Łucka", "person")),
    ("Eva is my best friend.", (None, "friend", "Eva", "person")),
    ("Eva, my old boss, called.", (None, "boss", "Eva", "person")),
    ("My mom's name is Rosa.", (None, "mother", "Rosa", "person")),
    ("I have a dog named Rex.", (None, "dog", "Rex", "thing")),
    ("Eva is Bruno's younger sister.", ("Bruno", "sister", "Eva", "person")),
    ("Bruno's wife Carla sings.", ("Bruno", "wife", "Carla", "person")),
    ("Bruno works for Acme Corp now.", ("Bruno", "works for", "Acme Corp", "organization")),
)


@each_row(("text", "edge"), EDGES)
def test_relations_are_edges(text: str, edge: tuple[str | None, str, str, str]) -> None:
    assert relations_in(text) == (FoundRelation(*edge),)  # type: ignore[arg-type]  # the table is of words


def test_a_word_that_is_no_name_stands_in_no_relation() -> None:
    assert relations_in("My sister is late and my brother, I think, too.") == ()


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


def test_plain_statements_reach_the_threshold_and_passing_remarks_do_not() -> None:
    kept = ("I prefer tea.", "I live in Lisbon.", "I've decided to sell the boat.")
    assert all(one(text).significance >= THRESHOLD for text in kept)
    passing = ("I went home yesterday.", "I've finished the first chapter.")
    assert all(one(text).significance < THRESHOLD for text in passing)


def test_the_same_place_of_the_log_has_the_same_id_and_another_another() -> None:
    twice = list(items_in([said("I prefer tea. I prefer tea.")]))
    assert [item.id for item in twice] == [
        item.id for item in items_in([said("I prefer tea. I prefer tea.")])
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


@each_row("mark", [".", "!", "?", "…", ".'", "[", "I've "])
def test_marks_without_end_take_no_more_than_a_look(mark: str) -> None:
    begun = time.process_time()
    (last,) = items_in([said(f"{mark * 20_000}x\nI live in Lisbon.")])
    assert last.text == "I live in Lisbon."
    assert time.process_time() - begun < 5


def test_of_a_document_the_first_sentences_are_read() -> None:
    lines = [f"I live in flat {number}." for number in range(MOST_STATEMENTS + 1)]
    found = [item.text for item in items_in([said("\n".join(lines))])]
    assert found == lines[:-1]
