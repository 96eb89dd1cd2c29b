"""What is taken back or denied later, in words that name little: `scrap that`, `No, wrong.`.

Alone such words tell little, and leave a window first; what they took back, or denied, would then
stand there as if it held.
"""

import re
from bisect import bisect_right
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence

from mindpipe.language.guards import slip_in

WITHDRAWN = 4
"""Own messages before it that a withdrawal may mean, of those that commit whoever said them."""
# Patterns are texts, compiled when they are first used, as everywhere in plans.
_WITHDRAWS = (
    r"(?i)\b(?:I|we)(?: hereby)?(?:['’]ll| will|['’]m| am|['’]ve| have)? ?"
    r"(?:take|taking|took|taken|withdraw|withdrew|revoke|revoked|retract) "
    r"(?:that|this|it|what I said|my (?:word|words|offer|promise|bid))(?: back)?\b"
    r"|\b(?:scrap|scratch|strike|forget|ignore|disregard|cancel) "
    r"(?:that|this|it|what I said|my last (?:message|point|offer))\b(?! time| day)"
    r"|\b(?:changed|change) (?:my|our) minds?\b|\bon second thoughts?\b|\b(?:deal|that) is off\b"
    r"|\bthat['’]s off\b|\b(?:I|we) (?:did not|didn['’]t) mean (?:that|it)\b"
    r"|\b(?:I was|was only|was just|only|just) (?:joking|kidding|wrong)\b"
    r"|\b(?:I|we) (?:won['’]t|will not) (?:after all|do (?:that|it))\b"
    r"|\bnehme (?:das|es|alles) zurück\b|\bvergiss (?:das|es)\b|\bdoch nicht\b|\bme retracto\b"
)
_ENDS = r"(?=\s*(?:[.,!;:\"—–-]|$))"
_TRUE = rf"(?:true|correct|accurate)\b|right\b(?! now| away| here)|so(?: at all)?{_ENDS}"
# How words begin that deny what somebody else said before them.
_DENIES = (
    r"(?i)^(?P<who>[^\":\n]{1,300}(?=: \"))?"
    r"\W*(?:(?:oh|um|hm+|well|sorry|wait|but|ok(?:ay)?|hey)\b\W*)*"
    r"(?:(?:no|nope|nah|nein)\b(?!(?:\W+no)*\W+(?:thanks?|danke|not (?:right )?now|not yet)\b)"
    r"(?:\s*(?:[,.!;:\"—–-]|$)|\s+(?:I|it|that|this|we|you|he|she|they|not)\b)"
    rf"|(?:wrong|incorrect|untrue|false|correction|stimmt nicht)\b|not (?:{_TRUE})"
    r"|(?:that|this|it)(?:['’]s| is| was)(?: (?:simply|just|all|plain|quite))?"
    rf" (?:not(?: (?:{_TRUE})|{_ENDS})|(?:wrong|false|untrue|incorrect|nonsense|a lie)\b)"
    rf"|(?:that|this|it) (?:is|was|does|did)n['’]t(?: (?:{_TRUE})|{_ENDS})"
    rf"|das (?:stimmt nicht\b|ist nicht(?: (?:wahr|richtig|korrekt)\b|(?: so)?{_ENDS})))[^.!?\n]*"
)
# A short turn that takes in what was said and claims nothing.
_ACKNOWLEDGES = (
    r"(?i)\W*(?:(?:ok(?:ay)?|yes|yeah|noted|thanks|thank you|got it|understood|all ?right|right"
    r"|sure|fine|good|great|i see|hm+|will do|danke|gut|verstanden)\b\W*){1,3}"
)
_REACH = 2
"""Turns between a denial and what it denies: the agent's, and such as only acknowledge."""
_AGENT = "assistant"
_COMMITS = (
    r"(?i)['’]ll\b|\b(?:will|shall|promised?|agree[ds]?|deal|decided|offer|bid|going to|count on|"
    r"yes|okay|ok|sure|werde|verspreche)\b|\d"
)
_STEMS = (
    *("that", "this", "it", "what i said", "my ", "our mind", "second thought", "is off", "'s off"),
    *("’s off", "joking", "kidding", "wrong", "after all", "zurück", "vergiss", "doch nicht"),
    "retracto",
)


def withdrawal_in(text: str) -> tuple[int, int] | None:
    """Return the characters in which a text takes something back, or None."""
    if (slip := slip_in(text)) is not None:
        return slip
    lower = text.lower()
    if not any(map(lower.__contains__, _STEMS)):
        return None
    found = re.search(_WITHDRAWS, text)
    return None if found is None else found.span()


def denial_in(text: str) -> tuple[int, int] | None:
    """Return the characters with which a text denies what was said before it, or None.

    A line of a summary that begins with somebody's quoted words is what these are.
    """
    found = _denial(text)
    return None if found is None else found.span()


def _denial(text: str) -> re.Match[str] | None:
    """Return the words with which a text denies what was said before it."""
    return re.match(_DENIES, text)


def is_denied(before: tuple[str, str], name: str, text: str) -> bool:
    """Tell whether a text of `name` denies what stands before it, of which name and words.

    What answers a question denies nothing that was claimed.
    """
    denial = _denial(text)
    return denial is not None and _is_of(denial, before, name)


def _is_of(denial: re.Match[str], before: tuple[str, str], name: str) -> bool:
    """Tell whether a denial of `name` is of what stands before it."""
    earlier, words = before
    return (denial["who"] or name) != earlier and not words.endswith("?")


def _denied(before: Sequence[tuple[str, str]], name: str, text: str) -> list[int]:
    """Return how many turns back those stand that a text denies; `before` is newest first."""
    found: list[int] = []
    if (denial := _denial(text)) is None:
        return found
    for back, (earlier, words) in enumerate(before, 1):
        if _is_of(denial, (earlier, words), name):
            found.append(back)
        if words.endswith("?") or (
            earlier != _AGENT and re.fullmatch(_ACKNOWLEDGES, words) is None
        ):
            break
    return found


def commits(text: str) -> bool:
    """Tell whether a text binds whoever said it, or names a number."""
    return re.search(_COMMITS, text) is not None


def withdrawn(voices: Iterable[tuple[str, str]]) -> dict[int, list[int]]:
    """Return, by the places of messages, the places of those that take them back.

    `voices` are the names and words of messages in their order. A withdrawal means what stands
    before it in its own message, the message of the same name before, and those of the last few
    that commit; a denial the message right before it, if that is of another name, and over turns
    of the agent, and such as only acknowledge, what these speak of.
    """
    own: defaultdict[str, deque[tuple[int, str]]] = defaultdict(lambda: deque(maxlen=WITHDRAWN))
    found: defaultdict[int, list[int]] = defaultdict(list)
    before: deque[tuple[str, str]] = deque(maxlen=_REACH + 1)
    for place, (name, text) in enumerate(voices):
        for back in _denied(before, name, text):
            found[place - back].append(place)
        before.appendleft((name, text.rstrip()))
        if withdrawal_in(text) is not None:
            found[place].append(place)
            for number, (earlier, words) in enumerate(reversed(own[name])):
                if number == 0 or commits(words):
                    found[earlier].append(place)
        own[name].append((place, text))
    return dict(found)


def clauses_of(spans: Sequence[tuple[int, int]], part: tuple[int, int]) -> list[int]:
    """Return the numbers of the clauses in which a part of a text stands."""
    first = max(bisect_right([start for start, _ in spans], part[0]) - 1, 0)
    return [
        number
        for number, (start, end) in enumerate(spans)
        if number >= first and start < part[1] and end > part[0]
    ]
