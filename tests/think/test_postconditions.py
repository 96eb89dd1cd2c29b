"""Plans that say what must be there after each of their times: a schedule that cannot lie."""

import json
import os

import pytest

from support.command import Mind

ANSWER = """#!/bin/sh
end=$(tail -c 4000)
case "${{end##*'"role":"'}}" in
tool*) echo '{{"text": "Done."}}' ;;
*) {before}echo '{reply}' ;;
esac
"""
LATER = "2026-11-21T21:00:00Z"
EVEN_LATER = "2026-11-21T22:00:00Z"


def answers(mind: Mind, *calls: dict[str, object], before: str = "") -> None:
    """Let the model make these calls whenever it is woken, or say a word, after a shell line."""
    reply = json.dumps({"tool_calls": calls} if calls else {"text": "I did it all!"})
    program = mind.folder / "answer"
    program.write_text(ANSWER.format(reply=reply, before=before))
    program.chmod(0o700)


def lives(mind: Mind) -> None:
    """Let what is due come to the agent, who lives one cycle an hour later."""
    mind.run("plan", "due", "--push", environment={"MIND_NOW": LATER})
    ran = mind.run(
        "think", "--agent", "ava", "--model", "program:./answer", environment={"MIND_NOW": LATER}
    )
    assert ran.status == 0, ran.words


def plan(mind: Mind, *expects: str) -> str:
    """Make a plan that is due in a minute, and return its id."""
    options = [word for one in expects for word in ("--expect", one)]
    made = mind("plan", "add", "--agent", "ava", "Report", "--after", "1m", *options)
    return made.record()["id"]


def window(mind: Mind) -> dict:
    """Return the only window there is."""
    return mind("plan", "windows", "--agent", "ava").record()


@pytest.fixture
def mind(mind: Mind) -> Mind:
    """Return a command whose store has an agent in a space with a friend."""
    mind("init")
    mind("agent", "new", "ava")
    mind("space", "new", "family")
    mind("space", "join", "family", "ava")
    mind("space", "join", "family", "husam", "--kind", "human")
    return mind


SAYS = {"name": "send_message", "arguments": {"text": "All is well.", "space": "family"}}
NOTES = {"name": "set_memory", "arguments": {"key": "report", "value": "All is well."}}


@pytest.mark.heavy
@pytest.mark.parametrize(("expects", "call"), [("post:family", SAYS), ("note:report", NOTES)])
def test_what_the_agent_did_meets_its_postcondition_and_words_alone_do_not(
    mind: Mind, expects: str, call: dict[str, object]
) -> None:
    plan(mind, expects)
    answers(mind)
    lives(mind)
    assert (window(mind)["outcome"], window(mind)["attempt"]) == ("failed", 1)
    told = mind("inbox", "list", "--agent", "ava", "--state", "ready").record()
    assert told["text"].startswith('Your plan "Report" of 2026-11-21T20:01:00Z counts as not')
    answers(mind, call)
    lives(mind)
    assert window(mind)["outcome"] == "failed"
    again = mind.run("plan", "retry", window(mind)["plan"], environment={"MIND_NOW": LATER})
    assert again.record()["outcome"] == "open"
    lives(mind)
    assert (window(mind)["outcome"], window(mind)["attempt"]) == ("met", 2)
    assert mind.run("plan", "retry", window(mind)["plan"]).status == 3


@pytest.mark.heavy
def test_what_came_late_counts_when_its_time_is_told_again(mind: Mind) -> None:
    plan(mind, "note:report")
    answers(mind)
    lives(mind)
    assert window(mind)["outcome"] == "failed"
    write = ("note", "set", "--agent", "ava", "report", "All is in order.")
    mind.run(*write, environment={"MIND_NOW": LATER})
    mind.run("plan", "retry", window(mind)["plan"], environment={"MIND_NOW": EVEN_LATER})
    lives(mind)
    assert (window(mind)["outcome"], window(mind)["attempt"]) == ("met", 2)


@pytest.mark.heavy
def test_a_file_has_to_be_written_and_not_only_to_be_there(mind: Mind) -> None:
    report = mind.folder / "report.txt"
    report.write_text("of old")
    os.utime(report, (1_000_000_000, 1_000_000_000))
    plan(mind, f"file:{report}")
    answers(mind)
    lives(mind)
    assert window(mind)["why"] == f"{report} was last written at 2001-09-09T01:46:40Z"
    answers(mind, before=f"echo new > {report}; ")
    mind.run("plan", "retry", window(mind)["plan"], environment={"MIND_NOW": LATER})
    lives(mind)
    assert window(mind)["outcome"] == "met"


def test_a_command_has_to_end_well(mind: Mind) -> None:
    plan(mind, "command:/bin/sh -c 'echo the backup is empty >&2; exit 4'", "command:/bin/true")
    answers(mind)
    lives(mind)
    assert window(mind)["why"].endswith("ended with status 4 (the backup is empty)")


@pytest.mark.heavy
def test_a_window_that_failed_is_told_in_status_and_raises_an_alert(mind: Mind) -> None:
    plan(mind, "note:report")
    answers(mind)
    assert mind("metrics", "--agent", "ava", "--json").text.count("missed_windows") == 1
    lives(mind)
    (figure,) = (
        one
        for one in mind.run("metrics", "--agent", "ava", environment={"MIND_NOW": LATER}).records()
        if one["name"] == "missed_windows"
    )
    assert figure["value"] == 1.0
    fired = mind.run("alert", "check", "--agent", "ava", environment={"MIND_NOW": LATER})
    assert "missed_windows" in fired.text
    shown = mind.run("status", "--agent", "ava", "--table", environment={"MIND_NOW": LATER})
    assert "1 of the last day came to nothing" in shown.text


def test_a_plan_that_nobody_fires_is_missed_too(mind: Mind) -> None:
    plan(mind)
    status = mind.run("status", "--agent", "ava", environment={"MIND_NOW": LATER}).record()
    assert status["plans"] == {"next": "2026-11-21T20:01:00Z", "missed": 1}


@pytest.mark.parametrize("wrong", ["post", "mail:family", "file:", "command:true"])
def test_a_postcondition_that_cannot_be_is_refused_at_once(mind: Mind, wrong: str) -> None:
    refused = mind.run(
        "plan", "add", "--agent", "ava", "Report", "--after", "1m", "--expect", wrong
    )
    assert refused.status == 2
    assert wrong in refused.words
    assert mind.run("plan", "list").records() == []


def test_a_file_is_expected_where_it_was_named(mind: Mind) -> None:
    made = mind("plan", "add", "--agent", "ava", "Report", "--after", "1m", "--expect", "file:out")
    assert made.record()["expects"] == [f"file:{mind.folder / 'out'}"]


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("granted", "path", "kept"),
    [
        ("", "/etc/passwd", False),
        ("", "{folder}/out/report", False),
        ("{folder}/out", "{folder}/out/report", True),
        ("/nowhere {folder}/out", "{folder}/out/a/report", True),
        ("{folder}/out", "{folder}/out/../secret", False),
        ("{folder}/out", "{folder}/output", False),
        ("{folder}/out", "/etc/passwd", False),
    ],
)
def test_an_agent_may_expect_files_only_where_a_person_granted_it(
    mind: Mind, granted: str, path: str, *, kept: bool
) -> None:
    told = f"file:{path.format(folder=mind.folder)}"
    wanted = {"title": "Report", "after": "1m", "expects": [told]}
    answers(mind, {"name": "set_plan", "arguments": wanted})
    mind("inbox", "push", "--agent", "ava", "--text", "Hello")
    folders = granted.format(folder=mind.folder)
    (mind.folder / "mind.toml").write_text(f'plans.folders = "{folders}"\n')
    lives(mind)
    found = [one["expects"] for one in mind.run("plan", "list").records()]
    assert found == ([[told]] if kept else [])
    refused = "may expect files only below" in mind("history", "show", "--agent", "ava").text
    assert refused is not kept


def test_a_link_that_leads_out_of_a_granted_folder_is_no_file_there(mind: Mind) -> None:
    out = mind.folder / "out"
    out.mkdir()
    (mind.folder / "mind.toml").write_text(f'plans.folders = "{out}"\n')
    (mind.folder / "secret").write_text("x")
    (out / "report").symlink_to(mind.folder / "secret")
    plan(mind, f"file:{out}/report")
    answers(mind)
    lives(mind)
    assert window(mind)["why"] == f"there is no file {out}/report"


@pytest.mark.parametrize("line", ["/bin/touch x", "touch x", ""])
def test_only_a_person_has_a_plan_run_a_command(mind: Mind, line: str) -> None:
    wanted = {"title": "Report", "after": "1m", "expects": [f"command:{line}"]}
    answers(mind, {"name": "set_plan", "arguments": wanted})
    mind("inbox", "push", "--agent", "ava", "--text", "Hello")
    lives(mind)
    assert mind.run("plan", "list").records() == []
    assert "only a person" in mind("history", "show", "--agent", "ava").text
