"""Session logs: lines of one reply, sidechains, other lines, torn lines."""

import json

from support.foreign_documents import faults, problems, raw_of, read, restored, told

TIME = "2026-01-02T03:04:05.678Z"


def line(role: str, content: object, *, id_: str = "msg_1", **more: object) -> dict[str, object]:
    message: dict[str, object] = {"role": role, "content": content}
    if role == "assistant":
        message.update(id=id_, model="claude-haiku-4-5", stop_reason="end_turn")
    return {"type": role, "message": message, "timestamp": TIME, **more}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def call(id_: str) -> dict[str, object]:
    return {"type": "tool_use", "id": id_, "name": "Bash", "input": {"command": "ls"}}


def result(id_: str, words: str = "a b") -> list[object]:
    return [{"type": "tool_result", "tool_use_id": id_, "content": words}]


def log(*lines: object) -> bytes:
    return b"".join(
        (one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in lines
    )


HI = line("user", "hi")
SUMMARY = {"type": "summary", "summary": "A talk"}


def test_lines_with_one_message_id_are_one_reply() -> None:
    document = log(
        HI,
        line("assistant", [text("wait")]),
        line("assistant", [call("toolu_1")]),
        line("user", result("toolu_1")),
        line("assistant", [call("toolu_2")]),
        line("user", result("toolu_2", "c")),
        line("assistant", [text("done")], id_="msg_2"),
    )
    imported = read("claude-code", document)
    assert problems(imported) == []
    assert told(imported) == [
        "1.0 user: hi",
        '1.1 assistant: wait | #1 Bash {"command": "ls"} | #2 Bash {"command": "ls"}',
        "1.1 tool: #1 ok: a b | #2 ok: c",
        "1.2 assistant: done",
    ]
    assert faults(imported) == []
    assert restored(imported) == document
    reply = imported.messages[1]
    content = [text("wait"), call("toolu_1"), call("toolu_2")]
    assert raw_of(imported, reply) == [{"role": "assistant", "content": content}]
    assert reply.raw is not None
    assert (reply.raw.model, reply.raw.finish) == ("claude-haiku-4-5", "end_turn")
    assert reply.at == "2026-01-02T03:04:05Z"


def test_a_new_user_text_ends_the_reply() -> None:
    document = log(HI, line("assistant", "one"), line("user", "more"), line("assistant", "two"))
    assert told(read("claude-code", document)) == [
        "1.0 user: hi",
        "1.1 assistant: one",
        "2.0 user: more",
        "2.1 assistant: two",
    ]


def test_what_is_no_message_is_named_and_comes_back() -> None:
    document = log(
        SUMMARY,
        HI,
        line("user", "aside", isSidechain=True),
        line("assistant", "aside", isSidechain=True),
        b'{"type": "user", "mess',
        b"\xff\xfe",
        {"type": "user", "message": "error"},
        {"type": "user", "message": {"role": "user", "content": ["x"]}},
        7,
        {"silly": "this"},
        line("assistant", [text("done")], cwd="/tmp"),
        {"type": "system", "content": "x"},
        SUMMARY,
    )
    imported = read("claude-code", document)
    assert told(imported) == ["1.0 user: hi", "1.1 assistant: done"]
    assert imported.left_out == (
        "line of type 'summary' (2 times)",
        "sidechain line (2 times)",
        "line 5 (at $: not JSON at character 17: Unterminated string starting at)",
        "line 6 (at $: not UTF-8 at byte 0)",
        "line 7 (at $.message: an object is expected here)",
        "line 8 (at $.message.content[0]: an object is expected here)",
        "line 9 (at $: the line is no object)",
        "line without a type",
        "field 'cwd' of lines",
        "line of type 'system'",
    )
    assert restored(imported) == document


def test_text_beside_results_and_between_them_is_a_note() -> None:
    document = log(
        HI,
        line("assistant", [call("toolu_1")]),
        line("user", "hurry"),
        line("user", [*result("toolu_1"), text("and?")]),
        line("assistant", "done", id_="msg_2"),
    )
    imported = read("claude-code", document)
    assert told(imported)[2:] == [
        "1.1 tool: #1 ok: a b",
        "1.1 note: hurry",
        "1.1 note: and?",
        "1.2 assistant: done",
    ]
    assert restored(imported) == document


def test_problems_name_the_line() -> None:
    imported = read("claude-code", log(SUMMARY, HI, line("assistant", [call("toolu_1")])))
    assert problems(imported) == [
        'talk:3: $.message.content[0]: missing_result (H4): the call "toolu_1" of Bash has no '
        "result; --repair accepts it"
    ]


def test_a_time_that_cannot_be_read_is_the_time_of_the_import() -> None:
    imported = read("claude-code", log({**HI, "timestamp": "yesterday"}))
    assert imported.messages[0].at == "2026-11-21T20:00:00Z"


def test_a_log_without_messages_is_empty() -> None:
    imported = read("claude-code", log(SUMMARY))
    assert (imported.messages, imported.problems) == ((), ())
    assert restored(imported) == log(SUMMARY)
