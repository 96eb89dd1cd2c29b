"""mind-simulate(1) tells every setting and every constant of a person."""

import re

import msgspec

from mindpipe.person.body.constants import MARKS, Constants
from mindpipe.person.records.person import PersonSettings
from mindpipe_cli.manual.persons_manual import SETTINGS, persons_sections
from mindpipe_cli.manual.roff import Sample, Term


def test_every_setting_is_told_with_its_default_in_one_line() -> None:
    assert tuple(SETTINGS) == PersonSettings.__struct_fields__
    blocks = persons_sections()[0].blocks
    told = {block.term: block.words for block in blocks if isinstance(block, Term)}
    assert tuple(told) == PersonSettings.__struct_fields__
    for name, words in told.items():
        default = msgspec.json.encode(getattr(PersonSettings(), name)).decode()
        assert words == f"{SETTINGS[name]} Default: {default}."
    assert "composed has none" in told["max_calls"]


def test_every_constant_is_told_with_its_default_and_its_mark() -> None:
    (sample,) = [one for one in persons_sections()[1].blocks if isinstance(one, Sample)]
    rows = [re.split(r"\s+", line, maxsplit=3) for line in sample.lines.splitlines()]
    assert [row[0] for row in rows] == list(MARKS)
    for name, default, mark, *source in rows:
        assert float(default) == float(f"{getattr(Constants(), name):.8g}")
        assert (mark, "".join(source)) == MARKS[name]
    assert max(map(len, sample.lines.splitlines())) <= 78
