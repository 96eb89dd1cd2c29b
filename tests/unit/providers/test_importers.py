"""Which files are taken apart how, for every form."""

import json

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.core.json import load_json
from mindpipe.providers.importer import FORMATS, read_documents
from mindpipe.providers.records import Imported, ImportOptions
from support.foreign_documents import AT, encoded, problems, read, restored, told
from support.tables import each_row

USER = {"role": "user", "content": "hi"}
DONE = {"role": "assistant", "content": "done"}
TALK = [USER, DONE]
TOLD = ["1.0 user: hi", "1.1 assistant: done"]


def read_all(document: object, *, format: str = "openai-chat") -> tuple[Imported, ...]:
    options = ImportOptions(agent="ada", name="talks", at=AT)
    return read_documents(encoded(document), format=format, options=options)


def json_lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


SHAPES = {
    "a bare list": TALK,
    "messages": {"model": "m", "messages": TALK, "stream": True},
    "input": {"input": TALK},
    "history": {"trajectory": [], "history": TALK, "info": {"n": 1}},
    "traj": {"task_id": 0, "traj": TALK},
    "the first name counts": {"input": [], "messages": TALK},
    "one message per line": json_lines(*TALK),
    "lines with blank ones between": b"\n" + json_lines(USER) + b"\r\n" + json_lines(DONE),
    "a byte order mark": b"\xef\xbb\xbf" + json.dumps(TALK).encode(),
    "a document over many lines": json.dumps({"messages": TALK}, indent=1).encode(),
}


@each_row("name", SHAPES)
def test_every_shape_of_a_document_is_read(name: str) -> None:
    imported = read("openai-chat", SHAPES[name])
    assert problems(imported) == []
    assert told(imported) == TOLD


@each_row("name", [name for name, one in SHAPES.items() if type(one) is not bytes])
def test_every_shape_of_a_document_comes_back(name: str) -> None:
    imported = read("openai-chat", SHAPES[name])
    assert load_json(restored(imported), source="restored") == SHAPES[name]


def test_one_conversation_per_line() -> None:
    first = {"task_id": 4, "trial": 1, "traj": TALK}
    second = {"id": "b", "messages": [USER]}
    found = read_all(json_lines(first, second, TALK))
    assert [one.name for one in found] == ["4-1", "b", ""]
    assert [told(one)[0] for one in found] == ["1.0 user: hi"] * 3
    assert load_json(restored(found[0]), source="restored") == first
    ids = [message.id for one in found for message in one.messages]
    assert len(set(ids)) == len(ids)


def test_several_conversations_are_a_problem_where_one_is_wanted() -> None:
    assert problems(read("openai-chat", json_lines(TALK, TALK))) == [
        "talk: the file holds 2 conversations; give one of them, a line each"
    ]


def test_problems_of_one_conversation_leave_the_others() -> None:
    bad, good = read_all(json_lines({"messages": [7]}, TALK))
    assert problems(bad) == ["talks:1: $.messages[0]: shape (form): an object is expected here"]
    assert told(good) == TOLD


BAD = {
    "no JSON": (b"hello", ["talk: not JSON at character 0: Expecting value"]),
    "a number": (b"7", ["talk: no messages: expected a list or an object"]),
    "an object without messages": (
        b'{"a":[]}',
        [
            "talk: no messages: expected a list, or an object with one of messages, input, "
            "history, traj, prompt"
        ],
    ),
    "a torn line among messages": (
        json_lines(USER) + b'{"role":\n' + json_lines(DONE),
        ["talk:2: $: shape (form): not JSON at character 8: Expecting value"],
    ),
    "torn lines among conversations": (
        json_lines(TALK) + b"[7\n" + json_lines(TALK) + b"8\n",
        [
            "talk:2: not JSON at character 2: Expecting ',' delimiter",
            "talk:4: no messages: expected a list or an object",
        ],
    ),
    "a key twice": (
        b'[{"role":"user","role":"user"}]',
        ["talk: $[0].role: appears twice"],
    ),
    "no UTF-8": (b'["\xff"]', ["talk: not UTF-8 at byte 2"]),
}


@each_row("name", BAD)
def test_what_cannot_be_taken_apart_is_a_problem(name: str) -> None:
    document, expected = BAD[name]
    assert problems(read("openai-chat", document)) == expected


def test_an_unknown_form_is_named() -> None:
    with pytest.raises(
        UsageError, match="anthropic, chatgpt, claude-code, claude-export, letta, llm"
    ):
        read("xml", TALK)


@each_row("format", FORMATS)
def test_every_form_takes_an_empty_list(format: str) -> None:
    imported = read(format, b"" if format == "claude-code" else [])
    assert (imported.messages, imported.problems) == ((), ())
