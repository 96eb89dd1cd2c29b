"""What sounds as though something were over, whatever a reader makes of the sentence."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.guards import (
    clause_meant,
    denies,
    is_ironic,
    sentence_meant,
    taken_back,
)
from mindpipe.language.times import is_for_the_day
from mindpipe.language.words import DOCTORS, RELATIVES, any_of

REACH = 4
"""Words on either side of a sign among which the thing stands that may be over."""
_TURN = (
    r"(?:hates?|loathes?|detests?|dislikes?|can(?:no|['’])?t (?:stand|bear)|sick of|done with) "
    r"(?:it|them) (?:now|these days)"
)
_TURNED = late(rf"(?i){_TURN}")
_LEFT = (
    r"(?<!show )off|left|leav(?:e|es|ing)|quit(?:s|ting)?|lost|sold|sell(?:s|ing)?|"
    r"(?:g[ai]ve(?:n|s)?|giving) (?:up|away|back)|stopp(?:ed|ing)|dropp(?:ed|ing)|"
    r"clos(?:ed|es|ing)|shut(?:s|ting)?|resign(?:ed|ing)|retir(?:ed|ing)|fired|sacked|"
    r"swapp(?:ed|ing)|switch(?:ed|ing)|chang(?:ed|ing)|replac(?:ed|ing)|mov(?:ed|ing)|"
    r"broken?|stolen|totall?ed|wrecked|scrap(?:ped)?|ditched|cancel(?:led|ed|ling|ing)|"
    r"used to|miss(?:ing)?|walked out|(?:had|packed) it (?:with|in)|"
    r"(?:th(?:row(?:s|n|ing)?|rew)|kick(?:s|ed|ing)?|chuck(?:s|ed|ing)?)"
    r"(?= (?:[\w'’-]+ ){1,4}out\b)|"
    r"(?:th(?:row(?:s|n|ing)?|rew)|t(?:ake[ns]?|aking|ook)|sen[dt]s?)"
    r"(?= (?:[\w'’-]+ ){1,4}away\b)|"
    r"behind (?:me|us)(?! (?:on|in|at)\b)|for sale|the last of|scrap(?:yard|heap)|so much for|"
    r"said no to|parted (?:ways|company)|(?:turns?|turned) my stomach|"
    r"(?:makes?|made) me (?:gag|sick|ill)|puts? me off|"
    r"(?:went|gone|goes|going) (?:bust|bankrupt)|write-off|"
    r"(?<!i )bought my|killed (?:off|the)|axed|binned|rid of|goes to(?= (?-i:[A-ZÀ-Þ]))|"
    r"wrong about|through with|any ?more|any longer|lives with(?! (?:me|us)\b)|"
    r"lasted (?:(?:only|just|all of) )?(?:\w+ )?(?:days?|weeks?|months?)|"
    r"(?:(?<=i['’]m )|(?<=i am ))over(?= (?!at\b|in\b|on\b|by\b|the\b|here\b|there\b)[a-z])|"
    r"never again|bor(?:es|ed|ing)|back when|when (?:I|we) (?:was|were|lived|worked|had)|"
    rf"my (?:ex|old|former)|{_TURN}"
)
_ENDED = (
    r"(?:(?:all|is|are|was|['’]s) over|over(?=\W*$)|done|finished|ended|ex|gone|dead|died|dies|"
    r"history|goodbye|bye|no (?:more|longer)|got out|r[au]n (?:away|off)|escaped|"
    r"(?:with|among|around) us any ?more|cleared up|"
    r"g[ai]ven?(?= (?-i:[A-ZÀ-Þ])[\w'’]+ to (?:an?|my|our|the|some) )|"
    r"let(?= [\w'’]+ go\b(?! (?:to|out|in|for|first|home)\b))|"
    r"(?:have not|haven['’]?t) (?:touched|played|used|opened|worn)|"
    r"(?:did not|didn['’]?t) make it|rainbow bridge|split|parted|separated|divorced|broke(?:n)? up)"
)
_SIGN = late(rf"(?i)\b(?:(?P<ended>{_ENDED})|{_LEFT})\b")
_BACK = late(
    r"(?i)\bback (?:together|home|on|in|at|with)\b|\b(?:took|taken|takes|hired) me back\b|"
    r"\b(?:came|come|comes|moved|went) back\b|\bagain\b|\bgr(?:ew|own) on me\b|"
    r"(?:\b(?:is|are)|['’]s) (?:al(?:l )?right|fine|good|nice|great|lovely|ok(?:ay)?) "
    r"(?:actually|after all)\b|\bc[ao]me (?:round|around) to\b"
)
"""What sounds as though something that has ended went on."""
_WORD = late(r"\w+(?:['’]t)?")
_LASTS = late(r"(?i)\b(?:still|remain(?:s|ed)?|stay(?:s|ed|ing)?|kept|keep(?:s|ing)?)\b")


_LONG_AGO = late(
    r"(?i)\b(?:in|until|till) (?:19|20)\d\d\b|\b(?:years|decades) ago\b|\bback (?:then|in)\b"
)
_UNDONE = late(
    r"(?i)\b(?:almost|nearly|not yet|thinking (?:of|about)|(?<!the )thought (?:of|about)|"
    r"considering|"
    r"considered|tempted|tr(?:y|ied|ying) to|could have|would have|would(?: never|n['’]?t))\b"
)
"""Words before a sign of what did not come to it: `I almost quit`."""
_OF_KIN = late(
    rf"(?i)^\W*(?:(?:and|but|so)\W+)*(?:my|our|his|her|their) (?:\w+ )?"
    rf"(?:{any_of(RELATIVES - DOCTORS)})\b"
)
"""How a clause begins of which the end is another's: `my colleague at Bosch was fired`."""
_PUT = late(r"(?i)\s+(?:my|our|the|his|her|their|an?) (?:\w+ )?\w+ (?:at|in|on|to|with)\b")
"""What tells where somebody left or moved a thing: `left my keys at Bosch`."""
_NOT = late(
    r"(?i)(?:\b(?:not|never)|n['’]t)\b(?! (?:only|just|yet|sure|so|too|that|even|all|always|wait|"
    r"stop|help|get enough|have enough|live without|do without|imagine|believe|forget|know|think|"
    r"mind|miss|have time|been|seen|tried|had)\b)"
)
_OF_SELF = late(r"(?i)\b(?:i|we|my|our)\b")
_NO_END = frozenset({"used to", "any more", "anymore", "any longer"})


def _denied(sign: re.Match[str], clause: str) -> bool:
    """Tell whether a clause says that nothing was left or stopped: `I haven't quit yet`."""
    ends = sign["ended"] is not None or sign[0].lower() in _NO_END
    before, behind = clause[: sign.start()], clause[sign.end() :]
    if _UNDONE.search(before) is not None or (not ends and denies(before)):
        return True
    return not ends and (_OF_KIN.match(clause) is not None or _PUT.match(behind) is not None)


class DoubtfulClause(NamedTuple):
    """A clause in which something may be over: where it begins, the words near the sign of it.

    `of_persons` says that it may be somebody too: who left, or is out, is so for the evening.
    """

    start: int
    text: str
    near: frozenset[str]
    of_persons: bool


def doubtful_clauses(text: str) -> Iterator[DoubtfulClause]:
    """Yield the clauses of a text in which something sounds as though it were over."""
    if _SIGN.search(text) is None:
        return
    all_of_it = list(sentences(text, whole=True))
    for before, sentence, behind in zip(
        [None, *all_of_it], all_of_it, [*all_of_it[1:], None], strict=False
    ):
        if is_ironic(sentence.text):
            return
        if sentence_meant(sentence.text) is not None or _LASTS.search(sentence.text):
            continue
        if _LONG_AGO.search(sentence.text) or taken_back(behind.text if behind else ""):
            continue
        for clause in clauses(sentence):
            if clause_meant(clause.text) == "wished" or is_for_the_day(clause.text):
                continue
            for sign in _SIGN.finditer(clause.text):
                if _denied(sign, clause.text):
                    continue
                near = _near(sign, clause.text)
                yield DoubtfulClause(clause.start, clause.text, near, sign["ended"] is not None)
                if before is not None and _TURNED.fullmatch(sign[0]):  # what it is stands before
                    named = frozenset(map(str.lower, _WORD.findall(before.text)))
                    yield DoubtfulClause(clause.start, before.text, named, of_persons=False)


def denying_clauses(text: str) -> Iterator[DoubtfulClause]:
    """Yield the clauses in which somebody says of himself that something is not so.

    `The test came back: I'm not allergic to peanuts` is read by none, for it may be another's word.
    """
    if _NOT.search(text) is None:
        return
    for sentence in sentences(text, whole=True):
        if is_ironic(sentence.text):
            return
        if sentence_meant(sentence.text) not in (None, "reported", "quoted"):
            continue
        for clause in clauses(sentence):
            own = _OF_SELF.search(clause.text) and not _OF_KIN.match(clause.text)
            meant = clause_meant(clause.text)
            if not own or meant in ("wished", "asked", "imagined") or is_for_the_day(clause.text):
                continue
            for sign in _NOT.finditer(clause.text):
                behind = _WORD.findall(clause.text[sign.end() :])
                if 0 < len(behind) <= REACH:  # of more it may be how, or where, that is denied
                    near = frozenset({behind[-1].lower()})
                    yield DoubtfulClause(clause.start, clause.text, near, of_persons=False)


def returning_clauses(text: str) -> Iterator[DoubtfulClause]:
    """Yield the clauses of a text in which what has ended sounds as though it went on."""
    if _BACK.search(text) is None:
        return
    for sentence in sentences(text, whole=True):
        if is_ironic(sentence.text):
            return
        if sentence_meant(sentence.text) is not None:
            continue
        for sign in _BACK.finditer(sentence.text):
            at = sentence.start + sign.start()
            clause = next((one for one in clauses(sentence) if one.start <= at < one.end), sentence)
            if clause_meant(clause.text) is None and not denies(clause.text):
                # Before the sign another clause may name it: "Eve and I are back together".
                near = _near(sign, sentence.text[: clause.end - sentence.start])
                yield DoubtfulClause(clause.start, sentence.text, near, of_persons=True)


def _near(sign: re.Match[str], clause: str) -> frozenset[str]:
    """Return the words on either side of a sign."""
    before = _WORD.findall(clause[: sign.start()])[-REACH:]
    behind = _WORD.findall(clause[sign.end() :])[:REACH]
    return frozenset(one.lower() for one in (*before, *behind))
