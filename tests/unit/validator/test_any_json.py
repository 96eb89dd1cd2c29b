"""Any JSON value in, findings out: no shape makes the validator raise."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindpipe.validator.canonical import check_canonical
from mindpipe.validator.check import FORMATS, check, check_continuation
from mindpipe.validator.profiles import Profile, profile_for
from mindpipe.validator.records import Finding, Kind
from support.draws import tries
from support.tables import each_row


def words(line: str) -> list[str]:
    return line.split()


WORDS = st.sampled_from(
    words(
        "system developer user assistant tool note function message text image file thinking "
        "redacted_thinking tool_use tool_result server_tool_use web_search_tool_result "
        "mcp_tool_use "
        "compaction function_call function_call_output custom_tool_call reasoning item_reference "
        "tool-call tool-result tool-approval-request tool-approval-response reasoning-file json "
        "call result opaque ok custom function enabled c_1 call_1 fc_1 rs_1 {} model ephemeral"
    )
)
NAMES = st.sampled_from(
    words(
        "role content type text id name input tool_use_id signature data thinking model messages "
        "tools system tool_calls tool_call_id function arguments call_id output prompt "
        "instructions "
        "encrypted_content store previous_response_id toolCallId toolName args result approvalId "
        "providerOptions providerExecuted value parts seq segment cycle turn raw origin synthetic "
        "agent sha256 call status args_text invalid segments head covers sent reasoning_content"
    )
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | WORDS
    | st.text(max_size=5)
    | st.sampled_from(["", " ", "\x00", "\ud800", "a.b", "x" * 70])
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=8)
    ),
    max_leaves=40,
)
PARTS = st.lists(st.fixed_dictionaries({"type": WORDS}, optional={"text": LEAVES}) | VALUES)
MESSAGES = st.lists(
    VALUES
    | st.fixed_dictionaries(
        {"role": WORDS, "content": PARTS | VALUES},
        optional={"tool_calls": VALUES, "tool_call_id": LEAVES, "parts": PARTS, "seq": LEAVES},
    ),
    max_size=6,
)
BODIES = (
    VALUES
    | MESSAGES
    | st.fixed_dictionaries(
        {}, optional={"messages": MESSAGES, "input": MESSAGES, "model": LEAVES, "tools": VALUES}
    )
)
PROFILES = st.sampled_from(
    [
        profile_for(None),
        profile_for("claude-sonnet-4-5"),
        profile_for("claude-opus-4-8", sdk=7),
        profile_for("gpt-5", sdk=5, strict_roles=True),
    ]
)


CALMLY = settings(
    deadline=None, max_examples=tries(60), suppress_health_check=[HealthCheck.too_slow]
)


def are_lines(findings: list[Finding]) -> bool:
    return msgspec.json.decode(msgspec.json.encode(findings), type=list[Finding]) == findings


@pytest.mark.parametrize("format", FORMATS)
@CALMLY
@given(body=BODIES, profile=PROFILES, kind=st.sampled_from(["request", "history", None]))
def test_any_body_gives_findings(
    format: str, body: object, profile: Profile, kind: Kind | None
) -> None:
    findings = check(format, body, profile=profile, kind=kind)
    assert are_lines(findings)


@CALMLY
@given(bodies=st.tuples(BODIES, BODIES, BODIES), profile=PROFILES)
def test_any_bodies_compare(bodies: tuple[object, object, object], profile: Profile) -> None:
    findings = check_continuation(*bodies, profile=profile)
    assert are_lines(findings)


@CALMLY
@given(rows=st.lists(VALUES, max_size=5))
def test_any_rows_give_findings(rows: list[object]) -> None:
    assert are_lines(check_canonical(rows, raw_bytes={}))


DEPTH = 10_000
"""Ten times as deep as Python calls itself."""


def nested(depth: int) -> object:
    value: object = "deep"
    for _ in range(depth):
        value = {"input": [value]}
    return value


@each_row("format", FORMATS)
def test_depth_does_not_break_the_walk(format: str) -> None:
    deep = nested(DEPTH)
    message = {"role": "user", "content": [deep], "parts": [deep], "input": deep, "args": deep}
    body = {"model": "m", "messages": [message], "input": [message]}
    assert check(format, body, profile=Profile())


def test_depth_does_not_break_the_comparison() -> None:
    thinking = {"type": "thinking", "thinking": "so", "signature": "c2ln"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "look_up", "input": nested(DEPTH)}
    other = {**call, "input": nested(DEPTH + 1)}
    earlier = {"messages": [{"role": "user", "content": "Where?"}]}
    reply = {"content": [thinking, call]}

    def later(block: dict[str, object]) -> dict[str, object]:
        return {
            "messages": [*earlier["messages"], {"role": "assistant", "content": [thinking, block]}]
        }

    assert check_continuation(earlier, reply, later(call), profile=Profile()) == []
    findings = check_continuation(earlier, reply, later(other), profile=Profile())
    assert {finding.rule for finding in findings} == {"A20"}


@each_row("size", [2**70, -(2**70)])
def test_numbers_beyond_64_bits_do_not_break_the_size(size: int) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "Hello."}], "top_k": size}
    assert check("anthropic", body, profile=Profile()) == []


def test_findings_are_lines_of_json() -> None:
    findings = check("anthropic", [], profile=Profile())
    line = msgspec.json.decode(msgspec.json.encode(findings[0]))
    assert list(line) == ["rule", "severity", "at", "id", "what", "provider_says"]
