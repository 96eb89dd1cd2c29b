"""What each canonical message becomes for Chat Completions."""

import json

from mindpipe.core.messages import FilePart, Head, Message, OpaquePart, ResultStatus, ThinkingPart
from mindpipe.providers.openai_chat.format import render
from mindpipe.providers.records import Rendered, RenderOptions
from support.histories import (
    CHAT,
    TOOL,
    call,
    conversation,
    decoded,
    note,
    raw_of,
    result,
    said,
    sha256,
    tool,
    user,
)
from support.tables import each_row

HELLO = user("Hello")
ID = "c_0000000000000000000001"
STRICT = RenderOptions(strict_roles=True)


def written(
    *messages: Message,
    head: Head | None = None,
    blobs: tuple[bytes, ...] = (),
    options: RenderOptions | None = None,
) -> Rendered:
    talk = conversation(*messages, head=head, blobs=blobs)
    return render(talk, CHAT, options or RenderOptions())


def calls(arguments: str) -> list[object]:
    function = {"name": "recall", "arguments": arguments}
    return [{"id": ID, "type": "function", "function": function}]


@each_row("role", ["system", "developer"])
def test_the_head_is_a_first_message_a_summary_and_tools(role: str) -> None:
    head = Head(system="Be Ada.", tools=(TOOL,), summary="[Earlier: x]")
    rendered = written(HELLO, head=head, options=RenderOptions(system_role=role))
    assert decoded(rendered.messages) == [
        {"role": role, "content": "Be Ada."},
        {"role": "user", "content": "[Earlier: x]"},
        {"role": "user", "content": "Hello"},
    ]
    assert decoded(rendered.fields.values()) == [
        [
            {
                "type": "function",
                "function": {
                    "name": "recall",
                    "description": "Look something up.",
                    "parameters": {
                        "type": "object",
                        "properties": {"query": {"type": "string"}},
                    },
                },
            }
        ]
    ]
    assert written(HELLO).fields == {}


def test_a_turn_keeps_the_arguments_as_the_model_wrote_them() -> None:
    args = {"query": "report"}
    rendered = written(
        HELLO,
        note("It is noon."),
        said("I look.", call(1, args, written='{"query":  "report"}')),
        tool(result(1, "Found.")),
        note("It is one."),
    )
    assert decoded(rendered.messages) == [
        {"role": "user", "content": "Hello"},
        {"role": "user", "content": "It is noon."},
        {"role": "assistant", "content": "I look.", "tool_calls": calls('{"query":  "report"}')},
        {"role": "tool", "tool_call_id": ID, "content": "Found."},
        {"role": "user", "content": "It is one."},
    ]
    assert rendered.losses == ()


@each_row(
    ("given", "arguments"),
    [
        (call(1, {"a": 1}), '{"a": 1}'),
        (call(1, {}, written=" "), "{}"),
        (call(1, {"a": 1}, written=" "), '{"a":1}'),
        (call(1, written='{"a'), "{}"),
    ],
)
def test_calls_without_text_have_null_content(given: object, arguments: str) -> None:
    assert decoded(written(HELLO, said(given)).messages)[1] == {
        "role": "assistant",
        "content": None,
        "tool_calls": calls(arguments),
    }


@each_row(
    ("status", "words", "content"),
    [
        (ResultStatus.OK, "Found.", "Found."),
        (ResultStatus.OK, "", "(no output)"),
        (ResultStatus.TICKETED, "Ticket t1.", "Ticket t1."),
        (ResultStatus.ERROR, "No file.", "ERROR: No file."),
        (ResultStatus.INVALID, "Bad.", "ERROR: Bad."),
        (ResultStatus.UNKNOWN, "Unsure.", "ERROR: Unsure."),
        (ResultStatus.SKIPPED, "", "ERROR: (no output)"),
        (ResultStatus.REFUSED, "No.", "REFUSED: No."),
    ],
)
def test_results(status: ResultStatus, words: str, content: str) -> None:
    rendered = written(HELLO, said(call(1, {})), tool(result(1, words, status)))
    assert decoded(rendered.messages)[2] == {
        "role": "tool",
        "tool_call_id": ID,
        "content": content,
    }


def test_several_texts_are_a_list_of_parts() -> None:
    rendered = written(user("One.", "Two."), said("Three.", "Four."))
    assert decoded(rendered.messages) == [
        {
            "role": "user",
            "content": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}],
        },
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "Three."}, {"type": "text", "text": "Four."}],
        },
    ]


def test_strict_roles_alternate_and_hold_plain_strings() -> None:
    head = Head(system="Be Ada.", summary="[Earlier: x]")
    rendered = written(
        user("Hello", "you"),
        note("Noon."),
        said(call(1, {}), call(2, {})),
        tool(result(1, "A"), result(2, "B")),
        note("One."),
        said("Done."),
        said("[stopped: limit]", synthetic=True),
        head=head,
        options=STRICT,
    )
    plain = decoded(rendered.messages)
    assert [(one["role"], one["content"]) for one in plain] == [
        ("system", "Be Ada."),
        ("user", "[Earlier: x]\n\nHello\n\nyou\n\nNoon."),
        ("assistant", None),
        ("tool", "A"),
        ("tool", "B\n\nOne."),
        ("assistant", "Done.\n\n[stopped: limit]"),
    ]


@each_row(
    ("more", "options", "role"),
    [
        ({"origin": "program"}, RenderOptions(notes_as_system=True), "developer"),
        ({"origin": "operator"}, RenderOptions(notes_as_system=True), "developer"),
        ({"origin": "program", "taint": True}, RenderOptions(notes_as_system=True), "user"),
        ({"origin": "import:x"}, RenderOptions(notes_as_system=True), "user"),
        ({"origin": "program"}, RenderOptions(), "user"),
    ],
)
def test_notes(more: dict[str, object], options: RenderOptions, role: str) -> None:
    rendered = written(HELLO, note("Noon.", **more), options=options)
    assert decoded(rendered.messages)[1] == {"role": role, "content": "Noon."}


@each_row(
    ("part", "kind"),
    [
        (ThinkingPart(text="Hm."), "thinking"),
        (OpaquePart(provider="anthropic", kind="server_tool_use"), "server_tool_use"),
    ],
)
def test_a_reply_left_with_nothing_says_so(part: ThinkingPart | OpaquePart, kind: str) -> None:
    rendered = written(HELLO, said(part))
    assert decoded(rendered.messages)[1] == {"role": "assistant", "content": "(no text)"}
    assert [loss.part for loss in rendered.losses] == [kind]


PNG = FilePart(sha256=sha256(b"png"), media_type="image/png", name="a.png")
PDF = FilePart(sha256=sha256(b"pdf"), media_type="application/pdf", name="a.pdf")


def test_files() -> None:
    gone = FilePart(sha256=sha256(b"gone"), media_type="image/png", name="b.png")
    rendered = written(user("See.", PNG, PDF, gone), blobs=(b"png", b"pdf"))
    assert decoded(rendered.messages) == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "See."},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,cG5n"}},
                {
                    "type": "file",
                    "file": {
                        "filename": "a.pdf",
                        "file_data": "data:application/pdf;base64,cGRm",
                    },
                },
                {"type": "text", "text": "[file b.png is no longer kept]"},
            ],
        }
    ]
    assert [loss.part for loss in rendered.losses] == ["file"]


def test_a_file_in_a_note_after_results_is_named_as_lost_with_strict_roles() -> None:
    rendered = written(
        HELLO,
        said(call(1, {})),
        tool(result(1, "A")),
        note("See.", PNG),
        blobs=(b"png",),
        options=STRICT,
    )
    assert decoded(rendered.messages)[2]["content"] == "A\n\nSee."
    assert [(loss.message, loss.part) for loss in rendered.losses] == [(f"m_{4:022}", "file")]


# --- raw replies -----------------------------------------------------------------------------

CALLS = (
    b'[ {"id":"call_1","type":"function",'
    b'"function":{"name":"recall","arguments":"{\\"a\\" : 1.0}"}} ]'
)
MESSAGE = (
    b'{"role":"assistant", "content" : "Caf\\u00e9 \\ud83d\\ude00", "reasoning_content":"Hm",'
    b'"refusal":null,"tool_calls" : ' + CALLS + b"}"
)
COMPLETION = b'{"id":"x","choices":[{"index":0,"message":' + MESSAGE + b"}]}"


@each_row("raw", [MESSAGE, COMPLETION])
@each_row("options", [RenderOptions(), STRICT])
def test_a_raw_reply_keeps_content_and_calls_and_nothing_else(
    raw: bytes, options: RenderOptions
) -> None:
    reply = said("Café 😀", call(1, {"a": 1.0}), raw=raw_of(raw, target=CHAT, ids={1: "call_1"}))
    rendered = written(HELLO, reply, tool(result(1, "A")), blobs=(raw,), options=options)
    assert rendered.messages[1] == (
        b'{"role":"assistant","content":"Caf\\u00e9 \\ud83d\\ude00","tool_calls":' + CALLS + b"}"
    )
    assert decoded(rendered.messages)[2]["tool_call_id"] == "call_1"


def test_thinking_of_a_raw_reply_is_left_out_and_named() -> None:
    raw = b'{"content":"Hi","reasoning_content":"Hm"}'
    reply = said(ThinkingPart(text="Hm"), "Hi", raw=raw_of(raw, target=CHAT))
    rendered = written(HELLO, reply, blobs=(raw,))
    assert rendered.messages[1] == b'{"role":"assistant","content":"Hi"}'
    assert [loss.part for loss in rendered.losses] == ["thinking"]


def raw_call(ident: str, arguments: str, *, name: str = "recall") -> bytes:
    function = {"name": name, "arguments": arguments}
    message = {"content": None, "tool_calls": [{"id": ident, "function": function}]}
    return json.dumps(message).encode()


@each_row(
    ("raw", "part", "ident", "arguments"),
    [
        (raw_call("k", '{"a'), call(1, written='{"a'), "k", "{}"),
        (raw_call("k", ""), call(1, {}, written=" "), "k", "{}"),
        (raw_call("", "{}"), call(1, {}), "", "{}"),
        (raw_call("k" * 41, "{}"), call(1, {}), "k" * 41, "{}"),
        (raw_call("k", "{}"), call(1, {}), "other", "{}"),
        (b"[]", call(1, {}), "k", "{}"),
    ],
)
def test_what_may_not_go_raw_is_written_from_parts(
    raw: bytes, part: object, ident: str, arguments: str
) -> None:
    reply = said(part, raw=raw_of(raw, target=CHAT, ids={1: ident}))
    rendered = written(HELLO, reply, tool(result(1, "A")), blobs=(raw,))
    assert decoded(rendered.messages)[1:] == [
        {"role": "assistant", "content": None, "tool_calls": calls(arguments)},
        {"role": "tool", "tool_call_id": ID, "content": "A"},
    ]


@each_row("content", ["null", '""', '"\\n"'])
def test_a_refusal_is_written_as_its_text(content: str) -> None:
    raw = b'{"content":%s,"refusal":"I cannot."}' % content.encode()
    rendered = written(HELLO, said("I cannot.", raw=raw_of(raw, target=CHAT)), blobs=(raw,))
    assert decoded(rendered.messages)[1] == {"role": "assistant", "content": "I cannot."}


def test_an_id_may_be_used_again_in_a_later_turn() -> None:
    raw = raw_call("k", "{}")
    turns = [
        message
        for number in (1, 2)
        for message in (
            said(call(number, {}), raw=raw_of(raw, target=CHAT, ids={number: "k"})),
            tool(result(number, "A")),
        )
    ]
    plain = decoded(written(HELLO, *turns, blobs=(raw,)).messages)
    assert [plain[2]["tool_call_id"], plain[4]["tool_call_id"]] == ["k", "k"]
