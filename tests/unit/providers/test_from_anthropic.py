"""Anthropic messages: blocks, results, thinking, opaque blocks."""

from mindpipe.core.json import load_json
from mindpipe.core.messages import CallPart, FilePart, ToolSpec
from support.foreign_documents import faults, problems, raw_of, read, restored, told
from support.tables import each_row

USER = {"role": "user", "content": "hi"}
DONE = {"role": "assistant", "content": "done"}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": 1}}


def said(*blocks: object) -> dict[str, object]:
    return {"role": "assistant", "content": list(blocks)}


def user(*blocks: object) -> dict[str, object]:
    return {"role": "user", "content": list(blocks)}


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def result(**more: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": "toolu_1", **more}


LOOKED = ["1.0 user: hi", '1.1 assistant: #1 look {"at": 1}']

READ = {
    "results, then text": (
        [USER, said(CALL), user(result(content="seen"), text("and?")), DONE],
        [*LOOKED, "1.1 tool: #1 ok: seen", "1.1 note: and?", "1.2 assistant: done"],
    ),
    "results in two messages": (
        [
            USER,
            said(CALL, {**CALL, "id": "toolu_2"}),
            user(result(content="seen")),
            user({**result(content="too"), "tool_use_id": "toolu_2"}),
            DONE,
        ],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1} | #2 look {"at": 1}',
            "1.1 tool: #1 ok: seen | #2 ok: too",
            "1.2 assistant: done",
        ],
    ),
    "errors and refusals": (
        [
            USER,
            said(CALL),
            user(result(content="gone", is_error=True)),
            said(CALL),
            user(result(content="REFUSED: not now", is_error=True)),
            DONE,
        ],
        [
            *LOOKED,
            "1.1 tool: #1 error: gone",
            '1.2 assistant: #2 look {"at": 1}',
            "1.2 tool: #2 refused: not now",
            "1.3 assistant: done",
        ],
    ),
    "a result that is absent, and one that is a list": (
        [
            USER,
            said(CALL),
            user(result()),
            said(CALL),
            user(
                result(
                    content=[
                        text("a"),
                        text("b"),
                        {"type": "tool_reference", "tool_name": "find"},
                        {"type": "image", "source": {"type": "url", "url": "https://x.y/z"}},
                    ]
                )
            ),
            DONE,
        ],
        [
            *LOOKED,
            "1.1 tool: #1 ok: ",
            '1.2 assistant: #2 look {"at": 1}',
            "1.2 tool: #2 ok: a\nb\n[tool_reference find]\n[image https://x.y/z]",
            "1.3 assistant: done",
        ],
    ),
    "thinking and what only the provider understands": (
        [
            USER,
            said(
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                {"type": "redacted_thinking", "data": "d"},
                {"type": "thinking", "thinking": "", "signature": "s"},
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web", "input": {}},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
                text("done"),
            ),
        ],
        [
            "1.0 user: hi",
            "1.1 assistant: <thinking hm> | <thinking None> | <thinking None> | "
            "<server_tool_use> | <web_search_tool_result> | done",
        ],
    ),
    "replies side by side, with calls": (
        [USER, said(text("wait")), said(CALL), user(result(content="seen")), DONE],
        [
            "1.0 user: hi",
            '1.1 assistant: wait | #1 look {"at": 1}',
            "1.1 tool: #1 ok: seen",
            "1.2 assistant: done",
        ],
    ),
    "a system message in the list": (
        [USER, {"role": "system", "content": "now"}, DONE],
        ["1.0 user: hi", "1.0 note: now", "1.1 assistant: done"],
    ),
    "a blank block beside text": (
        [USER, said(text("\n"), text("done"))],
        ["1.0 user: hi", "1.1 assistant: done"],
    ),
}


@each_row("name", READ)
def test_messages_are_read(name: str) -> None:
    document, expected = READ[name]
    imported = read("anthropic", document)
    assert problems(imported) == []
    assert told(imported) == expected
    assert faults(imported) == []
    assert load_json(restored(imported), source="restored") == document


def test_a_whole_body_gives_head_and_model() -> None:
    tools = [
        {"name": "look", "description": "d", "input_schema": {"type": "object"}},
        {"type": "web_search_20250305", "name": "web_search"},
    ]
    body = {
        "model": "claude-haiku-4-5",
        "max_tokens": 9,
        "system": [{"type": "text", "text": "Be kind."}, {"type": "text", "text": "Be brief."}],
        "tools": tools,
        "messages": [USER, DONE],
    }
    imported = read("anthropic", body)
    assert imported.head.system == "Be kind.\n\nBe brief."
    assert imported.head.tools == (
        ToolSpec(name="look", description="d", input_schema={"type": "object"}),
    )
    assert imported.left_out == ("tool 'web_search'",)
    raw = imported.messages[1].raw
    assert raw is not None
    assert (raw.provider, raw.api, raw.model) == ("anthropic", "messages", "claude-haiku-4-5")
    assert load_json(restored(imported), source="restored") == body
    assert read("anthropic", {"system": "Be kind.", "messages": []}).head.system == "Be kind."


def test_raw_has_the_bytes_of_every_block() -> None:
    written = b'[ {"role":"user","content":"hi"}, {"role":"assistant","content":\
[ {"signature":"S\\u002fx","type":"thinking","thinking":"hm"}, {"type":"text","text":"ok"}]}]'
    imported = read("anthropic", written)
    raw = imported.messages[1].raw
    assert raw is not None
    assert imported.blobs[raw.sha256[0]] == (
        b'{"role":"assistant","content":[{"signature":"S\\u002fx","type":"thinking",'
        b'"thinking":"hm"},{"type":"text","text":"ok"}]}'
    )


def test_raw_of_text_is_a_block_and_joined_replies_are_spans() -> None:
    imported = read("anthropic", [USER, DONE, said(CALL), user(result(content="x")), DONE])
    assert raw_of(imported, imported.messages[1]) == [said(text("done")), said(CALL)]


def test_a_call_keeps_its_id_and_its_text() -> None:
    written = b'[{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"look",\
"input":{ "at" :1 }}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1"}]}]'
    imported = read("anthropic", written)
    call, raw = imported.messages[1].parts[0], imported.messages[1].raw
    assert isinstance(call, CallPart)
    assert raw is not None
    assert (call.args, call.args_text) == ({"at": 1}, '{ "at" :1 }')
    assert raw.ids == {call.id: "toolu_1"}


def test_files_of_a_user_become_blobs() -> None:
    source = {"type": "base64", "media_type": "application/pdf", "data": "aGk="}
    blocks = (
        {"type": "document", "title": "a.pdf", "source": source},
        {"type": "document", "source": {"type": "text", "data": "plain"}},
        {"type": "search_result", "title": "t", "cache_control": {}},
    )
    imported = read("anthropic", [user(*blocks), DONE])
    assert told(imported)[0] == "1.0 user: <application/pdf a.pdf> | plain | [search_result t]"
    part = imported.messages[0].parts[0]
    assert isinstance(part, FilePart)
    assert imported.blobs[part.sha256] == b"hi"
    assert imported.left_out == (
        "document block, read as its text",
        "field 'cache_control' of content blocks",
        "search_result that is no text, kept in the source and named in the text",
    )


BROKEN = {
    "text before the result": (
        [USER, said(CALL), user(text("and?"), result(content="x")), DONE],
        "$[2].content[1]: broken_order (H3): words stand before the result",
    ),
    "input that is no object": (
        [USER, said({**CALL, "input": "x"}), user(result()), DONE],
        "$[1].content[0]: bad_arguments (H8): the arguments are not a JSON object; "
        "--repair accepts it",
    ),
    "a call without an id": (
        [USER, said({"type": "tool_use", "name": "look", "input": {}}), DONE],
        "$[1].content[0].id: shape (form): text is expected here",
    ),
    "a system of another shape": (
        {"system": 7, "messages": [USER, DONE]},
        "$.system: shape (form): a list is expected here",
    ),
    "another role": (
        [{"role": "tool", "content": "x"}],
        "$[0].role: shape (form): 'tool' is no role of this form",
    ),
    "an empty reply in the middle": (
        [USER, said(), USER, DONE],
        "$[1]: empty_message (H7): the assistant message is empty; --repair accepts it",
    ),
}


@each_row("name", BROKEN)
def test_broken_messages_are_refused(name: str) -> None:
    document, problem = BROKEN[name]
    assert problems(read("anthropic", document)) == [f"talk: {problem}"]
