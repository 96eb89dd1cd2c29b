"""Text as it may be stored, shown, named and quoted."""

import codecs
import re
from collections.abc import Iterable

from mindpipe.core.errors import UnsafeNameError, UsageError

# These stay text until they are first used (re keeps them compiled from then on): every start
# imports this module, and compiling them takes longer than the rest of it.
# C0 except tab and newline, DEL, C1, bidi controls, zero-width characters, Unicode tags.
_FORBIDDEN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Whole sequences go, so that their parameters do not stay behind as litter: CSI in both forms; OSC,
# DCS, SOS, PM and APC up to their end; two-character escapes.
_SEQUENCE = (
    "(?s)"
    "\x1b\\[[0-?]*[ -/]*[@-~]"
    "|\x9b[0-?]*[ -/]*[@-~]"
    "|(?:\x1b[\\]PX^_]|[\x90\x98\x9d-\x9f]).*?(?:\x07|\x1b\\\\|\x9c|$)"
    "|\x1b[ -/]*[0-~]"
)
# Control characters and line ends, but not the joiners that Persian names and emoji need.
_HIDING = "[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
_BREAKING = "[\x00-\x1f\x7f-\x9f\u2028\u2029]"
_SURROGATE = "[\ud800-\udfff]"


_HASH_BEGINS = 8


def is_hash(given: str | None, whole: str | None) -> bool:
    """Tell whether a hash that a person gave back is one, or how it begins: 8 characters or more.

    What is hashed was fixed before anybody saw its hash, so that none is made to begin alike.
    """
    if not given or not whole:
        return False
    return given == whole or (len(given) >= _HASH_BEGINS and whole.startswith(given))


def terminal_text(text: str) -> str:
    """Return text without control, escape, bidi, zero-width and tag characters."""
    return re.sub(_FORBIDDEN, "", re.sub(_SEQUENCE, "", text))


def visible_text(text: str) -> str:
    """Return text with what `terminal_text` would remove as escapes of JSON, so that it is seen."""
    return re.sub(_FORBIDDEN, lambda found: _escape(found[0]), text)


def _escape(character: str) -> str:
    """Return a character as one or two JSON escapes."""
    octets = character.encode("utf-16-be")
    units = (octets[place : place + 2].hex() for place in range(0, len(octets), 2))
    return "".join(f"\\u{unit}" for unit in units)


def storable_text(octets: bytes) -> tuple[str, bool]:
    """Return octets as UTF-8 text without NUL, and whether anything had to be replaced."""
    try:
        text = octets.decode("utf-8")
        lossy = False
    except UnicodeDecodeError:
        text = octets.decode("utf-8", "replace")
        lossy = True
    if "\x00" in text:
        text, lossy = text.replace("\x00", "\ufffd"), True
    return text, lossy


def uncut(octets: bytes) -> bytes:
    """Return octets without the UTF-8 character that was cut in two at their end, if one was."""
    try:
        return octets[: codecs.utf_8_decode(octets, "strict", False)[1]]  # noqa: FBT003 - no keywords
    except UnicodeDecodeError:
        return octets


def without_surrogates(text: str) -> tuple[str, bool]:
    """Return text whose lone surrogates and NULs are replaced, and whether there were any."""
    if re.search(_SURROGATE, text) is None and "\x00" not in text:
        return text, False
    return re.sub(_SURROGATE, "\ufffd", text).replace("\x00", "\ufffd"), True


def breaks_a_line(text: str) -> bool:
    """Tell whether text holds line ends or control characters."""
    return re.search(_BREAKING, text) is not None


def hides(text: str) -> bool:
    """Tell whether text holds characters without width, or such as turn its direction.

    With them one name looks like another. Joiners, which some scripts spell with, are none of them.
    """
    return re.search(_HIDING, text) is not None


def counted(count: int, name: str) -> str:
    """Return so many of something in words: `1 event`, `1,200 events`; the plural ends in s."""
    return f"{count:,} {name}" if count == 1 else f"{count:,} {name}s"


def is_blank(text: str) -> bool:
    """Tell whether text is empty or only white space."""
    return not text.strip()


def whole_text(text: str, *, field: str, limit: int) -> str:
    """Return words that a person or a mind gave, unchanged, if they can be stored.

    Raises:
        UsageError: blank, longer than `limit` characters, or with bytes that are not UTF-8 or NUL.
    """
    if is_blank(text):
        raise UsageError(f"{field} is empty; give it some words.")
    if len(text) > limit:
        raise UsageError(f"{field} is {len(text)} characters long; at most {limit} are kept.")
    if without_surrogates(text)[1]:
        raise UsageError(f"{field} is not UTF-8 text, or holds a NUL; remove the odd characters.")
    return text


def one_line(text: str, *, field: str, limit: int) -> str:
    """Return words that stand on one line, without white space around them.

    Raises:
        UsageError: as `whole_text`, or with line ends or control characters in them.
    """
    words = whole_text(text, field=field, limit=limit).strip()
    if breaks_a_line(words):
        raise UsageError(f"{field} must be one line of plain characters; remove the others.")
    return words


MAX_NAME_LENGTH = 64
_SAFE = re.compile(r"[a-z0-9_][a-z0-9_.-]*")


def safe_name(name: str) -> str:
    """Return the name unchanged if it is 1-64 characters of a-z, 0-9, _, - and (not first) dots.

    Raises:
        UnsafeNameError: anything else, before a file or row is touched.
    """
    if len(name) > MAX_NAME_LENGTH:
        raise UnsafeNameError(
            f'"{name[:24]}…" is {len(name)} characters long; a name has at most {MAX_NAME_LENGTH}.'
        )
    if not _SAFE.fullmatch(name) or ".." in name:
        raise UnsafeNameError(f'"{name}" may only use a-z, 0-9, _ and -.')
    return name


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the nearest known name as a question with a space behind it, or nothing."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""


def with_nearest(words: str, name: str, known: Iterable[str]) -> str:
    """Return words, and behind them the nearest known name as a question, where one is near."""
    return f"{words}; {did_you_mean(name, known)}".rstrip("; ")


class RecordedWords(str):
    """Words that a recording gives again; `model` is the one that found them, as people write it.

    So what is made of a replay is what was made of the model itself.
    """

    __slots__ = ("model",)
    model: str

    def __new__(cls, words: str, model: str) -> "RecordedWords":
        """Return words with who found them."""
        said = super().__new__(cls, words)
        said.model = model
        return said


_WORDS = """
a about after again all also am an and any are aren as at be because been before being both but by
can could d did didn do does doesn doing don down each for from further had has hasn have haven
having he her here hers him his how i if in into is isn it its itself just ll m me might more most
my no nor not now of off on once only or other our ours out over own re s same shall she should so
some such t than that the their theirs them then there these they this those through to too under
until up us ve very was wasn we were what when where which while who whom whose why will with won
would wouldn you your yours
"""
FUNCTION_WORDS = frozenset(_WORDS.split())
