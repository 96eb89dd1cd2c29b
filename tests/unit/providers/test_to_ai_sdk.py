"""What each canonical message becomes for the AI SDK."""

from mindpipe.core.messages import (
    FilePart,
    Head,
    Message,
    OpaquePart,
    RawReply,
    ResultStatus,
    ThinkingPart,
)
from mindpipe.providers.ai_sdk import render
from mindpipe.providers.records import Rendered, RenderOptions
from support.histories import (
    AI_SDK,
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


def written(
    *messages: Message,
    head: Head | None = None,
    blobs: tuple[bytes, ...] = (),
    options: RenderOptions | None = None,
) -> Rendered:
    talk = conversation(*messages, head=head, blobs=blobs)
    return render(talk, AI_SDK, options or RenderOptions())


def part(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def called(given: dict[str, object], ident: str = ID) -> dict[str, object]:
    return {"type": "tool-call", "toolCallId": ident, "toolName": "recall", "input": given}


def answered(output: dict[str, object], ident: str = ID) -> dict[str, object]:
    content = {
        "type": "tool-result",
        "toolCallId": ident,
        "toolName": "recall",
        "output": output,
    }
    return {"role": "tool", "content": [content]}


@each_row(("sdk", "name"), [(5, "system"), (6, "system"), (7, "instructions")])
def test_the_head_is_fields_and_a_summary_message(sdk: int, name: str) -> None:
    head = Head(system="Be Ada.", tools=(TOOL,), summary="[Earlier: x]")
    rendered = written(HELLO, head=head, options=RenderOptions(sdk=sdk))
    assert list(rendered.fields) == [name, "tools"]
    assert decoded(rendered.fields.values()) == [
        "Be Ada.",
        {
            "recall": {
                "description": "Look something up.",
                "inputSchema": {"type": "object", "properties": {"query": {"type": "string"}}},
            }
        },
    ]
    assert decoded(rendered.messages) == [
        {"role": "user", "content": [part("[Earlier: x]")]},
        {"role": "user", "content": [part("Hello")]},
    ]
    assert written(HELLO).fields == {}


def test_a_turn() -> None:
    rendered = written(
        HELLO,
        note("Noon."),
        said("I look.", call(1, {"a": 1}), "And wait."),
        tool(result(1, "Found.")),
        note("One."),
    )
    assert decoded(rendered.messages) == [
        {"role": "user", "content": [part("Hello")]},
        {"role": "user", "content": [part("Noon.")]},
        {"role": "assistant", "content": [part("I look."), called({"a": 1}), part("And wait.")]},
        answered({"type": "text", "value": "Found."}),
        {"role": "user", "content": [part("One.")]},
    ]
    assert rendered.losses == ()


@each_row(
    ("status", "words", "sdk", "output"),
    [
        (ResultStatus.OK, "Found.", 6, {"type": "text", "value": "Found."}),
        (ResultStatus.OK, "", 6, {"type": "text", "value": "(no output)"}),
        (ResultStatus.TICKETED, "Ticket t1.", 6, {"type": "text", "value": "Ticket t1."}),
        (ResultStatus.ERROR, "No file.", 6, {"type": "error-text", "value": "No file."}),
        (ResultStatus.INVALID, "Bad.", 6, {"type": "error-text", "value": "Bad."}),
        (ResultStatus.UNKNOWN, "Unsure.", 6, {"type": "error-text", "value": "Unsure."}),
        (ResultStatus.SKIPPED, "", 6, {"type": "error-text", "value": "(no output)"}),
        (ResultStatus.REFUSED, "No.", 5, {"type": "error-text", "value": "REFUSED: No."}),
        (ResultStatus.REFUSED, "No.", 6, {"type": "execution-denied", "reason": "No."}),
        (ResultStatus.REFUSED, "No.", 7, {"type": "execution-denied", "reason": "No."}),
    ],
)
def test_results(status: ResultStatus, words: str, sdk: int, output: dict[str, object]) -> None:
    rendered = written(
        HELLO,
        said(call(1, {})),
        tool(result(1, words, status)),
        options=RenderOptions(sdk=sdk),
    )
    assert decoded(rendered.messages)[2] == answered(output)


def test_a_result_that_is_json_stays_json() -> None:
    rendered = written(HELLO, said(call(1, {})), tool(result(1, "[1]", value=[1])))
    assert decoded(rendered.messages)[2] == answered({"type": "json", "value": [1]})


def test_a_result_whose_text_says_more_than_its_json_stays_text() -> None:
    rendered = written(HELLO, said(call(1, {})), tool(result(1, "One.\n[1]", value=[1])))
    assert decoded(rendered.messages)[2] == answered({"type": "text", "value": "One.\n[1]"})


def test_an_invalid_call_has_empty_input() -> None:
    rendered = written(HELLO, said(call(1, written='{"a')))
    assert decoded(rendered.messages)[1] == {"role": "assistant", "content": [called({})]}


@each_row(
    ("lost", "kind"),
    [
        (ThinkingPart(text="Hm."), "thinking"),
        (OpaquePart(provider="anthropic", kind="server_tool_use"), "server_tool_use"),
    ],
)
def test_a_reply_left_with_nothing_says_so(lost: ThinkingPart | OpaquePart, kind: str) -> None:
    rendered = written(HELLO, said(lost))
    assert decoded(rendered.messages)[1] == {"role": "assistant", "content": [part("(no text)")]}
    assert [loss.part for loss in rendered.losses] == [kind]


def test_files_of_any_kind() -> None:
    file = FilePart(sha256=sha256(b"zip"), media_type="application/zip", name="a.zip")
    gone = FilePart(sha256=sha256(b"gone"), media_type="image/png", name="b.png")
    shown = {
        "type": "file",
        "data": "emlw",
        "mediaType": "application/zip",
        "filename": "a.zip",
    }
    rendered = written(user(file, gone), said(file), blobs=(b"zip",))
    assert decoded(rendered.messages) == [
        {"role": "user", "content": [shown, part("[file b.png is no longer kept]")]},
        {"role": "assistant", "content": [shown]},
    ]
    assert [loss.part for loss in rendered.losses] == ["file"]


# --- raw replies -----------------------------------------------------------------------------


def sdk_raw(raw: bytes, ids: dict[int, str]) -> RawReply:
    return RawReply(
        provider="ai-sdk",
        api="ai-sdk",
        model="",
        family="",
        finish="",
        sha256=(sha256(raw),),
        ids={f"c_{number:022}": one for number, one in ids.items()},
    )


REASONING = b'{"type" : "reasoning","text":"Hm\\u2026","providerOptions":{"x":{"signature":"E"}}}'
CALLED = b'{"type":"tool-call","toolCallId":"t1","toolName":"recall","input":{"a" : 1.0}}'
RAN = (
    b'{"type":"tool-call","toolCallId":"p","toolName":"web","input":{},"providerExecuted":true},'
    b'{"type":"tool-result","toolCallId":"p","toolName":"web","output":{"type":"text","value":"x"}}'
)


@each_row("blocks", [(REASONING, CALLED), (RAN, CALLED), (RAN, REASONING, CALLED)])
def test_a_reply_of_the_sdk_keeps_every_byte_of_its_content(blocks: tuple[bytes, ...]) -> None:
    content = b"[ " + b" , ".join(blocks) + b" ]"
    raw = b'{"role":"assistant","content":' + content + b"}"
    reply = said(ThinkingPart(text="Hm"), call(1, {"a": 1.0}), raw=sdk_raw(raw, {1: "t1"}))
    rendered = written(HELLO, reply, tool(result(1, "A")), blobs=(raw,))
    assert rendered.messages[1] == raw
    assert decoded(rendered.messages)[2] == answered({"type": "text", "value": "A"}, "t1")


@each_row(
    ("content", "sdk"),
    [
        (b"[" + CALLED.replace(b'"input"', b'"args"') + b"]", 6),
        (b"[" + CALLED.replace(b'"t1"', b'"t2"') + b"]", 6),
        (b"[" + CALLED + b',{"type":"tool-approval-request","toolCallId":"t1"}]', 5),
        (b"[" + CALLED + b',{"type":"custom"}]', 6),
        (b"7", 6),
    ],
)
def test_what_the_version_would_refuse_is_written_from_parts(content: bytes, sdk: int) -> None:
    raw = b'{"role":"assistant","content":' + content + b"}"
    reply = said(call(1, {"a": 1.0}), raw=sdk_raw(raw, {1: "t1"}))
    rendered = written(HELLO, reply, blobs=(raw,), options=RenderOptions(sdk=sdk))
    assert decoded(rendered.messages)[1] == {"role": "assistant", "content": [called({"a": 1.0})]}


def test_replies_of_other_apis_are_written_from_parts() -> None:
    raw = b'{"content":[{"type":"text","text":"Hi"}]}'
    rendered = written(HELLO, said("Hi", raw=raw_of(raw)), blobs=(raw,))
    assert decoded(rendered.messages)[1] == {"role": "assistant", "content": [part("Hi")]}
