"""The stem of an English word, as the full-text index takes it: by Porter's algorithm of 1980.

M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980. SQLite's `porter` tokenizer
follows it, so that a stem here is a term there.
"""

import functools
import re

_LONGEST = 64
_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "logi": "log",
}
_STEP_3 = {
    "icate": "ic",
    "ative": "",
    "alize": "al",
    "iciti": "ic",
    "ical": "ic",
    "ful": "",
    "ness": "",
}
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


@functools.lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word of lower-case letters; anything else is its own stem."""
    if not 3 <= len(word) < _LONGEST or not (word.isascii() and word.isalpha()):
        return word
    found = _without_plural(word)
    found = _without_past(found)
    if found.endswith("y") and _has_vowel(found[:-1]):
        found = found[:-1] + "i"
    found = _replaced(found, _STEP_2)
    found = _replaced(found, _STEP_3)
    return _without_e(_without_suffix(found))


def _form(word: str) -> str:
    """Return consonants as c and vowels as v; a y after a consonant is a vowel."""
    found = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and found.endswith("c"))
        found += "v" if vowel else "c"
    return found


def _measure(word: str) -> int:
    """Return how many times consonants follow vowels."""
    return len(re.findall("v+c", _form(word)))


def _has_vowel(word: str) -> bool:
    return "v" in _form(word)


def _doubled(word: str) -> bool:
    """Tell whether a word ends with the same consonant twice."""
    return len(word) > 1 and word[-1] == word[-2] and word[-1] not in "aeiou"


def _short(word: str) -> bool:
    """Tell whether a word ends with consonant, vowel, and a consonant that is not w, x or y."""
    return _form(word).endswith("cvc") and word[-1] not in "wxy"


def _without_plural(word: str) -> str:
    """Take off -s (step 1a)."""
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_past(word: str) -> str:
    """Take off -ed and -ing (step 1b)."""
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        left = word.removesuffix(suffix)
        if left != word and _has_vowel(left):
            if left.endswith(("at", "bl", "iz")):
                return left + "e"
            if _doubled(left) and left[-1] not in "lsz":
                return left[:-1]
            return left + "e" if _measure(left) == 1 and _short(left) else left
    return word


def _replaced(word: str, by: dict[str, str]) -> str:
    """Put a shorter suffix for the longest that a word ends with (steps 2 and 3)."""
    for size in range(7, 2, -1):
        if word[-size:] in by:
            left = word[:-size]
            return left + by[word[-size:]] if len(word) > size and _measure(left) > 0 else word
    return word


def _without_suffix(word: str) -> str:
    """Take off what is left of a suffix (step 4)."""
    suffix = max((one for one in _STEP_4 if word.endswith(one)), key=len, default="")
    left = word[: len(word) - len(suffix)]
    if not suffix or _measure(left) < 2 or (suffix == "ion" and not left.endswith(("s", "t"))):
        return word
    return left


def _without_e(word: str) -> str:
    """Take off a last -e and the second of two l (step 5)."""
    if word.endswith("e"):
        left = word[:-1]
        measure = _measure(left)
        if measure > 1 or (measure == 1 and not _short(left)):
            word = left
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
