"""`mind simulate plot` over the lines of a day: text, pictures, and what it says without either."""

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from mindpipe.core.records import to_json
from mindpipe.person.life.birth import first_state
from mindpipe.person.life.population import Population
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import Person, PersonSettings
from mindpipe.person.records.thought import Thought
from support.command import BIN, Mind, clean_environment

MINUTE_US = 60_000_000
HOUR_US = 60 * MINUTE_US
TASK = (
    b'{"kind":"event","at":"16:00","type":"task","load":0.6,"level":1,"social_eval":1,"control":0}'
)
WITHOUT = """
import sys
class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "matplotlib":
            raise ModuleNotFoundError("No module named 'matplotlib'", name=name)
sys.meta_path.insert(0, Hidden())
sys.argv = ["mind", *sys.argv[1:]]
from mindpipe_cli.main import main
main()
"""


@pytest.fixture(scope="module")
def day() -> bytes:
    """The lines of a day: a state each half hour, a task at 16:00, a thought right after it."""
    settings = PersonSettings(awareness=False, model="none")
    people = [Person(person=name, name=name, settings=settings) for name in ("ann", "bo")]
    population = Population(people, [first_state(one) for one in people])
    task = PersonEvent(
        v=1,
        person="ann",
        t_us=16 * HOUR_US,
        id="hard",
        type="task",
        load=0.6,
        level=1.0,
        social_eval=1.0,
        control=0.0,
        dur_us=HOUR_US,
    )
    lines: list[object] = [*people, task]
    for half in range(49):
        population.advance(half * 30 * MINUTE_US, {"ann": [task]} if not half else {})
        lines += population.states(read=True)
    hurt = Thought(
        person="ann", t_us=16 * HOUR_US + 5, id="th:1", mode="react", content="that was hard"
    )
    return b"".join(to_json(line) + b"\n" for line in [*lines, hurt])


def ann_alone(day: bytes) -> bytes:
    return b"".join(line + b"\n" for line in day.splitlines() if b'"person":"ann"' in line)


def test_a_day_in_a_pipe_is_a_record_for_each_line(mind: Mind, day: bytes) -> None:
    found = mind("simulate", "plot", "heart_rate_bpm", "energy", "--width", "24", stdin=day)
    drawn = found.records()
    names = ["heart_rate_bpm", "energy", "sleep", "events", "thoughts"]
    assert [(one["person"], one["name"]) for one in drawn] == [
        (person, name) for person in ("ann", "bo") for name in names
    ]
    assert {len(one["curve"]) for one in drawn} == {24}
    assert drawn[0]["curve"] != drawn[5]["curve"]
    assert drawn[0]["most"] > drawn[5]["most"] + 5
    assert drawn[2]["curve"] == "▒▒▒▒▒▒▒▒" + " " * 15 + "▒"
    assert drawn[3]["curve"] == " " * 16 + "▾" + " " * 7
    assert [one["words"] for one in drawn[3:5]] == ["16:00 task", "react 1"]
    assert drawn[8]["curve"].strip() == drawn[8]["words"] == ""


def test_a_table_shows_the_usual_readouts(mind: Mind, day: bytes) -> None:
    shown = mind("simulate", "plot", "--table", stdin=ann_alone(day)).text
    for name in ("arousal", "valence", "energy", "cortisol_nmol_l", "sleep", "events", "thoughts"):
        assert f"\n{name} " in shown
    assert "ann" not in shown
    both = mind("simulate", "plot", "--table", stdin=day).text
    assert "\nann " in both
    assert "\nbo " in both
    assert mind("simulate", "plot", "--csv", stdin=ann_alone(day)).text.startswith("person,name,")
    assert "█" in shown


def test_an_event_that_is_told_twice_is_drawn_once(mind: Mind, day: bytes) -> None:
    events = b"".join(line + b"\n" for line in day.splitlines() if b'"kind":"event"' in line)
    drawn = mind("simulate", "plot", "pain", stdin=ann_alone(day) + events).records()
    assert [one["words"] for one in drawn if one["name"] == "events"] == ["16:00 task"]


def test_a_file_is_drawn_as_stdin_is(mind: Mind, day: bytes) -> None:
    (mind.folder / "day.jsonl").write_bytes(day)
    drawn = mind("simulate", "plot", "pain", "day.jsonl", "--table").text
    assert drawn == mind("simulate", "plot", "pain", "--table", stdin=day).text
    (mind.folder / "bad.jsonl").write_bytes(b"{\n")
    bad = mind.run("simulate", "plot", "./bad.jsonl")
    assert bad.status == 65
    assert bad.words.startswith("./bad.jsonl:1:")


def test_a_curve_in_a_table_is_whole_however_wide_it_is_wished(mind: Mind, day: bytes) -> None:
    fine = b"".join(
        line.replace(b'"t_us":0,', b'"t_us":%d,' % (minute * MINUTE_US), 1) + b"\n"
        for minute in range(200)
        for line in ann_alone(day).splitlines()[2:3]
    )
    first, second = mind(
        "simulate", "plot", "energy", "--width", "400", "--table", stdin=fine
    ).text.splitlines()[:2]
    assert len(second.split()[1]) == first.index("least") - first.index("curve") - 2 == 84
    curves = mind("simulate", "plot", "energy", "--width", "400", stdin=fine).records()
    assert {len(one["curve"]) for one in curves} == {200}


STYLES = re.compile("\x1b\\[[0-9;]*m")


def on_terminal(folder: Path, day: bytes, columns: int, *options: str) -> str:
    """Return what a terminal that is so wide is shown of energy and cortisol on a day."""
    (folder / "day.jsonl").write_bytes(ann_alone(day))
    watched, own = pty.openpty()
    termios.tcsetwinsize(own, (24, columns))
    with (folder / "day.jsonl").open("rb") as lines:
        ran = subprocess.Popen(
            [BIN / "mind", "simulate", "plot", "energy", "cortisol_nmol_l", *options],
            stdin=lines,
            stdout=own,
            env={**clean_environment(folder), "TERM": "xterm", "NO_COLOR": "1"},
        )
    os.close(own)
    shown = b""
    with contextlib.suppress(OSError):
        while piece := os.read(watched, 1 << 16):
            shown += piece
    os.close(watched)
    assert ran.wait() == 0
    return shown.decode()


@pytest.mark.parametrize(("columns", "width"), [(80, 24), (200, 48), (20, 8)])
def test_a_curve_is_as_wide_as_a_terminal_has_room_for(
    tmp_path: Path, day: bytes, columns: int, width: int
) -> None:
    shown = on_terminal(tmp_path, day, columns, "--json")
    assert {len(json.loads(line)["curve"]) for line in shown.splitlines()} == {width}


def test_figures_stay_whole_on_a_narrow_terminal(tmp_path: Path, day: bytes) -> None:
    drawn = json.loads(on_terminal(tmp_path, day, 40, "--json").splitlines()[1])
    shown = STYLES.sub("", on_terminal(tmp_path, day, 40, "--width", "400")).splitlines()
    row = next(line.split() for line in shown if "cortisol" in line)
    figures = [str(round(drawn[name], 3)) for name in ("least", "most")]
    assert row[1:] == [drawn["curve"], *figures]


@pytest.mark.heavy
@pytest.mark.parametrize(("name", "start"), [("day.svg", b"<?xml"), ("DAY.PNG", b"\x89PNG\r\n")])
def test_a_picture_is_written_with_its_marks(
    mind: Mind, day: bytes, name: str, start: bytes
) -> None:
    pytest.importorskip("matplotlib")
    ran = mind("simulate", "plot", "arousal", "energy", "--output", name, stdin=day)
    assert ran.stdout == b""
    written = (mind.folder / name).read_bytes()
    assert written.startswith(start)
    if name.endswith("svg"):
        for mark in ("arousal:ann", "energy:bo", "event:ann:0", "react:ann", "sleep:bo:1"):
            assert f'id="{mark}"'.encode() in written
        assert b">16:00 task</text>" in written
        mind("simulate", "plot", "arousal", "energy", "--output", "again.svg", stdin=day)
        assert (mind.folder / "again.svg").read_bytes() == written
    else:
        assert len(written) > 20_000


def test_without_matplotlib_a_picture_is_refused_in_one_line_and_lines_are_drawn(
    tmp_path: Path, day: bytes
) -> None:
    def plot(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", WITHOUT, "simulate", "plot", "energy", *arguments],
            input=day,
            capture_output=True,
            cwd=tmp_path,
            env=clean_environment(tmp_path),
            check=False,
        )

    refused = plot("--output", "day.svg")
    assert refused.returncode == 69
    assert refused.stderr.count(b"\n") == 1
    assert b"pip install '.[plot]' in mindpipe's folder" in refused.stderr
    assert not (tmp_path / "day.svg").exists()
    drawn = plot()
    assert drawn.returncode == 0
    assert "█".encode() in drawn.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (
            ("--output", "day.pdf"),
            2,
            "a picture is .svg or .png, a page .html; day.pdf is none of these.",
        ),
        (("cortisol",), 2, 'no readout "cortisol"; did you mean cortisol_nmol_l?'),
        (("a.jsonl", "b.jsonl"), 2, "one file is read, and b.jsonl is another"),
        (("a.jsonl",), 69, "a.jsonl is not there"),
        (("drives",), 2, "drives is not a number and cannot be drawn."),
        (("--width", "7"), 2, "--width"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_line(
    mind: Mind, day: bytes, arguments: tuple[str, ...], status: int, words: str
) -> None:
    ran = mind.run("simulate", "plot", *arguments, stdin=day)
    assert ran.status == status, ran.words
    assert words in ran.words
    assert ran.words.count("\n") == 1
    assert ran.stdout == b""


@pytest.mark.parametrize(
    ("stdin", "status", "words"),
    [
        (b'{"kind":"person","person":"ann"}\n', 3, "no state has readouts"),
        (b'\n{"kind":"state"\n', 65, "stdin:2:"),
        (b'{"kind":"state","person":"ann","t_us":0,"pulse":1}\n', 65, "$.pulse: unknown field"),
    ],
)
def test_lines_without_a_life_are_refused(
    mind: Mind, stdin: bytes, status: int, words: str
) -> None:
    ran = mind.run("simulate", "plot", stdin=stdin)
    assert ran.status == status, ran.words
    assert words in ran.words
