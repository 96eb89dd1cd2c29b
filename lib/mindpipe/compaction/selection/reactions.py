"""Short words that say nothing without what they answer, like `Wait, don't` or `It fell through`.

They are told by their shape, as there is no end to how people deny something: they are few, and
name nothing that what they follow has not named.
"""

import re
from collections.abc import Iterator, Sequence

from mindpipe.compaction.selection.governing import governed, telling
from mindpipe.compaction.window_text import leading_quotations
from mindpipe.language.guards import denies
from mindpipe.language.withdrawals import withdrawal_in

LONGEST = 70
"""Characters of a longer text, which tells by itself what it is about."""
REACH = 40
"""Turns at most from what is meant to words that speak of it, most of them of the agent's tools."""
_PEOPLE = 4
"""Turns at most of people from what is meant."""
_TOLD = 4
"""Telling words at most that were not said before."""
_TOLD_BEHIND = 3
"""The same, of a sentence behind another one in a message."""
_GOVERNED_BEHIND = 1
"""The same, where it denies nothing and speaks of no figure."""
_COMPARED = 2000
"""A longer text is a file or a result: its words are not compared with those of others."""
# What stands for what was said before, or goes on with it.
_BACK = (
    r"(?i)\b(?:it|this|that|these|those|them|such|so|of the kind|das|es|eso|esto|cela|ça)\b"
    r"|^\W*(?:not|but|or|only|except|unless|at least|just|well|nicht|aber|oder|nur|doch|pero)\b"
)
# How a text says that it speaks of what is told behind it.
_ON = (
    r"(?i)\b(?:following|below|opposite|contrary|reverse)\b|\b(?:this|these|those)\W*$"
    r"|\b(?:none|any|all|most|half) of (?:it|what|th(?:is|at|ese|ose))\b"
    r"|\bwhat\b.*\b(?:writes?|wrote|sa(?:ys?|id)|t(?:ell|old)|claim(?:s|ed)?)\b"
)
_LONGEST_FRAME = 90
"""Characters of a longer sentence, which tells something by itself."""
_FRAMING = 4
"""Telling words at most of a sentence that only says how others are meant."""
_FIGURE = r"\d"
# A number, or a name that does not begin a sentence.
_OWN = r"\d[\w.,:]*|(?<=[^\W_][ ,])(?:(?<=,) )?(?!I\b)[A-Z]\w+"
# Words that thank or approve, with which a text that governs nothing changes nothing; how else one
# begins that assents, greets or parts; and what may go along with such words.
_APPROVES = frozenset(
    re.findall(
        r"\w+",
        "thanks thank danke gracias merci cheers cool great nice wow perfect awesome amazing "
        "lovely super wonderful glad congrats congratulations haha",
    )
)
_ASSENTS = frozenset(
    re.findall(
        r"\w+",
        "ok okay yes yeah yep yup ja good fine sure definitely absolutely exactly agreed right "
        "alright noted understood gut verstanden genau gotcha bye hi hello hey take",
    )
)
_ALONG = frozenset(
    re.findall(
        r"\w+",
        "you got it all i see hm hmm will do much very so a lot well please go ahead that is s "
        "sounds lol oh ah morning night evening too me for the no nope",
    )
)


def assents(text: str) -> bool:
    """Tell whether a text takes in what was said and changes nothing of it: `Okay, thanks!`."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    approves = not _APPROVES.isdisjoint(words)
    if approves and (_APPROVES | _ASSENTS | _ALONG).issuperset(words):
        return True
    if approves or (words and words[0] in _ASSENTS):
        return not governed(text)
    return {"no", "nope"}.isdisjoint(words) and (_ASSENTS | _ALONG).issuperset(words)


def reacts(text: str, *earlier: str, told: int = _TOLD) -> bool:
    """Tell whether a text says nothing without the earlier ones that it stands behind."""
    if len(text) > LONGEST or assents(text):
        return False
    own = telling(text)
    if text.rstrip().endswith("?"):
        return not own
    before = " ".join(earlier).lower()
    if re.search(_BACK, text) is None and any(
        own[0].lower() not in before for own in re.finditer(_OWN, text)
    ):
        return False
    return len(own) <= told or len(own - telling(before)) <= told


def hangs(text: str, before: str) -> bool:
    """Tell whether a sentence says nothing without the one before it in its message.

    In a message many say a little more of what came before. They stay with it where they deny or
    govern something, or speak of a figure, which is what somebody may act on.
    """
    if len(text) > LONGEST:
        return False
    if denies(text):
        return reacts(text, before, told=_TOLD_BEHIND)
    if governed(text) and reacts(text, before, told=_GOVERNED_BEHIND):
        return True
    is_of_figure = has_figure(before) and not text.rstrip().endswith("!")
    return is_of_figure and reacts(text, before, told=_TOLD_BEHIND)


def has_figure(text: str) -> bool:
    """Tell whether a text names a number, a date or an id: what somebody may act on."""
    return re.search(_FIGURE, text) is not None


def points_on(text: str) -> bool:
    """Tell whether a short text governs what it points to behind it: `None of this is true`."""
    return len(text) <= _LONGEST_FRAME and re.search(_ON, text) is not None and governed(text)


def frames(text: str) -> bool:
    """Tell whether a short text may say how the figures behind it are meant, like `I dreamt`."""
    return (
        len(text) <= _LONGEST_FRAME
        and not has_figure(text)
        and governed(text)
        and len(telling(text)) <= _FRAMING
    )


def reactions(voices: Sequence[tuple[str, str]]) -> dict[int, list[int]]:
    """Return, by the places of messages, those of short turns behind them that speak of them.

    `voices` are the names and words of messages in their order, or lines of a summary; the agent
    and its tools have no name. A short turn is of what its own speaker said last before it, be it
    not as short, and of what others made of that in between. Of what came before a longer turn of
    another person it is not.
    """
    found: dict[int, list[int]] = {}
    for place, voice in enumerate(voices):
        for name, text in _said_in(voice):
            if len(text) <= LONGEST:
                for one in _meant(voices, place, name, text):
                    found.setdefault(one, []).append(place)
        if (framed := _framed(voices, place)) is not None:
            found.setdefault(framed, []).append(place)
    return found


def _framed(voices: Sequence[tuple[str, str]], place: int) -> int | None:
    """Return the place of what a short turn leads in, which its speaker told to the agent next."""
    name, text = voices[place]
    leads = bool(name) and (points_on(text) or text.rstrip().endswith(":"))
    if not leads and not (name and frames(text) and not text.rstrip().endswith("?")):
        return None
    for after in range(place + 1, min(place + 1 + REACH, len(voices))):
        speaker, words = voices[after]
        if speaker:
            return after if speaker == name and (leads or has_figure(words)) else None
    return None


def _said_in(voice: tuple[str, str]) -> Sequence[tuple[str, str]]:
    """Return what a person says in a message, or what a line of a summary quotes of people."""
    return [voice] if voice[0] else leading_quotations(voice[1])


def _meant(voices: Sequence[tuple[str, str]], place: int, name: str, text: str) -> list[int]:
    """Return the places before one of what a short turn there speaks of, the last first."""
    before = list(_before(voices, place, name))
    if not reacts(text, *(voices[one][1] for one in before)):
        return []
    own = [one for one in before if voices[one][0] == name]
    if any(voices[one][1] == text for one in own):
        return []  # What is asked for each day answers nothing.
    if not own:
        if withdrawal_in(text) is not None and voices[place][0]:
            return []  # Nobody takes back for another.
        last = (count for count, one in enumerate(before, 1) if not reacts(voices[one][1]))
        return before[: next(last, len(before))]
    words = telling(" ".join(voices[one][1] for one in own))
    return [
        one
        for one in before
        if voices[one][0] == name
        or (one == place - 1 and not voices[one][0])
        or not words.isdisjoint(telling(voices[one][1]))
    ]


def _before(voices: Sequence[tuple[str, str]], place: int, name: str) -> Iterator[int]:
    """Yield the places of turns back to the last of a speaker that says something by itself.

    Of a summary the agent's line may be before that, though it answers it.
    """
    people, found = 0, False
    for back in range(place - 1, max(-1, place - 1 - REACH), -1):
        speaker, words = voices[back]
        people += bool(speaker) or found
        if people > _PEOPLE or (speaker not in ("", name) and len(words) > LONGEST):
            return
        if len(words) <= _COMPARED and not (found and speaker):
            yield back
        own = speaker == name and not words.rstrip().endswith("?")
        found = found or (own and not reacts(words))
