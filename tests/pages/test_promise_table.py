"""The table of promises: every promise is proved somewhere, and the counts are added up."""

import re
from pathlib import Path

from mindpipe_cli.manual.promises import MEANINGS
from mindpipe_cli.manual.roff import escaped
from promises import report
from promises.table import PROMISES, Promise
from support.command import ROOT
from support.tables import each_row

SUITES = ROOT / "tests"


def sources(promise: Promise) -> str:
    """Return the text of the suite that shows a promise."""
    files = sorted((SUITES / "promises").glob(f"test_{promise.suite}*.py"))
    files = files or sorted((SUITES / promise.suite).glob("test_*.py"))
    return "".join(file.read_text() for file in files)


@each_row("promise", PROMISES)
def test_the_suite_of_a_promise_says_what_it_counted(promise: Promise) -> None:
    assert re.search(rf"\bproved\(\s*{promise.number},", sources(promise))


def test_the_manual_says_of_every_promise_what_it_means() -> None:
    assert list(MEANINGS) == [promise.number for promise in PROMISES]
    manual = (ROOT / "man" / "mind-promises.7").read_text()
    assert [one for one in PROMISES if escaped(f"{one.number}. {one.words}") not in manual] == []


def test_every_broken_build_is_named_by_a_test() -> None:
    builds = {file.stem for file in (SUITES / "red").glob("*.py")} - {"__init__"}
    texts = "".join(file.read_text() for file in SUITES.rglob("test_*.py"))
    assert {build for build in builds if not re.search(rf"\b{build}\b", texts)} == set()


def test_counts_of_one_name_are_added_up() -> None:
    notes = [
        {"promise": 1, "counts": {"kills": 2, "lost": 0}},
        {"promise": 1, "counts": {"kills": 3, "lost": 0}},
        {"promise": 1, "red": "receipt_before_commit", "counts": {"lost": 1}},
    ]
    (proof,) = report.proofs_of(notes, tier="everyday").values()
    assert proof.counts == {"kills": 5, "lost": 0}
    assert proof.red == {"receipt_before_commit": {"lost": 1}}


def test_of_what_was_most_the_highest_is_taken() -> None:
    notes = [{"promise": 14, "counts": {"most_mebibytes": most}} for most in (17, 90, 40)]
    (proof,) = report.proofs_of(notes, tier="everyday").values()
    assert proof.counts == {"most_mebibytes": 90}


@each_row("promise", PROMISES)
def test_a_broken_build_turns_the_suite_of_a_promise_red(promise: Promise) -> None:
    every = "".join(file.read_text() for file in (SUITES / "promises").glob("test_*.py"))
    assert re.search(rf"\bturned_red\(\s*{promise.number},", every + sources(promise))


def test_a_broken_build_alone_proves_nothing() -> None:
    assert report.proofs_of([{"promise": 1, "red": "x", "counts": {"lost": 1}}], tier="long") == {}


def test_an_everyday_run_does_not_take_the_place_of_a_long_one(tmp_path: Path) -> None:
    file = tmp_path / "promises.jsonl"
    notes = [{"promise": 44, "counts": {"kills": 60}}, {"promise": 1, "counts": {"kills": 1000}}]
    report.record(file, report.proofs_of(notes, tier="long"))
    today = report.proofs_of([{"promise": 1, "counts": {"kills": 100}}], tier="everyday")
    report.record(file, today)
    assert [line.count('"kills":1000') for line in file.read_text().splitlines()] == [1, 0]
