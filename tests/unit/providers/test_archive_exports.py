"""Histories in the files of other applications, read back: the same is said, and in that order."""

import contextlib
import sqlite3
from pathlib import Path

import msgspec

from mindpipe.core.messages import (
    Conversation,
    FilePart,
    Head,
    ResultStatus,
    TextPart,
    ThinkingPart,
)
from mindpipe.providers.formats import ARCHIVES
from mindpipe.providers.importer import read_documents
from mindpipe.providers.memories import NotTaken, WrittenMemory, foreign_memories, mem0_dump
from mindpipe.providers.records import Imported, ImportOptions, RenderOptions
from support.foreign_documents import AT, problems, told
from support.histories import (
    TOOL,
    call,
    conversation,
    note,
    raw_of,
    result,
    said,
    sha256,
    tool,
    user,
)
from support.tables import each_row
from support.whole_documents import export_document

PHOTO = b"\x89PNG\r\n\x1a\n"
PAGE = b"Tea at four."
RAW = b'{"content":[{"type":"thinking","thinking":"Hm","signature":"E"}]}'
TALK = conversation(
    user('{"message": "packed?"}'),
    said(ThinkingPart(raw=False, text="Let me look."), call(1, {"a": {"b": ["ü"]}})),
    tool(result(1, '{"message": "Found.", "status": "lost"}')),
    said(call(2, {"a": 1}), call(3, {})),
    tool(result(2, "It broke.", ResultStatus.ERROR), result(3, "")),
    said("It is\n\nthere."),
    user("Thanks", at="2026-11-21T20:00:01Z"),
    said(ThinkingPart(text="Hm"), TextPart(text="Welcome."), raw=raw_of(RAW)),
    user("Still there?", at="2026-11-21T20:00:02Z"),
    head=Head(system="Be Ada.", tools=(TOOL,)),
    blobs=(RAW,),
)
SAID = [
    '1.0 user: {"message": "packed?"}',
    '1.1 assistant: <thinking Let me look.> | #1 recall {"a": {"b": ["\\u00fc"]}}',
    '1.1 tool: #1 ok: {"message": "Found.", "status": "lost"}',
    '1.2 assistant: #2 recall {"a": 1} | #3 recall {}',
    "1.2 tool: #2 error: It broke. | #3 ok: (no output)",
    "1.3 assistant: It is\n\nthere.",
    "2.0 user: Thanks",
    "2.1 assistant: <thinking Hm> | Welcome.",
    "3.0 user: Still there?",
    "3.1 assistant: [import ended here]",
]
ONE_CALL_AFTER_THE_OTHER = [
    *SAID[:3],
    '1.2 assistant: #2 recall {"a": 1}',
    "1.2 tool: #2 error: It broke.",
    "1.3 assistant: #3 recall {}",
    "1.3 tool: #3 ok: (no output)",
    "1.4 assistant: It is\n\nthere.",
    *SAID[6:],
]


def again(talk: Conversation, form: str) -> tuple[Imported, list[str]]:
    """Export a conversation and import that; return it, and which parts were lost."""
    written = export_document(talk, format=form, options=RenderOptions())
    options = ImportOptions(agent="ada", name="talk", at=AT)
    (imported,) = read_documents(b"".join(written.chunks), format=form, options=options)
    assert problems(imported) == []
    return imported, [loss.part for loss in written.losses]


@each_row("form", ARCHIVES)
def test_the_same_is_said(form: str) -> None:
    imported, lost = again(TALK, form)
    assert told(imported) == (ONE_CALL_AFTER_THE_OTHER if form == "chatgpt" else SAID)
    assert imported.head.system == ("" if form == "claude-export" else "Be Ada.")
    heads = {"claude-export": ["system", "tools"], "llm": []}
    assert lost == [*heads.get(form, ["tools"]), "thinking"]


@each_row("form", ARCHIVES)
def test_a_second_export_is_the_same(form: str) -> None:
    documents = [
        b"".join(export_document(TALK, format=form, options=RenderOptions()).chunks)
        for _ in range(2)
    ]
    assert documents[0] == documents[1]


@each_row("form", ARCHIVES)
def test_a_model_is_named_by_its_replies(form: str) -> None:
    imported, _ = again(TALK, form)
    models = [one.raw.model for one in imported.messages if one.raw is not None]
    assert ("claude-haiku-4-5" in models) is (form != "claude-export")


@each_row("form", ARCHIVES)
def test_what_nobody_answered_is_there(form: str) -> None:
    imported, _ = again(conversation(user("Hello"), note("Noon.")), form)
    heard = "1.0 user: Hello\n\nNoon." if form == "llm" else "1.0 user: Hello | Noon."
    assert told(imported) == [heard, "1.1 assistant: [import ended here]"]


@each_row("form", ARCHIVES)
def test_files_are_there_or_named(form: str) -> None:
    photo = FilePart(sha256=sha256(PHOTO), media_type="image/png", name="cat.png")
    page = FilePart(sha256=sha256(PAGE), media_type="text/plain", name="page.txt")
    gone = FilePart(sha256="0" * 64, media_type="text/plain", name="gone.txt")
    talk = conversation(user(photo, page, gone, "Look!"), said("Nice."), blobs=(PHOTO, PAGE))
    imported, lost = again(talk, form)
    words = told(imported)[0]
    assert "Look!" in words
    assert "[file gone.txt is no longer kept]" in words
    assert "file" in lost
    if form != "llm":
        assert "Tea at four." in words


def test_llm_keeps_files_and_tools_beside_what_is_said(tmp_path: Path) -> None:
    photo = FilePart(sha256=sha256(PHOTO), media_type="image/png", name="cat.png")
    head = Head(system="", tools=(TOOL,))
    talk = conversation(user(photo, "Look!"), said(call(1, {})), head=head, blobs=(PHOTO,))
    written = export_document(talk, format="llm", options=RenderOptions())
    file = tmp_path / "logs.db"
    file.write_bytes(b"".join(written.chunks))
    with contextlib.closing(sqlite3.connect(file)) as database:
        (attached,) = database.execute(
            "SELECT a.type, a.content FROM attachments AS a "
            "JOIN prompt_attachments AS p ON p.attachment_id=a.id "
            "JOIN responses AS r ON r.id=p.response_id WHERE r.prompt='Look!'"
        )
        assert attached == ("image/png", PHOTO)
        (called,) = database.execute(
            "SELECT t.name, t.input_schema, c.arguments FROM tool_calls AS c "
            "JOIN tools AS t ON t.id=c.tool_id JOIN tool_responses AS r USING (response_id)"
        )
        assert called == ("recall", msgspec.json.encode(TOOL.input_schema).decode(), "{}")
        (found,) = database.execute("SELECT count(*) FROM responses_fts WHERE responses_fts='look'")
        assert found == (1,)
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_memories_of_mem0_come_back() -> None:
    one = WrittenMemory(
        id="7",
        memory="Mara lives in Bremen.",
        created_at="2026-03-01T09:00:00Z",
        updated_at="2026-03-02T09:00:00Z",
        user_id="mara",
        actor_id="jonas",
        role="user",
        agent_id=None,
        run_id="s1",
        categories=("home",),
    )
    left_out = NotTaken()
    octets = b"".join(mem0_dump([one]))
    (found,) = foreign_memories(octets, format="mem0", source="dump", left_out=left_out)
    assert left_out.words() == ()
    assert found.key == "mem0:7@2026-03-02T09:00:00Z"
    assert (found.text, found.at, found.subject) == (one.memory, one.created_at, one.user_id)
    assert (found.speaker, found.session, found.tags) == ("jonas", "s1", ("home",))
