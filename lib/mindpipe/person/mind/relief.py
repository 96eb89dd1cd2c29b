"""Bad news that was taken back, and fears that ended well: what weighs no more, by what is told.

Whoever takes something back, or tells that it ended well, seldom says all of it again: `it was a
false alarm`, `the boat is back`. Such words are of what they name, somebody or something; where
they name nothing they are of the gravest of what was told lately, if that is also the latest.
Silent rather than wrong: what fits nothing that is open changes nothing.

What is here is compiled when it is imported: import it where something is told and some of what
happened weighs.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mindpipe.core.patterns import LatePattern
from mindpipe.language.guards import told_plainly
from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.outcomes import content_of
from mindpipe.person.mind.people import named_at
from mindpipe.person.mind.recognition import relative
from mindpipe.person.mind.relations import NamedOther, others_of
from mindpipe.person.mind.residue import on_one_line
from mindpipe.person.mind.turn_words import (
    ABSENT,
    AILING,
    ENDED_WELL,
    OF_WHAT_WAS_TOLD,
    TAKES_BACK,
    TELLER,
    WITHOUT,
)
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.event import PersonEvent
from mindpipe.person.records.person import PersonIdentity

TELLING = frozenset({"news", "speech", "action", "contact", "touch"})
WEIGHING = frozenset({"news", "speech", "action", "concern", "threat", "contact"})
"""Types of events that may tell of it, and of what may be taken back or end well."""
LASTING = frozenset({"bereavement", "separation", "dismissal"})
"""Turns of a life that do not end well by themselves: they are only taken back."""
FATES = frozenset({"bereavement", "death", "illness"})
"""What happens by nobody's will."""
OPEN_US, LATELY_US = 21 * DAY_US, 4 * DAY_US
"""How long something may end well; and for how long it is meant by words that name nothing."""
WEIGHTY, LETTERS = 0.4, 3
"""The least importance of what is meant without being named, and letters of a word that names."""
_PRONOUN = re.compile(r"(?i)^(?:and |but |so |now )?(?:he|she|they|it|that|this)$")
_ENDS = re.compile(r"[,;:–—]\s+")
_SPEAKER = re.compile(r"(?i)^(?:and |but |so |now )?(?:I|we)$")


def relieved(
    event: PersonEvent, episodes: Sequence[Episode], identity: PersonIdentity
) -> list[Episode]:
    """Return which bad things that are open an event takes back, or tells to have ended well."""
    if event.type not in TELLING or not event.text or (event.valence or 0.0) < 0.0:
        return []
    feared = [one for one in episodes if _is_open(one, event)]
    if not feared:
        return []
    text = on_one_line(event.text).replace("’", "'")
    told = TELLER.match(text)
    news = told["told"] if told else text
    others = others_of(identity)
    never = _taken_back(news, feared, others)
    well = _ended_well(news, feared, others, event)
    return [one for one in feared if one in never or one in well]


def _is_open(episode: Episode, event: PersonEvent) -> bool:
    """Tell whether something bad may still be taken back or end well when an event comes."""
    bad = episode.type in WEIGHING and episode.valence < 0.0 and not episode.ended
    return bad and not episode.is_of(event.id) and 0 <= event.t_us - episode.t_us < OPEN_US


def _taken_back(
    news: str, feared: Sequence[Episode], others: Iterable[NamedOther]
) -> list[Episode]:
    """Return what is told never to have been so."""
    for found in told_plainly(news, TAKES_BACK):
        if found.meant not in (None, "reported"):
            continue
        groups = found.found.groupdict()
        # Nobody changes a mind on a death or an illness.
        open_ = [one for one in feared if groups["never"] or one.topic not in FATES]
        named = [one for one in open_ if _shares(news, one, others, but=found.found.group())]
        if named:
            # A turn of a life before what only has to do with the same.
            return [max(named, key=lambda one: (one.topic != "", one.t_us))]
        before = _ENDS.split(found.sentence[: found.found.start()])[-1]
        unnamed = not groups["of"] and not _names(news, others)
        if open_ and unnamed and OF_WHAT_WAS_TOLD.fullmatch(before.strip()):
            return _meant(open_)
    return []


def _meant(feared: Sequence[Episode]) -> list[Episode]:
    """Return what is meant by words that name nothing: the latest, where nothing is graver."""
    latest = max(feared, key=lambda one: (one.t_us, one.importance))
    lately = [one for one in feared if latest.t_us - one.t_us < LATELY_US]
    graver = any(one.importance > latest.importance for one in lately)
    return [] if graver or latest.importance < WEIGHTY else [latest]


def _ended_well(
    news: str, feared: Sequence[Episode], others: Sequence[NamedOther], event: PersonEvent
) -> list[Episode]:
    """Return what is told to have ended well."""
    left = [one for one in feared if one.topic not in LASTING]
    ends = list(_good_ends(news, event))
    if not ends and event.cls == "relief" and (event.valence or 0.0) > 0.0:
        return [one for one in left if _shares(news, one, others)]
    found = [one for end in ends for one in _of(end, left, others)]
    return list({one.id: one for one in found}.values())


class _GoodEnd(NamedTuple):
    """What ended well, in the words that are its subject, and which words a fear of it has."""

    subject: str
    fears: LatePattern | None


def _good_ends(news: str, event: PersonEvent) -> Iterator[_GoodEnd]:
    """Yield of what it is told plainly that it ended well; who speaks may tell it of itself."""
    for found in told_plainly(news, ENDED_WELL, earnest=True):
        groups, rest = found.found.groupdict(), found.sentence[found.found.end() :]
        if found.meant not in (None, "reported") or WITHOUT.search(rest):
            continue
        head = found.sentence[: found.found.start()]
        subject = re.split(rf"{_ENDS.pattern}|\b(?:that|and|but|so)\s+", head)[-1].strip()
        if whom := groups["whom"] or groups["taken"]:
            subject = whom
        elif _SPEAKER.match(subject):
            subject = (event.source or "") if event.type == "speech" else ""
        back = groups["back"] or groups["came"]
        well = groups["health"] or groups["healed"] or groups["fetched"]
        yield _GoodEnd(subject, ABSENT if back else AILING if well else None)


def _of(
    end: _GoodEnd, feared: Sequence[Episode], others: Sequence[NamedOther]
) -> Sequence[Episode]:
    """Return which of what is feared ended well; a pronoun is of what was told last."""
    fears = [one for one in feared if end.fears is None or end.fears.search(one.text)]
    if _PRONOUN.match(end.subject):
        return _meant(fears) if fears else []
    return [one for one in fears if _shares(end.subject, one, others)]


def _shares(text: str, episode: Episode, others: Iterable[NamedOther], *, but: str = "") -> bool:
    """Tell whether a text names somebody or something that was named when it was told."""
    if any(_means(text, one) and _names(episode.text, (one,)) for one in others):
        return True
    return not (_content(text) - _content(but)).isdisjoint(_content(episode.text))


def _means(text: str, one: NamedOther) -> bool:
    """Tell whether a text names somebody, or an animal as what it is: `the dog`."""
    as_such = one.kind == "animal" and one.role in _content(text)
    return as_such or _names(text, (one,))


def _names(text: str, others: Iterable[NamedOther]) -> bool:
    """Tell whether a text names one of some people, also as the family does: `Mother`."""
    return any(named_at(text, one) is not None or _calls(text, one) for one in others)


def _calls(text: str, one: NamedOther) -> bool:
    """Tell whether a text has what the family calls somebody: `Mother`, or `your father`."""
    if one.kind != "parent":
        return False
    own = relative(one.role)
    return any(relative(name.casefold()) == own for name in _KIN_NAME.findall(text))


_KIN = "Mother|Mum|Mom|Mama|Mamma|Father|Dad|Daddy|Papa"
_KIN_NAME = re.compile(rf"(?<![\w'’-])(?:(?i:your) (?=\w))?({_KIN}|(?<=our )(?i:{_KIN}))(?![\w-])")


def _content(text: str) -> frozenset[str]:
    """Return the words of a text that name something."""
    return content_of(text, letters=LETTERS)
