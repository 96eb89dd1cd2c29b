"""Promises 16 and 17: odd bytes and odd JSON are refused or kept whole, and never crash us."""

import base64
import collections
import contextlib
import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.core.problems import Problem
from mindpipe.inbox import lines as closely
from mindpipe.inbox.batch import Batch, packed, unpacked
from mindpipe.inbox.lines import check
from mindpipe.inbox.push_rules import LineRules
from mindpipe.inbox.records import EventDefaults
from mindpipe.providers.formats import FORMATS
from mindpipe_cli.main import run
from support.broken_builds import broken_program
from support.command import BIN, ROOT, Mind, clean_environment, forked_python, looked_into
from support.draws import tries
from support.proofs import proved, turned_red
from support.server_stores import named_at
from support.terminals import on_terminals

DEEP = b"[" * 200_000
CORPUS = (
    DEEP,
    b"[" * 200_000 + b"]" * 200_000,
    b'{"body":' * 129 + b"1" + b"}" * 129,
    b'{"body":{"a":' + b'{"a":' * 100_000,
    b'{"text":"a","text":"b"}',
    b'{"text" :"a","text"\t:"b"}',
    b'{"body":{"a":1,"a":2}}',
    b'{"body":{"a":NaN}}',
    b'{"body":{"a":Infinity}}',
    b'{"body":{"a":-Infinity}}',
    b'{"body":{"a":1e400}}',
    b'{"body":{"a":' + b"9" * 5_000 + b"}}",
    b'{"body":{"a":0.' + b"9" * 5_000 + b"}}",
    b'{"body":' + json.dumps(dict.fromkeys(map(str, range(10_001)))).encode() + b"}",
    b'{"body":{"a":1,}}',
    b"{'text':'a'}",
    b'{"text":"a"} trailing',
    b'{"text":"a"}{"text":"b"}',
    b'{"text":"tab\there"}',
    b'{"text":"\\x41"}',
    b'{"text":"\\u12"}',
    b'{"text":01}',
    b'{"text":.5}',
    b'{"text":+1}',
    b'{"text":0x10}',
    b'{"text":undefined}',
    b'{"text":"a" // comment\r}',
    b"/**/",
    b"null",
    b"true",
    b"12",
    b'"text"',
    b"[]",
    b"{",
    b"}",
    b'{"":1}',
    b'{"\xff":1}',
    b'{"priority":1e0}',
    b'{"priority":-1}',
    b'{"priority":99999999999999999999}',
    b'{"due":"0000-00-00"}',
    b'{"due":"9999-12-31T23:59:59-14:00"}',
    b'{"due":"2026-11-21T20:00:00+99:00"}',
    b'{"key":"' + b"k" * 257 + b'"}',
    b'{"agent":"../../etc/passwd"}',
    b'{"agent":"a\\u0000b"}',
    b"\xff\xfe{\x00}\x00",
    b"\x00",
    b"\xed\xa0\x80",
)


@pytest.fixture
def life(mind_with_agent: Mind) -> Mind:
    return mind_with_agent


def test_every_odd_document_is_refused_with_its_reason_and_the_others_are_kept(life: Mind) -> None:
    stdin = b"".join(line + b'\n{"text":"sound"}\n' for line in CORPUS)
    ran = life.run(
        *("inbox", "push", "--agent", "ava", "--on-error", "skip", "--rejects", "rejects.jsonl"),
        stdin=stdin,
    )
    assert (ran.status, ran.words) == (0, f"rejected: {len(CORPUS)}; see rejects.jsonl.\n")
    assert len(ran.records()) == len(CORPUS)
    rejects = (life.folder / "rejects.jsonl").read_bytes().splitlines()
    lines = [json.loads(line) for line in rejects]
    assert [line["line"] for line in lines] == list(range(1, 2 * len(CORPUS), 2))
    for line, octets in zip(lines, CORPUS, strict=True):
        prefix = f"stdin:{line['line']}: "
        assert line["problems"]
        assert all(
            words.startswith(prefix) and len(words) > len(prefix) for words in line["problems"]
        )
        kept = line.get("original")
        assert (base64.b64decode(kept) if kept else line["record"].encode()).strip() == octets
    proved(17, documents=len(CORPUS), tracebacks=0)


NASTY = (DEEP, b'{"id":1,"id":2}', b'{"a":NaN}', b"9" * 5_000, b'{"a":"\xff\xfe"}')
READERS = (
    ("inbox", "push", "--agent", "ava"),
    ("inbox", "push", "--output", "inbox.jsonl"),
    ("inbox", "ack"),
    ("space", "post", "family", "--lines", "-"),
)


def test_every_command_that_reads_records_refuses_odd_ones(life: Mind) -> None:
    life("space", "new", "family")
    wish = [
        (line, f"{octets.decode('utf-8', 'surrogateescape')}\n")
        for line in READERS
        for octets in NASTY
    ]
    (life.folder / "many.json").write_text(json.dumps(wish))
    program = [forked_python(), ROOT / "tests" / "support" / "batch.py", "many.json"]
    done = subprocess.run(
        program,
        capture_output=True,
        cwd=life.folder,
        env=clean_environment(life.folder),
        check=True,
    )
    assert not re.sub(rb"\x1e\d+\x1e", b"", done.stdout)
    words = re.split("\x1e\\d+\x1e", done.stderr.decode())[1:]
    assert len(words) == len(wish)
    for (line, octets), said in zip(wish, words, strict=True):
        assert said.startswith("stdin:1: "), (line, octets[:40], said)
        assert said.endswith("\x1e=65\x1e"), (line, octets[:40], said)
        assert "Traceback" not in said


def test_a_build_that_parses_without_looking_dies(life: Mind) -> None:
    ran = subprocess.run(
        [*broken_program("json_without_its_door"), "inbox", "push", "--agent", "ava"],
        input=DEEP + b"\n",
        capture_output=True,
        cwd=life.folder,
        env=clean_environment(life.folder),
        check=False,
    )
    assert ran.returncode not in (0, 65)
    assert b"RecursionError" in ran.stderr
    turned_red(17, "json_without_its_door", tracebacks=1)


LONG_LINE = b'{"text":"' + b"x" * 10_000_000 + b'"}\n'


def push_long_lines(life: Mind, program: list[str], lines: int, **more: str) -> tuple[int, int]:
    """Push lines of 10 MB each; return the status and the most memory it took, in MiB."""
    push = ["inbox", "push", "--agent", "ava", "--on-error", "skip", "--rejects", "rejects.jsonl"]
    most = life.folder / "most"
    process = subprocess.Popen(
        [
            sys.executable,
            str(ROOT / "tests" / "support" / "peak_memory.py"),
            str(most),
            *program,
            *push,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=life.folder,
        env={**clean_environment(life.folder), **more},
    )
    assert process.stdin
    with process.stdin as pipe:
        for _ in range(lines):
            pipe.write(LONG_LINE)
    return process.wait(), int(most.read_text())


def test_long_lines_are_refused_in_little_memory(life: Mind) -> None:
    status, most = push_long_lines(life, [str(BIN / "mind")], 30)
    assert status == 0
    assert len((life.folder / "rejects.jsonl").read_bytes().splitlines()) == 30
    assert most < 100
    proved(14, lines_refused=30, most_mebibytes=most)


@pytest.mark.heavy
def test_long_lines_are_taken_in_bounded_memory_where_they_are_allowed(life: Mind) -> None:
    raised = {"MIND_INBOX_MAX_BYTES": "11000000"}
    status, most = push_long_lines(life, [str(BIN / "mind")], 3, **raised)
    assert (status, most < 200) == (0, True), most
    (found,) = life("store", "query", "SELECT count(*) AS n FROM event").records()
    assert found == {"n": 3}
    proved(14, lines_taken=3, most_mebibytes=most)


def test_a_build_that_reads_the_whole_input_takes_too_much_memory(life: Mind) -> None:
    red = [*broken_program("input_read_whole")]
    most = push_long_lines(life, red, 30)[1]
    assert most > 200
    turned_red(14, "input_read_whole", most_mebibytes=most)


PIECE = b"x" * (1 << 20)
GIBIBYTE = 1024
FILTERS = (
    ("inbox", "push", "--agent", "ava"),
    ("inbox", "push", "--output", "inbox.jsonl"),
    ("complete", "--model", "replay:none"),
    ("inbox", "ack"),
)


def feed_endless_line(
    life: Mind, program: list[str], arguments: tuple[str, ...], mebibytes: int
) -> tuple[int, int, bytes]:
    """Feed one line that does not end; return status, most memory in MiB, and stderr."""
    (life.folder / "none").touch()
    most = life.folder / "most"
    process = subprocess.Popen(
        [
            sys.executable,
            str(ROOT / "tests" / "support" / "peak_memory.py"),
            str(most),
            *program,
            *arguments,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=life.folder,
        env={
            **clean_environment(life.folder),
            "MIND_IMPORT_MAX_BYTES": "1048576",
            "PYTHONPATH": str(ROOT / "tests"),
        },
    )
    assert process.stdin
    assert process.stderr
    with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
        for _ in range(mebibytes):
            pipe.write(PIECE)
    with process.stderr as pipe:
        said = pipe.read()
    return process.wait(), int(most.read_text()), said


@pytest.mark.parametrize("mebibytes", [150, pytest.param(GIBIBYTE, marks=pytest.mark.long)])
@pytest.mark.parametrize("arguments", FILTERS, ids=" ".join)
def test_an_endless_line_is_refused_in_little_memory(
    life: Mind, arguments: tuple[str, ...], mebibytes: int
) -> None:
    status, most, said = feed_endless_line(life, [str(BIN / "mind")], arguments, mebibytes)
    assert status == 65, said
    assert said.startswith(b"stdin:1: longer than 1048576 bytes; split it or raise ")
    assert most < 100
    if mebibytes == GIBIBYTE:
        proved(15, lines=1, most_mebibytes=most)


def test_a_build_with_readline_takes_too_much_memory(life: Mind) -> None:
    red = [*broken_program("line_read_whole")]
    most = feed_endless_line(life, red, FILTERS[0], 150)[1]
    assert most > 100
    turned_red(15, "line_read_whole", most_mebibytes=most)


class Collected:
    """Refused lines, remembered."""

    def __init__(self) -> None:
        self.words: list[str] = []

    def refuse(self, problems: list[Problem], octets: bytes) -> None:
        self.words += [problem.line_of_text() for problem in problems]

    def settle(self) -> None:
        """Keep them."""


RULES = LineRules(source="stdin", given=EventDefaults(agent="ava"))
PIECES = (
    b'{"text":"',
    b'"}',
    b"\xff",
    b"\xc3\xa9",
    b"\xed\xa0\x80",
    b"\\ud83d",
    b"\\ude00",
    b"\\u0000",
    b"\x00",
    b"\r",
    b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
    b"\x1b[31m",
    b'{"body":{"x":"',
    b'"}}',
    b"\\",
    b'"',
    b":",
    b" ",
    b"a",
)
_PARTS = st.sampled_from(PIECES)


def taken(line: bytes) -> tuple[Batch | None, list[str]]:
    collected = Collected()
    return check(1, line + b"\n", RULES, collected), collected.words


@settings(max_examples=tries(500), deadline=None)
@given(st.lists(_PARTS, max_size=8).map(b"".join) | st.binary(max_size=40))
def test_any_bytes_are_kept_exactly_or_flagged_or_refused(line: bytes) -> None:
    for octets in line.split(b"\n"):
        _kept_flagged_or_refused(octets)


@settings(max_examples=tries(250), deadline=None)
@given(st.binary(max_size=30))
def test_any_text_field_comes_back_exactly_or_flagged(octets: bytes) -> None:
    clean = octets.translate(None, b'"\\\n\r')
    _kept_flagged_or_refused(b'{"text":"' + clean + b'"}')


def _kept_flagged_or_refused(octets: bytes) -> None:
    """Take one line: what is kept must be what was sent, or carry the bytes that were."""
    piece, words = taken(octets)
    if piece is None:
        assert words or not octets.strip()
        assert all(line.startswith("stdin:1: ") for line in words)
        return
    assert not words
    stored = unpacked(packed(piece))
    for place in range(stored.count):
        for name in (*stored.same, *stored.each):
            cell = stored.cell(name, place)
            assert "\0" not in str(cell)
            str(cell).encode()
        if stored.cell("lossy", place):
            original = base64.b64decode(stored.word("original", place))
            assert original == octets.rstrip(b"\r")
        else:
            sent = json.loads(octets)
            assert (stored.cell("text", place) or None) == (sent.get("text") or None)


def test_a_build_that_drops_the_flag_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    octets = b'{"text":"caf\xe9"}'
    _kept_flagged_or_refused(octets)
    monkeypatch.setattr(
        closely, "storable_text", lambda one: (one.decode("utf-8", "replace"), False)
    )
    with pytest.raises(UnicodeDecodeError):
        _kept_flagged_or_refused(octets)
    turned_red(16, "storable_text without its flag", lines=1)


def test_the_bytes_that_are_drawn_reach_every_way_out() -> None:
    outcomes = {"kept": 0, "flagged": 0, "refused": 0}

    @settings(max_examples=300, deadline=None)
    @given(st.binary(max_size=12))
    def count(octets: bytes) -> None:
        piece, _ = taken(b'{"text":"' + octets.translate(None, b"\n") + b'"}')
        if piece is None:
            outcomes["refused"] += 1
        else:
            outcomes["flagged" if piece.cell("lossy", 0) else "kept"] += 1

    count()
    assert min(outcomes.values()) >= 10, outcomes


def odd_line(chance: random.Random) -> bytes:
    """Return a line of chance: parts that fit, parts that do not, and any bytes."""
    parts = [chance.choice(PIECES) for _ in range(chance.randrange(9))]
    if chance.random() < 0.2:
        parts.insert(chance.randrange(len(parts) + 1), chance.randbytes(chance.randrange(40)))
    line = b"".join(parts).replace(b"\n", b"")
    if chance.random() < 0.4:
        line = b'{"text":"' + line.replace(b'"', b"").removesuffix(b"\\") + b'"}'
    return line if line.strip() else b"{}"


def judged(life: Mind, lines: list[bytes], *, output: bool) -> dict[str, int]:
    """Push lines by a real process, and hold every one of them to be kept, flagged or refused."""
    (life.folder / "rejects.jsonl").unlink(missing_ok=True)
    place = ("--output", "inbox.jsonl") if output else ("--agent", "ava", "--max-open", "2000000")
    ran = life.run(
        *("inbox", "push", *place, "--on-error", "skip", "--rejects", "rejects.jsonl"),
        stdin=b"\n".join(lines) + b"\n",
        seconds=900,
    )
    assert ran.status in {0, 65}, ran.words
    assert "Traceback" not in ran.words
    refused = {
        json.loads(line)["line"]
        for line in (life.folder / "rejects.jsonl").read_bytes().splitlines()
    }
    kept = [line for place, line in enumerate(lines, 1) if place not in refused]
    events = stored(life, len(kept), output=output)
    flagged = 0
    for line, event in zip(kept, events, strict=True):
        original = event.get("original")
        flagged += original is not None
        if original is not None:
            assert event["lossy"]
            assert base64.b64decode(original) == line.rstrip(b"\r").removeprefix(BOM)
        else:
            sent = json.loads(line)
            assert (event.get("text") or None) == (sent.get("text") or None)
            assert (event.get("body") or {}) == (sent.get("body") or {})
    return {"refused": len(refused), "flagged": flagged, "kept": len(kept) - flagged}


BOM = b"\xef\xbb\xbf"


def stored(life: Mind, many: int, *, output: bool) -> list[dict[str, Any]]:
    """Return the newest events, as a file or a store holds them."""
    if output:
        return [
            json.loads(line) for line in (life.folder / "inbox.jsonl").read_bytes().splitlines()
        ][-many:]
    sql = f"SELECT text, body, lossy, original FROM event ORDER BY seq DESC LIMIT {many}"
    rows = life("store", "query", sql).records()[::-1]
    return [{**row, "body": json.loads(row["body"] or "{}")} for row in rows]


@pytest.mark.parametrize("output", [False, True], ids=["store", "file"])
@pytest.mark.parametrize(
    ("rounds", "many"), [(1, 3_000), pytest.param(20, 50_000, marks=pytest.mark.long)]
)
def test_generated_lines_are_kept_exactly_or_flagged_or_refused(
    life: Mind, rounds: int, many: int, *, output: bool
) -> None:
    chance = random.Random(f"hostile {output}")
    found: collections.Counter[str] = collections.Counter()
    for _ in range(rounds):
        found += collections.Counter(
            judged(life, [odd_line(chance) for _ in range(many)], output=output)
        )
        (life.folder / "inbox.jsonl").unlink(missing_ok=True)
    assert sum(found.values()) == rounds * many
    assert all(found[kind] >= many // 30 for kind in ("refused", "flagged", "kept")), found
    proved(16, crashes=0, **found)


@pytest.mark.parametrize("many", [3_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_generated_lines_never_crash_a_filter_over_models(life: Mind, many: int) -> None:
    chance = random.Random("complete")
    lines = [odd_line(chance) for _ in range(many)]
    (life.folder / "none").touch()
    ran = life.run(
        *("complete", "--model", "replay:none", "--on-error", "skip", "--rejects", "r.jsonl"),
        stdin=b"\n".join(lines) + b"\n",
        seconds=900,
    )
    assert "Traceback" not in ran.words
    assert ran.status == 0
    assert len((life.folder / "r.jsonl").read_bytes().splitlines()) == many
    proved(16, crashes=0, requests=many)


# On a server each run of this process would leave a connection, as an ended process does not.
@pytest.mark.heavy
@pytest.mark.of_a_file
@pytest.mark.parametrize("many", [60, pytest.param(5_000, marks=pytest.mark.long)])
def test_generated_documents_and_events_are_refused_and_change_nothing(
    life: Mind, many: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(life.folder)
    (life.folder / "ava.json").write_text('{"agent":{"name":"ava","model":"program:./none"}}')
    monkeypatch.setenv("MIND_STORE", named_at(life.folder / "mind.db"))
    chance, statuses = random.Random("documents"), collections.Counter[int]()
    forms = tuple(FORMATS)
    for number in range(many):
        lines = [odd_line(chance) for _ in range(chance.randrange(1, 4))]
        (life.folder / "odd").write_bytes(b"\n".join(lines))
        form = forms[number % len(forms)]
        for arguments in (
            ["history", "import", "--agent", "ava", "--format", form, "odd"],
            ["think", "--agent-file", "ava.json", "--events", "odd", "--dry-run"],
        ):
            before = counted(life)
            status = run(arguments)
            statuses[int(status)] += 1
            assert status == 0 or before == counted(life), (arguments, lines)
        assert "Traceback" not in capsys.readouterr().err
    assert set(statuses) <= {0, 3, 65}, statuses
    assert statuses[65] >= many
    proved(16, crashes=0, documents=2 * many)


def counted(life: Mind) -> list[tuple]:
    """Return how many rows there are of what documents become."""
    with looked_into(life.folder) as store:
        return list(store.execute(COUNTS))


COUNTS = (
    "SELECT (SELECT count(*) FROM message), (SELECT count(*) FROM cycle), "
    "(SELECT count(*) FROM segment), (SELECT count(*) FROM import), (SELECT count(*) FROM blob)"
)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_receipts_that_do_not_fit_are_an_error_and_the_events_are_kept(life: Mind) -> None:
    ran = life.shell("mind inbox push --agent ava --text a >/dev/full || echo status $? >&2")
    assert ran.words.endswith("status 74\n")
    assert "Traceback" not in ran.words
    assert len(life("inbox", "list", "--agent", "ava").records()) == 1


@pytest.mark.parametrize("words", ["inbox push --agent ava", "feel", "ask --agent ava"])
def test_a_closed_stdin_is_said(life: Mind, words: str) -> None:
    installed = replace(life, forked=False)
    ran = installed.shell(f"mind {words} <&- || echo status $? >&2")
    said, status = ran.words.splitlines()
    assert said.endswith(": stdin is closed. Pipe records in or name a file.")
    assert status == "status 74"


@pytest.mark.parametrize("closed", [">&-", "1</dev/null"])
@pytest.mark.parametrize(
    "words", ["inbox push --agent ava --text closed", "--help", "--version", "agent list"]
)
def test_a_closed_stdout_is_an_error_before_anything_is_done(
    life: Mind, words: str, closed: str
) -> None:
    installed = replace(life, forked=False)
    ran = installed.shell(f"mind {words} {closed} || echo status $? >&2")
    assert ran.words == "mind: stdout is closed; open it, or send it to /dev/null.\nstatus 74\n"
    assert life("inbox", "list", "--agent", "ava").records() == []


def test_what_would_go_to_a_closed_stderr_goes_nowhere(life: Mind) -> None:
    installed = replace(life, forked=False)
    ran = installed.shell(
        "mind inbox push --agent ava --text a 2>&- && "
        "{ mind agent show nobody 2>&- && exit 1 || test $? = 2; } && "
        "{ mind agent list >&- 2>&- && exit 1 || test $? = 74; }"
    )
    assert (ran.status, ran.words) == (0, "")
    # Had a file of the store got the number 2, the refusals would stand in it.
    assert life("store", "check").status == 0
    assert len(life("inbox", "list", "--agent", "ava").records()) == 1


def test_a_closed_stdin_is_not_asked_for_without_need(life: Mind) -> None:
    installed = replace(life, forked=False)
    assert len(installed.shell("mind inbox push --agent ava --text a <&-").records()) == 1
    answer = life.folder / "answer"
    answer.write_text('#!/bin/sh\necho \'{"text": "yes"}\'\n')
    answer.chmod(0o700)
    asked = installed.shell("mind complete --plain --model program:./answer a <&-")
    assert (asked.status, asked.stdout) == (0, b"yes\n")


LATIN = {"PYTHONIOENCODING": "iso-8859-1"}


@pytest.mark.parametrize("shape", ["--table", "--csv", "--tsv", "--json"])
def test_a_poor_encoding_shows_escapes_and_json_stays_utf_8(life: Mind, shape: str) -> None:
    life("space", "new", "family", "--name", "Family")
    life("space", "join", "family", "ava")
    life("space", "post", "family", "--as", "ava", "\ufffd café")
    ran = replace(life, forked=False, environment=LATIN)("space", "read", "family", shape)
    text = "\ufffd café"
    if shape == "--json":
        assert text in ran.text
    else:
        assert text.replace("\ufffd", "\\ufffd").encode("iso-8859-1") in ran.stdout


def test_the_locale_c_without_utf_8_shows_escapes(life: Mind) -> None:
    """Python writes what it cannot encode as surrogates there, which nothing else has."""
    life("space", "new", "family", "--name", "Family")
    life("space", "join", "family", "ava")
    life("space", "post", "family", "--as", "ava", "\ufffd café")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    apart = replace(life, forked=False, environment=ascii_only)
    assert b"\\ufffd caf\\xe9" in apart("space", "read", "family", "--table").stdout


def test_a_terminal_of_a_poor_encoding_shows_escapes(life: Mind) -> None:
    life("note", "set", "--agent", "ava", "tea", "— grün")
    latin = replace(life, environment=LATIN)
    for shape in ("--json", "--table"):
        command = [str(BIN / "mind"), "note", "list", "--agent", "ava", shape]
        screen = on_terminals(latin, command)
        assert "Traceback" not in screen.stderr
        assert "\\u2014 gr" in screen.stdout
