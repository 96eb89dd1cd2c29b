"""Sources are held to the most urgent priority that they may ask for."""

import pytest

from mindpipe.core.errors import UsageError
from mindpipe.inbox.records import Ceiling
from mindpipe.inbox.rules import ceiling_of, parse_ceilings
from support.tables import each_row

CEILINGS = parse_ceilings("tool:*=2 tool:mail*=3, web=4 *=1")


def test_a_setting_is_read() -> None:
    assert parse_ceilings(" a=b=0,\tc=4 ") == (
        Ceiling(source="a=b", priority=0),
        Ceiling(source="c", priority=4),
    )
    assert parse_ceilings("") == ()


@each_row("text", ["web", "web=", "=3", "web=5", "web=-1", "web=high"])
def test_what_is_no_entry_is_named(text: str) -> None:
    with pytest.raises(UsageError, match=f'"{text}" is no SOURCE=PRIORITY'):
        parse_ceilings(text)


@each_row(
    ("source", "expected"),
    [("tool:x", 2), ("tool:mailer", 3), ("web", 4), ("web2", 1), ("", 1), ("operator", 1)],
)
def test_the_longest_entry_that_fits_holds(source: str, expected: int) -> None:
    assert ceiling_of(source, CEILINGS) == expected


def test_without_an_entry_everything_may_be_asked_for() -> None:
    assert ceiling_of("web", parse_ceilings("tool:*=2")) == 0
