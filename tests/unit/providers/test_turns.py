"""The shared builder: cycles, notes, openings and closings, faults and repairs, ids."""

from mindpipe.core.json import load_json
from mindpipe.core.messages import Role
from mindpipe.providers.records import Imported
from support.foreign_documents import faults, problems, read, restored, told
from support.tables import each_row

SYSTEM = {"role": "system", "content": "Be kind."}
USER = {"role": "user", "content": "hi"}
DONE = {"role": "assistant", "content": "done"}


def calling(*ids: str, arguments: str = "{}", content: str | None = None) -> dict[str, object]:
    calls = [
        {"id": one, "type": "function", "function": {"name": "look", "arguments": arguments}}
        for one in ids
    ]
    return {"role": "assistant", "content": content, "tool_calls": calls}


def answer(id_: str, content: str = "seen") -> dict[str, object]:
    return {"role": "tool", "tool_call_id": id_, "content": content}


def late(content: str) -> dict[str, object]:
    return {"role": "system", "content": content}


LAID_OUT = {
    "a cycle with two turns": (
        [USER, calling("a", "b"), answer("a"), answer("b", "two"), DONE],
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {} | #2 look {}",
            "1.1 tool: #1 ok: seen | #2 ok: two",
            "1.2 assistant: done",
        ],
    ),
    "results come back in the order of their calls": (
        [USER, calling("a", "b"), answer("b", "two"), answer("a", "one"), DONE],
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {} | #2 look {}",
            "1.1 tool: #1 ok: one | #2 ok: two",
            "1.2 assistant: done",
        ],
    ),
    "an id used again is a new call": (
        [USER, calling("a"), answer("a", "one"), calling("a"), answer("a", "two"), DONE],
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 ok: one",
            "1.2 assistant: #2 look {}",
            "1.2 tool: #2 ok: two",
            "1.3 assistant: done",
        ],
    ),
    "one id twice in a reply pairs by place": (
        [USER, calling("a", "a"), answer("a", "one"), answer("a", "two"), DONE],
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {} | #2 look {}",
            "1.1 tool: #1 ok: one | #2 ok: two",
            "1.2 assistant: done",
        ],
    ),
    "system messages at the start are the head, later ones notes": (
        [SYSTEM, SYSTEM, USER, late("now"), DONE, late("then"), USER, DONE],
        [
            "1.0 user: hi",
            "1.0 note: now",
            "1.1 assistant: done",
            "2.0 user: hi",
            "2.0 note: then",
            "2.1 assistant: done",
        ],
    ),
    "consecutive users join, users after results are notes": (
        [USER, {"role": "user", "content": "there"}, calling("a"), answer("a"), USER, DONE],
        [
            "1.0 user: hi | there",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 ok: seen",
            "1.1 note: hi",
            "1.2 assistant: done",
        ],
    ),
    "user text behind a note stays behind it": (
        [USER, late("now"), USER, DONE],
        ["1.0 user: hi", "1.0 note: now", "1.0 note: hi", "1.1 assistant: done"],
    ),
    "replies side by side are one": (
        [USER, DONE, DONE],
        ["1.0 user: hi", "1.1 assistant: done | done"],
    ),
    "a list that ends with the user is closed": (
        [USER, DONE, USER],
        [
            "1.0 user: hi",
            "1.1 assistant: done",
            "2.0 user: hi",
            "2.1 assistant: [import ended here]",
        ],
    ),
    "a list that ends with a result is closed": (
        [USER, calling("a"), answer("a")],
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 ok: seen",
            "1.2 assistant: [import ended here]",
        ],
    ),
    "a leading reply is opened": (
        [SYSTEM, DONE],
        ["1.0 user: [import began here]", "1.1 assistant: done"],
    ),
    "a late system message alone is opened and closed": (
        [USER, DONE, late("then")],
        [
            "1.0 user: hi",
            "1.1 assistant: done",
            "2.0 user: [import began here]",
            "2.0 note: then",
            "2.1 assistant: [import ended here]",
        ],
    ),
    "blank text beside a call is dropped": (
        [USER, calling("a", content=" \n"), answer("a", ""), DONE],
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 ok: ",
            "1.2 assistant: done",
        ],
    ),
    "a blank user message says so, but not as a note": (
        [
            {"role": "user", "content": " "},
            calling("a"),
            answer("a"),
            {"role": "user", "content": ""},
            DONE,
        ],
        [
            "1.0 user: (empty message)",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 ok: seen",
            "1.2 assistant: done",
        ],
    ),
    "a blank system message says nothing": (
        [late(" "), USER, late(""), DONE],
        ["1.0 user: hi", "1.1 assistant: done"],
    ),
    "nothing at all": ([], []),
}


@each_row("name", LAID_OUT)
def test_items_are_laid_out_in_cycles(name: str) -> None:
    document, expected = LAID_OUT[name]
    imported = read("openai-chat", document)
    assert problems(imported) == []
    assert told(imported) == expected
    assert faults(imported) == []
    assert load_json(restored(imported), source="restored") == document


BROKEN = {
    "missing_result": (
        [USER, calling("a", "b"), answer("a"), DONE],
        '$[1].tool_calls[1]: missing_result (H4): the call "b" of look has no result',
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {} | #2 look {}",
            "1.1 tool: #1 ok: seen | #2 unknown: (no result was recorded)",
            "1.2 assistant: done",
        ],
    ),
    "missing_result at the end": (
        [USER, calling("a")],
        '$[1].tool_calls[0]: missing_result (H4): the call "a" of look has no result',
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 unknown: (no result was recorded)",
            "1.2 assistant: [import ended here]",
        ],
    ),
    "orphan_result": (
        [USER, calling("a"), answer("z", "astray"), answer("a"), DONE],
        '$[2]: orphan_result (H5): the result for "z" answers no call of its turn',
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 ok: seen",
            "1.1 note: astray",
            "1.2 assistant: done",
        ],
    ),
    "orphan_result before everything": (
        [answer("z", ""), USER, DONE],
        '$[0]: orphan_result (H5): the result for "z" answers no call of its turn',
        ["1.0 user: hi", "1.0 note: (no output)", "1.1 assistant: done"],
    ),
    "duplicate_result": (
        [USER, calling("a"), answer("a"), answer("a", "again"), DONE],
        '$[3]: duplicate_result (H4): the result for "a" is there twice',
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look {}",
            "1.1 tool: #1 ok: seen",
            "1.2 assistant: done",
        ],
    ),
    "empty_message of an assistant": (
        [USER, {"role": "assistant", "content": " "}, DONE],
        "$[1]: empty_message (H7): the assistant message is empty",
        ["1.0 user: hi", "1.1 assistant: done"],
    ),
    "empty_message of a user": (
        [USER, {"role": "user", "content": []}, DONE],
        "$[1]: empty_message (H7): the user message is empty",
        ["1.0 user: hi", "1.1 assistant: done"],
    ),
    "bad_arguments": (
        [USER, calling("a", arguments='{"q": '), answer("a", "what?"), DONE],
        "$[1].tool_calls[0]: bad_arguments (H8): the arguments cannot be read: not JSON "
        "at character 6: Expecting value",
        [
            "1.0 user: hi",
            "1.1 assistant: #1 look json",
            "1.1 tool: #1 ok: what?",
            "1.2 assistant: done",
        ],
    ),
}


@each_row("name", BROKEN)
def test_a_broken_rule_is_refused_or_repaired(name: str) -> None:
    document, problem, expected = BROKEN[name]
    strict = read("openai-chat", document)
    assert problems(strict) == [f"talk: {problem}; --repair accepts it"]
    assert (strict.messages, strict.repairs) == ((), ())
    repaired = read("openai-chat", document, repair=True)
    assert problems(repaired) == []
    assert [one.kind for one in repaired.repairs] == [name.partition(" ")[0]]
    assert repaired.repairs[0].at == problem.partition(": ")[0]
    assert told(repaired) == expected
    assert faults(repaired) == []
    assert load_json(restored(repaired), source="restored") == document


OUT_OF_ORDER = {
    "result before its call": [USER, answer("a"), calling("a"), DONE],
    "result behind the next reply": [USER, calling("a"), DONE, answer("a")],
    "user between call and result": [USER, calling("a"), USER, answer("a"), DONE],
    "system between call and result": [USER, calling("a"), late("now"), answer("a"), DONE],
    "two calling replies, then both results": [
        USER,
        calling("a"),
        calling("b"),
        answer("a"),
        answer("b"),
        DONE,
    ],
}


@each_row("name", OUT_OF_ORDER)
@each_row("mode", ["strict", "repair"])
def test_a_broken_order_is_refused_even_with_repair(name: str, mode: str) -> None:
    imported = read("openai-chat", OUT_OF_ORDER[name], repair=mode == "repair")
    kinds = {one.message.partition(" ")[0] for one in imported.problems}
    assert "broken_order" in kinds
    assert imported.messages == ()


def test_every_problem_is_reported_at_once() -> None:
    document = [USER, calling("a", arguments="[]"), {"role": "critic", "content": "no"}]
    kinds = [one.message.partition(" ")[0] for one in read("openai-chat", document).problems]
    assert kinds == ["shape", "bad_arguments", "missing_result"]


def _ids(imported: Imported) -> list[str]:
    calls = [part.id for one in imported.messages for part in one.parts if hasattr(part, "args")]
    return [*(one.id for one in imported.messages), *calls]


TWICE = [USER, calling("a"), answer("a"), calling("a"), answer("a"), DONE, USER]


def test_importing_twice_gives_the_same() -> None:
    first, second = read("openai-chat", TWICE), read("openai-chat", TWICE)
    assert first == second
    ids = _ids(first)
    assert len(set(ids)) == len(ids)
    assert all(len(one) == 24 and one[:2] in {"m_", "c_"} for one in ids)


def test_ids_come_from_the_name_of_the_file() -> None:
    assert not set(_ids(read("openai-chat", TWICE))) & set(
        _ids(read("openai-chat", TWICE, name="other"))
    )


def test_a_log_that_grew_keeps_the_ids_of_what_was_there() -> None:
    before = read("openai-chat", TWICE)
    after = read("openai-chat", [*TWICE, DONE])
    assert _ids(after)[:7] == _ids(before)[:7]
    assert before.messages[7].synthetic
    assert after.messages[7].id != before.messages[7].id


@each_row("source", ["trusted", "unknown"])
def test_imported_messages_name_their_origin_and_are_tainted(source: str) -> None:
    trust = source == "trusted"
    imported = read("openai-chat", [DONE, USER], trust=trust)
    began, done, user, ended = imported.messages
    assert (done.origin, user.origin) == ("import:talk", "import:talk")
    assert done.taint is user.taint is (not trust)
    assert (began.origin, began.taint, began.synthetic) == ("program", False, False)
    assert (ended.origin, ended.taint, ended.synthetic) == ("program", False, True)
    assert (began.raw, ended.raw, done.raw is None) == (None, None, False)
    assert [one.seq for one in imported.messages] == [1, 2, 3, 4]
    assert began.role is Role.USER


def test_the_head_takes_leading_system_text() -> None:
    imported = read("openai-chat", [SYSTEM, {"role": "developer", "content": "Be brief."}, USER])
    assert imported.head.system == "Be kind.\n\nBe brief."


def test_a_file_in_the_system_text_is_named() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}
    document = [{"role": "system", "content": [image, {"type": "text", "text": "Be kind."}]}, USER]
    imported = read("openai-chat", document)
    assert imported.head.system == "Be kind."
    assert imported.left_out == ("file in the system text",)
