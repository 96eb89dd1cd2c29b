"""What may follow a log's end: the rules by example, and agreement with the validator."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindpipe.core.json import load_json
from mindpipe.core.messages import CallPart, Message, ResultPart, Role, TextPart, ThinkingPart
from mindpipe.core.records import to_json
from mindpipe.history.legality import breaches
from mindpipe.history.records import LogHead
from mindpipe.validator.canonical import check_canonical
from support.drawn_conversations import conversations
from support.draws import tries
from support.histories import call, conversation, note, raw_of, result, said, tool, user
from support.tables import each_row

EMPTY = LogHead(agent="ada")
TURN = (said(call(1, {})), tool(result(1, "ok")))
CLOSING = said("Done.")
REPLY = said("Yes.", raw=raw_of(b"{}"), origin="model")


def rules(*messages: Message, head: LogHead = EMPTY) -> list[str]:
    return [breach.rule for breach in breaches(head, messages)]


def talk(*messages: Message) -> tuple[Message, ...]:
    return conversation(*messages).messages


def changed(messages: Sequence[Message], index: int, **fields: Any) -> list[Message]:
    found = list(messages)
    found[index] = msgspec.structs.replace(found[index], **fields)
    return found


WHOLE = talk(user("Hi"), note("It is late."), *TURN, note("News."), CLOSING, user("So?"), REPLY)


def test_a_whole_history_is_legal() -> None:
    assert rules(*WHOLE) == []


@each_row("at", [4, 5, 6])
def test_whole_turns_may_come_one_by_one(at: int) -> None:
    first, rest = WHOLE[:at], WHOLE[at:]
    last = first[-1]
    head = LogHead(
        agent="ada", seq=at, segment=1, cycle=last.cycle, turn=last.turn, role=last.role, answered=1
    )
    if last.role is Role.ASSISTANT:
        head = msgspec.structs.replace(head, answered=last.turn)
    assert rules(*first) == []
    assert rules(*rest, head=head) == []


@each_row(
    ("messages", "rule"),
    [
        (changed(WHOLE, 1, agent="eve"), "H1"),
        (changed(WHOLE, 3, seq=7), "H1"),
        (changed(WHOLE, 2, segment=0), "H1"),
        (changed(WHOLE, 6, cycle=0), "H1"),
        (changed(WHOLE, 4, turn=0), "H1"),
        (changed(WHOLE, 4, turn=3), "H1"),
        (talk(said("Hi.")), "H2"),
        (talk(note("Hi."), CLOSING), "H2"),
        (changed(talk(user("a"), user("b"), CLOSING), 1, cycle=1), "H2"),
        (changed(WHOLE, 0, turn=1), "H2"),
        (changed(WHOLE, 2, turn=2), "H2"),
        (talk(user("a"), CLOSING, note("late")), "H2"),
        (talk(user("a"), CLOSING, said("again")), "H2"),
        (talk(user("a", call(1, {})), CLOSING), "H2"),
        (talk(user("a"), TURN[0], note("now"), TURN[1], CLOSING), "H3"),
        (talk(user("a"), TURN[0]), "H3"),
        (talk(user("a"), TURN[1], CLOSING), "H3"),
        (talk(user("a"), CLOSING, TURN[1]), "H3"),
        (talk(user("a"), said(result(1, "x"))), "H3"),
        (changed(talk(user("a"), *TURN, CLOSING), 2, turn=2), "H3"),
        (talk(user("a"), said(call(1, {}), call(2, {})), tool(result(1, "x"))), "H4"),
        (
            talk(user("a"), said(call(1, {}), call(2, {})), tool(result(2, "x"), result(1, "x"))),
            "H4",
        ),
        (talk(user("a"), TURN[0], tool(result(1, "x"), result(1, "x"))), "H4"),
        (talk(user("a"), TURN[0], tool(result(1, "x"), TextPart(text="y"))), "H4"),
        (talk(user("a"), TURN[0], tool(result(2, "x"))), "H5"),
        (talk(user("a"), *TURN, *TURN, CLOSING), "H5"),
        (talk(user("a"), said(call(1, {}), call(1, {})), tool(result(1, "x"))), "H5"),
        (talk(user("a"), *TURN, user("b"), CLOSING), "H6"),
        (talk(user()), "H7"),
        (talk(user("a"), said("\n")), "H7"),
        (talk(user("a"), said(call(1, {}), call(2, None, written="{"))), "H3"),
        (
            talk(
                user("a"),
                said(CallPart(id="c_1", tool="t", args=None, args_text="{")),
                tool(ResultPart(call="c_1", status="ok", text="")),
            ),
            "H8",
        ),
        (
            talk(
                user("a"),
                said(CallPart(id="c_1", tool="t", args={}, args_text="{}", invalid="json")),
                tool(ResultPart(call="c_1", status="ok", text="")),
            ),
            "H8",
        ),
        (talk(user("a"), said("b", origin="model")), "H9"),
        (talk(user("a"), said(ThinkingPart(text="Hm."), "b")), "H9"),
        (talk(user("a"), said("b", raw=raw_of(b"{}"), origin="model", synthetic=True)), "H9"),
        (talk(user("a", raw=raw_of(b"{}")), CLOSING), "H9"),
        (talk(user("a"), said("b", raw=raw_of(), origin="model")), "H9"),
        (talk(user("a")), "H10"),
        (talk(user("a\x00b"), CLOSING), "H13"),
        (talk(user("a\ud800b"), CLOSING), "H13"),
        (talk(user("a"), said(call(1, {"a": ["\x00"]})), tool(result(1, "x"))), "H13"),
        (talk(user("a"), said(call(1, {"\x00": 1})), tool(result(1, "x"))), "H13"),
    ],
)
def test_a_broken_rule_is_named(messages: Sequence[Message], rule: str) -> None:
    assert rule in rules(*messages)


def test_nothing_at_all_is_legal() -> None:
    assert rules() == []


def test_an_escaped_nul_in_written_arguments_is_text() -> None:
    written = call(1, {"a": 1}, written='{"a": 1, "b": "\\u0000"}')
    assert rules(*talk(user("a"), said(written), tool(result(1, "x")))) == []


# One change to a conversation that was sound; each may leave it sound, which the validator knows.
Change = Callable[[list[Message], int, int], list[Message]]


def _without(messages: list[Message], index: int, _: int) -> list[Message]:
    return messages[:index] + messages[index + 1 :]


def _doubled(messages: list[Message], index: int, _: int) -> list[Message]:
    return messages[: index + 1] + messages[index:]


def _swapped(messages: list[Message], index: int, other: int) -> list[Message]:
    found = list(messages)
    found[index], found[other] = found[other], found[index]
    return found


def _cut(messages: list[Message], index: int, _: int) -> list[Message]:
    return messages[: index + 1]


def _other_parts(messages: list[Message], index: int, other: int) -> list[Message]:
    return changed(messages, index, parts=messages[other].parts)


def _fewer_parts(messages: list[Message], index: int, _: int) -> list[Message]:
    return changed(messages, index, parts=messages[index].parts[1:])


def _more_parts(messages: list[Message], index: int, other: int) -> list[Message]:
    return changed(messages, index, parts=messages[index].parts + messages[other].parts)


def _other_turn(messages: list[Message], index: int, other: int) -> list[Message]:
    return changed(messages, index, turn=other % 4)


def _other_cycle(messages: list[Message], index: int, other: int) -> list[Message]:
    return changed(messages, index, cycle=other % 4)


def _other_role(messages: list[Message], index: int, other: int) -> list[Message]:
    return changed(messages, index, role=messages[other].role)


def _other_raw(messages: list[Message], index: int, other: int) -> list[Message]:
    return changed(messages, index, raw=messages[other].raw)


def _renumbered(messages: list[Message]) -> list[Message]:
    return [
        msgspec.structs.replace(message, seq=seq, id=f"m_{seq:022}")
        for seq, message in enumerate(messages, 1)
    ]


CHANGES: list[Change] = [
    _without,
    _doubled,
    _swapped,
    _cut,
    _other_parts,
    _fewer_parts,
    _more_parts,
    _other_turn,
    _other_cycle,
    _other_role,
    _other_raw,
]


def _judged(messages: Sequence[Message]) -> set[str]:
    rows = [load_json(to_json(message), source="row") for message in messages]
    return {finding.rule for finding in check_canonical(rows) if finding.severity == "error"}


@settings(max_examples=tries(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(conversations(), st.data())
def test_append_and_the_validator_agree(talked: Any, data: st.DataObject) -> None:
    messages = list(talked.messages)
    if messages[-1].role is Role.USER:
        messages.pop()
    if not messages:
        return
    assert rules(*messages) == []
    places = st.integers(0, len(messages) - 1)
    change = data.draw(st.sampled_from(CHANGES))
    broken = change(messages, data.draw(places), data.draw(places))
    if data.draw(st.booleans()):
        broken = _renumbered(broken)
    if not broken or broken[0].seq != 1:
        return
    found, judged = rules(*broken), _judged(broken)
    # Append alone wants notes to stand in their turn or the next, so that a log tells its place.
    stricter = change is _other_turn and set(found) == {"H1"}
    assert bool(found) == bool(judged) or stricter, (found, judged)
