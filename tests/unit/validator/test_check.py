"""What counts as a request, where findings stand, what they say, and what is left alone."""

import pytest

from mindpipe.validator.canonical import check_canonical
from mindpipe.validator.check import check
from mindpipe.validator.profiles import profile_for
from mindpipe.validator.records import Finding
from support.tables import each_row

Body = dict[str, object]
CALL: Body = {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": {}}
RESULT: Body = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "shelf"}
CHAT_CALL: Body = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def user(*blocks: object) -> Body:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: object) -> Body:
    return {"role": "assistant", "content": list(blocks)}


def text(words: str) -> Body:
    return {"type": "text", "text": words}


def problems(
    format: str, body: object, *, model: str | None = None, strict_roles: bool = False
) -> list[Finding]:
    profile = profile_for(model, strict_roles=strict_roles)
    return [found for found in check(format, body, profile=profile) if found.severity != "note"]


def rules(format: str, body: object, *, model: str | None = None) -> set[str]:
    return {found.rule for found in problems(format, body, model=model)}


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(ValueError, match="'xml' is not a format"):
        check("xml", [], profile=profile_for(None))


@each_row(("kind", "expected"), [("request", {"A15"}), ("history", set()), (None, set())])
def test_a_history_may_end_with_the_assistant(kind: str | None, expected: set[str]) -> None:
    body = [user(text("Where?")), assistant(text("On the shelf."))]
    found = check("anthropic", body, profile=profile_for(None), kind=kind)
    assert {finding.rule for finding in found} == expected


def test_a_body_that_names_a_model_is_a_request() -> None:
    messages = [user(text("Where?")), assistant(text("On the shelf."))]
    assert rules("anthropic", {"messages": messages}) == set()
    assert rules("anthropic", {"messages": messages, "model": "claude-opus-5"}) == {"A15"}


def test_a_paused_reply_may_stand_last() -> None:
    use = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}
    body = {"model": "claude-opus-5", "messages": [user(text("Where?")), assistant(use)]}
    assert rules("anthropic", body) == set()


def test_a_finding_says_where_and_in_the_words_of_the_provider() -> None:
    body = [user(text("Where?")), assistant(text("I look."), CALL), user(text("And?"))]
    assert problems("anthropic", body) == [
        Finding(
            rule="A4",
            severity="error",
            at="messages[1].content[1]",
            id="toolu_1",
            what="the next message has no result for this call",
            provider_says=(
                "messages.1: `tool_use` ids were found without `tool_result` blocks immediately "
                "after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` "
                "block in the next message."
            ),
        )
    ]


def test_all_problems_are_found_not_the_first() -> None:
    bad = {**CALL, "id": "a.b", "input": "{}", "name": "mail.send"}
    body = [assistant(bad, text("")), user(text(" "))]
    assert rules("anthropic", body) == {"A3", "A4", "A9", "A10", "A11", "A13"}


@each_row(
    ("format", "body", "at"),
    [
        ("anthropic", [{**user(text("Where?")), "mood": 1}], "messages[0].mood"),
        (
            "anthropic",
            {"messages": [user({**text("Where?"), "mood": 1})]},
            "messages[0].content[0].mood",
        ),
        ("anthropic", {"mood": 1, "messages": [user(text("Where?"))]}, "mood"),
        ("openai-chat", [{"role": "user", "content": "Where?", "mood": 1}], "messages[0].mood"),
        ("openai-responses", [{"type": "message", **user(), "mood": 1}], "input[0].mood"),
        ("ai-sdk", [{**user(text("Where?")), "mood": 1}], "messages[0].mood"),
    ],
)
def test_unknown_fields_are_notes(format: str, body: object, at: str) -> None:
    (note,) = check(format, body, profile=profile_for(None))
    assert (note.rule, note.severity, note.at) == ("unknown-field", "note", at)


def test_anthropic_reads_consecutive_messages_as_one() -> None:
    split = [
        user(text("Where?")),
        assistant(text("I look.")),
        assistant(CALL),
        user(RESULT),
        user(text("And?")),
    ]
    assert rules("anthropic", split) == set()
    between = [user(text("Where?")), assistant(CALL), user(text("And?")), user(RESULT)]
    assert rules("anthropic", between) == {"A5"}


def test_one_thinking_block_opens_a_whole_tool_loop() -> None:
    thinking = {"type": "thinking", "thinking": "Shelf?", "signature": "c2ln"}
    second = {**CALL, "id": "toolu_2"}
    answer = {**RESULT, "tool_use_id": "toolu_2"}

    def body(*opening: object, kind: str = "enabled") -> Body:
        return {
            "model": "claude-sonnet-4-5",
            "thinking": {"type": kind},
            "messages": [user(text("Where?")), assistant(*opening, CALL), user(RESULT),
                         assistant(second), user(answer, text("It is noon."))],
        }  # fmt: skip

    model = "claude-sonnet-4-5"
    assert rules("anthropic", body(thinking), model=model) == set()
    assert rules("anthropic", body(), model=model) == {"A17"}
    assert rules("anthropic", body(kind="adaptive"), model=model) == set()


def test_a_closed_loop_needs_no_thinking() -> None:
    messages = [user(text("Where?")), assistant(CALL), user(RESULT), assistant(text("(stopped)")),
                user(text("And?"))]  # fmt: skip
    body = {"model": "m", "thinking": {"type": "enabled"}, "messages": messages}
    assert rules("anthropic", body) == set()


@each_row(
    ("format", "body"),
    [
        (
            "openai-chat",
            [
                {"role": "user", "content": ""},
                {"role": "assistant", "content": None, "tool_calls": [CHAT_CALL]},
                {"role": "tool", "tool_call_id": "call_1", "content": ""},
                {"role": "assistant", "content": "", "tool_calls": [CHAT_CALL]},
                {"role": "tool", "tool_call_id": "call_1", "content": "again the same id"},
            ],
        ),
        (
            "openai-responses",
            [
                {"role": "user", "content": ""},
                {"role": "assistant", "content": []},
                {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
                {"role": "user", "content": "text between call and output"},
                {"type": "function_call_output", "call_id": "c", "output": ""},
            ],
        ),
        ("ai-sdk", [user(text("Where?")), assistant(), user(text("And?"))]),
    ],
)
def test_what_a_provider_takes_is_left_alone(format: str, body: object) -> None:
    assert problems(format, body) == []


@each_row(
    ("format", "messages", "expected"),
    [
        ("anthropic", [user(RESULT), assistant(CALL), user(text("And?"))], {"A4", "A6"}),
        ("anthropic", [user(text("?")), assistant(CALL), user({**RESULT, "tool_use_id": "x"})],
         {"A4", "A6"}),
        ("anthropic", [user(RESULT)], {"A6"}),
        ("openai-chat", [{"role": "assistant", "tool_calls": [CHAT_CALL]},
                         {"role": "user", "content": "And?"},
                         {"role": "tool", "tool_call_id": "call_1", "content": ""}], {"O3", "O4"}),
        ("openai-chat", [{"role": "tool", "tool_call_id": "call_1", "content": ""},
                         {"role": "assistant", "tool_calls": [CHAT_CALL]}], {"O3", "O4"}),
        ("openai-responses", [{"type": "function_call_output", "call_id": "c", "output": ""},
                              {"type": "function_call", "call_id": "c", "name": "f",
                               "arguments": "{}"}], {"R3"}),
    ],
)  # fmt: skip
def test_misplaced_pairs(format: str, messages: list[object], expected: set[str]) -> None:
    assert rules(format, messages) == expected


def test_strict_roles_are_an_option() -> None:
    body = [{"role": "user", "content": "Where?"}, {"role": "user", "content": "And?"}]
    assert problems("openai-chat", body) == []
    (found,) = problems("openai-chat", body, strict_roles=True)
    assert (found.rule, found.severity, found.at) == ("O14", "error", "messages[1].role")


def test_an_unconfirmed_rule_is_a_warning() -> None:
    (found,) = problems("openai-chat", [{"role": "critic", "content": "Hello."}])
    assert (found.rule, found.severity) == ("O2", "warning")


def test_rows_of_several_agents_are_told_apart() -> None:
    def row(agent: str, seq: int, role: str, turn: int) -> Body:
        return {"agent": agent, "seq": seq, "segment": 1, "cycle": 1, "turn": turn, "role": role,
                "parts": [text("Hello.")], "synthetic": role == "assistant"}  # fmt: skip

    rows = [
        row("ada", 1, "user", 0),
        row("bob", 1, "user", 0),
        row("ada", 2, "assistant", 1),
        row("bob", 2, "assistant", 1),
    ]
    assert check_canonical(rows) == []


def test_stored_bytes_are_compared_with_their_hash() -> None:
    name = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    rows = [
        {"seq": 1, "segment": 1, "cycle": 1, "turn": 0, "role": "user", "parts": [text("Hello.")]},
        {"seq": 2, "segment": 1, "cycle": 1, "turn": 1, "role": "assistant",
         "parts": [text("Hello.")], "origin": "model", "raw": {"sha256": [name]}},
    ]  # fmt: skip
    assert check_canonical(rows, raw_bytes={name: b"abc"}) == []
    for kept in ({name: b"abd"}, {}):
        assert {found.rule for found in check_canonical(rows, raw_bytes=kept)} == {"H9"}


def row(seq: int, cycle: int, turn: int, role: str) -> Body:
    return {
        "id": f"m_{seq}",
        "agent": "ada",
        "seq": seq,
        "segment": 1,
        "cycle": cycle,
        "turn": turn,
        "role": role,
        "parts": [text("Hello")],
        "origin": "program",
        "synthetic": role == "assistant",
    }


SUMMARY, ASKED, ANSWERED = row(1, 1, 0, "user"), row(9, 4, 0, "user"), row(10, 4, 1, "assistant")


@each_row(
    ("rows", "as_request", "as_history"),
    [
        ([SUMMARY, ASKED, ANSWERED], set(), {"H1", "H6"}),
        ([ASKED, ANSWERED, row(30, 11, 0, "user")], set(), {"H1", "H6"}),
        ([ASKED, ANSWERED, SUMMARY], {"H1"}, {"H1", "H6"}),
        ([ASKED, ANSWERED, row(2, 11, 0, "user")], {"H1"}, {"H1", "H6"}),
        ([SUMMARY, ASKED, row(10, 5, 0, "user")], {"H6"}, {"H1", "H6"}),
    ],
)
def test_a_window_leaves_rows_out_but_never_goes_back(
    rows: list[Body], as_request: set[str], as_history: set[str]
) -> None:
    for kind, broken in (("request", as_request), ("history", as_history)):
        found = check("mindpipe", rows, profile=profile_for(None), kind=kind)
        assert {one.rule for one in found if one.severity == "error"} == broken
