"""An imported conversation gets new numbers, keeps its shape, and claims no more than it may."""

from typing import Any

import msgspec

from mindpipe.core.messages import Message, OpaquePart, Role, ThinkingPart
from mindpipe.core.records import to_json
from mindpipe.history.adoption import Adoption, ForeignDocument, raw_hashes, target_of
from mindpipe.history.legality import breaches
from mindpipe.history.records import LogHead
from mindpipe.providers.placing import ENDED
from mindpipe.providers.records import Imported, ImportOptions
from support.foreign_documents import read, read_file
from support.histories import call, conversation, note, raw_of, result, said, sha256, tool, user
from support.tables import each_row

CHAT = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Bye"},
]
BEHIND = LogHead(agent="ada", seq=40, segment=3, cycle=9, turn=2, role=Role.ASSISTANT, answered=2)


def foreign(format: str = "mindpipe", **options: Any) -> ForeignDocument:
    return ForeignDocument(
        octets=b"", format=format, options=ImportOptions(agent="ada", name="talk", **options)
    )


def rows(*messages: Message) -> Imported:
    talk = conversation(*messages)
    return Imported(head=talk.head, messages=talk.messages, blobs=talk.blobs)


def adopted(imported: Imported, wish: ForeignDocument | None = None, *kept: str) -> list[Message]:
    adoption = Adoption(behind=BEHIND, foreign=wish or foreign())
    return [*adoption.take(imported.messages, kept=kept), *adoption.end()]


def test_numbers_go_on_behind_the_log() -> None:
    imported = read("openai-chat", CHAT)
    found = adopted(imported, foreign("openai-chat"), *imported.blobs)
    places = [(one.agent, one.seq, one.segment, one.cycle, one.turn) for one in found]
    assert places == [
        ("ada", 41, 4, 10, 0),
        ("ada", 42, 4, 10, 1),
        ("ada", 43, 4, 11, 0),
        ("ada", 44, 4, 11, 1),
    ]
    assert list(breaches(BEHIND, found)) == []
    assert [one.parts for one in found] == [one.parts for one in imported.messages]


def test_gaps_between_cycles_are_closed() -> None:
    there = conversation(user("a"), said("b"), user("c"), said("d")).messages
    kept = [msgspec.structs.replace(one, cycle=one.cycle * 50, seq=one.seq + 99) for one in there]
    found = adopted(Imported(head=conversation().head, messages=tuple(kept)))
    assert [(one.seq, one.cycle) for one in found] == [(41, 10), (42, 10), (43, 11), (44, 11)]


@each_row(
    ("messages", "turn"),
    [
        ([user("a")], 1),
        ([user("a"), note("b")], 1),
        ([user("a"), said(call(1, {})), tool(result(1, "x"))], 2),
        ([user("a"), said(call(1, {})), tool(result(1, "x")), note("b", turn=1)], 2),
    ],
)
def test_an_open_end_is_closed(messages: list[Message], turn: int) -> None:
    found = adopted(rows(*messages))
    last = found[-1]
    assert (last.role, last.turn, last.synthetic, last.origin, last.taint) == (
        Role.ASSISTANT,
        turn,
        True,
        "program",
        False,
    )
    assert [part.text for part in last.parts] == [ENDED]
    assert list(breaches(BEHIND, found)) == []


def test_rows_are_not_believed_who_spoke() -> None:
    claims = rows(user("a", origin="operator"), said("b", synthetic=True))
    found = adopted(claims)
    assert [(one.origin, one.taint) for one in found] == [("import:talk", True)] * 2
    trusted = adopted(claims, foreign(trust=True))
    assert [(one.origin, one.taint) for one in trusted] == [("operator", False), ("program", False)]


def test_origin_names_the_file_and_not_its_content() -> None:
    wish = foreign("openai-chat")
    (first, *_) = read("openai-chat", CHAT).messages
    imported = Imported(
        head=conversation().head,
        messages=(msgspec.structs.replace(first, origin=f"import:{wish.known_as.name}"),),
    )
    assert adopted(imported, wish)[0].origin == "import:talk"


RAW = b'{"content":[]}'
REPLY = said(
    ThinkingPart(text="Hm."),
    ThinkingPart(),
    OpaquePart(provider="anthropic", kind="web_search"),
    "Yes.",
    raw=raw_of(RAW),
    origin="model",
)


def test_a_reply_without_its_bytes_is_told_from_what_is_readable() -> None:
    imported = rows(user("a"), REPLY)
    assert raw_hashes(imported.messages) == {sha256(RAW)}
    _, whole = adopted(imported, foreign(trust=True), sha256(RAW))
    assert (whole.parts, whole.raw, whole.origin) == (REPLY.parts, REPLY.raw, "model")
    _, told = adopted(imported, foreign(trust=True))
    assert told.raw is None
    assert told.origin == "import:talk"
    assert told.parts == (ThinkingPart(raw=False, text="Hm."), *REPLY.parts[3:])


def test_a_reply_with_nothing_readable_says_so() -> None:
    silent = said(ThinkingPart(), raw=raw_of(RAW), origin="model")
    _, told = adopted(rows(user("a"), silent))
    assert [part.text for part in told.parts] == ["(no text)"]


@each_row(
    ("format", "provider", "api"),
    [
        ("anthropic", "anthropic", "messages"),
        ("claude-code", "anthropic", "messages"),
        ("openai-chat", "openai", "chat"),
        ("openai-responses", "openai", "responses"),
        ("ai-sdk", "import", "program"),
    ],
)
def test_target(format: str, provider: str, api: str) -> None:
    octets = to_json(user("a")) + b"\n" + to_json(REPLY) + b"\n"
    whole = foreign()
    file = read_file()
    file.read(msgspec.structs.replace(whole, octets=octets))
    ((held, _),) = file.each()
    found = target_of(held, format=format, tokenizer="words")
    assert (found.provider, found.api, found.model, found.tokenizer) == (
        provider,
        api,
        "claude-haiku-4-5",
        "words",
    )
    silent = msgspec.structs.replace(held, model="")
    assert target_of(silent, format=format, tokenizer="words").model == ""
