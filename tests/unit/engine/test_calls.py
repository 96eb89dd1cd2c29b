from mindpipe.core.messages import CallPart, OpaquePart, ResultStatus, TextPart, ThinkingPart
from mindpipe.core.models import Finish, ModelReply
from mindpipe.core.records import Record
from mindpipe.core.tools import Effect
from mindpipe.engine.records.journal import Call, CallState
from mindpipe.engine.tools.calls import (
    MAX_CALLS_IN_REPLY,
    CallPlace,
    KnownTool,
    PlannedCall,
    arguments_of,
    clean_result,
    fault_by_type,
    plan,
)
from mindpipe.engine.tools.specs import EnterSpace, KeyOfMemory, SendMessage
from support.tables import each_row

PLACE = CallPlace(store="s", agent="ava", cycle=7, turn=2)


def needs_query(args: dict[str, object]) -> str | None:
    return None if "query" in args else "$.query: is missing"


TOOLS = {
    "send_message": KnownTool("send_message", Effect.STORE, lambda _args: None),
    "set_memory": KnownTool("set_memory", Effect.STORE, lambda _args: None),
    "recall": KnownTool("recall", Effect.PURE, needs_query),
}


def call(id: str = "toolu_1", tool: str = "recall", **args: object) -> CallPart:
    return CallPart(id=id, tool=tool, args={"query": "tea", **args}, args_text="{}")


def unreadable(written: str) -> CallPart:
    return CallPart(id="x", tool="recall", args=None, args_text=written, invalid="json")


def planned(*parts: object, finish: Finish = Finish.CALLS) -> PlannedCall:
    reply = ModelReply(parts=parts, finish=finish, provider_finish="stop")
    return plan(reply, TOOLS, PLACE, [f"c_{number}" for number in range(len(parts))])


def answered(one: Call) -> tuple[CallState, ResultStatus, str]:
    assert one.result is not None
    assert one.result.call == one.id
    return one.state, one.result.status, one.result.text


def test_a_good_call_gets_our_id_and_waits_for_its_run() -> None:
    made = planned(TextPart(text="Let me see."), call("toolu_1"))
    (one,) = made.calls
    assert (one.id, one.agent, one.cycle, one.turn, one.position) == ("c_0", "ava", 7, 2, 0)
    assert (one.state, one.result, one.effect) == (CallState.PLANNED, None, Effect.PURE)
    assert made.ids == {"c_0": "toolu_1"}
    assert [getattr(part, "id", None) for part in made.parts] == [None, "c_0"]


@each_row("id", ["toolu_1", ""])
def test_the_same_id_twice_or_none_at_all_gets_two_ids_of_our_own(id: str) -> None:
    made = planned(call(id), call(id, more=1))
    assert [one.id for one in made.calls] == ["c_0", "c_1"]
    assert made.ids == {"c_0": id, "c_1": id}
    assert len({one.key for one in made.calls}) == 2


@each_row("blank", ["", " ", "\n\t", "\u00a0"])
def test_blank_text_is_dropped_and_all_else_keeps_its_order(blank: str) -> None:
    kept = (ThinkingPart(), TextPart(text=" Hm. "), OpaquePart(provider="anthropic", kind="x"))
    made = planned(TextPart(text=blank), *kept, TextPart(text=blank), finish=Finish.END)
    assert made.parts == kept
    assert made.calls == ()


@each_row(
    ("part", "words"),
    [
        (unreadable('{"query": '), "Arguments are not a JSON object: json"),
        (call(tool="send_mesage"), "No tool 'send_mesage'. There is: send_message"),
        (call(tool="set_memry"), "No tool 'set_memry'. There is: set_memory"),
        (call(tool="zzz"), "No tool 'zzz'. There is: recall, send_message, set_memory"),
        (
            CallPart(id="x", tool="recall", args={}, args_text="{}"),
            "Arguments do not fit: $.query: is missing",
        ),
    ],
)
def test_a_bad_call_is_kept_as_given_and_told_what_is_wrong(part: CallPart, words: str) -> None:
    made = planned(part)
    (one,) = made.calls
    assert answered(one) == (CallState.INVALID, ResultStatus.INVALID, words)
    (kept,) = made.parts
    assert isinstance(kept, CallPart)
    assert (kept.tool, kept.args, kept.args_text) == (part.tool, part.args, part.args_text)
    assert kept.invalid == part.invalid


def test_no_call_of_a_reply_that_was_cut_off_runs() -> None:
    whole = CallPart(id="x", tool="recall", args={"query": "a"}, args_text='{"query": "a"}')
    made = planned(TextPart(text="Half"), whole, unreadable('{"path": "/etc/ho'), finish=Finish.CUT)
    words = "Arguments are not a JSON object: cut off"
    for one in made.calls:
        assert answered(one) == (CallState.INVALID, ResultStatus.INVALID, words)
    text, *cut = made.parts
    assert text == TextPart(text="Half")
    assert [(part.args, part.args_text, part.invalid) for part in cut] == [
        (None, '{"query": "a"}', "cut off"),
        (None, '{"path": "/etc/ho', "cut off"),
    ]


def test_the_call_after_the_sixty_fourth_is_refused() -> None:
    assert MAX_CALLS_IN_REPLY == 64
    made = planned(*[call(f"t{number}") for number in range(66)])
    assert {one.state for one in made.calls[:64]} == {CallState.PLANNED}
    for one in made.calls[64:]:
        state, status, words = answered(one)
        assert (state, status) == (CallState.REFUSED, ResultStatus.REFUSED)
        assert words == "too many calls: at most 64 in one reply"
    assert len(made.parts) == 66


def test_an_unknown_tool_counts_as_unsafe() -> None:
    assert planned(call(tool="rm")).calls[0].effect is Effect.UNSAFE


@each_row(
    ("text", "stored"),
    [("", ""), ("tea", "tea"), ("a\x00b", "a\ufffdb"), ("a\ud800b", "a\ufffdb"), ("😀", "😀")],
)
def test_a_result_is_stored_as_valid_text(text: str, stored: str) -> None:
    assert clean_result(text) == stored


@each_row(
    ("args", "kind", "expected"),
    [
        ({"spaceId": "alpha"}, EnterSpace, EnterSpace(space="alpha")),
        (
            {"spaceId": "a", "text": "Hi", "messageId": "o_1"},
            SendMessage,
            SendMessage(space="a", text="Hi", message_id="o_1"),
        ),
        ({"key": "tea"}, KeyOfMemory, KeyOfMemory(key="tea")),
    ],
)
def test_arguments_may_have_the_names_that_models_know_from_elsewhere(
    args: dict[str, object], kind: type[Record], expected: Record
) -> None:
    assert arguments_of(args, kind) == expected


@each_row(
    ("args", "kind"),
    [
        ({"spaceId": "alpha", "space": "alpha"}, EnterSpace),
        ({"key": "tea", "spaceId": "alpha"}, KeyOfMemory),
    ],
)
def test_no_other_name_is_taken_for_an_argument(
    args: dict[str, object], kind: type[Record]
) -> None:
    assert "unknown field" in str(fault_by_type(args, kind))
