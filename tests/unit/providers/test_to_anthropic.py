"""What each canonical message becomes for the Messages API."""

import msgspec

from mindpipe.core.messages import (
    Conversation,
    FilePart,
    Head,
    Message,
    OpaquePart,
    ResultStatus,
    ThinkingPart,
)
from mindpipe.providers.anthropic.format import render
from mindpipe.providers.records import Rendered, RenderOptions
from support.histories import (
    ANTHROPIC,
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
    text,
    tool,
    user,
)
from support.tables import each_row

HELLO = user("Hello")
ASKED = said("I look.", call(1, {"query": "report"}))
USE = {
    "type": "tool_use",
    "id": "c_0000000000000000000001",
    "name": "recall",
    "input": {"query": "report"},
}


def written(
    *messages: Message,
    head: Head | None = None,
    blobs: tuple[bytes, ...] = (),
    options: RenderOptions | None = None,
) -> Rendered:
    talk = conversation(*messages, head=head, blobs=blobs)
    return render(talk, ANTHROPIC, options or RenderOptions())


def block(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def answer(content: str, **more: object) -> dict[str, object]:
    ident = "c_0000000000000000000001"
    return {"type": "tool_result", "tool_use_id": ident, "content": content, **more}


def test_head_becomes_a_system_block_and_tools() -> None:
    fields = written(HELLO, head=Head(system="Be Ada.", tools=(TOOL,))).fields
    assert decoded(fields.values()) == [
        [block("Be Ada.")],
        [
            {
                "name": "recall",
                "description": "Look something up.",
                "input_schema": {
                    "type": "object",
                    "properties": {"query": {"type": "string"}},
                },
            }
        ],
    ]
    assert list(fields) == ["system", "tools"]


def test_an_empty_head_has_no_fields() -> None:
    assert written(HELLO, head=Head(system=" ")).fields == {}


def test_the_summary_is_a_block_of_its_own_before_the_first_user_text() -> None:
    head = Head(system="", summary="[Earlier: summary of cycles 1-3] We met.")
    assert decoded(written(HELLO, head=head).messages) == [
        {
            "role": "user",
            "content": [block("[Earlier: summary of cycles 1-3] We met."), block("Hello")],
        }
    ]


def test_user_like_messages_in_a_row_are_one_message_with_results_first() -> None:
    rendered = written(
        HELLO, note("It is noon."), ASKED, tool(result(1, "Found.")), note("It is one.")
    )
    assert decoded(rendered.messages) == [
        {"role": "user", "content": [block("Hello"), block("It is noon.")]},
        {"role": "assistant", "content": [block("I look."), USE]},
        {"role": "user", "content": [answer("Found."), block("It is one.")]},
    ]
    assert rendered.losses == ()


def test_replies_in_a_row_are_one_message() -> None:
    rendered = written(HELLO, said("One."), said("Two.", synthetic=True))
    assert decoded(rendered.messages)[1] == {
        "role": "assistant",
        "content": [block("One."), block("Two.")],
    }


@each_row(
    ("status", "words", "expected"),
    [
        (ResultStatus.OK, "Found.", answer("Found.")),
        (ResultStatus.OK, "", answer("(no output)")),
        (ResultStatus.OK, " \n", answer("(no output)")),
        (ResultStatus.TICKETED, "Ticket t1.", answer("Ticket t1.")),
        (ResultStatus.ERROR, "No file.", answer("No file.", is_error=True)),
        (ResultStatus.ERROR, "", answer("(no output)", is_error=True)),
        (ResultStatus.INVALID, "Bad.", answer("Bad.", is_error=True)),
        (ResultStatus.UNKNOWN, "Unsure.", answer("Unsure.", is_error=True)),
        (ResultStatus.SKIPPED, "Not run.", answer("Not run.", is_error=True)),
        (ResultStatus.REFUSED, "No.", answer("REFUSED: No.", is_error=True)),
    ],
)
def test_results(status: ResultStatus, words: str, expected: dict[str, object]) -> None:
    rendered = written(HELLO, ASKED, tool(result(1, words, status)))
    assert decoded(rendered.messages)[2] == {"role": "user", "content": [expected]}


def test_a_result_without_text_shows_its_json() -> None:
    rendered = written(HELLO, ASKED, tool(result(1, "", value={"n": [1, 2]})))
    assert decoded(rendered.messages)[2] == {"role": "user", "content": [answer('{"n":[1,2]}')]}


def test_an_invalid_call_has_empty_input() -> None:
    rendered = written(HELLO, said(call(1, written='{"query": "re')))
    assert decoded(rendered.messages)[1] == {
        "role": "assistant",
        "content": [{**USE, "input": {}}],
    }


def test_a_name_that_the_api_refuses_is_written_in_letters_it_takes() -> None:
    rendered = written(HELLO, said(call(1, {}, tool="mail.send to")))
    assert b'"name":"mail_send_to"' in rendered.messages[1]


@each_row("part", [ThinkingPart(text="Hm."), OpaquePart(provider="openai", kind="web_search_call")])
def test_a_reply_left_with_nothing_says_so(part: ThinkingPart | OpaquePart) -> None:
    rendered = written(HELLO, said(part))
    assert decoded(rendered.messages)[1] == {"role": "assistant", "content": [block("(no text)")]}
    kind = "thinking" if isinstance(part, ThinkingPart) else "web_search_call"
    assert [(loss.message, loss.part) for loss in rendered.losses] == [(f"m_{2:022}", kind)]


@each_row(
    ("more", "is_system"),
    [
        ({"origin": "operator"}, True),
        ({"origin": "program"}, True),
        ({"origin": "program", "taint": True}, False),
        ({"origin": "import:x"}, False),
    ],
)
def test_notes_of_operator_and_program_become_system_messages_on_demand(
    more: dict[str, object],
    is_system: bool,  # noqa: FBT001 a column of the table
) -> None:
    rendered = written(
        HELLO, note("Be brief.", **more), options=RenderOptions(notes_as_system=True)
    )
    system = {"role": "system", "content": [block("Be brief.")]}
    expected = (
        [{"role": "user", "content": [block("Hello")]}, system]
        if is_system
        else [{"role": "user", "content": [block("Hello"), block("Be brief.")]}]
    )
    assert decoded(rendered.messages) == expected


PNG = FilePart(sha256=sha256(b"png"), media_type="image/png", name="a.png")
PDF = FilePart(sha256=sha256(b"pdf"), media_type="application/pdf", name="a.pdf")
CSV = FilePart(sha256=sha256(b"a,b"), media_type="text/csv", name="a.csv")
ZIP = FilePart(sha256=sha256(b"zip"), media_type="application/zip", name="a.zip")


@each_row(
    ("part", "blob", "expected", "losses"),
    [
        (
            PNG,
            b"png",
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": "cG5n"},
            },
            [],
        ),
        (
            PDF,
            b"pdf",
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": "cGRm"},
                "title": "a.pdf",
            },
            [],
        ),
        (CSV, b"a,b", block("[file a.csv]\na,b"), ["a.csv is written as text"]),
        (
            ZIP,
            b"zip",
            block("[file a.zip (application/zip) cannot be shown here]"),
            ["the form takes no application/zip"],
        ),
        (
            PNG,
            b"other",
            block("[file a.png is no longer kept]"),
            ["the bytes of a.png are no longer kept"],
        ),
    ],
)
def test_files(part: FilePart, blob: bytes, expected: dict[str, object], losses: list[str]) -> None:
    rendered = written(user("See.", part), blobs=(blob,))
    assert decoded(rendered.messages) == [{"role": "user", "content": [block("See."), expected]}]
    assert [loss.why for loss in rendered.losses] == losses


def test_a_file_in_a_reply_is_named() -> None:
    rendered = written(HELLO, said(PNG), blobs=(b"png",))
    assert b"[file a.png (image/png) cannot be shown here]" in rendered.messages[1]
    assert [loss.part for loss in rendered.losses] == ["file"]


# --- raw replies -----------------------------------------------------------------------------

CONTENT = (
    b'[ {"type":"thinking","thinking":"Hm\\u2026 1.0","signature":"Eq=="} ,\n'
    b'  {"type" : "text", "text":"I\\u0020look \\ud83d\\ude00", "citations":null},'
    b'{"type":"tool_use","id":"toolu_1","name":"recall","input":{"query" : "report", "n":1.0}} ]'
)
RAW = b'{"id":"msg_1","role":"assistant","content" : ' + CONTENT + b',"stop_reason":"tool_use"}'
RAW_PARTS = (ThinkingPart(text="Hm"), text("I look"), call(1, {"query": "report", "n": 1.0}))


def raw_turn(raw: bytes = RAW, *, provider_id: str = "toolu_1") -> tuple[Message, ...]:
    reply = said(*RAW_PARTS, raw=raw_of(raw, ids={1: provider_id}), origin="model")
    return HELLO, reply, tool(result(1, "Found."))


def test_a_raw_reply_keeps_every_byte_of_its_content() -> None:
    rendered = written(*raw_turn(), blobs=(RAW,))
    assert rendered.messages[1] == b'{"role":"assistant","content":' + CONTENT + b"}"
    assert decoded(rendered.messages)[2] == {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "Found."}],
    }
    assert rendered.losses == ()


def test_raw_may_be_the_bare_list_of_blocks() -> None:
    rendered = written(*raw_turn(CONTENT), blobs=(CONTENT,))
    assert rendered.messages[1] == b'{"role":"assistant","content":' + CONTENT + b"}"


def test_the_spans_of_a_paused_reply_follow_one_another() -> None:
    first = b'{"content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web", "input":{}}]}'
    second = b'{"content":[ {"type":"text","text":"Done."} ]}'
    parts = (OpaquePart(provider="anthropic", kind="server_tool_use"), text("Done."))
    reply = said(*parts, raw=raw_of(first, second))
    rendered = written(HELLO, reply, blobs=(first, second))
    assert rendered.messages[1] == (
        b'{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web",'
        b' "input":{}}, {"type":"text","text":"Done."} ]}'
    )


def test_a_blank_block_alone_is_cut_out_of_the_bytes() -> None:
    raw = b'{"content":[{"type":"text","text":"\\n"}, {"type":"text", "text":"Ok"}]}'
    rendered = written(HELLO, said("Ok", raw=raw_of(raw)), blobs=(raw,))
    assert rendered.messages[1] == (
        b'{"role":"assistant","content":[{"type":"text", "text":"Ok"}]}'
    )


FROM_PARTS = {
    "role": "assistant",
    "content": [block("I look"), {**USE, "input": {"query": "report", "n": 1.0}}],
}


@each_row(
    "change",
    [
        {"options": RenderOptions(keep_raw=False)},
        {"options": RenderOptions(raw_from_cycle=2)},
        {"raw": {"family": "claude-5"}},
        {"raw": {"provider": "bedrock"}},
        {"raw": {"api": "chat"}},
        {"raw": {"sha256": (sha256(b"gone"),)}},
        {"raw": {"sha256": ()}},
        {"raw": {"ids": {}}},
        {"raw": {"ids": {f"c_{1:022}": "toolu_2"}}},
        {"raw": {"ids": {f"c_{1:022}": "toolu.1"}}},
    ],
)
def test_what_may_not_go_raw_is_written_from_parts_without_thinking(
    change: dict[str, object],
) -> None:
    hello, reply, results = raw_turn()
    assert reply.raw is not None
    raw = msgspec.structs.replace(reply.raw, **change.get("raw", {}))
    reply = msgspec.structs.replace(reply, raw=raw)
    rendered = written(hello, reply, results, blobs=(RAW,), options=change.get("options"))
    assert decoded(rendered.messages)[1:] == [
        FROM_PARTS,
        {"role": "user", "content": [answer("Found.")]},
    ]
    assert "thinking" in {loss.part for loss in rendered.losses}


@each_row("raw", [b"{", b'{"id":"x"}', b'{"content":[{"type":"tool_use"}]}', b"7"])
def test_bytes_that_are_not_the_reply_are_not_sent(raw: bytes) -> None:
    rendered = written(*raw_turn(raw), blobs=(raw,))
    assert decoded(rendered.messages)[1] == FROM_PARTS


def test_a_reply_with_broken_arguments_is_written_from_parts() -> None:
    raw = b'{"content":[{"type":"tool_use","id":"toolu_1","name":"recall","input":{}}]}'
    reply = said(call(1, written='{"q'), raw=raw_of(raw, ids={1: "toolu_1"}))
    rendered = written(HELLO, reply, tool(result(1, "Bad.")), blobs=(raw,))
    assert b"toolu_1" not in b"".join(rendered.messages)


def test_a_reply_that_repeats_an_id_is_written_from_parts() -> None:
    raw = (
        b'{"content":[{"type":"tool_use","id":"t","name":"recall","input":{}},'
        b'{"type":"tool_use","id":"t","name":"recall","input":{}}]}'
    )
    reply = said(call(1, {}), call(2, {}), raw=raw_of(raw, ids={1: "t", 2: "t"}))
    rendered = written(HELLO, reply, tool(result(1, "A"), result(2, "B")), blobs=(raw,))
    assert b'"t"' not in b"".join(rendered.messages)
    assert b"c_0000000000000000000002" in rendered.messages[2]


def test_an_id_that_a_provider_uses_again_in_a_later_turn_is_sent_as_ours() -> None:
    raw = b'{"content":[{"type":"tool_use","id":"t","name":"recall","input":{}}]}'
    turns = [
        message
        for number in (1, 2)
        for message in (
            said(call(number, {}), raw=raw_of(raw, ids={number: "t"})),
            tool(result(number, "A")),
        )
    ]
    rendered = written(HELLO, *turns, blobs=(raw,))
    ids = [b'"id":"t"' in one or b'"tool_use_id":"t"' in one for one in rendered.messages]
    assert ids == [False, True, True, False, False]
    assert b"c_0000000000000000000002" in rendered.messages[3]
    assert b"c_0000000000000000000002" in rendered.messages[4]


def test_a_reply_of_another_api_keeps_its_shape() -> None:
    raw = b'{"role":"assistant","content":"I look","tool_calls":[]}'
    reply = said("I look", raw=raw_of(raw, target=CHAT))
    assert decoded(written(HELLO, reply, blobs=(raw,)).messages)[1] == {
        "role": "assistant",
        "content": [block("I look")],
    }


def test_rendering_changes_nothing_and_is_repeatable() -> None:
    talk: Conversation = conversation(*raw_turn(), blobs=(RAW,))
    assert render(talk, ANTHROPIC, RenderOptions()) == render(talk, ANTHROPIC, RenderOptions())
