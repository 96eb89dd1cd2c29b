"""A document with its window: the same form, valid, and nothing in it that nobody said."""

import json

from mindpipe.compaction.documents import Shelf, heard, heard_aside
from mindpipe.compaction.filter import (
    CompactedConversation,
    WrittenDocument,
    over_document,
    over_messages,
    said_in,
)
from mindpipe.core.json import load_json
from mindpipe.core.messages import Conversation
from mindpipe.core.records import to_json
from mindpipe.io.spool import Spool
from mindpipe.providers.records import Imported, RenderOptions
from mindpipe.providers.turns import ImportedPiece
from mindpipe.providers.words import NO_TEXT
from support.foreign_documents import read
from support.long_histories import wish_for, words
from support.tables import each_row
from support.validation import errors

WORDS = "The ferry of Skerra sails at nine, and the harbour is full of boats. " * 20
ASKS = {"role": "user", "content": "And now?"}


def talk(*answers: dict[str, object]) -> list[dict[str, object]]:
    """Return a long exchange, and then one for each answer."""
    said: list[dict[str, object]] = [
        {"role": "user", "content": WORDS},
        {"role": "assistant", "content": "I have read it."},
    ]
    for answer in answers:
        said += [ASKS, answer]
    return said


def folded(said: Conversation) -> CompactedConversation:
    return over_messages(said, wish_for(budget=120, keep_cycles=1), count=words, tokenizer="words")


def window(imported: Imported, form: str, *, is_sound: bool = True) -> WrittenDocument:
    return over_document(
        heard(imported),
        folded,
        format=form,
        options=RenderOptions(),
        is_sound=lambda _: is_sound,
    )


def test_only_the_messages_change() -> None:
    answer: dict[str, object] = {"role": "assistant", "content": "Now too."}
    rules = {"role": "system", "content": "Be kind."}
    document = {"id": "x", "messages": [rules, *talk(answer)], "seed": 1}
    written = window(read("openai-chat", document), "openai-chat")
    found = json.loads(written.octets)
    system, summary, *rest = found["messages"]
    assert written.planned is not None
    assert (found["id"], found["seed"]) == ("x", 1)
    assert system == rules
    assert summary["content"].startswith("[Earlier: summary of cycles 1]")
    assert rest == [ASKS, answer]


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBO"}}
PICTURED: dict[str, dict[str, object]] = {
    "anthropic": {
        "role": "user",
        "content": [
            IMAGE,
            {"type": "text", "text": "See?", "cache_control": {"type": "ephemeral"}},
        ],
    },
    "openai-chat": {
        "role": "user",
        "name": "noor",
        "content": [
            {"type": "image_url", "image_url": {"url": "https://skerra.example/b.png"}},
            {"type": "text", "text": "See?"},
        ],
    },
}


@each_row("form", PICTURED)
def test_what_stays_whole_stays_as_it_was_read(form: str) -> None:
    answer = {"role": "assistant", "content": "I do."}
    written = window(read(form, [*talk(), PICTURED[form], answer]), form)
    assert written.planned is not None
    assert not written.anew
    assert json.loads(written.octets)[-2:] == [PICTURED[form], answer]


@each_row("form", PICTURED)
def test_what_is_put_aside_is_heard_as_in_memory(form: str) -> None:
    answer = {"role": "assistant", "content": "I do."}
    imported = read(form, [*talk(), ASKS, PICTURED[form], answer])
    piece = ImportedPiece(
        messages=imported.messages, sources=imported.sources, blobs=imported.blobs
    )
    with Spool(0) as messages, Spool(0) as items, Spool(0) as blobs:
        aside = heard_aside(
            [piece],
            Shelf(messages, items, blobs),
            head=imported.head,
            envelope=imported.envelope,
            repairs=imported.repairs,
        )
        whole = heard(imported)
        assert list(aside.messages) == list(whole.messages)
        assert list(aside.messages[2:4]) == list(whole.messages[2:4])
        assert aside.messages[-1] == whole.messages[-1]
        assert list(map(tuple, aside.items)) == list(map(tuple, whole.items))
        assert dict(aside.blobs) == imported.blobs
        assert aside.blobs.get("no hash") is None
        folded_aside, folded_whole = (
            over_document(one, folded, format=form, options=RenderOptions())
            for one in (aside, whole)
        )
    assert folded_aside == folded_whole


def test_what_stays_is_written_anew_where_its_api_would_refuse_it() -> None:
    answer: dict[str, object] = {"role": "assistant", "content": "I do."}
    imported = read("openai-chat", [*talk(), PICTURED["openai-chat"], answer])
    written = window(imported, "openai-chat", is_sound=False)
    assert written.anew
    assert json.loads(written.octets)[-2]["content"] != PICTURED["openai-chat"]["content"]


def test_a_request_that_waits_for_an_answer_still_does() -> None:
    document = [*talk({"role": "assistant", "content": "Now too."}), ASKS]
    imported = read("openai-chat", document)
    assert len(said_in(imported).messages) == len(document)
    assert json.loads(window(imported, "openai-chat").octets)[-1] == ASKS


@each_row("form", ["anthropic", "ai-sdk", "openai-chat", "openai-responses"])
def test_what_people_say_before_anybody_answers_leaves_message_by_message(form: str) -> None:
    kind = "input_text" if form == "openai-responses" else "text"
    spoken = [f"Boat {number}: {WORDS}" for number in range(9)]
    document = [{"role": "user", "content": [{"type": kind, "text": one}]} for one in spoken]
    written = window(read(form, document), form)
    assert written.planned is not None
    left = json.loads(written.octets)
    assert spoken[-1] in json.dumps(left[-1])
    assert not any(one in written.octets.decode() for one in spoken[:-1])
    assert "[Earlier: summary of cycles 1-8]" in json.dumps(left[0])
    assert not errors(form, load_json(written.octets, source="window"))


def test_parts_of_one_message_stay_together() -> None:
    two = {"role": "user", "content": [{"type": "text", "text": word} for word in ("One", "Two")]}
    (said,) = said_in(read("openai-chat", [two])).messages
    assert len(said.parts) == len(two["content"])


@each_row("form", ["anthropic", "ai-sdk"])
def test_reasoning_goes_without_what_it_rests_on(form: str) -> None:
    kinds = {"anthropic": "thinking", "ai-sdk": "reasoning"}
    thought = {"type": kinds[form], "thinking": "Hm.", "text": "Hm.", "signature": "E=="}
    if form == "anthropic":
        del thought["text"]
    else:
        del thought["thinking"], thought["signature"]
    answers = [[thought, {"type": "text", "text": "Now too."}], [thought]]
    document = talk(*({"role": "assistant", "content": content} for content in answers))
    written = window(read(form, document), form)
    assert written.planned is not None
    assert thought["type"] not in {
        part["type"] for message in json.loads(written.octets) for part in message["content"]
    }
    assert NO_TEXT in written.octets.decode()
    assert not errors(form, load_json(written.octets, source="window"))


def test_behind_a_cut_replies_of_responses_are_told_without_their_ids() -> None:
    asked = {"role": "user", "content": [{"type": "input_text", "text": WORDS}]}
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "E=="}
    text = {"type": "output_text", "text": "Now too.", "annotations": []}
    reply = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    answer = [thought, {**reply, "content": [text]}]
    imported = read("openai-responses", [asked, *answer, asked, *answer])
    assert any(one.raw for one in imported.messages)
    written = window(imported, "openai-responses")
    assert written.planned is not None
    left = written.octets.decode()
    assert "Now too." in left
    assert not [word for word in ("rs_1", "msg_1", "E==") if word in left]


def test_what_fits_comes_back_as_it_was() -> None:
    document = b'[ {"role":"user", "content":"Hi", "name":"n\\u006for"} ]'
    written = window(read("openai-chat", document), "openai-chat")
    assert written.planned is None
    assert json.loads(written.octets) == json.loads(document)
    assert b"n\\u006for" in written.octets


def test_what_its_api_would_refuse_is_written_anew() -> None:
    call = {"type": "function", "function": {"name": "look", "arguments": "{}"}}
    document = [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "a", **call}]},
        {"role": "tool", "tool_call_ids": ["a"], "content": "Seen."},
    ]
    written = window(read("openai-chat", document), "openai-chat", is_sound=False)
    assert written.planned is None
    assert json.loads(written.octets)[-1] == {
        "role": "tool",
        "tool_call_id": "a",
        "content": "Seen.",
    }


def test_rows_of_our_own_begin_with_the_summary_as_a_row() -> None:
    chat = read("openai-chat", talk({"role": "assistant", "content": "Now too."}))
    rows = b"".join(json_line(message) for message in chat.messages)
    written = window(read("mindpipe", rows), "mindpipe")
    first, *rest = (json.loads(line) for line in written.octets.splitlines())
    assert first["parts"][0]["text"].startswith("[Earlier: summary of cycles 1]")
    assert (first["seq"], first["cycle"], first["role"], first["taint"]) == (1, 1, "user", True)
    assert [row["seq"] for row in rest] == [3, 4]


def json_line(message: object) -> bytes:
    return to_json(message) + b"\n"
