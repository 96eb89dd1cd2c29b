"""Session log lines of Claude Code."""

import re

from mindpipe.core.messages import Head, ThinkingPart
from mindpipe.providers.claude_code import render, uuid_of
from mindpipe.providers.records import RenderOptions
from support.histories import (
    PROGRAM,
    TOOL,
    call,
    conversation,
    decoded,
    note,
    raw_of,
    result,
    said,
    tool,
    user,
)

RAW = (
    b'{"content":[ {"type":"thinking","thinking":"Hm","signature":"E"} ,'
    b'{"type":"tool_use","id":"toolu_1","name":"recall","input":{"a" : 1.0}}]}'
)
TALK = conversation(
    user("Hello"),
    said(ThinkingPart(text="Hm"), call(1, {"a": 1.0}), raw=raw_of(RAW, ids={1: "toolu_1"})),
    tool(result(1, "Found.")),
    note("Noon."),
    said("Done.", synthetic=True),
    head=Head(system="Be Ada.", tools=(TOOL,), summary="[Earlier: x]"),
    blobs=(RAW,),
)
LINES = render(TALK, PROGRAM, RenderOptions())
PLAIN = decoded(LINES.messages)


def test_a_line_per_message_in_a_chain() -> None:
    assert [line["type"] for line in PLAIN] == [
        "user", "user", "assistant", "user", "user", "assistant",
    ]  # fmt: skip
    assert [line["parentUuid"] for line in PLAIN] == [
        None, *(line["uuid"] for line in PLAIN[:-1]),
    ]  # fmt: skip
    assert {line["sessionId"] for line in PLAIN} == {uuid_of("ada")}
    assert {line["timestamp"] for line in PLAIN} == {"2026-11-21T20:00:00Z"}


def test_content_is_that_of_the_messages_api() -> None:
    assert b'"content":' + RAW[len(b'{"content":') : -1] in LINES.messages[2]
    assert PLAIN[1]["message"] == {
        "role": "user",
        "content": [{"type": "text", "text": "Hello"}],
    }
    assert PLAIN[3]["message"] == {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "Found."}],
    }
    assert PLAIN[0]["isCompactSummary"] is True
    assert "isCompactSummary" not in PLAIN[1]


def test_replies_name_model_and_stop_reason() -> None:
    reasons = [PLAIN[at]["message"]["stop_reason"] for at in (2, 5)]
    models = [PLAIN[at]["message"]["model"] for at in (2, 5)]
    assert (reasons, models) == (["stop", "end_turn"], ["claude-haiku-4-5", "<synthetic>"])


def test_the_head_is_a_loss() -> None:
    assert [(loss.message, loss.part) for loss in LINES.losses] == [
        ("head", "system"),
        ("head", "tools"),
    ]


def test_uuids_are_stable_and_well_formed() -> None:
    one = uuid_of("m_1")
    assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", one)
    assert one == uuid_of("m_1") != uuid_of("m_2")
