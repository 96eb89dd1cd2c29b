"""A form is told by what stands in it alone."""

import json

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.providers.importer import PLAIN, read_documents, recognised
from mindpipe.providers.records import ImportOptions
from support.tables import each_row

CALL = {"type": "tool_use", "id": "t", "name": "look", "input": {}}
SDK_CALL = {"type": "tool-call", "toolCallId": "t", "toolName": "look", "input": {}}
HELLO = {"role": "user", "content": "Hello"}


def block(kind: str) -> dict[str, object]:
    return {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": kind}]}


@each_row(
    ("document", "form"),
    [
        ([HELLO], PLAIN),
        ([], PLAIN),
        ([HELLO, {"role": "assistant", "tool_calls": []}], "openai-chat"),
        ([{"role": "developer", "content": "Be kind."}], "openai-chat"),
        ([HELLO, {"role": "assistant", "content": [CALL]}], "anthropic"),
        ([block("tool_result")], "anthropic"),
        ({"system": "Be kind.", "messages": [HELLO]}, "anthropic"),
        ([HELLO, {"role": "assistant", "content": [SDK_CALL]}], "ai-sdk"),
        ({"system": "Be kind.", "tools": {"look": {}}, "messages": [HELLO]}, "ai-sdk"),
        ({"instructions": "Be kind.", "messages": [HELLO]}, "ai-sdk"),
        ([{"type": "function_call", "call_id": "c", "name": "look"}], "openai-responses"),
        ({"input": [HELLO]}, "openai-responses"),
        ([block("input_text")], "openai-responses"),
        ([{"seq": 1, "parts": [], "role": "user"}], "mindpipe"),
        ([block("nothing known"), block("image_url")], "openai-chat"),
    ],
)
def test_the_first_mark_decides(document: object, form: str) -> None:
    assert recognised(json.dumps(document).encode(), source="chat.json") == form


def test_marks_inside_words_do_not_count() -> None:
    quoted = [{"role": "user", "content": json.dumps({"content": [CALL], "sessionId": "s"})}]
    assert recognised(json.dumps(quoted).encode(), source="chat.json") == PLAIN


def test_lines_of_a_session_are_a_log() -> None:
    line = {"type": "user", "sessionId": "s", "uuid": "u", "message": HELLO}
    octets = b"".join(json.dumps(one).encode() + b"\n" for one in (line, line))
    assert recognised(octets, source="log.jsonl") == "claude-code"


def test_later_documents_of_a_file_count_too() -> None:
    documents = ({"messages": [HELLO]}, {"messages": [{"role": "assistant", "content": [CALL]}]})
    octets = b"".join(json.dumps(one).encode() + b"\n" for one in documents)
    assert recognised(octets, source="chats.jsonl") == "anthropic"


UI = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "Hello"}]}


@each_row("document", [[UI], [HELLO, UI], {"id": "chat", "messages": [UI]}, UI])
def test_messages_of_a_page_are_refused_in_one_sentence(document: object) -> None:
    octets = json.dumps(document).encode()
    with pytest.raises(BadInputError, match="convertToModelMessages") as recognising:
        recognised(octets, source="chat.json")
    options = ImportOptions(agent="ava", name="chat.json", at="")
    (read,) = read_documents(octets, format="ai-sdk", options=options)
    assert len(read.problems) == 1
    assert read.problems == tuple(recognising.value.problems)


def test_what_is_no_document_is_refused() -> None:
    with pytest.raises(BadInputError):
        recognised(b"[", source="chat.json")
