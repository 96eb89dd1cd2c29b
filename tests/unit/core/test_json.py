"""What a document is refused for before it is parsed."""

import pytest

from mindpipe.core.json import MAX_DIGITS, fault_of


@pytest.mark.parametrize("before", [0, 1, 500, MAX_DIGITS - 1, MAX_DIGITS, 2 * MAX_DIGITS + 7])
@pytest.mark.parametrize("digits", [1, MAX_DIGITS - 1, MAX_DIGITS, MAX_DIGITS + 1, 5 * MAX_DIGITS])
def test_a_long_number_is_found_wherever_it_stands(before: int, digits: int) -> None:
    text = b'["%b",%b,"%b"]' % (b"x" * before, b"1" * digits, b"y" * before)
    assert (fault_of(text) is not None) is (digits > MAX_DIGITS)


@pytest.mark.parametrize("digits", [MAX_DIGITS + 1, 3 * MAX_DIGITS])
def test_digits_in_a_string_are_no_number(digits: int) -> None:
    assert fault_of(b'["%b", 1]' % (b"1" * digits)) is None
