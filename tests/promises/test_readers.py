"""Promise 48: a history is imported, checked and compacted in bounded memory."""

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from mindpipe.inbox.content import event_id
from mindpipe.validator.check import FORMATS as CHECKED_FORMS
from support.broken_builds import broken_program
from support.command import BIN, ROOT, Mind, clean_environment
from support.proofs import proved, turned_red

pytestmark = pytest.mark.heavy

WORDS = ("report", "harbour", "Anna", "Berlin", "2024", "invoice", "decided", "because", "always")


def words(number: int, length: int) -> str:
    return " ".join(WORDS[(number * 7 + place) % len(WORDS)] for place in range(length))


def chat(number: int) -> list[object]:
    call = {"name": "find", "arguments": json.dumps({"q": words(number, 3)})}
    calls = [{"id": f"call_{number}", "type": "function", "function": call}]
    return [
        {"role": "user", "content": f"{number} {words(number, 12)}"},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": f"call_{number}", "content": words(number, 30)},
        {"role": "assistant", "content": f"Done: {words(number, 6)}."},
    ]


def short(_: int) -> list[object]:
    return [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]


def turns(number: int) -> list[object]:
    use = {
        "type": "tool_use",
        "id": f"t_{number}",
        "name": "find",
        "input": {"q": words(number, 3)},
    }
    told = {"type": "tool_result", "tool_use_id": f"t_{number}", "content": words(number, 30)}
    return [
        {"role": "user", "content": f"{number} {words(number, 12)}"},
        {"role": "assistant", "content": [{"type": "text", "text": "Well."}, use]},
        {"role": "user", "content": [told]},
        {"role": "assistant", "content": [{"type": "text", "text": words(number, 6)}]},
    ]


def parts(number: int) -> list[object]:
    call = {"toolCallId": f"c_{number}", "toolName": "find"}
    output = {"type": "text", "value": words(number, 30)}
    return [
        {"role": "user", "content": f"{number} {words(number, 12)}"},
        {"role": "assistant", "content": [{"type": "tool-call", **call, "input": {}}]},
        {"role": "tool", "content": [{"type": "tool-result", **call, "output": output}]},
        {"role": "assistant", "content": [{"type": "text", "text": words(number, 6)}]},
    ]


def items(number: int) -> list[object]:
    said = [{"type": "input_text", "text": f"{number} {words(number, 12)}"}]
    call = {"call_id": f"c_{number}", "name": "find", "arguments": "{}"}
    reply = [{"type": "output_text", "text": words(number, 6), "annotations": []}]
    return [
        {"type": "message", "role": "user", "content": said},
        {"type": "function_call", "id": f"fc_{number}", **call},
        {"type": "function_call_output", "call_id": f"c_{number}", "output": words(number, 30)},
        {"type": "message", "id": f"m_{number}", "role": "assistant", "content": reply},
    ]


def log(number: int) -> list[object]:
    return [
        {"type": one["role"], "uuid": f"u{number}", "sessionId": "s", "message": one}
        for one in turns(number)
        if isinstance(one, dict)
    ]


def rows(number: int) -> list[object]:
    place = {"agent": "ava", "segment": 1, "cycle": number + 1}
    asked = {"type": "text", "text": f"{number} {words(number, 12)}"}
    said = {"type": "text", "text": words(number, 30)}
    seq = 2 * number + 1
    return [
        {"id": f"m_{seq}", "seq": seq, "turn": 0, "role": "user", "parts": [asked], **place},
        {"id": f"m_{seq + 1}", "seq": seq + 1, "turn": 1, "role": "assistant", "parts": [said]}
        | place,
    ]


def tree(number: int) -> list[object]:
    """Return a conversation as ChatGPT exports it, with an answer that was asked for again."""
    ids = [f"{number}-{place}" for place in range(3)]
    said = [("user", words(number, 100)), ("assistant", words(number, 300))]
    said.append(("assistant", words(number, 900)))
    mapping = {
        id_: {
            "id": id_,
            "parent": ids[0] if place else None,
            "children": [] if place else ids[1:],
            "message": {
                "id": id_,
                "author": {"role": role},
                "create_time": 1741514400.5 + place,
                "content": {"content_type": "text", "parts": [text]},
                "metadata": {"model_slug": "gpt-4o"},
                "recipient": "all",
            },
        }
        for place, (id_, (role, text)) in enumerate(zip(ids, said, strict=True))
    }
    return [{"id": f"c{number}", "title": "", "mapping": mapping, "current_node": ids[2]}]


def chat_messages(number: int) -> list[object]:
    moment = "2026-05-01T10:00:00.000000Z"
    use = {"type": "tool_use", "id": f"t{number}", "name": "find", "input": {}}
    told = {"type": "tool_result", "tool_use_id": f"t{number}", "content": words(number, 30)}
    blocks = [use, told, {"type": "text", "text": words(number, 6)}]
    asked = [{"type": "text", "text": f"{number} {words(number, 12)}"}]
    return [
        {"uuid": f"u{number}", "sender": "human", "content": asked, "created_at": moment},
        {"uuid": f"a{number}", "sender": "assistant", "content": blocks, "created_at": moment},
    ]


Made = Callable[[int], list[object]]
SHAPES: dict[str, tuple[str, Made, str, str, str]] = {
    "an object of chat messages": ("openai-chat", chat, '{"messages":[', ",\n", "]}"),
    "short messages": ("openai-chat", short, '{"messages":[', ",\n", "]}"),
    "a list": ("anthropic", turns, "[", ",\n", "]"),
    "lines of the AI SDK": ("ai-sdk", parts, "", "\n", "\n"),
    "items of a response": ("openai-responses", items, '{"input":[', ",", "]}"),
    "a session log": ("claude-code", log, "", "\n", "\n"),
    "rows of our own": ("mindpipe", rows, "", "\n", "\n"),
    "conversations of ChatGPT": ("chatgpt", tree, "[", ",\n", "]"),
    "one conversation of claude.ai": (
        "claude-export",
        chat_messages,
        '[{"uuid":"c","name":"","chat_messages":[',
        ",\n",
        "]}]",
    ),
    "an agent of Letta": (
        "letta",
        short,
        '{"agents":[{"name":"desk","messages":[',
        ",\n",
        ']}],"blocks":[]}',
    ),
}
REQUESTS = [name for name, shape in SHAPES.items() if shape[0] in CHECKED_FORMS]
"""The others are no requests: they are neither checked nor compacted as they are."""
LONG = pytest.mark.long
IMPORTED = [
    pytest.param(name, megabytes, marks=marks)
    for name in SHAPES
    for megabytes, marks in [
        (2, () if name in {"an object of chat messages", "a session log"} else LONG),
        (70, LONG),
    ]
]
TO_STORE = ("--agent", "ava")
TO_STDOUT = ()
BOTH = pytest.mark.parametrize("target", [TO_STDOUT, TO_STORE], ids=["to stdout", "to a store"])


def written(folder: Path, name: str, *, megabytes: float) -> Path:
    """Write a conversation that is about so long, and return its file."""
    path, size, held = folder / "talk", 0, ""
    _, made, begin, between, end = SHAPES[name]
    with path.open("w") as file:
        size = file.write(begin)
        for number in count():
            if size > megabytes * 1e6:
                break
            texts = between.join(json.dumps(one) for one in made(number))
            size += file.write(held + texts)
            held = between
        file.write(end)
    return path


def bound(path: Path) -> int:
    """Return how many MiB may be taken for a file."""
    return int((150e6 + 8 * path.stat().st_size) / (1 << 20))


def most_taken(
    life: Mind, program: tuple[str, ...], *arguments: str, given: Path | None = None
) -> tuple[int, int, str]:
    """Run a command; return its status, the most memory it took in MiB, and stderr."""
    most = life.folder / "most"
    with Path(given or os.devnull).open("rb") as file:
        done = subprocess.run(
            [sys.executable, ROOT / "tests/support/peak_memory.py", most, *program, *arguments],
            stdin=file,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=life.folder,
            env=clean_environment(life.folder),
            check=False,
        )
    return done.returncode, int(most.read_text()), done.stderr.decode()


@BOTH
@pytest.mark.parametrize(("name", "megabytes"), IMPORTED)
def test_a_history_is_imported_in_bounded_memory(
    mind_with_agent: Mind, name: str, megabytes: int, target: tuple[str, ...]
) -> None:
    path = written(mind_with_agent.folder, name, megabytes=megabytes)
    form = SHAPES[name][0]
    command = ("history", "import", *target, "--format", form, str(path))
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command)
    assert (status, said.count("Traceback")) == (0, 0), said
    assert most <= bound(path)
    proved(48, imports=1, most_mebibytes=most)


@BOTH
@pytest.mark.parametrize("megabytes", [2, pytest.param(70, marks=LONG)])
def test_the_logs_of_llm_are_imported_in_bounded_memory(
    mind_with_agent: Mind, megabytes: int, target: tuple[str, ...]
) -> None:
    path = mind_with_agent.folder / "logs.db"
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE responses(id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, "
            "response TEXT, conversation_id TEXT, datetime_utc TEXT)"
        )
        database.executemany(
            "INSERT INTO responses VALUES(?, 'm', ?, NULL, ?, ?, '2026-05-01T10:00:00')",
            (
                (f"r{number:09}", words(number, 30), words(number, 60), f"c{number // 100}")
                for number in range(megabytes * 1500)
            ),
        )
    database.close()
    command = ("history", "import", *target, "--format", "llm", str(path))
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command)
    assert (status, said.count("Traceback")) == (0, 0), said
    assert most <= bound(path)
    proved(48, imports=1, most_mebibytes=most)


LARGE, LARGE_WORDS = 64, "The lamp by the harbour is amber. " * 30_000
"""So many messages of a megabyte each, in which a file that is held shows."""
MOST_STREAMED = 160
"""MiB: what an import takes whatever the size of its file, and less than that with the file."""


def large_log(folder: Path) -> Path:
    """Write a session log of Claude Code."""
    path = folder / "log.jsonl"
    with path.open("w") as file:
        for number in range(LARGE):
            role = "assistant" if number % 2 else "user"
            said = {"role": role, "content": [{"type": "text", "text": LARGE_WORDS}]}
            one = {"type": role, "uuid": f"u{number}", "sessionId": "s", "message": said}
            file.write(json.dumps(one) + "\n")
    return path


def large_trees(folder: Path) -> Path:
    """Write the conversations of ChatGPT as an export has them: one list on one line."""
    path = folder / "conversations.json"
    author = {"user": {"role": "user"}, "assistant": {"role": "assistant"}}
    content = {"content_type": "text", "parts": [LARGE_WORDS]}
    with path.open("w") as file:
        file.write("[")
        for number in range(LARGE // 2):
            nodes = [(f"{number}-{role}", role) for role in author]
            mapping = {
                id_: {
                    "id": id_,
                    "parent": None if role == "user" else nodes[0][0],
                    "message": {"id": id_, "author": author[role], "content": content},
                }
                for id_, role in nodes
            }
            one = {"id": f"c{number}", "mapping": mapping, "current_node": nodes[1][0]}
            file.write("," * (number > 0) + json.dumps(one))
        file.write("]")
    return path


def large_export(folder: Path) -> Path:
    """Write the conversations of claude.ai as an export has them."""
    path = folder / "conversations.json"
    with path.open("w") as file:
        file.write('[{"uuid":"c","chat_messages":[')
        for number in range(LARGE):
            sender = "assistant" if number % 2 else "human"
            one = {"uuid": f"m{number}", "sender": sender, "text": LARGE_WORDS}
            file.write("," * (number > 0) + json.dumps(one))
        file.write("]}]")
    return path


def large_database(folder: Path) -> Path:
    """Write a logs.db of llm."""
    path = folder / "logs.db"
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE responses(id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, "
            "response TEXT, conversation_id TEXT, datetime_utc TEXT)"
        )
        database.executemany(
            "INSERT INTO responses VALUES(?, 'm', 'Hi', NULL, ?, 'c', '2026-05-01T10:00:00')",
            ((f"r{number:09}", LARGE_WORDS) for number in range(LARGE)),
        )
    return path


# Each form in one way every day; SQLite reads a database from a file, or from memory.
@pytest.mark.parametrize(
    ("form", "made", "is_piped"),
    [
        ("claude-code", large_log, True),
        pytest.param("claude-code", large_log, False, marks=LONG),
        ("chatgpt", large_trees, False),
        pytest.param("chatgpt", large_trees, True, marks=LONG),
        ("claude-export", large_export, True),
        pytest.param("claude-export", large_export, False, marks=LONG),
        ("llm", large_database, False),
    ],
)
def test_no_file_that_is_imported_is_held(
    mind_with_agent: Mind, form: str, made: Callable[[Path], Path], *, is_piped: bool
) -> None:
    path = made(mind_with_agent.folder)
    assert path.stat().st_size > 64e6
    given = path if is_piped else None
    command = ("history", "import", "--format", form, "-" if is_piped else str(path))
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command, given=given)
    assert (status, said.count("Traceback")) == (0, 0), said
    assert most <= MOST_STREAMED
    proved(48, imports=1, most_mebibytes=most)


CHECKED = [pytest.param(name, marks=() if name == "short messages" else LONG) for name in REQUESTS]
COMPACTED = [
    pytest.param(name, megabytes, marks=marks)
    for name, megabytes, marks in [
        ("short messages", 1, ()),
        ("short messages", 3, LONG),
        *((one, 10, LONG) for one in REQUESTS),
    ]
]


@pytest.mark.parametrize("name", CHECKED)
def test_a_history_is_checked_in_bounded_memory(mind_with_agent: Mind, name: str) -> None:
    path = written(mind_with_agent.folder, name, megabytes=10)
    command = ("history", "check", "--for", SHAPES[name][0], str(path))
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command)
    # The calls in `items of a response` have ids of another form than its API gives them.
    assert (status in {0, 65}, said.count("Traceback")) == (True, 0), said
    assert most <= bound(path)
    proved(48, checks=1, most_mebibytes=most)


@pytest.mark.parametrize(("name", "megabytes"), COMPACTED)
def test_a_history_is_compacted_in_bounded_memory(
    mind_with_agent: Mind, name: str, megabytes: int
) -> None:
    path = written(mind_with_agent.folder, name, megabytes=megabytes)
    window = str(mind_with_agent.folder / "window")
    command = ("compact", "--budget", "20000", "--format", SHAPES[name][0], "--output", window)
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command, given=path)
    assert (status, said.count("Traceback")) == (0, 0), said
    assert most <= bound(path)
    proved(48, compactions=1, most_mebibytes=most)


def test_a_build_that_holds_what_it_folds_takes_too_much_memory(mind_with_agent: Mind) -> None:
    path = written(mind_with_agent.folder, "short messages", megabytes=2)
    window = str(mind_with_agent.folder / "window")
    command = ("compact", "--budget", "20000", "--format", "openai-chat", "--output", window)
    broken = broken_program("compaction_held_whole")
    status, most, _ = most_taken(mind_with_agent, broken, *command, given=path)
    assert status == 0
    assert most > bound(path)
    turned_red(48, "compaction_held_whole", most_mebibytes=most)


def lines(path: Path, made: Callable[[int], object], *, megabytes: int) -> None:
    """Write lines that are about so long together."""
    size = 0
    with path.open("w") as file:
        for number in count():
            if size > megabytes * 1e6:
                break
            size += file.write(json.dumps(made(number), ensure_ascii=False) + "\n")


def request(text: str) -> dict[str, object]:
    return {"messages": [{"role": "user", "parts": [{"type": "text", "text": text}]}]}


def item(number: int) -> dict[str, object]:
    moment = "2026-05-01T10:00:00Z"
    text = f"{words(number, 12)} {number}"
    return {"id": f"i_{number}", "text": text, "speaker": "mara", "at": moment, "learnt": moment}


def proposal(text: str) -> dict[str, object]:
    return {"kind": "note", "tool": "set_memory", "confidence": 0.8, "arguments": {"text": text}}


def thought(number: int) -> dict[str, object]:
    return {"kind": "thought", "content": words(number, 20)}


def note(number: int) -> dict[str, object]:
    return {"kind": "note", "text": words(number, 20)}


def message(text: str) -> dict[str, object]:
    place = {"id": "m_1", "agent": "ava", "seq": 1, "segment": 1, "cycle": 1, "turn": 0}
    return {**place, "role": "user", "parts": [{"type": "text", "text": text}]}


def waiting(number: int) -> dict[str, object]:
    told = {"type": "observation", "source": "mail", "priority": 4, "text": words(number, 20)}
    stands = {"pushed": "2026-06-01T10:00:00Z", "state": "ready", "attempts": 0, "epoch": 0}
    place = {"record": "event", "id": event_id("e_" + 14 * "0", number + 1), "seq": number + 1}
    return {**place, "agent": "ava", **told, **stands}


def lived(number: int) -> dict[str, object]:
    times = {"opened": "2026-06-01T10:00:00Z", "closed": "2026-06-01T10:00:00Z", "epoch": 1}
    ended = {"state": "closed", "outcome": "done", "trigger": "observation", "events": []}
    took = {"input_tokens": 6748, "output_tokens": 113, "cost_micros": 0, "milliseconds": 40}
    place = {"record": "cycle", "agent": "ava", "cycle": number + 1, "model": "program:./answer"}
    return {**place, **ended, **took, **times}


EMOJI = "\U0001f600"
ANSWER = """#!/bin/sh
cat > /dev/null
echo '{"text":"Good."}'
"""
Given = Callable[[int], object]
READERS: dict[str, tuple[tuple[str, ...], Given, int, bool]] = {
    "complete, one line of emoji": (
        ("complete", "--model", "program:./answer"),
        lambda _: request(EMOJI * 2_000_000),
        1,
        False,
    ),
    "complete, long lines": (
        ("complete", "--model", "program:./answer"),
        lambda number: request(words(number, 60_000)),
        10,
        True,
    ),
    "decide, long lines of emoji": (
        ("decide",),
        lambda _: proposal(EMOJI * 240_000),
        10,
        False,
    ),
    "decide": (("decide",), lambda number: proposal(words(number, 20)), 10, True),
    "feedback": (("feedback",), thought, 10, True),
    "review": (("review", "--model", "composed"), thought, 10, False),
    "simulate tick": (("simulate", "tick"), note, 10, False),
    "memory add": (("memory", "add", "--agent", "ava", "--output", "kept"), item, 10, False),
    "memory extract, one line of emoji": (
        ("memory", "extract"),
        lambda _: message(EMOJI * 2_500_000),
        1,
        False,
    ),
    "memory extract": (("memory", "extract"), item, 10, True),
    "consolidate": (("consolidate",), item, 10, True),
    "recall": (("recall", "Anna harbour", "--items"), item, 70, True),
    "think, as a phase": (
        ("think", "--agent-file", "ava.json", "--model", "program:./answer"),
        waiting,
        10,
        True,
    ),
    "decide, as a phase, new events": (
        ("decide", "--agent-file", "ava.json"),
        lambda _: {"text": "a"},
        4,
        True,
    ),
    "reflect, as a phase": (("reflect", "--agent-file", "ava.json"), lived, 2, True),
}
"""A command that reads lines, what its lines are, how many megabytes, and whether it is slow."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=LONG if one[3] else ()) for name, one in READERS.items()]
)
def test_lines_are_read_in_bounded_memory(mind: Mind, name: str) -> None:
    command, made, megabytes, _ = READERS[name]
    path = mind.folder / "given"
    lines(path, made, megabytes=megabytes)
    (mind.folder / "ava.json").write_text('{"name":"ava"}')
    answer = mind.folder / "answer"
    answer.write_text(ANSWER)
    answer.chmod(0o700)
    status, most, said = most_taken(mind, (str(BIN / "mind"),), *command, str(path))
    # Status 3 says that nothing was found, or that there is nobody.
    is_told = status in {0, 3} or (status == 4 and "the inbox of ava is full" in said)
    assert (is_told, said.count("Traceback")) == (True, 0), said[:500]
    assert most <= bound(path)
    proved(48, readers=1, most_mebibytes=most)


@pytest.mark.parametrize(
    "length", [pytest.param(200, id="many", marks=LONG), pytest.param(140_000, id="long")]
)
def test_what_waits_is_observed_in_bounded_memory(mind_with_agent: Mind, length: int) -> None:
    path = mind_with_agent.folder / "given"
    lines(path, lambda number: {"source": "mail", "text": words(number, length)}, megabytes=10)
    mind_with_agent("inbox", "push", "--agent", "ava", str(path))
    command = ("observe", "--agent", "ava")
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command)
    assert (status, said) == (0, "")
    assert most <= bound(path)
    proved(48, readers=1, most_mebibytes=most)


def test_a_build_that_holds_a_conversation_whole_takes_too_much_memory(
    mind_with_agent: Mind,
) -> None:
    path = written(mind_with_agent.folder, "short messages", megabytes=5)
    command = ("history", "import", "--format", "openai-chat", str(path))
    status, most, _ = most_taken(mind_with_agent, broken_program("import_held_whole"), *command)
    assert status == 0
    assert most > bound(path)
    turned_red(48, "import_held_whole", most_mebibytes=most)


TOO_FULL = "$.messages[0]: a value holds more than 100000 others"
HOSTILE = {
    "one number after the other": (b"[" + b"1," * 1_000_000 + b"1]", "an object is expected here"),
    "brackets": (b"[" * 1_000_000, "nested deeper than 128 levels"),
    "brackets that are closed": (b"[" * 1_000_000 + b"]" * 1_000_000, "nested deeper than 128"),
    "a key again and again": (
        b'{"messages":[],' + b'"a":1,' * 500_000 + b'"a":1}',
        "talk: $.a: appears twice",
    ),
    "a message of small values": (b'{"messages":[[' + b"{}," * 700_000 + b"{}]]}", TOO_FULL),
    "a number of digits": (b'{"messages":[' + b"9" * 1_000_000 + b"]}", "more than 1000 digits"),
    "escapes": (b'{"messages":["' + rb"\u0041" * 400_000 + b'"]}', None),
    "wide characters": (
        b'{"messages":[{"role":"user","content":"'
        + b"x" * 8_000_000
        + "\U0001f600".encode()
        + b'"}]}',
        None,
    ),
    "a string without an end": (b'{"messages":["' + b"x" * 2_000_000, "Unterminated string"),
    "lines of nothing": (b"{}\n" * 700_000, "no messages"),
}


FULL_TEXT = '{"a":[' + "[]," * 1_300_000 + "[]]}"
FULL_CALLS = {
    "openai-chat": (
        "$.messages[0].tool_calls[0]",
        [FULL_TEXT],
    ),
    "openai-chat, in many calls": (
        "$.messages[0].tool_calls[1]",
        ['{"a":[' + "[]," * 300_000 + "[]]}"] * 4,
    ),
    "openai-responses": ("$.input[0]", [FULL_TEXT]),
}


def called(form: str, texts: list[str]) -> object:
    """Return a conversation whose only reply calls a tool with each text as arguments."""
    if form == "openai-responses":
        calls = [
            {"type": "function_call", "call_id": f"c{place}", "name": "look", "arguments": text}
            for place, text in enumerate(texts)
        ]
        return {"input": calls}
    calls = [
        {"id": f"c{place}", "type": "function", "function": {"name": "look", "arguments": text}}
        for place, text in enumerate(texts)
    ]
    return {"messages": [{"role": "assistant", "content": None, "tool_calls": calls}]}


@pytest.mark.parametrize("name", FULL_CALLS)
def test_values_within_arguments_are_counted_before_they_are_decoded(
    mind_with_agent: Mind, name: str
) -> None:
    at, texts = FULL_CALLS[name]
    form = name.partition(",")[0]
    path = mind_with_agent.folder / "talk"
    path.write_text(json.dumps(called(form, texts)))
    command = ("history", "import", "--format", form, str(path))
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command)
    assert (status, "Traceback" in said) == (65, False), said[:500]
    assert f"{at}: a value holds more than 100000 others" in said
    assert most <= bound(path)
    proved(48, hostile_documents=1, most_mebibytes=most)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_documents_are_told_in_bounded_memory(mind_with_agent: Mind, name: str) -> None:
    octets, words = HOSTILE[name]
    path = mind_with_agent.folder / "talk"
    path.write_bytes(octets)
    command = ("history", "import", "--format", "openai-chat", str(path))
    status, most, said = most_taken(mind_with_agent, (str(BIN / "mind"),), *command)
    assert "Traceback" not in said
    assert status == (0 if words is None else 65), said[:500]
    assert words is None or words in said
    assert most <= bound(path)
    proved(48, hostile_documents=1, most_mebibytes=most)
