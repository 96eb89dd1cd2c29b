"""Goals that an event plainly ends: what was wanted has failed, or is given up.

Whoever tells of it seldom sends the end of a goal too. A goal ends where a sentence says of the
person, and not as a question, a wish or a story, that it failed or gave up something, and that
names what the goal is of: the test of `pass the driving test`. One that was due before has ended
well where good news names what it is about.

What is here is compiled when it is imported: import it where something is told and goals are open.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language.guards import earnest_clauses
from mindpipe.person.records.event import GoalOutcome, PersonEvent
from mindpipe.person.records.state import QueueItem

TELLING = frozenset({"news", "speech", "action", "task", "threat"})
LETTERS = 4
"""The least letters of a word that says what a goal is of."""
_YOU = r"\byou(?: have|'ve)? (?:just |finally |now |simply )?"
_OVER = r"(?:is|are|was|were|has been|have been) (?:now |finally )?"
_ENDS: tuple[tuple[GoalOutcome, re.Pattern[str]], ...] = (
    (
        "given_up",
        re.compile(rf"{_YOU}(?:gave up|give up|given up|abandon(?:ed)?|dropped out of|quit)\b"),
    ),
    (
        "failed",
        re.compile(
            rf"{_YOU}(?:fail(?:ed)?|flunk(?:ed)?|lost|missed)\b(?! (?:it|the point)\b)"
            r"|\byou (?:did not|didn't|have not|haven't) (?:pass|passed|get|got|win|won|make|made"
            r"|reach|reached|finish|finished|qualify|qualified)\b"
            rf"|\b{_OVER}(?:rejected|refused|turned down|denied|called off|cancelled|not"
            r" (?:accepted|granted|approved|chosen))\b"
        ),
    ),
)
_STILL = re.compile(r"\b(?:yet|so far|still)\b")
"""What has not been reached yet is not over."""
_WORD = re.compile(r"[^\W\d_]+")


class EndedGoal(NamedTuple):
    """A goal by its words, and how it ended."""

    text: str
    outcome: GoalOutcome


def ended_goals(event: PersonEvent, goals: Iterable[QueueItem]) -> list[EndedGoal]:
    """Return which of the goals that are open an event plainly ends, and how."""
    if event.type not in TELLING or not event.text:
        return []
    good = (event.valence or 0.0) > 0.0
    told = [] if good else list(_told(event.text))
    ended: list[EndedGoal] = []
    for goal in goals:
        of = _subject(goal.text)
        due = goal.due_us is not None and goal.due_us <= event.t_us
        if good and due and event.type == "news" and content_of(goal.text) & content_of(event.text):
            ended.append(EndedGoal(goal.text, "done"))
        for outcome, what in told:
            if of and of == what:
                ended.append(EndedGoal(goal.text, outcome))
                break
    return ended


def _told(text: str) -> Iterable[tuple[GoalOutcome, str]]:
    """Yield each end that a text tells of plainly, with the word that says of what."""
    for clause in earnest_clauses(text):
        low = clause.text.casefold()
        if clause.meant not in (None, "reported") or _STILL.search(low):
            continue
        for outcome, pattern in _ENDS:
            found = pattern.search(low)
            if found is not None:
                is_object = found.group().startswith("you")
                yield outcome, _named(low[found.end() :]) if is_object else _last(low, found)


def _subject(goal: str) -> str:
    """Return the word that says what a goal is of, empty without one: a name says of whom."""
    _, _, rest = goal.partition(" ")
    return _named(" ".join(word for word in rest.split() if not word[0].isupper()))


def _named(words: str) -> str:
    """Return the word that says what is named first: the test of `the driving test in May`."""
    found = ""
    for word in _WORD.findall(words):
        if found and word.casefold() in FUNCTION_WORDS:
            break
        found = next(iter(content_of(word)), "") or found
    return found


def _last(clause: str, verb: re.Match[str]) -> str:
    """Return the word before a verb, which is its subject or says of what that is."""
    words = [own for word in _WORD.findall(clause[: verb.start()]) for own in content_of(word)]
    return words[-1] if words else ""


def content_of(text: str, *, letters: int = LETTERS) -> frozenset[str]:
    """Return the words of a text that mean something, in small letters and without a plural."""
    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(
        word.removesuffix("s")
        for word in words
        if len(word) >= letters and word not in FUNCTION_WORDS
    )
