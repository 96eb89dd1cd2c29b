"""What an import left out is said once for each kind, whatever its conversations say."""

import pytest

from mindpipe.providers.left_out import of_each_kind


@pytest.mark.parametrize(
    ("left_out", "said"),
    [
        ((), []),
        (("empty message", "empty message (2 times)"), ["empty message (3 times)"]),
        (("field 'a' of lines (2 times)",), ["field 'a' of lines (2 times)"]),
        (
            (
                "field 'a' of lines (2 times)",
                "empty message",
                "field 'b' of lines (3 times)",
                "field 'a' of user messages",
                "field 'a' of lines",
            ),
            [
                "fields 'a', 'b' of lines (6 times)",
                "empty message",
                "field 'a' of user messages",
            ],
        ),
        (
            tuple(f"field '{name}' of lines" for name in "abcdefghij"),
            ["fields 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' and 2 more of lines (10 times)"],
        ),
        (('field "it\'s of\\nold" of lines',), ['field "it\'s of\\nold" of lines']),
    ],
)
def test_each_kind_is_one_line(left_out: tuple[str, ...], said: list[str]) -> None:
    assert of_each_kind(left_out) == said
