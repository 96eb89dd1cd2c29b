"""What is written in a form and read back is the same history, except ids, raw and notes."""

from dataclasses import replace

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindpipe.core.messages import (
    CallPart,
    Conversation,
    Head,
    Message,
    Part,
    ResultPart,
    ResultStatus,
)
from mindpipe.providers.importer import read_document
from mindpipe.providers.records import Imported, ImportOptions, RenderOptions
from support.drawn_conversations import Shape, conversations
from support.draws import tries
from support.whole_documents import export_document

# Thinking and opaque parts live in raw replies alone; statuses beside these, files' names and
# where text stands among calls are known losses of some forms.
CARRIED = Shape(
    notes=False,
    summary=False,
    thinking=False,
    opaque=False,
    files=False,
    invalid=False,
    open=False,
    statuses=(ResultStatus.OK, ResultStatus.ERROR, ResultStatus.REFUSED),
    mixed_order=False,
)
EVERY = settings(max_examples=tries(60), deadline=None, suppress_health_check=list(HealthCheck))
HEADLESS = {"claude-code", "mindpipe"}


def written(talk: Conversation, form: str, options: RenderOptions) -> bytes:
    return b"".join(export_document(talk, format=form, options=options).chunks)


def read(octets: bytes, form: str) -> Imported:
    options = ImportOptions(agent="ada", name="x", at="2026-11-21T20:00:00Z", trust=True)
    found = read_document(octets, format=form, options=options)
    assert found.problems == ()
    return found


def comparable(part: Part, ordinals: dict[str, int], *, keeps_json: object) -> object:
    """Return a part with its call numbered, and only what every form carries."""
    if isinstance(part, CallPart):
        return ("call", ordinals.setdefault(part.id, len(ordinals)), part.tool, part.args)
    if isinstance(part, ResultPart):
        value = part.json if keeps_json else None
        return ("result", ordinals[part.call], part.status, part.text, value)
    return part


def story(messages: tuple[Message, ...], *, keeps_json: object) -> list[object]:
    ordinals: dict[str, int] = {}
    return [
        (
            one.role,
            one.cycle,
            one.turn,
            [comparable(part, ordinals, keeps_json=keeps_json) for part in one.parts],
        )
        for one in messages
    ]


def trimmed(head: Head) -> Head:
    """Return a head whose system text is empty where it says nothing."""
    return msgspec.structs.replace(head, system=head.system if head.system.strip() else "")


@pytest.mark.parametrize(
    "form", ["ai-sdk", "anthropic", "claude-code", "openai-chat", "openai-responses"]
)
@EVERY
@given(data=st.data())
def test_what_is_written_is_read_back(form: str, data: st.DataObject) -> None:
    mixed = data.draw(st.booleans()) and form != "openai-chat"
    talk = data.draw(conversations(replace(CARRIED, mixed_order=mixed)))
    options = RenderOptions(
        keep_raw=data.draw(st.booleans()), sdk=data.draw(st.sampled_from((5, 6, 7)))
    )
    found = read(written(talk, form, options), form)
    keeps_json = form == "ai-sdk"
    assert story(found.messages, keeps_json=keeps_json) == story(
        talk.messages, keeps_json=keeps_json
    )
    if form not in HEADLESS:
        assert found.head == trimmed(talk.head)


@EVERY
@given(talk=conversations())
def test_rows_come_back_as_they_were(talk: Conversation) -> None:
    found = read(written(talk, "mindpipe", RenderOptions()), "mindpipe")
    assert found.messages == talk.messages
