"""Items of the Responses API: groups, outputs by id, reasoning, built-in tools."""

from mindpipe.core.json import load_json
from support.foreign_documents import faults, problems, raw_of, read, restored, told
from support.tables import each_row

USER = {"role": "user", "content": "hi"}
DONE = {"role": "assistant", "content": "done"}
THOUGHT = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "hm"}],
    "encrypted_content": "x",
}


def call(id_: str = "call_1", arguments: str = '{"at": 1}') -> dict[str, object]:
    return {"type": "function_call", "call_id": id_, "name": "look", "arguments": arguments}


def output(id_: str = "call_1", value: object = "seen") -> dict[str, object]:
    return {"type": "function_call_output", "call_id": id_, "output": value}


READ = {
    "one response is one reply": (
        [USER, THOUGHT, call("a"), call("b"), output("a"), output("b", "too"), THOUGHT, DONE],
        [
            "1.0 user: hi",
            '1.1 assistant: <thinking hm> | #1 look {"at": 1} | #2 look {"at": 1}',
            "1.1 tool: #1 ok: seen | #2 ok: too",
            "1.2 assistant: <thinking hm> | done",
        ],
    ),
    "text may stand between call and output": (
        [USER, call(), USER, {"role": "developer", "content": "now"}, output(), DONE],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1}',
            "1.1 tool: #1 ok: seen",
            "1.1 note: hi",
            "1.1 note: now",
            "1.2 assistant: done",
        ],
    ),
    "outputs that are lists, errors and refusals": (
        [
            USER,
            call(),
            output(
                value=[
                    {"type": "input_text", "text": "a"},
                    {"type": "input_image", "image_url": "data:image/png;base64,aGk="},
                ]
            ),
            call(),
            output(value="ERROR: gone"),
            call(),
            output(value="REFUSED: not now"),
            DONE,
        ],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1}',
            "1.1 tool: #1 ok: a\n[image/png image.png]",
            '1.2 assistant: #2 look {"at": 1}',
            "1.2 tool: #2 error: gone",
            '1.3 assistant: #3 look {"at": 1}',
            "1.3 tool: #3 refused: not now",
            "1.4 assistant: done",
        ],
    ),
    "built-in tools are opaque": (
        [
            USER,
            {"type": "web_search_call", "id": "ws_1", "status": "completed"},
            {"type": "mcp_call", "id": "mcp_1", "name": "ask", "arguments": "{}"},
            {
                "type": "message",
                "role": "assistant",
                "id": "msg_1",
                "content": [{"type": "output_text", "text": "done", "annotations": []}],
            },
        ],
        ["1.0 user: hi", "1.1 assistant: <web_search_call> | <mcp_call> | done"],
    ),
    "a compaction at the start": (
        [{"type": "compaction", "encrypted_content": "x"}, USER, DONE],
        [
            "1.0 user: [import began here]",
            "1.1 assistant: <compaction>",
            "2.0 user: hi",
            "2.1 assistant: done",
        ],
    ),
    "system items at the start and later": (
        [{"role": "system", "content": "Be kind."}, USER, {"role": "system", "content": "now"}],
        ["1.0 user: hi", "1.0 note: now", "1.1 assistant: [import ended here]"],
    ),
    "contents that are lists": (
        [
            {
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "a"},
                    {
                        "type": "input_file",
                        "filename": "a.pdf",
                        "file_data": "data:application/pdf;base64,aGk=",
                    },
                    {"type": "input_image", "image_url": "https://x.y/z"},
                    {"type": "input_file", "file_id": "file-1"},
                ],
            },
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "refusal", "refusal": "no"}],
            },
        ],
        [
            "1.0 user: a | <application/pdf a.pdf> | [file https://x.y/z] | [input_file file-1]",
            "1.1 assistant: no",
        ],
    ),
    "custom tools": (
        [
            USER,
            {"type": "custom_tool_call", "call_id": "a", "name": "sql", "input": "select 1"},
            {"type": "custom_tool_call_output", "call_id": "a", "output": "1"},
            DONE,
        ],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 sql {"input": "select 1"}',
            "1.1 tool: #1 ok: 1",
            "1.2 assistant: done",
        ],
    ),
}


@each_row("name", READ)
def test_items_are_read(name: str) -> None:
    document, expected = READ[name]
    imported = read("openai-responses", document)
    assert problems(imported) == []
    assert told(imported) == expected
    assert faults(imported) == []
    assert load_json(restored(imported), source="restored") == document


def test_a_whole_body_gives_head_and_model() -> None:
    body = {
        "model": "gpt-5",
        "instructions": "Be kind.",
        "input": [USER],
        "previous_response_id": "resp_1",
        "tools": [
            {"type": "function", "name": "look", "parameters": {"type": "object"}},
            {"type": "web_search"},
        ],
    }
    imported = read("openai-responses", body)
    assert imported.head.system == "Be kind."
    assert [tool.name for tool in imported.head.tools] == ["look"]
    assert imported.left_out == (
        "earlier messages that the provider keeps (previous_response_id)",
        "tool 'web_search'",
    )
    assert load_json(restored(imported), source="restored") == body


def test_a_text_alone_is_the_user() -> None:
    body = {"model": "gpt-5", "input": "hi"}
    imported = read("openai-responses", body)
    assert told(imported) == ["1.0 user: hi", "1.1 assistant: [import ended here]"]
    assert load_json(restored(imported), source="restored") == body


def test_raw_holds_the_items_of_the_response() -> None:
    imported = read("openai-responses", [USER, THOUGHT, call(), output(), DONE])
    first, second = imported.messages[1], imported.messages[3]
    assert raw_of(imported, first) == [{"output": [THOUGHT, call()]}]
    assert raw_of(imported, second) == [{"output": [DONE]}]
    assert first.raw is not None
    assert (first.raw.provider, first.raw.api) == ("openai", "responses")
    assert list(first.raw.ids.values()) == ["call_1"]


BROKEN = {
    "an output of a chained response": (
        [output("z")],
        '$[0]: orphan_result (H5): the result for "z" answers no call of its turn; '
        "--repair accepts it",
    ),
    "an output before its call": (
        [output(), USER, call()],
        '$[0]: broken_order (H3): the result for "call_1" does not stand behind its call',
    ),
    "arguments that are no JSON": (
        [USER, call(arguments="{"), output()],
        "$[1]: bad_arguments (H8): the arguments cannot be read: not JSON at character 1: "
        "Expecting property name enclosed in double quotes; --repair accepts it",
    ),
    "a call without call_id": (
        [{"type": "function_call", "name": "look", "arguments": "{}"}],
        "$[0].call_id: shape (form): text is expected here",
    ),
    "another role": (
        [{"role": "critic", "content": "x"}],
        "$[0].role: shape (form): 'critic' is no role of this form",
    ),
}


@each_row("name", BROKEN)
def test_broken_items_are_refused(name: str) -> None:
    document, problem = BROKEN[name]
    assert problems(read("openai-responses", document)) == [f"talk: {problem}"]
