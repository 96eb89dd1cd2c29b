"""Passages: pieces of a text that may stand alone, for no word that governs them is outside.

A summary takes a passage whole or leaves it out. So what reverses, doubts, asks, supposes or
reports stays with all that it speaks of, in any language in which sentences end with a mark.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.compaction.selection.governing import GOVERNING, governed
from mindpipe.compaction.selection.reactions import frames, hangs, has_figure, points_on, reacts
from mindpipe.language.clauses import ABBREVIATIONS
from mindpipe.language.guards import denies, rights, taken_back
from mindpipe.language.names import names_in

SEAM = " … "
"""What stands between passages of which some were left out; `seamless` text has none of its own."""

_WORD = r"\w+"
# Patterns are texts, compiled when they are first used: every plan loads this, few need it all.
# A sentence that begins so may speak of the one before it, and then stays with it.
_LEANING = (
    r"(?i)[\W_]*(?:that|this|it|which|these|those|he|she|they|neither|nor|so|such|as|or|not|no|"
    r"nope|nah|never|none|wrong|false|untrue|nonsense|kidding|just|only|well|but|except|unless|if|"
    r"at|in|yeah|yes|das|es|nein|stimmt|nicht|eso|esto|ce|c)\b"
)
_LEANING_WORDS = 12
"""A longer sentence tells by itself what it denies."""
# What is told after it is not so, or another's, up to the end of the paragraph.
_UNREAL = (
    r"(?i)\b(?:imagin(?:e|ing)|suppos(?:e|ing)|pretend\w*|dream(?:s|t|ed|ing)?|what if|"
    r"hypothe\w+|let['’]?s say|stell dir|imagina|imagine[zs]|"
    r"(?:plot|synopsis|outline) of (?:my|the|a|an|our|his|her|this)|"
    r"in (?:my|the|a|our|his|her|this) (?:[\w-]+ )?(?:novel|story|play|film|movie|book|game)(?=,)|"
    r"two truths and a lie)\b"
    r"|\bhere(?:['’]s| is) (?:the (?:plot|story)|(?:what|how) (?!I\b))"
)
# Where a sentence begins to list what it denies: one thing, and more behind it.
_LISTS = r"(?<=\w):(?=\s+[^\s\"“«„'‘,;][^,;]*$)"
# How a sentence ends that says how much follows of what it governs.
_COUNTS = (
    r"(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|several|the following) (?:other )?"
    r"\w+s[.!:…]*$"
)
# Of whom or of what a sentence speaks that names nobody before it.
_PRONOUN = r"(?i)\b(?:he|him|his|she|her|they|them|their|theirs)\b"
# How a sentence, or a line that quotes one, begins that forbids what another one asks for.
_FORBIDS = (
    r"(?i)(?:[^\":\n]{1,300}: (?=\"))?\W*(?:(?:but|and|please|just|so)\b\W*)*"
    r"(?:do not|don['’]t|never)(?: (?:ever|just|please))? (?P<verb>\w+)"
)
_NOUN = (
    r"(?i)\b(?:an?|the|my|our|your|his|her|their|this|that|these|those|every|each|some|any|two|"
    r"three|all|people|everybody|everyone|somebody|someone|nobody|who)\b"
)
_FEW_WORDS = 3
"""A sentence of fewer words says nothing alone: what it answers or denies stands beside it."""
_INNER = r"(?:[^{0}\n]|\n(?!\s*\n)){{1,600}}[{0}]"
# What stands between two of these is one passage.
_PAIRS = {'"': '"', "“": "”", "«": "»", "„": "“", "(": ")", "「": "」", "『": "』", "~~": "~~"}
_PAIRED = "|".join(
    [
        *(re.escape(begin) + _INNER.format(end) for begin, end in _PAIRS.items()),
        r"\[[^\]\n]{1,200}\]",
        r"(?<!\w)['‘](?=\S)(?:[^'’‘\n]|['’](?=\w)){1,400}['’](?!\w)",
    ]
)
_MARKERS = r"(?:(?:[-*+•|]|#{1,6}|\d{1,3}[.)])\s+)*"
_AFTER = rf"\s*{_MARKERS}"
_ITEM = r"[ \t]*(?:[-*+•|]|\d{1,3}[.)])\s"
# The mark of a sentence's end with what closes behind it, a line's end, or a seam.
_BOUNDARY = (
    r"(?P<mark>[.!?…]+)[\"'”’»)\]*_`~]*(?=\s)|(?P<wide>[。！？]+[\"”’」』]?)|\n"
    r"|(?P<seam>(?<=\S) … (?=\S))"
)
_LONGEST_ABBREVIATION = 24
_ABBREVIATION = (
    rf"(?i)(?:^|[\s(\"“])(?:(?:[a-z]\.)*[a-z]|{'|'.join(ABBREVIATIONS)}|fig|jr|sr|usw|evtl|cf|al|sra?|"
    r"corp|apt|dept|gen|col|capt|rev|hon|geb|abs|tel|mio|mrd|ggf|inkl|zzgl|vgl|jan|feb|mar|apr|"
    r"jun|jul|aug|sept?|oct|okt|nov|dec|dez|\w*str(?:aße)?)$"
)
_LABELLED = r"[ \t]*(?:[A-Z][\w'’-]*|\*\*[^*\n]{1,40}\*\*)(?: [A-Z][\w'’-]*){0,2}: \S"
_FENCES = ("```", "~~~")
_MARKS = ".!?…。！？"
_CLOSED = f"{_MARKS}:;|"


class Passage(NamedTuple):
    """Characters `start` to `end` of a text, which stand or go together; whether they are code."""

    start: int
    end: int
    code: bool = False


def seamless(text: str) -> str:
    """Return text without what would pass for a seam."""
    return text.replace(SEAM, "… ")


def forbids(text: str, earlier: str) -> bool:
    """Tell whether a text begins by forbidding what an earlier one has the verb of."""
    found = re.match(_FORBIDS, text)
    return found is not None and found["verb"].lower() in re.findall(_WORD, earlier.lower())


def names_nobody(text: str) -> bool:
    """Tell whether a sentence speaks of somebody whom another before it has to name."""
    found = re.search(_PRONOUN, text)
    before = text[: found.start()] if found else ""
    return found is not None and not re.search(_NOUN, before) and not names_in(before)


def passages(text: str, *, seams: bool = False) -> list[Passage]:
    """Return the passages of a text in their order; with `seams`, of one that has seams."""
    found: list[Passage] = []
    for one, leans in _leaning(text, _sentences(text, seams=seams)):
        if leans and found:
            found[-1] = Passage(found[-1].start, one.end, found[-1].code)
        else:
            found.append(Passage(one.start, one.end, one.code))
    return found


def leading(text: str, most: int) -> str:
    """Return the first passages of a text that have `most` characters, with … where some go.

    The first alone may have thrice as many. Nothing is returned where that is longer.
    """
    if len(text) <= most:
        return text
    own = passages(text)
    kept = max((one.end for one in own if one.end < most), default=0)
    if not kept and own and own[0].end <= 3 * most:
        kept = own[0].end
    if not kept:
        return ""
    return text[:kept] if kept >= len(text.rstrip()) else f"{text[:kept]} …"


class _Sentence(NamedTuple):
    """A sentence: where it stands, whether in code, in an item of a list, or in a quoted mail.

    `open` tells that no mark ends it, `paragraph` that a blank line is before it, `seam` that one
    of a summary is.
    """

    start: int
    end: int
    code: bool
    item: bool
    mail: bool
    open: bool
    paragraph: bool
    seam: bool

    @property
    def listed(self) -> bool:
        """Tell whether a line before may lead it in."""
        return self.item or self.code or self.mail


def _sentences(text: str, *, seams: bool) -> Iterator[_Sentence]:
    after, item = re.compile(_AFTER), re.compile(_ITEM)
    fenced = any(map(text.__contains__, _FENCES))
    code = paragraph = seam = False
    line, start = 0, _end_of(after.match(text))
    line = text.rfind("\n", 0, start) + 1
    for end, following, kind in _boundaries(text, line, start, seams=seams):
        if fenced and text.startswith(_FENCES, start):
            code = not code
        elif end > start:
            yield _Sentence(
                start,
                end,
                code=code,
                item=item.match(text, line) is not None,
                mail=text.startswith(">", line),
                open=kind == "line" and text[end - 1] not in _MARKS,
                paragraph=paragraph,
                seam=seam,
            )
        between = text.count("\n", end, following)
        if between:
            line = text.rfind("\n", end, following) + 1
        start, paragraph, seam = following, between > 1, kind == "seam"


def _boundaries(text: str, line: int, start: int, *, seams: bool) -> Iterator[tuple[int, int, str]]:
    """Yield where a sentence ends, where the next begins, and what is between them."""
    after = re.compile(_AFTER)
    paired = [found.span() for found in re.compile(_PAIRED).finditer(text)]
    begins = [begin for begin, _ in paired]
    for found in re.compile(_BOUNDARY).finditer(text, start):
        if found.start() < start:
            continue
        kind = found.lastgroup or "line"
        fence = kind == "line" and _is_fence(text, line, found.end())
        pair = bisect_right(begins, found.start()) - 1
        if pair >= 0 and found.end() < paired[pair][1] and not fence:
            continue
        if kind == "seam":
            is_end = seams
        elif kind == "line":
            is_end = fence or _ends_line(text, line, found.start())
            line = found.end()
        else:
            is_end = not _goes_on(text, line, found)
        if not is_end:
            continue
        end = found.start() if kind in ("line", "seam") else found.end()
        following = _end_of(after.match(text, found.end()))
        yield end, following, kind
        start = following
        line = max(line, text.rfind("\n", found.end(), following) + 1)
    yield len(text.rstrip()), len(text), "end"


def _is_fence(text: str, line: int, following: int) -> bool:
    return text.startswith(_FENCES, line) or text.startswith(_FENCES, following)


def _end_of(found: "re.Match[str] | None") -> int:
    return found.end() if found else 0


def _ends_line(text: str, line: int, end: int) -> bool:
    """Tell whether the sentence of a line ends with it."""
    next_end = text.find("\n", end + 1)
    following = text[end + 1 : next_end if next_end >= 0 else len(text)].lstrip()
    before = text[line:end].strip()
    if not following and before:
        # A blank line ends what goes on behind it in a small letter as little as a line's end.
        further = text[end : end + 200].lstrip()
        return before[-1] in _CLOSED or not further[:1].islower()
    if not before:
        return True
    if following[0] == ">" and before[0] == ">":
        return False
    if before[-1] in _CLOSED or re.match(_ITEM, following):
        return True
    if following[0].islower() or before[-1] == ",":
        return False
    last = before[before.rfind(" ") + 1 :]
    return last.lower() not in GOVERNING


def _goes_on(text: str, line: int, found: "re.Match[str]") -> bool:
    """Tell whether a sentence goes on behind a mark that may end it."""
    rest = text[found.end() : found.end() + 80].lstrip(" \t")
    ends_line = not rest or rest[0] == "\n"
    if text.startswith(">", line) or re.compile(_LABELLED).match(text, line):
        return not ends_line
    mark = found["mark"]
    if mark is None or ends_line:
        return False
    if rest[0].islower() and found.end() > found.end("mark"):
        return True
    if mark == ".":
        # Hardly a sentence begins with a number; of `Kantstr. 12` and `Jan. 5` that is the rest.
        before = text[max(line, found.start() - _LONGEST_ABBREVIATION) : found.start()]
        return rest[0].isdigit() or re.search(_ABBREVIATION, before) is not None
    return rest[0].islower() and ("…" in mark or ".." in mark)


def _leaning(text: str, own: Iterable[_Sentence]) -> Iterator[tuple[_Sentence, bool]]:
    """Yield sentences, each with whether it stays with the one before it."""
    unreal = re.compile(_UNREAL)
    supposes = unreal.search(text) is not None
    before: _Sentence | None = None
    # Whether what leads in a list, and what begins a paragraph, governs all that follows in it.
    led = supposed = told = framed = leading = leans = False
    last = 0
    for one in own:
        words = text[one.start : one.end]
        opens = before is None or one.seam or "\n" in text[last : one.start]
        supposed = supposed and not (one.paragraph or one.seam)
        # Over a seam a frame leads only what stands right behind it.
        if opens and not (leading and one.seam):
            told = framed = False
        if before is None:
            leans = False
        elif one.seam:
            led, leans = False, told or reacts(words, text[before.start : before.end])
        else:
            alone = not leans
            leads = before.open and _governs(text, before, one)
            led = one.listed and (leads or led)
            heads = told or (framed and has_figure(text[one.start :].partition("\n")[0]))
            leans = leads or led or supposed or heads or _leans(text, before, one, alone=alone)
        yield one, leans
        if supposes and not supposed:
            supposed = unreal.search(text, one.start, one.end) is not None
        leading = False
        if not one.code:
            points, frame = opens and points_on(words), opens and frames(words)
            leading = points or frame
            told = told or points or _announces(words)
            framed = framed or frame
        before, last = one, one.end


def _announces(words: str) -> bool:
    """Tell whether a sentence governs what is told behind it in its line."""
    listed = re.search(_LISTS, words)
    if listed is not None and denies(words[: listed.start()]):
        return True
    return re.search(_COUNTS, words) is not None and governed(words)


def _governs(text: str, before: _Sentence, one: _Sentence) -> bool:
    """Tell whether a line that no mark ends, as a heading has none, governs the next."""
    colon = text[before.end - 1] == ":"
    if before.listed and not colon:
        return False
    return (one.mail and colon) or _is_governed(text, before)


def _leans(text: str, before: _Sentence, one: _Sentence, *, alone: bool) -> bool:
    """Tell whether a sentence answers, denies or doubts the one before it, or is so answered.

    A few words that stand `alone`, with nothing before them that they lean on, are of what follows.
    """
    answers = text[before.end - 1] == "?"
    words = text.count(" ", one.start, one.end) + 1
    if words < _FEW_WORDS and (answers or _is_governed(text, one)):
        return True
    few = text.count(" ", before.start, before.end) + 1 < _FEW_WORDS
    if alone and few and _is_governed(text, before):
        return True
    told = text[one.start : one.end]
    if (
        taken_back(told) == "hedged"
        or rights(told)
        or (not (one.code or before.code) and hangs(told, text[before.start : before.end]))
        or forbids(told, text[before.start : before.end])
        or (words <= _LEANING_WORDS and denies(told) and names_nobody(told))
    ):
        return True
    if re.compile(_LEANING).match(text, one.start, one.end) is None:
        return False
    return answers or (words <= _LEANING_WORDS and _is_governed(text, one))


def _is_governed(text: str, one: _Sentence) -> bool:
    return governed(text[one.start : one.end])
