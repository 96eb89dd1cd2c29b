import msgspec
import pytest

from mindpipe.core.messages import ResultPart, ResultStatus, TextPart
from mindpipe.core.models import Finish, RequestOptions, Target, Usage
from mindpipe.core.tools import Effect
from mindpipe.engine.cycle.next_step import (
    AskModel,
    CommitTurn,
    ForgetTurn,
    RunCalls,
    bad_turns,
    equal_answers,
    equal_failures,
    next_step,
    repeated_words,
)
from mindpipe.engine.records.journal import (
    Call,
    CallState,
    CycleLimits,
    Journal,
    Turn,
    TurnReply,
    TurnRequest,
    TurnState,
)
from support.tables import each_row

TARGET = Target(provider="program", api="program", model="x", family="x")
ASKED = TurnRequest(
    segment=1, target=TARGET, options=RequestOptions(), request_sha256="", unsent=()
)
WORDS = TextPart(text="Greeted Husam.")


def answer(*parts: TextPart, finish: Finish = Finish.END) -> TurnReply:
    return TurnReply(parts=parts, raw=None, finish=finish, usage=Usage(), model="x")


def turn(number: int, state: TurnState, reply: TurnReply | None = None) -> Turn:
    return Turn(
        agent="ava",
        cycle=1,
        turn=number,
        state=state,
        attempts=1,
        first_boot="b",
        first_seconds=0.0,
        asked=ASKED,
        answer=reply,
    )


def call(tool: str, state: CallState, *, number: int = 1, place: int = 0, **args: object) -> Call:
    return Call(
        id=f"c_{number}_{place}",
        agent="ava",
        cycle=1,
        turn=number,
        position=place,
        tool=tool,
        effect=Effect.STORE,
        args=dict(args),
        args_sha256=repr(sorted(args.items())),
        key="k",
        state=state,
        result=ResultPart(call="c", status=ResultStatus.OK, text="") if state.answered else None,
    )


def journal(
    current: Turn | None, *calls: Call, all_calls: int | None = None, **counts: int
) -> Journal:
    return Journal(
        agent="ava",
        cycle=1,
        events=("e_1",),
        turn=current,
        calls=calls,
        all_calls=len(calls) if all_calls is None else all_calls,
        **counts,
    )


DONE = CallState.DONE
PLANNED = CallState.PLANNED
RECORDED = TurnState.RECORDED
SEND = call("send_message", DONE, text="Hi")
OPEN = call("send_message", PLANNED, text="Hi")
STARTED = call("pay", CallState.STARTED)

CASES = {
    "nothing asked yet": (journal(None), AskModel(1)),
    "asked and not answered": (journal(turn(2, TurnState.ASKING)), AskModel(2)),
    "folded and not the last": (journal(turn(2, TurnState.COMMITTED)), AskModel(3)),
    "a call to run": (journal(turn(1, RECORDED, answer(WORDS)), OPEN), RunCalls((OPEN,))),
    "a started call is run again": (
        journal(turn(20, RECORDED, answer(WORDS)), STARTED),
        RunCalls((STARTED,)),
    ),
    "all answered": (journal(turn(1, RECORDED, answer(WORDS)), SEND), CommitTurn(last=False)),
    "words alone end the cycle": (
        journal(turn(1, RECORDED, answer(WORDS))),
        CommitTurn(last=True, closing=None),
    ),
    "nothing said": (
        journal(turn(1, RECORDED, answer())),
        CommitTurn(last=True, closing="(no reply)"),
    ),
    "nothing but a refusal": (
        journal(turn(1, RECORDED, answer(finish=Finish.REFUSAL))),
        CommitTurn(last=True, closing="(refused)"),
    ),
    "done ends with its summary": (
        journal(turn(3, RECORDED, answer()), call("done", DONE, summary="Paid the bill.")),
        CommitTurn(last=True, closing="Paid the bill."),
    ),
    "a failed done goes on": (
        journal(turn(3, RECORDED, answer()), call("done", CallState.INVALID)),
        CommitTurn(last=False),
    ),
    "skip alone in the first turn": (
        journal(turn(1, RECORDED, answer()), call("skip", DONE)),
        ForgetTurn(),
    ),
    "skip in a later turn leaves what was done": (
        journal(turn(2, RECORDED, answer()), call("skip", DONE, number=2)),
        CommitTurn(last=True, closing="(nothing more to do)"),
    ),
    "skip beside another call": (
        journal(turn(1, RECORDED, answer()), SEND, call("skip", DONE, place=1)),
        CommitTurn(last=True, closing="(nothing more to do)"),
    ),
    "the last turn": (
        journal(turn(20, RECORDED, answer()), SEND),
        CommitTurn(last=True, closing="[stopped: 20 turns]", stopped="20 turns"),
    ),
    "the last turn runs its calls": (
        journal(turn(20, RECORDED, answer()), OPEN),
        RunCalls((OPEN,)),
    ),
    "too many calls": (
        journal(turn(2, RECORDED, answer()), SEND, all_calls=65),
        CommitTurn(last=True, closing="[stopped: 64 tool calls]", stopped="64 tool calls"),
    ),
    "three bad turns": (
        journal(turn(3, RECORDED, answer()), call("x", CallState.INVALID), bad_turns=3),
        CommitTurn(
            last=True,
            closing="[stopped: 3 turns in a row of bad calls only]",
            stopped="3 turns in a row of bad calls only",
        ),
    ),
    "the same failure three times": (
        journal(turn(3, RECORDED, answer()), call("x", CallState.FAILED), equal_failures=3),
        CommitTurn(
            last=True,
            closing="[stopped: the same call failed 3 times in a row]",
            stopped="the same call failed 3 times in a row",
        ),
    ),
}


@each_row("name", CASES)
def test_the_next_step_follows_from_the_journal(name: str) -> None:
    given, expected = CASES[name]
    assert next_step(given, CycleLimits(), elapsed=1.0, tokens=10) == expected


@each_row(
    ("elapsed", "tokens", "reason"),
    [(1800.0, 0, "1800 seconds"), (1.0, 500, "500 tokens")],
)
def test_time_and_tokens_stop_a_cycle(elapsed: float, tokens: int, reason: str) -> None:
    given = journal(turn(1, RECORDED, answer()), SEND)
    step = next_step(given, CycleLimits(tokens=500), elapsed=elapsed, tokens=tokens)
    assert step == CommitTurn(last=True, closing=f"[stopped: {reason}]", stopped=reason)


def test_bad_turns_are_counted_from_the_newest_back() -> None:
    good = call("a", DONE, number=2)
    assert bad_turns([]) == 0
    assert bad_turns([call("a", CallState.INVALID, number=1), good]) == 0
    assert bad_turns([good, call("a", CallState.INVALID, number=3)]) == 1
    mixed = [call("a", CallState.INVALID, number=4), call("b", DONE, number=4, place=1)]
    assert bad_turns([call("a", CallState.INVALID, number=3), *mixed]) == 0
    refused = [call("a", CallState.REFUSED, number=n) for n in (5, 6, 7)]
    assert bad_turns([*mixed, *refused]) == 3


def test_equal_failures_are_counted_while_tool_and_arguments_stay_the_same() -> None:
    fail = [call("a", CallState.FAILED, number=n, x=1) for n in (1, 2, 3)]
    assert equal_failures([]) == 0
    assert equal_failures(fail) == 3
    assert equal_failures([*fail, call("a", CallState.FAILED, number=4, x=2)]) == 1
    assert equal_failures([*fail, call("a", DONE, number=4, x=1)]) == 0


def test_equal_answers_are_counted_since_the_last_other_answer_to_the_same_call() -> None:
    def said(text: str, found: object = None, **args: object) -> Call:
        part = ResultPart(call="c", status=ResultStatus.OK, text=text, json=found)
        return msgspec.structs.replace(call("a", DONE, **args), result=part)

    other = call("b", DONE, number=2)
    assert equal_answers([]) == 0
    assert equal_answers([said("x"), other, said("x")]) == 2
    assert equal_answers([said("x"), said("y"), said("x")]) == 1
    assert equal_answers([said("x"), said("x", z=1)]) == 1
    assert equal_answers([said("x"), call("a", CallState.FAILED, number=3), said("x")]) == 2
    assert equal_answers([said("x"), said("x" + repeated_words(3)), said("x")]) == 3
    failed = [call(tool, CallState.FAILED, number=n) for n in range(1, 4) for tool in ("a", "b")]
    assert equal_answers(failed) == 3
    made = [said("", {"success": True, "messageId": str(n)}) for n in range(4)]
    assert equal_answers(made) == 4
    # What a tool of somebody else names by an id is its own matter.
    others = [msgspec.structs.replace(one, effect=Effect.PURE) for one in made]
    assert equal_answers(others) == 1
    assert equal_answers([*made, said("", {"success": False, "messageId": "5"})]) == 1


@each_row("kind", [TurnState, CallState])
def test_no_state_goes_where_its_machine_forbids(kind: type[TurnState] | type[CallState]) -> None:
    from mindpipe.core.errors import IllegalStateError

    for one in kind:
        for other in kind:
            if other in one.successors():
                assert one.to(other) is other
            else:
                with pytest.raises(IllegalStateError):
                    one.to(other)
