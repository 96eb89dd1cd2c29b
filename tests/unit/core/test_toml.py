"""A name in a TOML document is found where it is said."""

from mindpipe.core.toml import line_of
from support.tables import each_row

DOCUMENT = b"""max_bytes = 1  # not that of the inbox
inbox . max_open = 2

[ inbox ]  # a table
"max_bytes" = 3
[prices."a.model"]
input = 4
[prices]
other = { input = 5, output = 6 }
text = "[inbox]"
"""


@each_row(
    ("name", "line"),
    [
        ("max_bytes", 1),
        ("inbox.max_open", 2),
        ("inbox.max_bytes", 5),
        ("inbox.nothing", 4),
        ("prices.a.model.input", 7),
        ("prices.a.model.output", 6),
        ("prices.other.output", 9),
        ("prices.text", 10),
        ("nothing", None),
    ],
)
def test_a_name_has_the_line_that_says_it(name: str, line: int | None) -> None:
    assert line_of(DOCUMENT, name) == line
