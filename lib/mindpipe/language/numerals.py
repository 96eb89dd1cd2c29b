"""Whole numbers, in digits or in English words."""

import re

_ONES_TEXT = """zero one two three four five six seven eight nine ten eleven twelve thirteen
fourteen fifteen sixteen seventeen eighteen nineteen"""
_TENS_TEXT = "twenty thirty forty fifty sixty seventy eighty ninety"
_ONES = {word: number for number, word in enumerate(_ONES_TEXT.split())}
_TENS = {word: 10 * number for number, word in enumerate(_TENS_TEXT.split(), 2)}
_LARGEST_ONE = 9
_DIGIT_WORDS = "|".join(list(_ONES)[1 : _LARGEST_ONE + 1])
WORDS = "|".join(
    (
        rf"(?:{'|'.join(_TENS)})(?:[\s-](?:{_DIGIT_WORDS}))?",
        *sorted(list(_ONES)[1:], key=lambda word: -len(word)),
    )
)
"""A pattern of the numbers from 1 to 99 in words, the longest first."""


def number_of(text: str) -> int | None:
    """Return the whole number that a text is, from 0 to 99 where it is in words, else None."""
    text = text.strip().lower()
    if re.fullmatch(r"\d{1,9}", text):
        return int(text)
    if text in _ONES or text in _TENS:
        return _ONES.get(text, _TENS.get(text))
    tens, _, ones = re.sub(r"[\s-]+", " ", text).partition(" ")
    if tens in _TENS and 1 <= _ONES.get(ones, 0) <= _LARGEST_ONE:
        return _TENS[tens] + _ONES[ones]
    return None
