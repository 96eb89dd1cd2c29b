"""OpenAI chat messages and the trajectories written like them."""

from mindpipe.core.json import load_json
from mindpipe.core.messages import FilePart, ToolSpec
from support.foreign_documents import faults, problems, raw_of, read, restored, told
from support.tables import each_row

USER = {"role": "user", "content": "hi"}
DONE = {"role": "assistant", "content": "done"}


def calling(**call: object) -> dict[str, object]:
    function = {"name": "look", "arguments": '{"at": 1}'}
    return {"role": "assistant", "tool_calls": [{"type": "function", "function": function, **call}]}


READ = {
    "content lists and refusals": (
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            },
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]},
            USER,
            {"role": "assistant", "content": None, "refusal": "never"},
        ],
        ["1.0 user: a | b", "1.1 assistant: no", "2.0 user: hi", "2.1 assistant: never"],
    ),
    "marks of results are read back": (
        [
            USER,
            calling(id="a"),
            {"role": "tool", "tool_call_id": "a", "content": "ERROR: gone"},
            calling(id="b"),
            {"role": "tool", "tool_call_id": "b", "content": "REFUSED: not now"},
            calling(id="c"),
            {"role": "tool", "tool_call_id": "c", "content": "(no output)"},
            calling(id="d"),
            {"role": "tool", "tool_call_id": "d", "content": "ERROR: (no output)"},
            DONE,
        ],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1}',
            "1.1 tool: #1 error: gone",
            '1.2 assistant: #2 look {"at": 1}',
            "1.2 tool: #2 refused: not now",
            '1.3 assistant: #3 look {"at": 1}',
            "1.3 tool: #3 ok: ",
            '1.4 assistant: #4 look {"at": 1}',
            "1.4 tool: #4 error: ",
            "1.5 assistant: done",
        ],
    ),
    "old functions": (
        [
            USER,
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "f", "arguments": "{}"},
            },
            {"role": "function", "name": "f", "content": "ok"},
            DONE,
        ],
        ["1.0 user: hi", "1.1 assistant: #1 f {}", "1.1 tool: #1 ok: ok", "1.2 assistant: done"],
    ),
    "ids that are missing": (
        [USER, calling(), {"role": "tool", "content": "seen"}, DONE],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1}',
            "1.1 tool: #1 ok: seen",
            "1.2 assistant: done",
        ],
    ),
    "a list of ids": (
        [
            USER,
            calling(id="a"),
            {"role": "tool", "tool_call_ids": ["a", "z"], "content": "seen"},
            DONE,
        ],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1}',
            "1.1 tool: #1 ok: seen",
            "1.2 assistant: done",
        ],
    ),
    "custom tools": (
        [
            USER,
            calling(id="a", type="custom", custom={"name": "sql", "input": "select 1"}),
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "text", "text": "1"}]},
            DONE,
        ],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 sql {"input": "select 1"}',
            "1.1 tool: #1 ok: 1",
            "1.2 assistant: done",
        ],
    ),
    "reasoning": (
        [USER, {"role": "assistant", "content": "done", "reasoning_content": "hm"}],
        ["1.0 user: hi", "1.1 assistant: <thinking hm> | done"],
    ),
}


@each_row("name", READ)
def test_messages_are_read(name: str) -> None:
    document, expected = READ[name]
    imported = read("openai-chat", document)
    assert problems(imported) == []
    assert told(imported) == expected
    assert faults(imported) == []
    assert load_json(restored(imported), source="restored") == document


def test_files_become_blobs_and_addresses_are_named() -> None:
    content = [
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}},
        {"type": "image_url", "image_url": {"url": "https://example.org/cat.png"}},
        {
            "type": "file",
            "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,aGk="},
        },
        {"type": "input_audio", "input_audio": {"format": "wav", "data": "aGk="}},
        {"type": "file", "file": {"file_id": "file-1"}},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,!"}},
    ]
    imported = read("openai-chat", [{"role": "user", "content": content}, DONE])
    assert told(imported)[0] == (
        "1.0 user: <image/png image.png> | [file https://example.org/cat.png] | "
        "<application/pdf a.pdf> | <audio/wav audio.wav> | [file file-1] | [data URL]"
    )
    part = imported.messages[0].parts[0]
    assert isinstance(part, FilePart)
    assert imported.blobs[part.sha256] == b"hi"
    assert [one.partition(" that")[0] for one in imported.left_out] == ["file", "data URL"]


def test_raw_is_the_message_as_it_came() -> None:
    reply = {"role": "assistant", "content": "x", "tool_calls": [], "annotations": []}
    imported = read("openai-chat", {"model": "gpt-4o", "messages": [USER, reply]})
    said = imported.messages[1]
    assert raw_of(imported, said) == [reply]
    assert said.raw is not None
    assert (said.raw.provider, said.raw.api, said.raw.model) == ("openai", "chat", "gpt-4o")


def test_made_ids_stand_in_raw_too() -> None:
    for message, result in (
        (calling(), {"role": "tool", "content": "seen"}),
        (
            {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "f", "arguments": "{}"},
            },
            {"role": "function", "name": "f", "content": "ok"},
        ),
    ):
        said = (imported := read("openai-chat", [USER, message, result, DONE])).messages[1]
        assert said.raw is not None
        (raw,) = raw_of(imported, said)
        assert isinstance(raw, dict)
        assert [one["id"] for one in raw["tool_calls"]] == list(said.raw.ids.values())
        assert "function_call" not in raw


def test_arguments_are_kept_as_they_were_written() -> None:
    imported = read("openai-chat", [USER, calling(id="a"), {"role": "tool", "content": "x"}, DONE])
    (call,) = imported.messages[1].parts
    assert getattr(call, "args_text", "") == '{"at": 1}'


def test_the_head_has_the_functions_of_the_body() -> None:
    schema = {"type": "object"}
    tools = [
        {"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}},
        {"type": "function", "function": {"name": "bare"}},
    ]
    imported = read("openai-chat", {"messages": [USER], "tools": tools})
    assert imported.head.tools == (ToolSpec(name="f", description="d", input_schema=schema),)
    assert imported.left_out == ("tool 'bare'",)


def test_fields_of_trajectories_are_named() -> None:
    thoughts = {"role": "assistant", "content": "x", "thought": "x", "action": "ls"}
    imported = read("openai-chat", {"history": [USER, thoughts], "info": {}})
    assert imported.left_out == (
        "field 'thought' of assistant messages",
        "field 'action' of assistant messages",
    )


@each_row(
    ("message", "problem"),
    [
        (
            {"role": "critic", "content": "x"},
            "$[0].role: shape (form): 'critic' is no role of this form",
        ),
        ({"content": "x"}, "$[0].role: shape (form): text is expected here"),
        (7, "$[0]: shape (form): an object is expected here"),
        ({"role": "user", "content": 7}, "$[0].content: shape (form): a list is expected here"),
        (
            {"role": "user", "content": ["x"]},
            "$[0].content[0]: shape (form): an object is expected here",
        ),
        (
            {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f"}}]},
            "$[0].tool_calls[0].function.arguments: shape (form): text is expected here",
        ),
    ],
)
def test_other_shapes_are_refused(message: object, problem: str) -> None:
    for repair in (False, True):
        assert problems(read("openai-chat", [message], repair=repair)) == [f"talk: {problem}"]


@each_row(
    "arguments", ['{"a": 1e999}', '{"a": 123456789012345678901234567890}', '{"a": "\\ud800"}', "[]"]
)
def test_arguments_that_cannot_be_stored_are_bad(arguments: str) -> None:
    call = calling(id="a", function={"name": "look", "arguments": arguments})
    document = [USER, call, {"role": "tool", "tool_call_id": "a", "content": "x"}, DONE]
    assert "bad_arguments" in problems(read("openai-chat", document))[0]
    assert faults(read("openai-chat", document, repair=True)) == []


def test_what_is_no_text_is_replaced_and_named() -> None:
    imported = read("openai-chat", b'[{"role":"user","content":"a\\ud800b\\u0000c"}]')
    assert told(imported)[0] == "1.0 user: a\ufffdb\ufffdc"
    assert imported.left_out == ("bytes that are no text, replaced in strings",)
    assert restored(imported) == b'[{"role":"user","content":"a\\ud800b\\u0000c"}]'
