"""Settings of persons: option before variable before the person's own record before default."""

import json

import pytest

from support.command import Mind

ASKED, HELD = {"MIND_PERSON_DRIFT": "false"}, ("--set", "drift=false")
TO_EIGHT = ("run", "--until", "8:00", "--every", "8h")
FALL = (
    b'{"kind":"event","v":1,"person":"mara","t_us":27600000000,"id":"fall","type":"injury",'
    b'"text":"You fall down the stairs.","nrs":7,"class":"fracture"}\n'
)
THOUGHT = b'"kind":"thought"'


def drifts(
    mind: Mind, *arguments: str, stdin: bytes = b"", given: dict[str, str] | None = None
) -> bool:
    """Tell whether the person drifts that a command prints."""
    ran = mind.run("simulate", *arguments, stdin=stdin, environment=given)
    assert ran.status == 0, ran.words
    return bool(json.loads(ran.stdout.splitlines()[0])["settings"].get("drift", True))


def test_the_strongest_says_what_a_setting_is(mind: Mind) -> None:
    new, tick = ("new", "--name", "Mara"), ("tick", "--dt", "1")
    assert drifts(mind, *new)
    assert not drifts(mind, *new, given=ASKED)
    assert drifts(mind, *new, "--set", "drift=true", given=ASKED)
    mara = mind.run("simulate", *new, *HELD).stdout
    assert not drifts(mind, *tick, stdin=mara)
    assert drifts(mind, *tick, stdin=mara, given={"MIND_PERSON_DRIFT": "true"})
    assert not drifts(mind, *tick, *HELD, stdin=mara, given={"MIND_PERSON_DRIFT": "true"})


def test_an_option_names_the_voice_before_a_variable_does(mind: Mind) -> None:
    mara = mind.run("simulate", "new", "--name", "Mara", "--at", "7:30").stdout + FALL
    none = {"MIND_PERSON_MODEL": "none"}
    thinks = [
        THOUGHT in mind.run("simulate", *TO_EIGHT, *more, stdin=mara, environment=none).stdout
        for more in ((), ("--set", "model=composed"), ("--model", "composed"))
    ]
    assert thinks == [False, True, True]


@pytest.mark.parametrize(
    ("given", "status", "words"),
    [
        ({"MIND_PERSON_DRIF": "x"}, 65, "unknown variable; did you mean MIND_PERSON_DRIFT?"),
        ({"MIND_PERSON_MAX_CALLS": "many"}, 2, "MAX_CALLS: expected a whole number, got text."),
        ({"MIND_PERSON_HOLD_S": "-1"}, 2, "MIND_PERSON_HOLD_S: expected a number above 0.0."),
    ],
)
def test_a_variable_that_is_wrong_is_named(
    mind: Mind, given: dict[str, str], status: int, words: str
) -> None:
    ran = mind.run("simulate", "new", "--name", "Mara", environment=given)
    assert (ran.status, ran.stdout) == (status, b"")
    assert words in ran.words
