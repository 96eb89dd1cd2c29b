"""What each canonical message becomes as items of the Responses API."""

import json

import msgspec
import pydantic
from openai.types.responses import FunctionToolParam, ResponseOutputMessage
from openai.types.responses.easy_input_message_param import EasyInputMessageParam
from openai.types.responses.response_function_tool_call_param import ResponseFunctionToolCallParam
from openai.types.responses.response_input_item_param import FunctionCallOutput
from openai.types.responses.response_output_message_param import ResponseOutputMessageParam

from mindpipe.core.messages import FilePart, Head, Message, OpaquePart, ResultStatus, ThinkingPart
from mindpipe.providers.openai_responses.format import render
from mindpipe.providers.records import Rendered, RenderOptions
from support.histories import (
    RESPONSES,
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
REQUEST_ITEMS = {
    ("message", "user"): EasyInputMessageParam,
    ("message", "developer"): EasyInputMessageParam,
    ("message", "assistant"): ResponseOutputMessageParam,
    ("function_call", ""): ResponseFunctionToolCallParam,
    ("function_call_output", ""): FunctionCallOutput,
}
ID = "c_0000000000000000000001"


def written(
    *messages: Message,
    head: Head | None = None,
    blobs: tuple[bytes, ...] = (),
    options: RenderOptions | None = None,
) -> Rendered:
    talk = conversation(*messages, head=head, blobs=blobs)
    return render(talk, RESPONSES, options or RenderOptions())


def item(role: str, *words: str, place: int = 0) -> dict[str, object]:
    if role != "assistant":
        content = [{"type": "input_text", "text": one} for one in words]
        return {"type": "message", "role": role, "content": content}
    texts = [{"type": "output_text", "text": one, "annotations": []} for one in words]
    return {
        "id": f"msg_m_{2:022}_{place}",
        "type": "message",
        "role": role,
        "status": "completed",
        "content": texts,
    }


def called(arguments: str = "{}", ident: str = ID) -> dict[str, object]:
    return {"type": "function_call", "call_id": ident, "name": "recall", "arguments": arguments}


def output(words: str, ident: str = ID) -> dict[str, object]:
    return {"type": "function_call_output", "call_id": ident, "output": words}


def test_the_head_is_instructions_tools_and_a_summary_item() -> None:
    head = Head(system="Be Ada.", tools=(TOOL,), summary="[Earlier: x]")
    rendered = written(HELLO, head=head)
    assert rendered.list_name == "input"
    assert decoded(rendered.messages) == [item("user", "[Earlier: x]"), item("user", "Hello")]
    assert decoded(rendered.fields.values()) == [
        "Be Ada.",
        [
            {
                "type": "function",
                "name": "recall",
                "description": "Look something up.",
                "parameters": {"type": "object", "properties": {"query": {"type": "string"}}},
                "strict": False,
            }
        ],
    ]
    assert list(rendered.fields) == ["instructions", "tools"]
    assert written(HELLO).fields == {}


def test_a_turn_gives_one_item_per_text_run_call_and_result() -> None:
    rendered = written(
        user("Hello", "you"),
        said("I look.", call(1, {"a": 1}, written='{"a":  1}'), "And wait.", "Long."),
        tool(result(1, "Found.")),
    )
    assert decoded(rendered.messages) == [
        item("user", "Hello", "you"),
        item("assistant", "I look."),
        called('{"a":  1}'),
        item("assistant", "And wait.", "Long.", place=2),
        output("Found."),
    ]
    assert rendered.losses == ()


@each_row(
    ("more", "role"),
    [
        ({}, "developer"),
        ({"origin": "operator"}, "developer"),
        ({"taint": True}, "user"),
    ],
)
def test_notes(more: dict[str, object], role: str) -> None:
    assert decoded(written(HELLO, note("Noon.", **more)).messages)[1] == item(role, "Noon.")


@each_row(
    ("status", "words", "expected"),
    [
        (ResultStatus.OK, "Found.", "Found."),
        (ResultStatus.OK, "", "(no output)"),
        (ResultStatus.TICKETED, "Ticket t1.", "Ticket t1."),
        (ResultStatus.ERROR, "No file.", "ERROR: No file."),
        (ResultStatus.INVALID, "Bad.", "ERROR: Bad."),
        (ResultStatus.UNKNOWN, "Unsure.", "ERROR: Unsure."),
        (ResultStatus.SKIPPED, "Not run.", "ERROR: Not run."),
        (ResultStatus.REFUSED, "No.", "REFUSED: No."),
    ],
)
def test_results(status: ResultStatus, words: str, expected: str) -> None:
    rendered = written(HELLO, said(call(1, {})), tool(result(1, words, status)))
    assert decoded(rendered.messages)[1:] == [called(), output(expected)]


def test_every_item_is_what_the_types_of_the_sdk_say() -> None:
    """The types of openai.types.responses decide, not a copy of them."""
    png = FilePart(sha256=sha256(b"png"), media_type="image/png", name="a.png")
    rendered = written(
        user("Hello", png),
        note("Noon."),
        said("I look.", call(1, {"a": 1}), "And wait."),
        tool(result(1, "Found.")),
        said(ThinkingPart(text="Hm.")),
        head=Head(system="Be Ada.", tools=(TOOL,), summary="[Earlier: x]"),
        blobs=(b"png",),
    )
    items = decoded(rendered.messages)
    replies = [one for one in items if one.get("role") == "assistant"]
    assert [ResponseOutputMessage.model_validate(one, strict=True).id for one in replies] == [
        f"msg_m_{3:022}_0",
        f"msg_m_{3:022}_2",
        f"msg_m_{5:022}_0",
    ]
    for one in items:
        of_kind = REQUEST_ITEMS[str(one["type"]), str(one.get("role", ""))]
        pydantic.TypeAdapter(of_kind).validate_python(one)
    pydantic.TypeAdapter(FunctionToolParam).validate_json(
        msgspec.json.encode(decoded(rendered.fields.values())[1][0])
    )


def test_an_invalid_call_has_empty_arguments() -> None:
    rendered = written(HELLO, said(call(1, written='{"a')))
    assert decoded(rendered.messages)[1] == called("{}")


@each_row(
    ("part", "kind"),
    [
        (ThinkingPart(text="Hm."), "thinking"),
        (OpaquePart(provider="anthropic", kind="server_tool_use"), "server_tool_use"),
    ],
)
def test_a_reply_left_with_nothing_says_so(part: ThinkingPart | OpaquePart, kind: str) -> None:
    rendered = written(HELLO, said(part))
    assert decoded(rendered.messages)[1] == item("assistant", "(no text)")
    assert [loss.part for loss in rendered.losses] == [kind]


def test_files() -> None:
    png = FilePart(sha256=sha256(b"png"), media_type="image/png", name="a.png")
    pdf = FilePart(sha256=sha256(b"pdf"), media_type="application/pdf", name="a.pdf")
    gone = FilePart(sha256=sha256(b"gone"), media_type="image/png", name="b.png")
    rendered = written(user(png, pdf, gone), said(png), blobs=(b"png", b"pdf"))
    assert decoded(rendered.messages) == [
        {
            "type": "message",
            "role": "user",
            "content": [
                {
                    "type": "input_image",
                    "detail": "auto",
                    "image_url": "data:image/png;base64,cG5n",
                },
                {
                    "type": "input_file",
                    "filename": "a.pdf",
                    "file_data": "data:application/pdf;base64,cGRm",
                },
                {"type": "input_text", "text": "[file b.png is no longer kept]"},
            ],
        },
        item("assistant", "[file a.png (image/png) cannot be shown here]"),
    ]
    assert [loss.part for loss in rendered.losses] == ["file", "file"]


# --- raw replies -----------------------------------------------------------------------------

REASONING = b'{"id":"rs_1", "type":"reasoning","summary":[],"encrypted_content":"gAA\\u003d"}'
WORDS = (
    b'{"type" : "message","id":"msg_1","role":"assistant","phase":"commentary",'
    b'"content":[{"type":"output_text","text":"Caf\\u00e9","annotations":[]}]}'
)
CALL = (
    b'{"id":"fc_1","type":"function_call","call_id":"call_1","name":"recall",'
    b'"arguments":"{\\"a\\" : 1.0}","status":"completed"}'
)
RAW = b'{"id":"resp_1", "output" : [ ' + b" , ".join((REASONING, WORDS, CALL)) + b" ] }"
PARTS = (ThinkingPart(), "Café", call(1, {"a": 1.0}, written='{"a" : 1.0}'))


def raw_turn(raw: bytes, *parts: object, options: RenderOptions | None = None) -> Rendered:
    reply = said(*(parts or PARTS), raw=raw_of(raw, target=RESPONSES, ids={1: "call_1"}))
    return written(HELLO, reply, tool(result(1, "A")), blobs=(raw,), options=options)


@each_row("raw", [RAW, b"[" + b",".join((REASONING, WORDS, CALL)) + b"]"])
def test_a_raw_reply_keeps_the_bytes_of_its_items(raw: bytes) -> None:
    rendered = raw_turn(raw)
    assert rendered.messages[1:4] == (REASONING, WORDS, CALL)
    assert decoded(rendered.messages)[4] == output("A", "call_1")
    assert rendered.losses == ()


def test_item_ids_are_cut_out_on_demand_and_nothing_else() -> None:
    rendered = raw_turn(RAW, options=RenderOptions(item_ids="drop"))
    assert rendered.messages[1] == (
        b'{"type":"reasoning","summary":[],"encrypted_content":"gAA\\u003d"}'
    )
    assert [one.get("id") for one in decoded(rendered.messages)] == [None] * 5
    assert decoded(rendered.messages)[3]["call_id"] == "call_1"


@each_row(
    "raw",
    [
        RAW.replace(b'"fc_1"', b'"call_1"'),
        RAW.replace(b'"msg_1"', b'"rs_1"'),
    ],
)
def test_item_ids_that_the_api_would_refuse_are_cut_out(raw: bytes) -> None:
    assert [one.get("id") for one in decoded(raw_turn(raw).messages)] == [None] * 5


FROM_PARTS = [item("assistant", "Café"), called('{"a" : 1.0}'), output("A")]


@each_row(
    "raw",
    [
        RAW.replace(b'"gAA\\u003d"', b"null"),
        RAW.replace(b',"encrypted_content":"gAA\\u003d"', b""),
        RAW.replace(b'"call_1"', b'"call_2"'),
        RAW.replace(b'"id":"msg_1",', b""),
        b"[" + b",".join((WORDS, CALL, REASONING)) + b"]",
        b'{"error":null}',
        b"{",
    ],
)
def test_what_may_not_go_raw_is_written_from_parts(raw: bytes) -> None:
    rendered = raw_turn(raw)
    assert decoded(rendered.messages)[1:] == FROM_PARTS
    assert "thinking" in {loss.part for loss in rendered.losses}


@each_row("options", [RenderOptions(keep_raw=False), RenderOptions(raw_from_cycle=2)])
def test_a_new_segment_has_neither_thinking_nor_item_ids(options: RenderOptions) -> None:
    assert decoded(raw_turn(RAW, options=options).messages)[1:] == FROM_PARTS


def test_a_reply_with_broken_arguments_is_written_from_parts() -> None:
    raw = json.dumps(
        [{"type": "function_call", "call_id": "call_1", "name": "recall", "arguments": '{"a'}]
    ).encode()
    rendered = raw_turn(raw, call(1, written='{"a'))
    assert decoded(rendered.messages)[1:] == [called("{}"), output("A")]


def test_ids_that_come_again_in_a_later_reply_are_not_sent_twice() -> None:
    second = said(
        *PARTS[:2], call(2, {"a": 1.0}), raw=raw_of(RAW, target=RESPONSES, ids={2: "call_1"})
    )
    first = said(*PARTS, raw=raw_of(RAW, target=RESPONSES, ids={1: "call_1"}))
    rendered = written(
        HELLO, first, tool(result(1, "A")), second, tool(result(2, "B")), blobs=(RAW,)
    )
    plain = decoded(rendered.messages)
    assert [one.get("call_id") for one in plain] == [
        None, None, None, "call_1", "call_1", None, f"c_{2:022}", f"c_{2:022}",
    ]  # fmt: skip


def test_item_ids_that_come_again_are_cut_out() -> None:
    other = RAW.replace(b'"call_1"', b'"call_2"')
    first = said(*PARTS, raw=raw_of(RAW, target=RESPONSES, ids={1: "call_1"}))
    second = said(
        *PARTS[:2], call(2, {"a": 1.0}), raw=raw_of(other, target=RESPONSES, ids={2: "call_2"})
    )
    rendered = written(
        HELLO, first, tool(result(1, "A")), second, tool(result(2, "B")), blobs=(RAW, other)
    )
    ids = [one.get("id") for one in decoded(rendered.messages)]
    assert ids == [None, "rs_1", "msg_1", "fc_1", None, None, None, None, None]
