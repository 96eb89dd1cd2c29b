"""What mind-security(7) calls the ordinary case is one: nobody is asked, and nothing is held."""

from mindpipe_cli.manual.security_manual import ORDINARY
from readme.test_readme import blocks
from support.command import ROOT, Mind

MANUAL = (ROOT / "man" / "mind-security.7").read_text()


def test_the_manual_shows_what_is_run_here() -> None:
    for line in ORDINARY.splitlines():
        assert line.replace("-", "\\-").replace("'", "\\(aq") in MANUAL


def test_the_ordinary_case_asks_nobody(mind: Mind) -> None:
    assert mind.shell(blocks("sh")[0]).status == 0
    ran = mind.shell(ORDINARY)
    assert ran.status == 0, ran.words
    assert b"Hi!" in ran.stdout
    assert mind("ticket", "list", "--every").records() == []
    assert [one["sources"] for one in mind("history", "cycles", "--agent", "ava").records()] == [
        ["space:family/husam"]
    ]
    assert {one["taint"] for one in mind("history", "show", "--agent", "ava").records()} == {False}


def test_without_trust_the_same_life_is_tainted(mind: Mind) -> None:
    assert mind.shell(blocks("sh")[0]).status == 0
    assert mind.shell(ORDINARY.replace(" --trust @husam", "")).status == 0
    assert {one["taint"] for one in mind("history", "show", "--agent", "ava").records()} == {
        False,
        True,
    }
