"""mindpipe's own lines: they come back equal, and what is broken is named."""

import msgspec

from mindpipe.core.messages import FilePart, Message
from mindpipe.core.records import to_json
from support.foreign_documents import problems, read, restored
from support.histories import call, conversation, note, raw_of, result, said, tool, user
from support.tables import each_row

FILE = FilePart(sha256="0" * 64, media_type="image/png", name="a.png")

HISTORY = conversation(
    user("hi", FILE),
    note("it is late"),
    said("wait", call(1, {"query": "x"}), call(2, written="{"), raw=raw_of(b"{}", ids={1: "a"})),
    tool(result(1, "seen"), result(2, "what?")),
    note("hurry"),
    said("done", raw=raw_of(b"[]")),
    user("more"),
    said("(stopped)", synthetic=True),
).messages


def lines(messages: tuple[Message, ...]) -> bytes:
    return b"".join(to_json(message) + b"\n" for message in messages)


def test_messages_come_back_equal() -> None:
    imported = read("mindpipe", lines(HISTORY))
    assert problems(imported) == []
    assert imported.messages == HISTORY
    assert restored(imported) == lines(HISTORY)
    assert imported.left_out == (
        "bytes of the file 'a.png'",
        "raw bytes of a reply, which the file names by their hash alone (2 times)",
    )


def test_an_open_cycle_stays_open() -> None:
    assert read("mindpipe", lines(HISTORY[:4])).messages == HISTORY[:4]


def test_another_agent_takes_them_under_its_name() -> None:
    theirs = tuple(msgspec.structs.replace(message, agent="ben") for message in HISTORY)
    imported = read("mindpipe", lines(theirs))
    assert imported.messages == HISTORY


def test_a_list_or_an_object_is_taken_too() -> None:
    document = b"[" + b",".join(to_json(message) for message in HISTORY) + b"]"
    assert read("mindpipe", document).messages == HISTORY
    assert read("mindpipe", b'{"messages":' + document + b"}").messages == HISTORY


def changed(index: int, **fields: object) -> bytes:
    messages = list(HISTORY)
    messages[index] = msgspec.structs.replace(messages[index], **fields)
    return lines(tuple(messages))


BROKEN = {
    "no message": (
        b'{"role":"user"}\n',
        "talk:1: $: shape (form): Object missing required field `id`",
    ),
    "a torn line": (
        lines(HISTORY[:1]) + b'{"id":\n' + lines(HISTORY[1:]),
        "talk:2: $: shape (form): not JSON at character 6: Expecting value",
    ),
    "a result that is gone": (
        changed(3, parts=(result(1, "seen"),)),
        'talk:3: $.parts[2]: missing_result (H4): the call "c_0000000000000000000002" of recall '
        "has no result",
    ),
    "a blank text": (
        changed(0, parts=user("hi", " ").parts),
        "talk:1: $: empty_message (H7): a text part is blank",
    ),
    "arguments without a reason": (
        changed(2, parts=(call(1, {}), msgspec.structs.replace(call(2, {}), args=None))),
        "talk:3: $.parts[1]: bad_arguments (H8): args is null exactly when the call is invalid",
    ),
}


@each_row("name", BROKEN)
def test_broken_histories_are_refused_even_with_repair(name: str) -> None:
    document, problem = BROKEN[name]
    for repair in (False, True):
        imported = read("mindpipe", document, repair=repair)
        assert problems(imported) == [problem]
        assert imported.messages == ()
