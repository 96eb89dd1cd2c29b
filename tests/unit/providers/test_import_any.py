"""Whatever is imported: a refusal with problems, or a history that holds and comes back."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindpipe.core.json import load_json
from support.draws import tries
from support.foreign_documents import encoded, faults, read, restored
from support.tables import each_row

Strategy = st.SearchStrategy[object]

IDS = st.sampled_from(["a", "b", "c"])
TEXTS = st.sampled_from(["hi", "", " \n", "ERROR: x", "REFUSED: x", "(no output)", "a\ud800b"])
ARGUMENTS = st.sampled_from(["{}", '{"a": 1}', "{", "[]"])


def one_of(**fields: Strategy | str) -> Strategy:
    """Return objects with these members."""
    return st.fixed_dictionaries(
        {key: st.just(one) if isinstance(one, str) else one for key, one in fields.items()}
    )


def some(*blocks: Strategy) -> Strategy:
    return st.one_of(TEXTS, st.lists(st.one_of(*blocks), max_size=3))


def spoken(role: str, *blocks: Strategy) -> Strategy:
    return one_of(role=role, content=some(*blocks))


TEXT = one_of(type="text", text=TEXTS)

CHAT = st.one_of(
    spoken("system", TEXT),
    spoken("user", TEXT),
    spoken("assistant", TEXT),
    one_of(
        role="assistant",
        content=st.one_of(st.none(), TEXTS),
        tool_calls=st.lists(
            one_of(
                id=IDS,
                type="function",
                function=one_of(name="look", arguments=ARGUMENTS),
            ),
            max_size=2,
        ),
    ),
    one_of(role="tool", tool_call_id=IDS, content=TEXTS),
)
ANTHROPIC = st.one_of(
    spoken("system", TEXT),
    spoken("user", TEXT, one_of(type="tool_result", tool_use_id=IDS, content=TEXTS)),
    spoken(
        "assistant",
        TEXT,
        one_of(type="thinking", thinking=TEXTS, signature="s"),
        one_of(type="server_tool_use", id="s1", name="web", input=st.just({})),
        one_of(type="tool_use", id=IDS, name="look", input=st.sampled_from([{}, {"a": 1}, "x"])),
    ),
)
RESPONSES = st.one_of(
    one_of(role=st.sampled_from(["user", "developer", "assistant"]), content=TEXTS),
    one_of(type="function_call", call_id=IDS, name="look", arguments=ARGUMENTS),
    one_of(type="function_call_output", call_id=IDS, output=TEXTS),
    one_of(type="reasoning", summary=st.just([])),
    one_of(type="web_search_call", id="ws_1"),
)
AI_SDK = st.one_of(
    one_of(role="system", content=TEXTS),
    spoken("user", TEXT),
    spoken(
        "assistant",
        TEXT,
        one_of(type="reasoning", text=TEXTS),
        one_of(
            type="tool-call",
            toolCallId=IDS,
            toolName="look",
            input=st.just({}),
            providerExecuted=st.booleans(),
        ),
        one_of(type="tool-call", toolCallId=IDS, toolName="look", args=st.just({"a": 1})),
        one_of(type="tool-approval-request", approvalId=IDS, toolCallId=IDS),
        one_of(type="tool-result", toolCallId=IDS, toolName="look", result=TEXTS),
    ),
    one_of(
        role="tool",
        content=st.lists(
            st.one_of(
                one_of(
                    type="tool-result",
                    toolCallId=IDS,
                    toolName="look",
                    output=one_of(type="text", value=TEXTS),
                ),
                one_of(type="tool-approval-response", approvalId=IDS, approved=st.booleans()),
            ),
            max_size=2,
        ),
    ),
)
FORMS = {
    "openai-chat": CHAT,
    "anthropic": ANTHROPIC,
    "openai-responses": RESPONSES,
    "ai-sdk": AI_SDK,
}


@pytest.mark.heavy
@each_row("format", FORMS)
@each_row("mode", ["strict", "repair"])
def test_it_holds_and_comes_back_or_is_refused(format: str, mode: str) -> None:
    held: list[bool] = []

    @settings(
        max_examples=tries(150),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.lists(FORMS[format], max_size=7))
    def check(document: list[object]) -> None:
        imported = read(format, document, repair=mode == "repair")
        held.append(not imported.problems)
        if imported.problems:
            assert imported.messages == ()
            return
        assert faults(imported) == []
        assert all(len(one.what) > 0 for one in imported.repairs)
        back = load_json(restored(imported), source="restored")
        assert back == load_json(encoded(document), source="written")

    check()
    assert any(held)
    assert mode == "repair" or not all(held)
