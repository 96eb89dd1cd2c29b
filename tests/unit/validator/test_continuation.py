"""A request is compared with the recorded one before it only where thinking is sent back."""

from mindpipe.validator.check import check_continuation
from mindpipe.validator.plain import same
from mindpipe.validator.profiles import profile_for
from support.tables import each_row

Body = dict[str, object]
PROFILE = profile_for("claude-opus-4-8")


def text(words: str) -> Body:
    return {"type": "text", "text": words}


def thinking(number: int) -> Body:
    return {"type": "thinking", "thinking": f"thought {number}", "signature": f"sig{number}"}


def turn(number: int, *, thought: bool = True) -> list[Body]:
    blocks = [thinking(number)] if thought else []
    return [
        {"role": "user", "content": [text(f"question {number}")]},
        {"role": "assistant", "content": [*blocks, text(f"answer {number}")]},
    ]


def request(*turns: list[Body], system: str = "You are Ada.", then: str = "And?") -> Body:
    messages = [message for each in turns for message in each]
    messages.append({"role": "user", "content": then})
    return {"model": "claude-opus-4-8", "system": system, "messages": messages}


EARLIER = request(turn(1), turn(2), then="question 3")
REPLY = {"role": "assistant", "content": [thinking(3), text("answer 3")]}


def found(later: object, *, earlier: object = EARLIER, reply: object = REPLY) -> set[str]:
    return {each.rule for each in check_continuation(earlier, reply, later, profile=PROFILE)}


def test_the_reply_and_what_is_new_may_follow() -> None:
    assert found(request(turn(1), turn(2), turn(3))) == set()
    assert found(request(turn(1), turn(2), turn(3), turn(4))) == set()


def test_without_thinking_nothing_binds() -> None:
    bare = [turn(number, thought=False) for number in (2, 3)]
    assert found(request(*bare, system="You are Bob.")) == set()


def test_a_request_without_a_reply_binds_nothing() -> None:
    assert found(request(turn(1), system="You are Bob."), reply=None) == set()


@each_row(
    ("later", "expected"),
    [
        (request(turn(1), turn(2), turn(3), system="You are Bob."), {"A20"}),
        (request(turn(1), turn(2, thought=False), turn(3)), {"A20"}),
        (request(turn(1, thought=False), turn(2), turn(3)), {"A20"}),
        (request(turn(1), turn(2), turn(3, thought=False)), {"A18"}),
        (request(turn(1), turn(9), turn(3)), {"A20"}),
        (request(turn(2), turn(3)), {"A21"}),
    ],
)
def test_what_was_sent_stays_as_it_was(later: object, expected: set[str]) -> None:
    assert found(later) == expected


def test_an_earlier_signature_is_changed() -> None:
    later = request(turn(1), turn(2), turn(3))
    later["messages"][1] = {
        "role": "assistant",
        "content": [{**thinking(1), "signature": "sig0"}, text("answer 1")],
    }
    assert found(later) == {"A19"}


def test_blocks_of_the_latest_reply_change_places() -> None:
    reply = {"content": [thinking(3), thinking(4), text("answer 3")]}
    swapped = {"role": "assistant", "content": [thinking(4), thinking(3), text("answer 3")]}
    later = request(turn(1), turn(2), [{"role": "user", "content": "question 3"}, swapped])
    assert found(later, reply=reply) == {"A18"}


def test_another_model_drops_thinking_without_an_error() -> None:
    later = {**request(turn(1), turn(2), turn(3)), "model": "claude-opus-5"}
    (note,) = check_continuation(EARLIER, REPLY, later, profile=PROFILE)
    assert (note.rule, note.severity) == ("A20", "note")


def test_the_summary_of_the_api_keeps_thinking_valid() -> None:
    summary = {"role": "assistant", "content": [{"type": "compaction", "content": "summary"}]}
    asked = {"role": "user", "content": "question 1"}
    kept = [asked, summary, *turn(2), *turn(3)]
    later = request(kept)
    assert found(later) == set()
    assert found({**later, "system": "You are Bob."}) == {"A21"}
    summary["content"].append(thinking(9))
    assert found(later) == {"A21"}


@each_row(
    ("one", "other", "expected"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1, "cache_control": {}}, {"a": 1}, True),
        ({"a": 1, "b": None}, {"a": 1}, True),
        ({"input": {"a": 1, "b": 2}}, {"input": {"b": 2, "a": 1}}, False),
        ({"input": {"cache_control": 1}}, {"input": {}}, False),
        ({"input_schema": {"a": None}}, {"input_schema": {}}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        (1, 1.0, False),
        (1, True, False),
    ],
)
def test_what_counts_as_the_same(one: object, other: object, *, expected: bool) -> None:
    assert same(one, other) is expected
    assert same(other, one) is expected
