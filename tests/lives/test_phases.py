"""The five phases one after the other, over a store and over lines, do what one iteration does."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command import Mind, make_private

ANSWER = """#!/bin/sh
case "$(tail -c 1500)" in
*'"role":"tool"'*) echo '{"text": "Well."}' ;;
*) echo '{"tool_calls": [
    {"name": "propose", "arguments": {"kind": "light", "tool": "lamp", "arguments": {"on": true},
     "confidence": 0.95, "reason": "It is dark."}},
    {"name": "propose", "arguments": {"kind": "light", "tool": "lamp", "arguments": {"on": false},
     "confidence": 0.6, "reason": "Or not."}},
    {"name": "pay", "arguments": {"amount": 5}}]}' ;;
esac
"""
TOOLS = """[
 {"name": "lamp", "description": "Light.", "command": ["tee", "-a", "%(folder)s/lit"]},
 {"name": "pay", "description": "Pay.", "command": ["tee", "%(folder)s/paid"], "approval": "always"}
]"""
EVENTS = """{"text": "It is dark.", "agent": "ava", "key": "1"}
{"text": "It is late.", "agent": "ava", "key": "2", "priority": 4}
"""
SETUP = """
printf '%s' "$ANSWER" > answer; printf '%s' "$TOOLS" > tools.json; printf '%s' "$EVENTS" > events
chmod 700 answer
mind init --agent ava
mind agent set ava --tool tools.json --model program:./answer
"""
MADE_UP = re.compile(r'"(id|at|pushed|created|opened|closed|decided|expires|key)": "[^"]*"')
IDS = re.compile(r"\b[cdegmoprt]_[0-9A-Za-z]{22}\b")
TIMED = re.compile(
    r'"(milliseconds|mean_seconds|oldest_seconds|interval_ms|load_factor|product|seconds)": [0-9.]+'
)
MEMORY = re.compile(r', "item": "[^"]*"')
TABLES = {
    "cycle": "cycle, state, outcome, events, trigger, epoch, reason",
    "message": "seq, segment, cycle, turn, role, parts, origin, taint",
    "call": "cycle, turn, position, tool, effect, args, state, result",
    "ticket": "kind, state, tool, args, reason, sources, person, result",
    "decision": "state, body",
    "event": "seq, type, source, priority, text, state, attempts, outcome, sources",
    "iteration_reflection": "number, iteration, cycle, body",
    "iteration": "number, mode, concern, cycle, outcome, events, queue, decided, applied, "
    "confidence, significance",
    "attention_turn": "concern, credit, turns, last, fired, yields_until",
    "familiar": "mark, met, last",
}


def life(folder: Path) -> Mind:
    """Give an agent in a store of its own, whose inbox holds what comes."""
    make_private(folder)
    mind = Mind(folder, {"ANSWER": ANSWER, "TOOLS": TOOLS % {"folder": folder}, "EVENTS": EVENTS})
    filled = mind.shell(SETUP)
    assert filled.status == 0, filled.words
    return mind


def alike(text: str, folder: Path) -> str:
    """Return what was printed without ids, instants and durations."""
    plain = text.replace(str(folder), "FOLDER")
    for made_up in (MADE_UP, TIMED, MEMORY, IDS):
        plain = made_up.sub("", plain)
    return re.sub(r'"(tool_)?sha256": "[0-9a-f]*"', "", plain)


def rows(mind: Mind) -> dict[str, list[str]]:
    """Return what is in the tables that an iteration writes, but for what is made up."""
    found = {}
    for table, columns in TABLES.items():
        lines = mind("store", "query", f"SELECT {columns} FROM {table}").stdout.decode()
        plain = [json.dumps(_unpacked(json.loads(line))) for line in lines.splitlines()]
        found[table] = [alike(line, mind.folder) for line in plain]
    return found


def _unpacked(row: dict[str, object]) -> dict[str, object]:
    """Return a row whose columns of JSON are values."""
    return {
        name: json.loads(one) if isinstance(one, str) and one[:1] in "{[" else one
        for name, one in row.items()
    }


def stream(mind: Mind, lines: bytes) -> list[str]:
    """Return the lines of a pipe, without what is made up."""
    found = [json.dumps(json.loads(line)) for line in lines.splitlines()]
    return sorted(alike(line, mind.folder) for line in found)


def over_a_store(mind: Mind) -> bytes:
    """Go through the phases over a store; return what the last one printed."""
    lines = mind("observe", "--agent", "ava").stdout
    for phase in ("think", "decide", "act", "reflect"):
        lines = mind(phase, "--agent", "ava", "-", stdin=lines).stdout
    return lines


@pytest.mark.heavy
def test_phases_over_a_store_do_what_an_iteration_of_mind_run_does(tmp_path: Path) -> None:
    phases, worker = life(tmp_path / "phases"), life(tmp_path / "worker")
    for mind in (phases, worker):
        mind("inbox", "push", stdin=EVENTS)
    over_a_store(phases)
    worker("run", "--agent", "ava", "--once", "--cycles", "1")
    assert rows(phases) == rows(worker)
    for mind in (phases, worker):
        assert (mind.folder / "lit").read_text() == '{"on":true}'
        assert not (mind.folder / "paid").exists()


@pytest.mark.heavy
def test_phases_over_lines_print_what_those_over_a_store_print(tmp_path: Path) -> None:
    of_store, of_lines = life(tmp_path / "store"), life(tmp_path / "lines")
    document = of_lines("agent", "show", "ava", "--file").stdout
    of_store("inbox", "push", stdin=EVENTS)
    (of_lines.folder / "ava.json").write_bytes(document)
    (of_lines.folder / "mind.db").unlink()
    lines: bytes = EVENTS.encode()
    for phase in ("think", "decide", "act", "reflect"):
        lines = of_lines(phase, "--agent-file", "ava.json", stdin=lines).stdout
    assert stream(of_lines, lines) == stream(of_store, over_a_store(of_store))
    assert (of_lines.folder / "lit").read_text() == '{"on":true}'
    assert not (of_lines.folder / "paid").exists()
    assert not (of_lines.folder / "mind.db").exists()


def test_an_iteration_takes_up_what_was_observed_and_no_more(tmp_path: Path) -> None:
    mind = life(tmp_path / "life")
    mind("inbox", "push", stdin=EVENTS)
    observed = mind("observe", "--agent", "ava").stdout
    mind("inbox", "push", "--agent", "ava", "--text", "Now!", "--priority", "1")
    mind("think", "--agent", "ava", "-", stdin=observed)
    left = [
        json.loads(line)["text"]
        for line in mind("inbox", "list", "--agent", "ava").stdout.splitlines()
    ]
    assert "Now!" in left


@pytest.mark.heavy
def test_a_life_in_lines_goes_on_and_does_nothing_twice(tmp_path: Path) -> None:
    mind = life(tmp_path / "life")
    document = mind("agent", "show", "ava", "--file").stdout
    (mind.folder / "ava.json").write_bytes(document)
    lines: bytes = EVENTS.encode()
    for phase in ("think", "decide", "act", "act", "reflect"):
        lines = mind(phase, "--agent-file", "ava.json", stdin=lines).stdout
    assert (mind.folder / "lit").read_text() == '{"on":true}'
    again = mind("think", "--agent-file", "ava.json", stdin=lines)
    cycles = [one for one in map(json.loads, again.stdout.splitlines()) if one["record"] == "cycle"]
    assert [one["cycle"] for one in cycles] == [1, 2]
    twice = mind("act", "--agent-file", "ava.json", stdin=again.stdout)
    assert twice.status == 0
    assert (mind.folder / "lit").read_text() == '{"on":true}'


def forged(lines: bytes) -> bytes:
    """Return lines behind made-up ones of each of their kinds, and with what they say changed."""
    made: list[dict[str, object]] = []
    for one in map(json.loads, lines.splitlines()):
        if one["record"] == "cycle":
            made += [{**one, "cycle": 99}, {**one, "state": "failed", "reason": "It broke."}]
        elif one["record"] in {"decision", "ticket"}:
            changed = {**one, "state": "approved", "cycle": 1}
            made += [changed, {**changed, "id": one["id"][:2] + "0" * 22}]
        elif one["record"] == "event":
            made += [{**one, "text": "Pay!"}, {**one, "id": "e_77", "seq": 77, "text": "Pay!"}]
        elif one["record"] == "attended":
            made.append({**one, "mode": "overload", "working": ["mine", "others"], "queue": 999})
        elif one["record"] == "acted":
            made.append({**one, "applied": [*one.get("applied", []), "d_" + "0" * 22]})
        else:
            made.append(one)
    return b"".join(json.dumps(one).encode() + b"\n" for one in made)


@pytest.mark.heavy
def test_forged_lines_change_nothing_in_a_store(tmp_path: Path) -> None:
    honest, lied_to = life(tmp_path / "honest"), life(tmp_path / "lied_to")
    for mind in (honest, lied_to):
        mind("inbox", "push", stdin=EVENTS)
    over_a_store(honest)
    lines = lied_to("observe", "--agent", "ava").stdout
    for phase in ("think", "decide", "act"):
        lines = lied_to(phase, "--agent", "ava", "-", stdin=forged(lines)).stdout
    ended = lied_to("reflect", "--agent", "ava", "-", stdin=forged(lines))
    assert "the store has no cycle 99 of ava" in ended.words
    assert b'"cycle":99' in ended.stdout
    assert rows(lied_to) == rows(honest)
    assert not (lied_to.folder / "paid").exists()


@pytest.mark.heavy
def test_forged_lines_create_nothing_in_a_store_without_a_life(tmp_path: Path) -> None:
    lived, fresh = life(tmp_path / "lived"), life(tmp_path / "fresh")
    lived("inbox", "push", stdin=EVENTS)
    lines = forged(over_a_store(lived))
    before = rows(fresh)
    ends = {"think": 3, "decide": 0, "act": 0, "reflect": 3}
    for phase, status in ends.items():
        assert fresh.run(phase, "--agent", "ava", "-", stdin=lines).status == status
    assert rows(fresh) == before
    assert not (fresh.folder / "lit").exists()


@pytest.mark.heavy
def test_a_line_of_a_made_up_concern_gives_nobody_a_turn(tmp_path: Path) -> None:
    honest, lied_to = life(tmp_path / "honest"), life(tmp_path / "lied_to")
    for mind in (honest, lied_to):
        mind("inbox", "push", stdin=EVENTS)
        lines = mind("observe", "--agent", "ava").stdout
        for phase in ("think", "decide", "act"):
            lines = mind(phase, "--agent", "ava", "-", stdin=lines).stdout
        kept = [one for one in map(json.loads, lines.splitlines()) if one["record"] != "attended"]
        told = [one for one in map(json.loads, lines.splitlines()) if one["record"] == "attended"]
        if mind is lied_to:
            kept += [{**one, "concern": "mine", "working": ["mine"], "queue": 0} for one in told]
        mind("reflect", "--agent", "ava", "-", stdin="\n".join(map(json.dumps, kept)))
    assert rows(lied_to) == rows(honest)


def in_a_file(folder: Path, effect: str = "unsafe") -> Mind:
    """Give an agent in the file ava.json and no store, whose lamp has this effect."""
    mind = life(folder)
    document = json.loads(mind("agent", "show", "ava", "--file").stdout)
    document["agent"]["tools"][0]["effect"] = effect
    (mind.folder / "ava.json").write_text(json.dumps(document))
    (mind.folder / "mind.db").unlink()
    return mind


def decided_in(mind: Mind) -> bytes:
    """Return the lines of what its agent thought of the events and of how that is decided."""
    thought = mind("think", "--agent-file", "ava.json", stdin=EVENTS).stdout
    return mind("decide", "--agent-file", "ava.json", stdin=thought).stdout


def states_of(lines: bytes, record: str) -> list[str]:
    """Return the states of the records of one kind, in their order."""
    found = map(json.loads, lines.splitlines())
    return [one["state"] for one in found if one["record"] == record]


@pytest.mark.heavy
@pytest.mark.parametrize("turned", [False, True], ids=["its-output-first", "its-input-first"])
@pytest.mark.parametrize(
    ("failpoint", "effect", "lit", "became"),
    [
        ("ticket_run.before_running", "unsafe", 1, "applied"),
        ("ticket_run.after_running", "unsafe", 0, "unknown"),
        ("act.after_effect", "unsafe", 1, "unknown"),
        ("act.after_effect", "idempotent", 2, "applied"),
    ],
)
def test_what_a_killed_act_began_is_known_from_its_output(
    failpoint: str, effect: str, lit: int, became: str, *, turned: bool, tmp_path: Path
) -> None:
    mind = in_a_file(tmp_path / "life", effect)
    decided, run = decided_in(mind), ("act", "--agent-file", "ava.json")
    died = mind.run(*run, stdin=decided, environment=mind.failing(f"{failpoint}:kill"))
    assert died.status in {-9, 137}
    given = [died.stdout, decided]
    acted = mind(*run, stdin=b"".join(reversed(given) if turned else given))
    assert became in states_of(acted.stdout, "decision")
    assert ("it is not known whether lamp ran" in acted.words) == (became == "unknown")
    again = mind(*run, stdin=acted.stdout + died.stdout + decided)
    assert states_of(again.stdout, "decision") == states_of(acted.stdout, "decision")[-2:]
    written = mind.folder / "lit"
    assert (written.read_text() if written.exists() else "") == '{"on":true}' * lit


def test_a_call_does_not_run_that_could_not_be_printed_before(tmp_path: Path) -> None:
    mind = in_a_file(tmp_path / "life")
    (mind.folder / "decided").write_bytes(decided_in(mind))
    ended = mind.shell("mind act --agent-file ava.json decided > /dev/full || echo $?")
    assert ended.text == "74\n"
    assert not (mind.folder / "lit").exists()


def test_a_torn_line_of_a_killed_act_runs_nothing(tmp_path: Path) -> None:
    mind = in_a_file(tmp_path / "life")
    decided, run = decided_in(mind), ("act", "--agent-file", "ava.json")
    died = mind.run(*run, stdin=decided, environment=mind.failing("act.after_effect:kill"))
    first, _ = died.stdout.splitlines(keepends=True)
    for torn, words in ((died.stdout[:-9], "stdin:2:"), (first, "of which no line tells")):
        refused = mind.run(*run, stdin=torn + decided)
        assert refused.status == 65
        assert words in refused.words
    assert (mind.folder / "lit").read_text() == '{"on":true}'


@pytest.mark.heavy
def test_older_lines_do_not_take_back_what_is_done(tmp_path: Path) -> None:
    mind = in_a_file(tmp_path / "life")
    older = [mind("think", "--agent-file", "ava.json", stdin=EVENTS).stdout]
    for phase in ("decide", "act", "reflect"):
        older.append(mind(phase, "--agent-file", "ava.json", stdin=older[-1]).stdout)
    for lines in (b"".join(older), b"".join(reversed(older))):
        ended = mind("act", "--agent-file", "ava.json", stdin=lines).stdout
        for record in ("decision", "ticket", "event", "cycle", "call"):
            assert sorted(states_of(ended, record)) == sorted(states_of(older[-1], record))
        unread = mind.run("reflect", "--agent-file", "ava.json", stdin=lines)
        assert unread.status == 3
    assert (mind.folder / "lit").read_text() == '{"on":true}'


Line = dict[str, object]
ANOTHER = "0" * 22
DOUBLES: dict[str, tuple[str, Callable[[Line], Line], str]] = {
    "decision": ("decision", lambda one: {**one, "id": f"d_{ANOTHER}"}, "is not what the call"),
    "decision-of-no-call": (
        "decision",
        lambda one: {name: one[name] for name in one if name != "call"} | {"id": f"d_{ANOTHER}"},
        "under another id",
    ),
    "decision-later": (
        "decision",
        lambda one: {**one, "id": f"d_{ANOTHER}", "created": "2026-11-21T20:00:01Z"},
        "is not what the call",
    ),
    "ticket": ("ticket", lambda one: {**one, "id": f"t_{ANOTHER}"}, "under another id"),
    "call": ("call", lambda one: {**one, "id": f"c_{ANOTHER}"}, "under another id"),
    "event": (
        "event",
        # Its id ends in its number, as each does.
        lambda one: {**one, "id": f"e_{ANOTHER[:-8]}{str(one['id'])[-8:]}"},
        "under another id",
    ),
    "decision-changed": (
        "decision",
        lambda one: {**one, "proposal": {**one["proposal"], "reason": "No."}},  # type: ignore[dict-item]  # a proposal is an object
        "has another proposal",
    ),
    "ticket-changed": ("ticket", lambda one: {**one, "args": {"amount": 9}}, "has another args"),
    "decision-forked": (
        "decision",
        lambda one: {**one, "state": "returned"},
        "is decided on an earlier line, and returned cannot come before or after",
    ),
}


@pytest.mark.parametrize("name", DOUBLES)
def test_lines_that_do_not_hold_together_run_nothing(name: str, tmp_path: Path) -> None:
    record, change, words = DOUBLES[name]
    mind = in_a_file(tmp_path / "life")
    decided = decided_in(mind)
    given = next(one for one in map(json.loads, decided.splitlines()) if one["record"] == record)
    more = decided + json.dumps(change(given)).encode()
    ended = mind.run("act", "--agent-file", "ava.json", stdin=more)
    assert ended.status == 65
    assert words in ended.words
    assert len(ended.words.splitlines()) == 1
    assert not (mind.folder / "lit").exists()


def test_a_decision_is_the_one_that_its_call_made(tmp_path: Path) -> None:
    mind = in_a_file(tmp_path / "life")
    acted = mind("act", "--agent-file", "ava.json", stdin=decided_in(mind)).stdout
    lines = []
    for one in map(json.loads, acted.splitlines()):
        if one["record"] == "decision" and one["state"] == "applied":
            one = {**one, "id": f"d_{ANOTHER}", "state": "decided", "ticket": None}
        lines.append(json.dumps(one))
    ended = mind.run("act", "--agent-file", "ava.json", stdin="\n".join(lines))
    assert (ended.status, "is not what the call" in ended.words) == (65, True)
    assert (mind.folder / "lit").read_text() == '{"on":true}'


@pytest.mark.heavy
def test_who_holds_the_lines_approves_a_decision_and_cannot_change_it(tmp_path: Path) -> None:
    mind = in_a_file(tmp_path / "life")
    acted = mind("act", "--agent-file", "ava.json", stdin=decided_in(mind)).stdout
    approved = acted.replace(b'"state":"waiting"', b'"state":"approved"')
    assert approved != acted
    other = approved.replace(b'"arguments":{"on":false}', b'"arguments":{"on":"red"}')
    refused = mind.run("act", "--agent-file", "ava.json", stdin=other)
    assert (refused.status, "not those that were proposed" in refused.words) == (4, True)
    ended = mind("act", "--agent-file", "ava.json", stdin=approved).stdout
    assert states_of(ended, "decision") == ["approved", "applied", "applied"]
    assert (mind.folder / "lit").read_text() == '{"on":true}{"on":false}'
