"""What other applications keep or export, read message by message."""

import contextlib
import json
import sqlite3
from typing import Any

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.providers.importer import conversions, read_documents
from mindpipe.providers.memories import NotTaken, foreign_memories
from mindpipe.providers.records import Imported, ImportOptions
from mindpipe.providers.turns import gathered
from support.foreign_documents import AT, problems, told
from support.tables import each_row

Node = dict[str, Any]


def read(format: str, document: object, *, repair: bool = False) -> tuple[Imported, ...]:
    octets = document if isinstance(document, bytes) else json.dumps(document).encode()
    options = ImportOptions(agent="ada", name="talks", at=AT, repair=repair)
    return read_documents(octets, format=format, options=options)


def node(id_: str, parent: str | None, role: str, content: object, **more: object) -> Node:
    message = {"id": id_, "author": {"role": role}, "content": content, "create_time": 1.5, **more}
    return {"id": id_, "parent": parent, "children": [], "message": message}


def text(*parts: object) -> Node:
    return {"content_type": "text", "parts": list(parts)}


def chat(*nodes: Node, current: str | None) -> list[Node]:
    mapping = {one["id"]: one for one in nodes}
    return [{"id": "c", "mapping": mapping, "current_node": current}]


ASKED = node("u", None, "user", text("Why?"))
CALL = node("a", "u", "assistant", {"content_type": "code", "text": "1+1"}, recipient="python")
ANSWER = node("t", "a", "tool", {"content_type": "execution_output", "text": "2"})
CHATS: dict[str, tuple[list[Node], list[str]]] = {
    "the path to the current node": (
        chat(
            ASKED,
            node("b", "u", "assistant", text("No.")),
            node("c", "u", "assistant", text("Yes.")),
            current="b",
        ),
        ["1.0 user: Why?", "1.1 assistant: No."],
    ),
    "the latest where no node is current": (
        chat(ASKED, node("b", "u", "assistant", text("No."), create_time=9), current=None),
        ["1.0 user: Why?", "1.1 assistant: No."],
    ),
    "a ring of parents ends": (
        chat(
            node("u", "b", "user", text("Why?")),
            node("b", "u", "assistant", text("No.")),
            current="b",
        ),
        ["1.0 user: Why?", "1.1 assistant: No."],
    ),
    "a tool answers the call before it": (
        chat(ASKED, CALL, ANSWER, node("b", "t", "assistant", text("Two.")), current="b"),
        [
            "1.0 user: Why?",
            '1.1 assistant: #1 python {"text": "1+1"}',
            "1.1 tool: #1 ok: 2",
            "1.2 assistant: Two.",
        ],
    ),
    "a tool that nobody called is heard": (
        chat(
            ASKED,
            node("t", "u", "tool", text("found it")),
            node("b", "t", "assistant", text("Well.")),
            current="b",
        ),
        ["1.0 user: Why?", "1.0 note: found it", "1.1 assistant: Well."],
    ),
}


@each_row("name", CHATS)
def test_chatgpt(name: str) -> None:
    document, expected = CHATS[name]
    (imported,) = read("chatgpt", document)
    assert problems(imported) == []
    assert told(imported) == expected


def test_a_call_without_its_answer_is_a_fault_that_repair_accepts() -> None:
    talk = chat(ASKED, CALL, node("b", "a", "assistant", text("Two.")), current="b")
    assert "missing_result" in problems(read("chatgpt", talk)[0])[0]
    (imported,) = read("chatgpt", talk, repair=True)
    assert [one.kind for one in imported.repairs] == ["missing_result"]


def said(uuid: str, sender: str, *content: Node, parent: str | None = None) -> Node:
    answered = {} if parent is None else {"parent_message_uuid": parent}
    return {"uuid": uuid, "sender": sender, "content": list(content), "text": "", **answered}


def words(said_: str) -> Node:
    return {"type": "text", "text": said_}


USE = {"type": "tool_use", "name": "find", "input": {"q": "a"}}
GAVE = {"type": "tool_result", "name": "find", "content": [words("it")]}
TALKS: dict[str, tuple[list[Node], list[str]]] = {
    "calls and results without ids, twice in one message": (
        [
            said("1", "human", words("Go")),
            said("2", "assistant", USE, GAVE, USE, GAVE, words("Done")),
        ],
        [
            "1.0 user: Go",
            '1.1 assistant: #1 find {"q": "a"}',
            "1.1 tool: #1 ok: it",
            '1.2 assistant: #2 find {"q": "a"}',
            "1.2 tool: #2 ok: it",
            "1.3 assistant: Done",
        ],
    ),
    "the branch of the last message": (
        [
            said("1", "human", words("Go"), parent="0"),
            said("2", "assistant", words("No"), parent="1"),
            said("3", "assistant", words("Yes"), parent="1"),
        ],
        ["1.0 user: Go", "1.1 assistant: Yes"],
    ),
    "messages that do not say what they answer": (
        [said("1", "human", words("Go")), said("2", "assistant", words("Yes"))],
        ["1.0 user: Go", "1.1 assistant: Yes"],
    ),
}


@each_row("name", TALKS)
def test_claude_export(name: str) -> None:
    messages, expected = TALKS[name]
    (imported,) = read("claude-export", [{"uuid": "c", "chat_messages": messages}])
    assert problems(imported) == []
    assert told(imported) == expected
    assert len({one.id for one in imported.messages}) == len(imported.messages)


def test_letta_of_one_agent_as_older_servers_wrote_it() -> None:
    call = {"id": "c", "function": {"name": "find", "arguments": '{"q":"a"}'}}
    messages = [
        {"role": "user", "content": [words("Go")], "created_at": "2025-01-01T00:00:00Z"},
        {"role": "assistant", "content": [words("hm")], "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": "c",
            "content": [words('{"status":"error","message":"x"}')],
        },
        {"role": "assistant", "content": [words("Done.")]},
    ]
    blocks = [{"label": "human", "value": "Mara"}, {"label": "persona", "value": " "}]
    file = {"name": "desk", "system": "Be short.", "messages": messages, "core_memory": blocks}
    (imported,) = read("letta", file)
    assert told(imported)[1:] == [
        '1.1 assistant: <thinking hm> | #1 find {"q": "a"}',
        "1.1 tool: #1 error: x",
        "1.2 assistant: Done.",
    ]
    assert imported.head.system == "Be short."
    left_out = NotTaken()
    octets = json.dumps(file).encode()
    found = foreign_memories(octets, format="letta", source="desk.af", left_out=left_out)
    assert [one.text for one in found] == ["human: Mara"]
    assert left_out.words() == ("empty memory block",)


def logs(*statements: str) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE TABLE responses(id, prompt, response, conversation_id, datetime_utc)"
        )
        for statement in statements:
            database.execute(statement)
        database.commit()
        return database.serialize()


def test_llm_conversations_come_in_the_order_in_which_they_began() -> None:
    octets = logs(
        "INSERT INTO responses VALUES('3','c','C','b','2024-01-03')",
        "INSERT INTO responses VALUES('1','a','A','b','2024-01-01')",
        "INSERT INTO responses VALUES('2','b','B',NULL,'2024-01-02')",
    )
    found = read("llm", octets)
    assert [one.name for one in found] == ["b", "2"]
    assert told(found[0])[::2] == ["1.0 user: a", "2.0 user: c"]


def test_llm_in_a_file_that_was_written_with_a_write_ahead_log() -> None:
    octets = bytearray(logs("INSERT INTO responses VALUES('1','a','A','b','2024-01-01')"))
    octets[18:20] = b"\x02\x02"
    assert told(read("llm", bytes(octets))[0]) == ["1.0 user: a", "1.1 assistant: A"]


def test_known_items_are_passed_over() -> None:
    talk = json.dumps(chat(ASKED, node("b", "u", "assistant", text("No.")), current="b")).encode()
    options = ImportOptions(agent="ada", name="talks", at=AT)
    (one,) = conversions(talk, format="chatgpt", options=options, known={"u"})
    imported = gathered(one)
    assert told(imported) == ["1.0 user: [import began here]", "1.1 assistant: No."]
    assert imported.left_out == ("item that the history has already",)


@pytest.mark.parametrize(
    "document", [b"[7]", b"[{}]", b"7", b"PK\x03\x04", b'{"results":[{"id":""}]}']
)
def test_what_is_no_dump_of_mem0_is_refused(document: bytes) -> None:
    with pytest.raises(BadInputError):
        list(foreign_memories(document, format="mem0", source="dump", left_out=NotTaken()))
