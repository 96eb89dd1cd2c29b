"""Words as the index has them: folded, stemmed, in their forms, and those of names and days."""

import calendar
import datetime
import functools
import re
import unicodedata

import apsw

from mindpipe.language.verb_forms import VERBS


@functools.lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return the stem of a word of lower-case letters; anything else is its own stem."""
    if not (word.isascii() and word.isalpha() and word.islower()):
        return word
    (term,) = _porter()(word.encode(), apsw.FTS5_TOKENIZE_AUX, None, include_offsets=False)
    return str(term[0])


@functools.cache
def _porter() -> apsw.FTS5Tokenizer:
    """Return the tokenizer of the index, of a connection that holds no store."""
    return apsw.Connection(":memory:").fts5_tokenizer("porter", ["ascii"])


_NOUNS = """
child children|foot feet|goose geese|half halves|knife knives|leaf leaves|life lives|loaf loaves|
man men|mouse mice|person people|self selves|shelf shelves|thief thieves|tooth teeth|
wife wives|wolf wolves|woman women
"""


@functools.cache
def _by_stem() -> dict[str, tuple[str, ...]]:
    """Return the forms of each word by the stem of each of them."""
    found: dict[str, tuple[str, ...]] = {}
    for group in (*VERBS, *_NOUNS.split("|")):
        forms = tuple(group.split())
        found.update(dict.fromkeys(map(stem, forms), forms))
    return found


def forms_of(word: str) -> tuple[str, ...]:
    """Return a lower-case word and those of its irregular forms that have other stems."""
    forms = {stem(word): word}
    for form in _by_stem().get(stem(word), ()):
        forms.setdefault(stem(form), form)
    return tuple(forms.values())


# Thai to Myanmar, Khmer, kana and Han (with what stands for a letter said twice), Hangul.
_UNSPACED = (
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)
_STRANGE = re.compile("[^\x00-\x7f]+")


def folded(text: str) -> str:
    """Return a text in lower case and without accents, as the index takes it.

    Letters of scripts that put no spaces between words, or join to a word what others put beside
    it (Hangul), stand alone: each is taken as a word of its own.
    """
    if text.isascii():
        return text.lower()
    bare = _STRANGE.sub(_without_accents, unicodedata.normalize("NFKD", text))
    return re.sub(_UNSPACED, r" \g<0> ", unicodedata.normalize("NFC", bare).casefold())


def _without_accents(run: re.Match[str]) -> str:
    """Return a run of letters that are not ASCII without what stands on or below them."""
    return "".join(one for one in run[0] if not unicodedata.combining(one))


_MONTH_NAMES = """January February March April May June July August September October November
December"""
_MONTHS = tuple(_MONTH_NAMES.split())
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def row_words(text: str, *, at: str, speaker: str | None, subject: str | None) -> str:
    """Return the words of a row, folded: text, speaker, subject, and `2023 may 8 monday`."""
    return folded(" ".join(filter(None, (text, speaker, subject, day_in_words(at[:10])))))


@functools.lru_cache(maxsize=4096)
def day_in_words(day: str) -> str:
    """Return a day (`2023-05-08`) as year, month, day of the month and weekday in English."""
    date = datetime.date.fromisoformat(day)
    return f"{date.year} {_MONTHS[date.month - 1]} {date.day} {_WEEKDAYS[date.weekday()]}"


def runs_in_words(first: datetime.date, after: datetime.date) -> list[str]:
    """Return what the rows of some days have side by side: `2023`, `2023 May` or `2023 May 8`.

    Each is the longest whole year, whole month or day; `after` is the first day that is out.
    """
    words: list[str] = []
    day = first
    while day < after:
        year, month, number, _ = day_in_words(day.isoformat()).split()
        in_month = calendar.monthrange(day.year, day.month)[1]
        runs = (
            (365 + calendar.isleap(day.year), [year], day.month == day.day == 1),
            (in_month, [year, month], day.day == 1),
            (1, [year, month, number], True),
        )
        length, said = next(
            (length, said)
            for length, said, begins in runs
            if begins and day.toordinal() + length <= after.toordinal()
        )
        words.append(" ".join(said))
        day += datetime.timedelta(length)
    return words
