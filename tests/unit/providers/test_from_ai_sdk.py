"""ModelMessages of the AI SDK: outputs, approvals, the provider's own tools, version 4."""

from mindpipe.core.json import load_json
from mindpipe.core.messages import FilePart, ResultPart
from support.foreign_documents import faults, problems, raw_of, read, restored, told
from support.tables import each_row

USER = {"role": "user", "content": "hi"}
DONE = {"role": "assistant", "content": "done"}


def said(*parts: object) -> dict[str, object]:
    return {"role": "assistant", "content": list(parts)}


def tool(*parts: object) -> dict[str, object]:
    return {"role": "tool", "content": list(parts)}


def call(id_: str = "a", **more: object) -> dict[str, object]:
    return {"type": "tool-call", "toolCallId": id_, "toolName": "look", "input": {"at": 1}, **more}


def result(kind: str, value: object = None, *, id_: str = "a") -> dict[str, object]:
    output = {"type": kind} if value is None else {"type": kind, "value": value}
    return {"type": "tool-result", "toolCallId": id_, "toolName": "look", "output": output}


ASKED = {"type": "tool-approval-request", "approvalId": "p1", "toolCallId": "a"}


def decided(*, approved: bool, **more: object) -> dict[str, object]:
    return {"type": "tool-approval-response", "approvalId": "p1", "approved": approved, **more}


def one_turn(answer: str, *rest: str) -> list[str]:
    return [
        "1.0 user: hi",
        '1.1 assistant: #1 look {"at": 1}',
        f"1.1 tool: #1 {answer}",
        *(rest or ("1.2 assistant: done",)),
    ]


OUTPUTS = {
    "text": (result("text", "seen"), "ok: seen"),
    "nothing": (result("text", "(no output)"), "ok: "),
    "json": (result("json", {"n": [1]}), 'ok: {"n":[1]}'),
    "error-text": (result("error-text", "gone"), "error: gone"),
    "a refusal of version 5": (result("error-text", "REFUSED: not now"), "refused: not now"),
    "error-json": (result("error-json", {"n": 1}), 'error: {"n":1}'),
    "execution-denied": (
        {
            "type": "tool-result",
            "toolCallId": "a",
            "toolName": "look",
            "output": {"type": "execution-denied", "reason": "no"},
        },
        "refused: no",
    ),
    "content": (
        result(
            "content",
            [
                {"type": "text", "text": "a"},
                {"type": "media", "data": "aGk=", "mediaType": "image/png"},
            ],
        ),
        "ok: a\n[image/png image.png]",
    ),
}


@each_row("name", OUTPUTS)
def test_outputs_are_read(name: str) -> None:
    part, expected = OUTPUTS[name]
    document = [USER, said(call()), tool(part), DONE]
    imported = read("ai-sdk", document)
    assert told(imported) == one_turn(expected)
    assert faults(imported) == []
    assert load_json(restored(imported), source="restored") == document


def test_json_output_stays_json() -> None:
    imported = read("ai-sdk", [USER, said(call()), tool(result("json", {"n": [1]})), DONE])
    (part,) = imported.messages[2].parts
    assert isinstance(part, ResultPart)
    assert part.json == {"n": [1]}


READ = {
    "approval that nobody has answered": (
        [USER, said(call(), ASKED)],
        one_turn("ticketed (p1): Waiting for approval.", "1.2 assistant: [import ended here]"),
    ),
    "approval that was given, not run": (
        [USER, said(call(), ASKED), tool(decided(approved=True)), DONE],
        one_turn("ticketed (p1): Approved, but not run yet."),
    ),
    "approval that was denied": (
        [USER, said(call(), ASKED), tool(decided(approved=False, reason="no"))],
        one_turn("refused (p1): no", "1.2 assistant: [import ended here]"),
    ),
    "approval that was given and run": (
        [
            USER,
            said(call(), ASKED),
            tool(decided(approved=True)),
            tool(result("text", "seen")),
            DONE,
        ],
        one_turn("ok: seen"),
    ),
    "one call waits, the other ran": (
        [USER, said(call(), call("b"), ASKED), tool(result("text", "seen", id_="b")), DONE],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1} | #2 look {"at": 1}',
            "1.1 tool: #1 ticketed (p1): Waiting for approval. | #2 ok: seen",
            "1.2 assistant: done",
        ],
    ),
    "what the provider ran": (
        [
            USER,
            said(
                call(providerExecuted=True),
                result("text", "seen"),
                {"type": "reasoning", "text": "hm"},
                {"type": "reasoning", "text": ""},
                {"type": "custom", "kind": "x"},
                {"type": "file", "data": "aGk=", "mediaType": "image/png"},
                {"type": "text", "text": "done"},
            ),
        ],
        [
            "1.0 user: hi",
            "1.1 assistant: <tool-call> | <tool-result> | <thinking hm> | <thinking None> | "
            "<custom> | <image/png image.png> | done",
        ],
    ),
    "a result inside the reply": (
        [USER, said(call(), result("text", "seen")), DONE],
        one_turn("ok: seen"),
    ),
    "tool messages in a row": (
        [
            USER,
            said(call(), call("b")),
            tool(result("text", "seen")),
            tool(result("text", "too", id_="b")),
            DONE,
        ],
        [
            "1.0 user: hi",
            '1.1 assistant: #1 look {"at": 1} | #2 look {"at": 1}',
            "1.1 tool: #1 ok: seen | #2 ok: too",
            "1.2 assistant: done",
        ],
    ),
    "files, addresses and a late system message": (
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "a"},
                    {"type": "image", "image": "aGk="},
                    {"type": "image", "image": "https://x.y/z"},
                    {"type": "file", "data": "data:text/plain;base64,aGk=", "filename": "b.txt"},
                ],
            },
            {"role": "system", "content": "now"},
            DONE,
        ],
        [
            "1.0 user: a | <image/png image.png> | [file https://x.y/z] | <text/plain b.txt>",
            "1.0 note: now",
            "1.1 assistant: done",
        ],
    ),
}


@each_row("name", READ)
def test_messages_are_read(name: str) -> None:
    document, expected = READ[name]
    imported = read("ai-sdk", document)
    assert problems(imported) == []
    assert told(imported) == expected
    assert faults(imported) == []
    assert load_json(restored(imported), source="restored") == document


@each_row(
    ("fields", "system"),
    [
        ({"instructions": "Be kind."}, "Be kind."),
        ({"system": "Be kind."}, "Be kind."),
        ({"system": {"role": "system", "content": "Be kind."}}, "Be kind."),
        ({"instructions": [{"role": "system", "content": "A"}, {"content": "B"}]}, "A\n\nB"),
    ],
)
def test_a_whole_document_gives_a_head(fields: dict[str, object], system: str) -> None:
    document = {
        **fields,
        "messages": [USER, DONE],
        "tools": {
            "look": {"description": "d", "inputSchema": {"jsonSchema": {"type": "object"}}},
            "own": {},
        },
    }
    imported = read("ai-sdk", document)
    assert imported.head.system == system
    assert [(one.name, one.input_schema) for one in imported.head.tools] == [
        ("look", {"type": "object"})
    ]
    assert imported.left_out == ("tool 'own'",)
    assert load_json(restored(imported), source="restored") == document


def test_a_prompt_alone_is_the_user() -> None:
    assert told(read("ai-sdk", {"prompt": "hi"}))[0] == "1.0 user: hi"


OLD = [
    USER,
    said({"type": "tool-call", "toolCallId": "a", "toolName": "look", "args": {"at": 1}}),
    tool({"type": "tool-result", "toolCallId": "a", "toolName": "look", "result": {"n": 1}}),
    said({"type": "tool-call", "toolCallId": "b", "toolName": "look", "args": {"at": 1}}),
    tool(
        {
            "type": "tool-result",
            "toolCallId": "b",
            "toolName": "look",
            "result": "gone",
            "isError": True,
        }
    ),
    DONE,
]


def test_names_of_version_4_need_repair() -> None:
    strict = read("ai-sdk", OLD)
    assert problems(strict)[0] == (
        "talk: $[1].content[0].args: old_names (V5): `args` is the name of version 4, today it is "
        "`input`; --repair accepts it"
    )
    repaired = read("ai-sdk", OLD, repair=True)
    assert [one.kind for one in repaired.repairs] == ["old_names"] * 4
    assert told(repaired) == [
        "1.0 user: hi",
        '1.1 assistant: #1 look {"at": 1}',
        '1.1 tool: #1 ok: {"n":1}',
        '1.2 assistant: #2 look {"at": 1}',
        "1.2 tool: #2 error: gone",
        "1.3 assistant: done",
    ]
    assert faults(repaired) == []
    assert load_json(restored(repaired), source="restored") == OLD
    assert raw_of(repaired, repaired.messages[1]) == [said(call())]


def test_raw_is_the_content_without_results_of_the_caller() -> None:
    imported = read("ai-sdk", [USER, said(call(), result("text", "seen")), DONE])
    assert raw_of(imported, imported.messages[1]) == [said(call())]
    assert raw_of(imported, imported.messages[3]) == [said({"type": "text", "text": "done"})]


def test_files_become_blobs() -> None:
    part = {"type": "file", "data": "aGk=", "mediaType": "image/png", "filename": "c.png"}
    imported = read("ai-sdk", [{"role": "user", "content": [part]}])
    (kept,) = imported.messages[0].parts
    assert isinstance(kept, FilePart)
    assert (kept.name, imported.blobs[kept.sha256]) == ("c.png", b"hi")


BROKEN = {
    "no result": (
        [USER, said(call()), DONE],
        '$[1].content[0]: missing_result (H4): the call "a" of look has no result; '
        "--repair accepts it",
    ),
    "user before the result": (
        [USER, said(call()), USER, tool(result("text", "seen")), DONE],
        '$[3].content[0]: broken_order (H3): the result for "a" stands behind other words',
    ),
    "tool content that is text": (
        [{"role": "tool", "content": "x"}],
        "$[0].content: shape (form): a list is expected here",
    ),
    "another type of output": (
        [USER, said(call()), tool(result("xml", "<a/>")), DONE],
        "$[2].content[0].output.type: shape (form): 'xml' is no type of output",
    ),
    "another part in a tool message": (
        [tool({"type": "text", "text": "x"})],
        "$[0].content[0].type: shape (form): a tool message holds no 'text'",
    ),
    "another role": (
        [{"role": "data", "content": "x"}],
        "$[0].role: shape (form): 'data' is no role of this form",
    ),
    "a message of the user interface": (
        [{"role": "user", "parts": []}],
        "$[0].content: shape (form): a list is expected here",
    ),
}


@each_row("name", BROKEN)
def test_broken_messages_are_refused(name: str) -> None:
    document, problem = BROKEN[name]
    assert problems(read("ai-sdk", document))[0] == f"talk: {problem}"
