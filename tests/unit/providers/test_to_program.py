"""What a program reads: the conversation as it is stored."""

import json

from mindpipe.core.json import load_json
from mindpipe.core.messages import FilePart, Head, ThinkingPart, decode_message
from mindpipe.core.models import RequestOptions
from mindpipe.providers.program.format import SUMMARY_ID, render
from mindpipe.providers.records import RenderOptions
from mindpipe.providers.request import make_request
from support.histories import (
    ANTHROPIC,
    PROGRAM,
    TOOL,
    call,
    conversation,
    decoded,
    note,
    raw_of,
    result,
    said,
    sha256,
    tool,
    user,
)

TALK = conversation(
    user("Hello"),
    note("Noon."),
    said(ThinkingPart(text="Hm"), call(1, {"a": 1}), raw=raw_of(b"{}", target=ANTHROPIC)),
    tool(result(1, "")),
    head=Head(system="Be Ada.", tools=(TOOL,)),
)


def test_messages_are_the_canonical_ones() -> None:
    rendered = render(TALK, PROGRAM, RenderOptions())
    assert tuple(decode_message(one) for one in rendered.messages) == TALK.messages
    assert rendered.losses == ()


def test_the_body_has_the_fields_of_the_protocol() -> None:
    options = RequestOptions(max_tokens=100, temperature=0.5, thinking_tokens=2000)
    request = make_request(TALK, PROGRAM, options, RenderOptions())
    body = load_json(request.body, source="body")
    assert isinstance(body, dict)
    assert body == {
        "system": "Be Ada.",
        "tools": [
            {
                "name": "recall",
                "description": "Look something up.",
                "input_schema": {"type": "object", "properties": {"query": {"type": "string"}}},
            }
        ],
        "max_tokens": 100,
        "temperature": 0.5,
        "messages": decoded(render(TALK, PROGRAM, RenderOptions()).messages),
    }


def test_empty_fields_are_there_too() -> None:
    bare = conversation(user("Hello"))
    body = make_request(bare, PROGRAM, RequestOptions(), RenderOptions()).body
    assert body.startswith(
        b'{"system":"","tools":[],"max_tokens":4096,"temperature":null,"messages":[{"id":'
    )


def test_a_summary_is_the_first_user_message() -> None:
    talk = conversation(user("Hello"), head=Head(system="", summary="[Earlier: x]"))
    first, second = (decode_message(one) for one in render(talk, PROGRAM, RenderOptions()).messages)
    assert (first.id, first.role, first.cycle, first.agent) == (SUMMARY_ID, "user", 0, "ada")
    assert [part.text for part in first.parts] == ["[Earlier: x]"]
    assert second == talk.messages[0]


def test_a_file_has_its_bytes_as_base64_and_none_where_they_are_gone() -> None:
    file = FilePart(sha256=sha256(b"png"), media_type="image/png", name="a.png", size=3)
    named = {
        "type": "file",
        "sha256": sha256(b"png"),
        "media_type": "image/png",
        "name": "a.png",
        "size": 3,
    }
    for blobs, lost, more in (((b"png",), [], {"data": "cG5n"}), ((), ["file"], {})):
        rendered = render(conversation(user("Look", file), blobs=blobs), PROGRAM, RenderOptions())
        assert [loss.part for loss in rendered.losses] == lost
        (message,) = map(json.loads, rendered.messages)
        assert message["parts"] == [{"type": "text", "text": "Look"}, {**named, **more}]
