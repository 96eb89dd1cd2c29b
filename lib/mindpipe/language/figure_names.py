"""What a sentence says its figure to be of, by name or by a pronoun: `the budget went up to`."""

from typing import NamedTuple

from mindpipe.core.patterns import late

_OWN = r"(?:the|our|my|his|her|their|its|your)"
_NAMED = r"(?P<{}>[\w&/-]+(?: [\w&/-]+){{0,5}}?)"
_BARE = r"(?!(?:I|we|you|he|she|they|it|there|who|what|which|that|this)\b)"
_IT = r"(?:it|that|this)"
_CHANGED = (
    r"(?:(?:improv|increas|decreas|dropp|ris|reach|extend|expand|adjust|updat|chang|rais|reduc|boost|"
    r"bump|revis|lower|climb|jump|shorten|lengthen|reschedul|postpon|shift|delay|push|slipp)"
    r"(?:e|es|ed|ing|en)?|mov(?:e|es|ed|ing)|put|cut|set|fell|fallen|rose|grew|grown|went|gone|got|"
    r"brought|hit)"
)
CHANGED = late(rf"(?i)\b{_CHANGED}\b")
"""What says that a figure, a day or a time became another."""
_SO_FAR = (
    r"(?:is|are|was|were|be|been|being|has|have|had|will|now|just|finally|recently|also|currently|"
    r"already|officially|since|not|no longer)(?:n['’]t)?"
)
_WAY = r"(?: (?:up|down|back|forward|out|again))*"
_FROM = r"(?: from \S+(?: [a-z]+)?)?"
_ABOUT = r"(?: (?:about|around|roughly|only|exactly|nearly|almost|over))?"
_CLAUSE = r"(?:^|[,;:–—-]\s+|\b(?:and|but|so|because|that|then|ok|well)\s+)"
_OF_ITSELF = late(
    rf"(?i){_CLAUSE}(?:(?P<own>{_OWN} )?{_BARE}{_NAMED.format('of')}|{_IT})"
    rf"(?P<link>(?:['’]s| {_SO_FAR})*"
    rf"(?P<changed> {_CHANGED}{_WAY})?{_FROM}(?: (?:to|at|until|till|on|by|from))?{_ABOUT})\s+$"
)
_BY_SOMEBODY = late(
    rf"(?i)\b{_CHANGED}{_WAY} (?:{_OWN} {_NAMED.format('of')}|{_IT}){_WAY}{_FROM} "
    rf"(?:to|until|till){_ABOUT}\s+$"
)


_NO = late(r"(?i)\W*(?:no|nope|nah|sorry|correction|actually|wrong)\b")
"""How somebody begins who rights what was just said: `no, it's on 5 March`."""


class FigureName(NamedTuple):
    """The words that name what a figure is of, "" of a pronoun, and whether it is changed to it."""

    words: str
    changed: bool


def figure_name(before: str) -> FigureName | None:
    """Return what the words before a figure say that it is of, None where they name nothing."""
    if (found := _BY_SOMEBODY.search(before)) is not None:
        return FigureName(found["of"] or "", changed=True)
    found = _OF_ITSELF.search(before)
    if found is None or not found["link"].strip():
        return None
    if found["of"] and not (found["own"] or found["changed"]):
        return None
    righted = found["of"] is None and _NO.match(before) is not None
    return FigureName(found["of"] or "", changed=found["changed"] is not None or righted)
