"""What holds for every valid history in every form: prefixes, shape, and the validator's word."""

import itertools

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindpipe.core.json import load_json
from mindpipe.core.messages import Conversation, Role
from mindpipe.core.models import RequestOptions, Target
from mindpipe.providers import ai_sdk
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request, renderer_of, request_body
from mindpipe.validator.check import check
from mindpipe.validator.profiles import profile_for
from support.drawn_conversations import conversations
from support.draws import tries
from support.histories import ANTHROPIC, CHAT, PROGRAM, RESPONSES
from support.whole_documents import export_document

TARGETS = (ANTHROPIC, CHAT, RESPONSES, PROGRAM)
FORMATS = {"messages": "anthropic", "chat": "openai-chat", "responses": "openai-responses"}
OPTIONS = st.builds(
    RenderOptions,
    keep_raw=st.booleans(),
    raw_from_cycle=st.integers(0, 2),
    system_role=st.sampled_from(("system", "developer")),
    strict_roles=st.booleans(),
    notes_as_system=st.booleans(),
    item_ids=st.sampled_from(("keep", "drop")),
    sdk=st.sampled_from((5, 6, 7)),
)
# A body is built from every prefix of a history, which takes its time on a busy machine.
EVERY = settings(max_examples=tries(60), deadline=None, suppress_health_check=list(HealthCheck))


def beginning(talk: Conversation, length: int) -> Conversation:
    return msgspec.structs.replace(talk, messages=talk.messages[:length])


def ends_of_requests(talk: Conversation) -> list[int]:
    """Return how many messages were sent each time a reply was asked for."""
    ends = [at for at, one in enumerate(talk.messages) if one.role is Role.ASSISTANT]
    if talk.messages[-1].role is not Role.ASSISTANT:
        ends.append(len(talk.messages))
    return ends


def sdk_body(talk: Conversation, options: RenderOptions) -> bytes:
    rendered = ai_sdk.render(talk, PROGRAM, options)
    return b"[" + b",".join(rendered.messages) + b"]}"


@EVERY
@given(talk=conversations(), options=OPTIONS)
def test_each_request_is_a_byte_prefix_of_the_next(
    talk: Conversation, options: RenderOptions
) -> None:
    ends = ends_of_requests(talk)
    for target in TARGETS:
        bodies = [
            make_request(beginning(talk, end), target, RequestOptions(), options).body
            for end in ends
        ]
        for earlier, later in itertools.pairwise(bodies):
            assert later.startswith(earlier.removesuffix(b"]}") + b",")
    bodies = [sdk_body(beginning(talk, end), options) for end in ends]
    for earlier, later in itertools.pairwise(bodies):
        assert later.startswith(earlier.removesuffix(b"]}") + b",")


def findings(form: str, body: object, target: Target, options: RenderOptions) -> list[object]:
    profile = profile_for(target.model, sdk=options.sdk, strict_roles=options.strict_roles)
    return [one for one in check(form, body, profile=profile) if one.severity != "note"]


@EVERY
@given(talk=conversations(), options=OPTIONS)
def test_every_request_passes_the_validator(talk: Conversation, options: RenderOptions) -> None:
    for target in (ANTHROPIC, CHAT, RESPONSES):
        if target is ANTHROPIC and options.notes_as_system:
            target = msgspec.structs.replace(target, model="claude-opus-5")
        for end in ends_of_requests(talk):
            begun = beginning(talk, end)
            for thinking in (0, 1024):
                asked = RequestOptions(thinking_tokens=thinking)
                request = make_request(begun, target, asked, options)
                body = load_json(request.body, source="body")
                assert findings(FORMATS[target.api], body, target, options) == []
    for end in ends_of_requests(talk):
        begun = beginning(talk, end)
        listed = load_json(sdk_body(begun, options).removesuffix(b"}"), source="body")
        fields = ai_sdk.render(begun, PROGRAM, options).fields
        body = {name: load_json(value, source=name) for name, value in fields.items()}
        assert findings("ai-sdk", {**body, "messages": listed}, PROGRAM, options) == []


@EVERY
@given(talk=conversations(), options=OPTIONS)
def test_every_export_passes_the_validator(talk: Conversation, options: RenderOptions) -> None:
    for form in ("anthropic", "openai-chat", "openai-responses", "ai-sdk"):
        written = export_document(talk, format=form, options=options)
        body = load_json(b"".join(written.chunks), source=form)
        target = msgspec.structs.replace(ANTHROPIC, model="claude-opus-5")
        assert findings(form, body, target, options) == []


@EVERY
@given(talk=conversations())
def test_every_turn_keeps_its_shape(talk: Conversation) -> None:
    """No reply and no result is left out, whatever a form cannot carry."""
    replies = sum(one.role is Role.ASSISTANT for one in talk.messages)
    results = sum(len(one.parts) for one in talk.messages if one.role is Role.TOOL)
    for target in (ANTHROPIC, CHAT):
        body = request_body(
            renderer_of(target)(talk, target, RenderOptions()), target, RequestOptions()
        )
        marks = {
            "messages": (b'"role":"assistant"', b'"type":"tool_result"'),
            "chat": (b'"role":"assistant"', b'"role":"tool"'),
        }[target.api]
        assert (body.count(marks[0]), body.count(marks[1])) == (replies, results)


@EVERY
@given(talk=conversations())
def test_raw_replies_of_the_same_family_are_spliced_byte_for_byte(talk: Conversation) -> None:
    body = make_request(talk, ANTHROPIC, RequestOptions(), RenderOptions()).body
    for message in talk.messages:
        if message.raw is None or message.raw.api != "messages":
            continue
        if any(getattr(part, "invalid", None) for part in message.parts):
            continue
        raw = talk.blobs[message.raw.sha256[0]]
        start, end = raw.index(b"["), raw.rindex(b"]")
        assert raw[start : end + 1] in body


@pytest.mark.parametrize("target", TARGETS)
@EVERY
@given(data=st.data())
def test_rendering_twice_gives_the_same_bytes(target: Target, data: st.DataObject) -> None:
    talk = data.draw(conversations())
    options = data.draw(OPTIONS)
    first = make_request(talk, target, RequestOptions(), options)
    assert first == make_request(talk, target, RequestOptions(), options)
