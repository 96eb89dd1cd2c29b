"""The table of real parts: what was recorded stands in the README, and only that."""

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe_cli.manual.real_parts import RECORDED_PARTS, real_parts_table
from real import report
from real.parts import PARTS
from support.command import ROOT

JQ = b'{"part":"jq","version":"1.7","shown":"reads records","date":"2026-11-26"}\n'


def test_a_recorded_part_is_a_row_of_the_readme() -> None:
    assert real_parts_table(JQ).splitlines()[2:] == ["| jq | 1.7 | reads records | 2026-11-26 |"]
    readme = (ROOT / "README.md").read_text()
    assert real_parts_table((ROOT / RECORDED_PARTS).read_bytes()) in readme


def test_a_line_that_is_no_part_is_named() -> None:
    with pytest.raises(BadInputError, match=r"real_parts\.jsonl:2"):
        real_parts_table(JQ + b'{"part": "jq"}\n')


def test_what_several_tests_saw_of_a_part_stands_side_by_side() -> None:
    note = {"part": PARTS[0].name, "test": "t"}
    notes = [{**note, "shown": "one"}, {**note, "shown": "two"}, {**note, "shown": "one"}]
    assert [one.shown for one in report.tested_of(notes).values()] == ["one; two"]
    assert report.tested_of([]) == {}
