"""Section 14 row by row: every kind of hostile input has its message, its status and its proof."""

import os
import pty
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from mindpipe.core.errors import ExitStatus
from mindpipe.store import place, sqlite
from mindpipe_cli.main import run
from support.command import BIN, ROOT, Mind, clean_environment
from support.loopback.provider import Provider

pytestmark = pytest.mark.of_a_file
CASES = ROOT / "fixtures" / "cases"
# Each row: what is put in; where it is proved (golden cases, or FILE::TEST for what needs more
# than a shell); and what the person is told, word for word (none where all goes on).
Row = tuple[str, tuple[str, ...], str]
TABLE: tuple[Row, ...] = (
    ("line over the limit", ("inbox/push/13-over-the-limit",),
     "stdin:3: longer than 20 bytes; split it or raise inbox.max_bytes"),
    ("line over the limit, without newline", ("promises/test_hostile.py::an_endless_line",), ""),
    ("invalid UTF-8, NUL, lone surrogate: kept", ("inbox/push/14-not-utf-8",), ""),
    ("invalid UTF-8, NUL, lone surrogate: refused", ("inbox/push/15-strictly-utf-8",),
     "stdin:2: not UTF-8 at byte 12; without --strict it is kept as base64"),
    ("BOM at stream start, elsewhere", ("inbox/push/16-marks-that-end-no-line",), ""),
    ("CRLF", ("inbox/push/16-marks-that-end-no-line",), ""),
    ("U+2028, U+2029, NEL, form feed", ("inbox/push/16-marks-that-end-no-line",), ""),
    ("last line without LF: whole", ("inbox/push/16-marks-that-end-no-line",), ""),
    ("last line without LF: cut", ("inbox/push/17-cut-off",),
     "stdin:2: ends in the middle of a record; the producer may have stopped"),
    ("nesting over the limit, 200,000 brackets",
     ("inbox/push/18-too-deep", "config/show/05-nesting-and-numbers-without-end"),
     "stdin:1: nested deeper than 128 levels"),
    ("number too long", ("inbox/push/20-too-long-a-number",),
     "stdin:1: a number has more than 1000 digits"),
    ("NaN, Infinity", ("inbox/push/19-odd-numbers", "inbox/push/34-odd-numbers-and-a-fault-behind"),
     "stdin:1: $.body.x: NaN is not JSON"),
    ("duplicate keys", ("inbox/push/21-keys-twice",), "stdin:1: $.id: appears twice"),
    ("not an object", ("inbox/push/22-not-an-object",),
     "stdin:1: $: expected an object, got [1, 2]"),
    ("unknown field; wrong type", ("inbox/push/08-a-bad-line-stores-nothing",),
     'stdin:3: $.priority: expected 0..4, got "high"'),
    ("empty input", ("inbox/push/11-no-input",), ""),
    ("input is a terminal", ("promises/test_hostile_table.py::input_that_is_a_terminal",), ""),
    ("agent name", ("agent/new/05-unsafe-name", "agent/new/13-unsafe-name-before-any-store",
                    "inbox/push/33-names-that-leave-their-folder"),
     'mind agent new: "../x" may only use a-z, 0-9, _ and -.'),
    ("tool name", ("agent/new/06-every-fault-of-a-manifest",),
     "tools.json: $[0].name: expected str matching regex '^[a-z][a-z0-9_]{0,47}(?!\\\\n)$', "
     'got "Look"'),
    ("space name", ("space/new/03-unsafe-name", "space/new/05-unsafe-name-before-any-store"),
     'mind space new: "../x" may only use a-z, 0-9, _ and -.'),
    ("control characters in names of an event", ("inbox/push/32-names-with-control-characters",),
     'stdin:2: $.space: expected one line of 1..256 plain characters, got "a\\u001b[31m"'),
    ("store is a symlink", ("think/20-folder-open-to-others",),
     "mind think: mind.db is a symlink; name the file that it points to."),
    ("store belongs to somebody else",
     ("store/test_place.py::a_store_of_somebody_else",
      "store/test_place.py::a_folder_of_somebody_else"), ""),
    ("the folder of the store is open", ("think/20-folder-open-to-others",
     "init/03-folder-open-to-others", "store/check/02-open-to-others"),
     "mind think: the folder of mind.db is writable by others (0777). Run chmod 700."),
    ("store missing", ("think/21-no-store", "inbox/push/30-no-store"),
     "mind think: no store at mind.db. Run mind init."),
    ("store locked", ("promises/test_hostile_table.py::a_locked_store",), ""),
    ("store newer", ("think/22-a-newer-store",), ""),
    ("SQLite affected, network file system",
     ("promises/test_hostile_table.py::an_affected_sqlite",
      "promises/test_hostile_table.py::a_network_file_system"), ""),
    ("store damaged", ("think/23-a-damaged-store",),
     "mind think: words.db fails its check (file is not a database). Run mind store recover."),
    ("disk full", ("store/test_full_disk.py::",), ""),
    ("/dev/full", ("agent/list/03-a-full-disk",), "mind agent list: No space left on device."),
    ("reader left", ("promises/test_inbox.py::nobody_read",), ""),
    ("wall clock before 2020, jump",
     ("unit/engine/test_living.py::a_wall_clock_that_jumps",
      "unit/engine/test_living.py::a_wall_clock_that_nobody_ever_set"), ""),
    ("wrong key in config", ("config/show/06-the-nearest-key", "config/show/04-unknown-keys"),
     "mind.toml:4: modle: unknown key; did you mean model?"),
    ("wrong key in environment", ("config/show/02-unknown-variables",),
     "MIND_STORR: unknown variable; did you mean MIND_STORE?"),
    ("provider: HTML instead of JSON", ("promises/test_hostile_table.py::a_page",), ""),
    ("provider: endless stream, large error body, compressed bomb",
     ("models/test_provider_faults.py::an_endless_error_body",
      "models/test_provider_faults.py::an_endless_reply",
      "models/test_provider_faults.py::a_compressed_bomb"), ""),
    ("model: no JSON", ("think/24-a-model-that-writes-no-json",), ""),
    ("model: unknown tool, bad arguments", ("think/08-an-unknown-tool-is-answered",), ""),
    ("model: 10,000 calls", ("promises/test_hostile_table.py::ten_thousand_calls",), ""),
    ("tool: endless output, escape codes, binary, forked children", ("promises/test_tools.py::",),
     ""),
    ("text that tries to instruct", ("promises/test_taint.py::",), ""),
)  # fmt: skip


def test_every_row_is_proved_where_the_table_says() -> None:
    missing = [
        f"{what}: {where}" for what, places, _ in TABLE for where in places if not is_there(where)
    ]
    assert not missing, missing


def is_there(where: str) -> bool:
    """Tell whether a golden case, or a test whose name holds the words, exists."""
    file, is_test, words = where.partition("::")
    if not is_test:
        return (CASES / where / "cmd").is_file()
    path = ROOT / "tests" / file
    return path.is_file() and any(
        line.startswith("def test_") and words in line for line in path.read_text().splitlines()
    )


@pytest.mark.parametrize("row", [row for row in TABLE if row[2]], ids=lambda row: row[0])
def test_the_person_is_told_word_for_word(row: Row) -> None:
    _, places, message = row
    said = (CASES / places[0] / "experr").read_text().splitlines()
    assert message in said


def think(*more: str) -> ExitStatus:
    return run(["think", "--agent", "ava", "--model", "program:/bin/true", *more])


@pytest.fixture
def inside(mind_with_agent: Mind, monkeypatch: pytest.MonkeyPatch) -> Mind:
    """Return a life with an agent, whose folder is this process's own."""
    monkeypatch.chdir(mind_with_agent.folder)
    return mind_with_agent


@pytest.mark.parametrize("command", [("inbox", "push", "--agent", "ava"), ("complete",)])
def test_input_that_is_a_terminal_gets_advice(mind: Mind, command: Sequence[str]) -> None:
    ours, theirs = pty.openpty()
    done = subprocess.run(
        [str(BIN / "mind"), *command, *(("--model", "replay:x") if "complete" in command else ())],
        stdin=theirs,
        capture_output=True,
        cwd=mind.folder,
        env=clean_environment(mind.folder),
        check=False,
    )
    os.close(ours)
    os.close(theirs)
    (mind.folder / "x").touch()
    assert done.returncode == ExitStatus.USAGE
    assert done.stderr.decode() == (
        f"mind {' '.join(command[:2])}: no input. Pipe records in or name a file.\n"
    ).replace(" --agent", "")


def test_a_locked_store_is_told(
    inside: Mind, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sqlite.BUSY_MILLISECONDS == 30_000
    monkeypatch.setattr(sqlite, "BUSY_MILLISECONDS", 50)
    other = apsw.Connection("mind.db")
    other.execute("BEGIN EXCLUSIVE")
    assert think() == ExitStatus.TEMPORARY
    assert capsys.readouterr().err == "mind think: the store is busy. Try again.\n"
    other.close()


@pytest.mark.long
def test_a_locked_store_is_waited_for_half_a_minute(inside: Mind) -> None:
    other = apsw.Connection("mind.db")
    other.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    ran = inside.run("inbox", "push", "--agent", "ava", "--text", "a", seconds=90)
    assert (ran.status, ran.words) == (75, "mind inbox push: the store is busy. Try again.\n")
    assert 29 <= time.monotonic() - began < 60
    other.close()


def test_an_affected_sqlite_is_refused(
    inside: Mind, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.51.2")
    assert think() == ExitStatus.UNAVAILABLE
    words = "SQLite 3.51.2 can lose committed pages; install apsw 3.51.3 or newer."
    assert capsys.readouterr().err == f"mind think: {words}\n"


MOUNT = "36 35 0:50 / {point} rw shared:1 - {kind} there:/share rw\n"


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "9p", "fuse.sshfs", "ceph"])
def test_a_network_file_system_is_refused(
    inside: Mind,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    kind: str,
) -> None:
    mounts = MOUNT.format(point="/", kind="ext4") + MOUNT.format(point=Path.cwd(), kind=kind)
    (tmp_path / "mounts").write_text(mounts)
    monkeypatch.setattr(place, "_MOUNTS", tmp_path / "mounts")
    assert think() == ExitStatus.UNAVAILABLE
    said = capsys.readouterr().err
    assert said.startswith(f"mind think: {Path.cwd()} is on a network file system ({kind})")
    assert said.endswith("use a local disk.\n")


@pytest.mark.parametrize("name", ["my share", "tab\there", "back\\slash"])
def test_a_network_file_system_is_known_by_any_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    written = "".join(f"\\{ord(one):03o}" if one in " \t\\" else one for one in str(folder))
    mounts = MOUNT.format(point="/", kind="ext4") + MOUNT.format(point=written, kind="nfs")
    (tmp_path / "mounts").write_text(mounts)
    monkeypatch.setattr(place, "_MOUNTS", tmp_path / "mounts")
    assert place.file_system_of(folder) == "nfs"
    assert place.file_system_of(tmp_path) == "ext4"


@pytest.mark.parametrize(
    ("http", "status", "end"),
    [(404, 69, ""), pytest.param(502, 75, "Try again.\n", marks=pytest.mark.long)],
)
def test_a_page_instead_of_a_reply_is_told(
    inside: Mind, provider: Provider, http: int, status: int, end: str
) -> None:
    inside.environment["OPENAI_BASE_URL"] = provider.openai_url
    inside("inbox", "push", "--agent", "ava", "--text", "Hello")
    for _ in range(20):
        provider.shows_page(http)
    real = {"MIND_SEED": "2"}
    ran = inside.run("think", "--agent", "ava", "--model", "openai/gpt-4o", environment=real)
    assert ran.status == status
    assert f"the provider gave no valid reply (HTTP {http}, text/html)" in ran.words
    assert ran.words.endswith(end)
    assert "Traceback" not in ran.words


@pytest.mark.parametrize("many", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_ten_thousand_calls_are_refused_but_for_the_first(inside: Mind, many: int) -> None:
    answer = inside.folder / f"many{many:05}"
    answer.write_text(
        "#!/usr/bin/env python3\nimport json, sys\n"
        "rest = json.load(sys.stdin)['messages'][-1]['role'] == 'tool'\n"
        "calls = [{'name': 'search_history', 'arguments': {'query': str(number)}}"
        " for number in range(int(sys.argv[0][-5:]))]\n"
        "print(json.dumps({'text': 'x'} if rest else {'tool_calls': calls}))\n"
    )
    answer.chmod(0o700)
    inside("inbox", "push", "--agent", "ava", "--text", "Hello")
    assert inside("think", "--agent", "ava", "--model", f"program:./{answer.name}").status == 0
    sql = "SELECT state, count(*) AS n FROM call GROUP BY state"
    found = {row["state"]: row["n"] for row in inside("store", "query", sql).records()}
    assert sum(found.values()) == many
    assert found["done"] == 64
