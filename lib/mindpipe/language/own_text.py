"""Whose words a text holds: what is pasted, quoted at length or made up is not its speaker's own.

One look for all readers. A text has others' words behind the head of a mail, in the lines of a
chat, in a letter that another signed, behind words that lead in what another wrote or what is made
up, before words that say whose they were, and between the marks of a quotation of sentences.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.core.sources import USER
from mindpipe.language.guards import is_frank
from mindpipe.language.words import MADE_UP_TEXTS, SENT_TEXTS, any_of

MOST_OF_HEADING = 8
"""Words up to which a line that says nothing may be the heading of what stands below."""
_CUE = late(
    r"[:\n\"“”„«»]|\s[-–—]\s|"
    r"(?i:\b(?:here|this|below|following|these|that|those|not my)(?:['’]s)?\b)"
)
_HEAD = late(
    r"(?im)^[ \t>*]*(?P<field>from|to|cc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum|"
    r"de|para|asunto|fecha)[ \t]*:[ \t]*(?P<told>\S.*)$"
)
_SENT_BY = frozenset({"from", "von", "de"})
_FORWARDED = late(
    r"(?im)^[ \t>]*(?:-{2,}[ \t]*(?:original|forwarded) message\b.*|begin forwarded message:?|"
    r"on .{4,60} wrote:|am .{4,60} schrieb .{1,40}:|el .{4,60} escribió:)[ \t]*$"
)
_CLOCK = r"\d{1,2}[:.]\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?"
_DATE = r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? ?)"
_SPEAKER = r"[<@]?(?P<who>[^\W\d_][\w'’.-]*(?: [A-ZÀ-ÞŁŚŽ][\w'’.-]*){0,2})>?(?: \([^)\n]{1,20}\))?"
_LINE = late(
    rf"(?m)^[ \t]*(?P<clock>[\[(]?{_DATE}?{_CLOCK}[\])]?[ \t,–—-]*)?{_SPEAKER}[ \t]*"
    rf"(?P<clock_2>[\[(]{_CLOCK}[\])])?[ \t]*(?:(?<=>)|:)[ \t]+(?=\S)"
)
"""A line of a chat: `[10:32] Karl: hi`, `Karl: hi`, `<karl> hi`."""
_LINE_HEAD = late(
    rf"(?m)^[ \t]*{_SPEAKER}[ \t]*(?:[–—,-][ \t]*)?(?:[Tt]oday |[Yy]esterday |{_DATE})?"
    rf"(?:at )?[\[(]?{_CLOCK}[\])]?[ \t]*\n"
)
"""What stands alone above what somebody wrote in a chat: `Karl — Today at 10:32`."""
_SIGNED = late(
    r"(?i)(?:^|\n|[.!?] )[ \t]*(?:with |all my |lots of |much |many )?(?:best|love|yours|sincerely|"
    r"regards|greetings|hugs|kisses|(?:thanks|cheers)(?=,?[ \t]*\n)|(?:kind|warm|best) \w+|"
    r"all the best|liebe grüße|viele grüße|gruß|lg|vg|mfg|saludos|un abrazo|besos|x{1,4})"
    r"[^\n.!?]{0,20}?[,!]?[ \t]*\n?[ \t]*[-–—]?[ \t]*"
    r"(?P<who>(?-i:[A-ZÀ-ÞŁŚŽ])[\w'’-]+(?: (?-i:[A-ZÀ-ÞŁŚŽ])[\w'’-]+){0,2})[ \t.!]*x*\s*$"
)
_GREETED = late(
    r"(?i)\s*(?:dear|hi|hello|hey|liebe[r]?|hallo|querid[oa]|hola) (?P<who>[\w'’-]+)[,!.]?[ \t]*\n"
)
_END = late(r"(?P<block>:?[ \t]*\n\s*)|(?P<colon>:)\s+|\s(?P<dash>[-–—])\s|(?P<stop>[.!?…])\s+")
_MADE_UP = rf"(?:{any_of(MADE_UP_TEXTS)})s?"
_SENT = rf"(?:{any_of(SENT_TEXTS)})s?"
_ANOTHERS = (
    r"(?:(?!(?:it|that|what|here|there|let|he|she|who)['’])[\w'’-]+(?:['’]s|s['’])|his|her|their)"
)
_KIND = late(
    rf"(?i)\b(?:(?<!for )(?<!in one )(?<!in a )(?<!new ){_MADE_UP}\b(?! (?:aside|apart|twist))|"
    rf"{_ANOTHERS} (?:[\w-]+ )?(?:{_SENT}|notes?|story|tale)\b|{_SENT} (?:from|by)\b|"
    r"(?:short|bedtime) story\b)"
)
"""What says that a text is made up, or that somebody else sent it: `my kid's essay`."""
_SENT_ONE = late(rf"(?i)\b(?:the|an?|this|that|another) (?:[\w-]+ )?{_SENT}\b")
"""What does so where it is shown: `here is the letter`."""
_SHOWS = late(
    r"(?i)^\W*(?:(?:ok|okay|so|and|look|hey|lol|well)\b\W*)*(?:here(?:['’]s| is| are| comes| goes)|"
    r"this is|below(?: is|['’]s)?|these are|attached(?: is)?|behold)\b"
)
_HANDED = late(
    r"(?i)^\W*(?:(?:please|can you|could you|would you|hey|hi|ok|now)\b\W*)*"
    r"(?:translate|proofread|correct|rewrite|rephrase|paraphrase|summari[sz]e|edit|improve|analy[sz]e|"
    r"review|check|polish|shorten|read|grade|repeat)\b(?!.*\b(?:I|we)\b)"
)
"""How somebody begins who hands a text over to be worked on."""
_POINTS = late(r"(?i)\b(?:this|these|following|below)(?: (?:for me|please))*$")
"""How it ends where the text follows in the next sentence: `Can you proofread this?`."""
_WROTE = late(
    r"(?i)\b(?:wrote|writes|posted|posts|texted|texts|messaged|emailed|e-mailed|replied|replies|"
    r"answered|reads|schrieb|schreibt|escribió)\b(?: (?:me|us|to me|back|this|that|today|"
    r"yesterday|just now|in \w+|on \w+))*\W*$"
)
_TOLD = late(r"(?i)\b(?:said|says|told|tells|went|goes|claims|claimed|sagte|dijo)\b")
_BY_SPEAKER = late(
    r"\b(?:I|[Ww]e)(?:['’]ve| have)? (?:just )?(?:wrote|written|posted|texted|replied)"
)
_OF_ITSELF = late(r"(?i)\b(?:i|i['’](?:m|ve|d|ll)|we|we['’](?:re|ve|ll))\b")
_NOT_MINE = late(
    r"(?i)^\W*(?:(?:that|this|those|these|it)(?:['’]s| is| was| are| were)|so)\s+(?:just |exactly )"
    r"?(?:what|how) (?!(?:I|we)\b)(?:[\w'’-]+ ){1,4}?(?:said|says|wrote|writes|told|tells|claims|"
    r"claimed|put it|thinks|sounds)\b|"
    r"^\W*(?:(?:that|this|those|these)(?:['’]s| is| was| are| were)) "
    r"(?:not (?:me|my words)|(?:his|her|their|[\w'’-]+['’]s) (?:own )?words)\b|^\W*not my words\b"
)
"""What says of the words before it that they are another's: `That's what the kid said.`."""
_PARAGRAPH = late(r"\n[ \t]*\n")
_OPENS, _CLOSES = '"“„«', '"”“»'
_GOES_ON = late(r"[.!?…]\s+\S")
_SELF = frozenset({"me", "i", "myself", "ich", "yo"})


class _Words(NamedTuple):
    """Some characters of a text: the first, and the first that is out."""

    start: int
    end: int


def own_text(text: str, *, speaker: str = "") -> str:
    """Return what somebody says, with the words of others in it as as many blanks.

    Line ends are kept, and what goes on behind such words stands behind a full stop. `speaker` is
    the name of whoever speaks, "" where nobody knows it.
    """
    if _CUE.search(text) is None:
        return text
    found = text
    for one in _of_others(text, speaker):
        blank = re.sub(r"[^\n]", " ", text[one.start : one.end])
        if text[one.end : one.end + 1].strip() and blank.strip("\n"):
            blank = f".{blank[1:]}"  # a line of its own; four blanks would make code of it
        found = f"{found[: one.start]}{blank}{found[one.end :]}"
    return found


def _of_others(text: str, speaker: str) -> Iterator[_Words]:
    """Yield the words of a text that are not its speaker's."""
    yield from _mailed(text, speaker)
    yield from _chatted(text, speaker)
    yield from _signed(text, speaker)
    yield from _led_in(text)
    yield from _quoted(text)


def _is_speaker(name: str, speaker: str) -> bool:
    """Tell whether a name in a text is that of whoever speaks."""
    said = set(re.findall(r"\w+", name.lower()))
    return not _SELF.isdisjoint(said) or not said.isdisjoint(re.findall(r"\w+", speaker.lower()))


def _mailed(text: str, speaker: str) -> Iterator[_Words]:
    """Yield what stands behind the head of a mail by another, and the head itself."""
    heads = list(_HEAD.finditer(text))
    sent = next((one for one in heads if one["field"].lower() in _SENT_BY), None)
    if sent is not None and (len(heads) > 1 or not text[: sent.start()].strip()):
        own = _is_speaker(sent["told"], speaker)
        yield from (_Words(*one.span()) for one in heads)
        if not own:
            yield _Words(heads[0].start(), len(text))
    if (forwarded := _FORWARDED.search(text)) is not None:
        yield _Words(forwarded.start(), len(text))


def _chatted(text: str, speaker: str) -> Iterator[_Words]:
    """Yield the lines of a chat that others wrote, and the names before all of them."""
    lines = [one for one in _LINE.finditer(text) if not is_frank(f"{one['who']}:")]
    timed = any(one["clock"] or one["clock_2"] or one[0].lstrip()[0] == "<" for one in lines)
    several = len(lines) > 1 and all(one["who"][:1].isupper() for one in lines)
    yield from _by_lines(text, speaker, lines if timed or several else ())
    yield from _by_lines(text, speaker, list(_LINE_HEAD.finditer(text)))


def _by_lines(text: str, speaker: str, heads: Sequence[re.Match[str]]) -> Iterator[_Words]:
    """Yield what others wrote, each up to where the next begins or a blank line ends it."""
    for one, after in zip_longest(heads, heads[1:]):
        stop = after.start() if after else len(text)
        blank = _PARAGRAPH.search(text, one.end(), stop)
        own = _is_speaker(one["who"], speaker)
        yield _Words(one.start(), one.end() if own else blank.start() if blank else stop)


def _signed(text: str, speaker: str) -> Iterator[_Words]:
    """Yield all of a letter that another has signed, or that speaks to who hands it on."""
    signed, greeted = _SIGNED.search(text), _GREETED.match(text)
    by_another = signed is not None and not _is_speaker(signed["who"], speaker)
    to_speaker = greeted is not None and _is_speaker(greeted["who"], speaker)
    if speaker not in ("", USER) and (by_another or to_speaker):
        yield _Words(0, len(text))


def _led_in(text: str) -> Iterator[_Words]:
    """Yield what stands behind words that lead in others', or before words that say they were."""
    start = 0
    for end in (*_END.finditer(text), None):
        stop = end.start() if end else len(text)
        lead = text[start:stop]
        if _NOT_MINE.match(lead):
            paragraph = max((one.end() for one in _PARAGRAPH.finditer(text[:start])), default=0)
            yield _Words(paragraph, stop)
        if end is not None and _leads_in(lead.strip(), end):
            over = None if end["block"] else _PARAGRAPH.search(text, end.end())
            yield _Words(end.end(), over.start() if over else len(text))
            if over is None:
                return
        start = end.end() if end else stop


def _leads_in(lead: str, end: re.Match[str]) -> bool:
    """Tell whether what follows some words, and the sign behind them, is another's or made up."""
    if not lead or is_frank(f"{lead}:") or _BY_SPEAKER.search(lead):
        return False
    shows = _SHOWS.match(lead) is not None
    kind = _KIND.search(lead) is not None or (shows and _SENT_ONE.search(lead) is not None)
    colon = end["colon"] is not None or (end["block"] or "").startswith(":")
    wrote = _WROTE.search(lead) is not None
    if _HANDED.match(lead) and (colon or "\n" in end[0] or _POINTS.search(lead)):
        return True
    if colon:
        told = end["block"] is not None and _TOLD.search(lead) is not None
        return kind or wrote or told
    if shows and (kind or wrote):
        return True
    heads = end["dash"] is not None or end["block"] is not None
    few = len(lead.split()) <= MOST_OF_HEADING and lead[-1] not in ".!?…,"
    return heads and few and kind and _OF_ITSELF.search(lead) is None


def _quoted(text: str) -> Iterator[_Words]:
    """Yield what stands in quotation marks where it is more than one sentence."""
    marks = [one.start() for one in re.finditer(f"[{_OPENS}{_CLOSES}]", text)]
    for first, last in _pairs(marks):
        if _GOES_ON.search(text, first + 1, last):
            yield _Words(first + 1, last)


def _pairs(marks: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the places of marks two by two."""
    places = iter(marks)
    return zip(places, places, strict=False)
