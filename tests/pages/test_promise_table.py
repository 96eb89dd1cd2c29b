"""The table of promises: every promise is proved somewhere, and the counts are added up."""

import ast
import functools
import re
from pathlib import Path

from mindpipe_cli.manual.promises import ABOUT_FILES, MEANINGS
from mindpipe_cli.manual.roff import escaped
from promises import report
from promises.table import PROMISES, Promise
from support.command import ROOT
from support.tables import each_row

SUITES = ROOT / "tests"
OF_A_FILE = "of_a_file"


def sources(promise: Promise) -> str:
    """Return the text of the suite that shows a promise."""
    return "".join(file.read_text() for file in files(promise))


def files(promise: Promise) -> list[Path]:
    """Return the files of the suite that shows a promise."""
    found = sorted((SUITES / "promises").glob(f"test_{promise.suite}*.py"))
    return found or sorted((SUITES / promise.suite).glob("test_*.py"))


@functools.cache
def shown_in(file: Path) -> frozenset[tuple[int, str]]:
    """Return which promises the tests of a file show, each with the kind of store they run in."""
    text = file.read_text()
    found: set[tuple[int, str]] = set()
    if "proved" not in text:
        return frozenset()
    tree = ast.parse(text)
    is_of_a_file = any(OF_A_FILE in ast.unparse(one) for one in tree.body if is_mark(one))
    for test in ast.walk(tree):
        if isinstance(test, ast.FunctionDef):
            marks, body = "".join(map(ast.unparse, test.decorator_list)), ast.unparse(test)
            stores = {"file"} if is_of_a_file or OF_A_FILE in marks else {"file", "server"}
            for number in re.findall(r"\bproved\((\d+),", body):
                found |= {(int(number), store) for store in stores}
            for number in re.findall(r"\bproved_on_server\((\d+),", body):
                found.add((int(number), "server"))
    return frozenset(found)


def proved_on(promise: Promise) -> set[str]:
    """Return in which kinds of store a promise is shown: where the tests run that say so."""
    every = SUITES.rglob("test_*.py")
    return {store for file in every for number, store in shown_in(file) if number == promise.number}


def is_mark(statement: ast.stmt) -> bool:
    return ast.unparse(statement).startswith("pytestmark")


@each_row("promise", PROMISES)
def test_a_promise_is_shown_in_the_stores_in_which_it_is_said_to_be_kept(promise: Promise) -> None:
    assert proved_on(promise) == {*promise.stores}
    assert (promise.number in ABOUT_FILES) == ("server" not in promise.stores)


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


def test_what_was_counted_on_a_server_stands_beside() -> None:
    notes = [
        {"promise": 1, "counts": {"kills": 2}, "store": "file"},
        {"promise": 1, "counts": {"kills": 3}, "store": "server"},
    ]
    (proof,) = report.proofs_of(notes, tier="everyday").values()
    assert (proof.counts, proof.server) == ({"kills": 2}, {"kills": 3})


def test_a_run_in_files_alone_leaves_what_was_measured_on_a_server(tmp_path: Path) -> None:
    file = tmp_path / "promises.jsonl"
    both = [{"promise": 1, "counts": {"kills": 9}, "store": one} for one in ("file", "server")]
    report.record(file, report.proofs_of(both, tier="everyday"))
    report.record(file, report.proofs_of(both[:1], tier="everyday"))
    assert '"server":{"kills":9}' in file.read_text()


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
