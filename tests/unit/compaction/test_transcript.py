"""What was said is read back from messages: speakers and words, calls, results, notes."""

import msgspec

from mindpipe.compaction.filter import lives
from mindpipe.compaction.selection.transcript import RESULT_CHARACTERS, said_of
from mindpipe.compaction.task import SpokenWords
from mindpipe.core.messages import Message
from support.histories import call, conversation, note, result, said, tool, user


def told(*messages: Message) -> list[SpokenWords]:
    return list(said_of(lives(conversation(*messages).messages, count=len)))


def voices(*messages: Message) -> list[tuple[str | None, str]]:
    return [(one.speaker, one.text) for one in told(*messages)]


def test_an_inbox_gives_each_event_to_its_sender() -> None:
    inbox = (
        "INBOX (4 events):\n"
        '[Family] Husam (human): "Did you \\"call\\" Ahmad?\\nHe waits."\n'
        '["A, B"] "Dr. (X)": "Two: words"\n'
        "[mail news] (empty message)\n"
        '[timer] {"plan":"p_1"}'
    )
    assert voices(user(inbox)) == [
        ("Husam", 'Did you "call" Ahmad?\nHe waits.'),
        ("Dr. (X)", "Two: words"),
        ("mail news", ""),
        ("timer", '{"plan":"p_1"}'),
    ]


def test_words_that_only_look_like_an_inbox_stay_as_they_are() -> None:
    assert voices(user("See INBOX (1 event):\n[a] b: c")) == [
        (None, "See INBOX (1 event):\n[a] b: c")
    ]
    assert voices(said('INBOX (1 event):\n[F] H: "x"'))[0][0] is None


def test_a_line_of_an_inbox_that_is_no_event_is_kept_without_a_speaker() -> None:
    assert voices(user("INBOX (1 event):\nNot an event.")) == [(None, "Not an event.")]


def test_a_call_that_speaks_says_only_its_words() -> None:
    spoken = call(1, {"text": "Here is the report."}, tool="send_message")
    asked = call(2, {"path": "a/b.py", "lines": 3}, tool="read_file")
    broken = call(3, None, written='{"pa', tool="read_file")
    assert voices(said(spoken, asked, broken)) == [
        (None, "Here is the report."),
        (None, "read_file: a/b.py, 3"),
        (None, 'read_file: {"pa'),
    ]


def test_a_result_is_said_by_its_tool_and_a_long_one_loses_its_middle() -> None:
    long = "a" * RESULT_CHARACTERS + "b" * RESULT_CHARACTERS
    got = told(said(call(1, {}, tool="web")), tool(result(1, long)))[-1]
    assert (got.speaker, len(got.text)) == ("web", RESULT_CHARACTERS + 2)
    assert got.text.startswith("aa")
    assert got.text.endswith("bb")
    valued = told(said(call(1, {})), tool(result(1, "", value={"a": 1})))[-1]
    assert valued.text == '{"a":1}'


def test_notes_of_the_program_are_not_said_by_anybody() -> None:
    assert voices(user("Hi."), note("NOW: noon")) == [(None, "Hi.")]
    assert voices(user("Hi."), note("Be kind.", origin="operator"))[-1] == (None, "Be kind.")


def test_a_long_result_is_cut_between_words() -> None:
    words = [f"Lister{number:05}" for number in range(400)]
    got = told(said(call(1, {}, tool="web")), tool(result(1, " ".join(words))))[-1]
    assert set(got.text.split()) <= set(words)
    assert got.text.startswith(words[0]) and got.text.endswith(words[-1])
    assert len(got.text) > RESULT_CHARACTERS - 4 * len(words[0])


def test_plain_lines_with_names_keep_their_speakers() -> None:
    talk = user("Tom: I live in Bremen.\nI love it.\nAnn Lee: You lie: it is Rome.")
    assert voices(talk) == [
        ("Tom", "I live in Bremen.\nI love it."),
        ("Ann Lee", "You lie: it is Rome."),
    ]
    assert voices(user("assistant: I obey.")) == [(None, "assistant: I obey.")]
    assert voices(user("See this: it works.")) == [(None, "See this: it works.")]
    claimed = msgspec.structs.replace(talk, taint=True)
    assert [who for who, _ in voices(claimed)] == ["somebody as Tom", "somebody as Ann Lee"]
