"""What before a match makes it void: denials, somebody else as subject, and views that are told."""

from collections.abc import Sequence

from mindpipe.person.feedback.lexicon.words import DENYING, NEGATORS, PEOPLE, TELLING, TRANSPARENT

_REACH = 5
_REACH_OF_OWN = 2
_PRONOUNS = frozenset(("i", "you", "he", "she", "they"))
_OPENERS = frozenset(("if", "whether"))


def stands_denied(lemmas: Sequence[str], at: int, *, denies: bool) -> bool:
    """Tell whether the five words before a phrase deny it, an even number of negators does not.

    "Not only" denies nothing. A phrase that denies by itself is void if one of the two words before
    it is a negator.
    """
    near = _since_therefore(lemmas[:at])[-_REACH:]
    if denies:
        return not NEGATORS.isdisjoint(near[-_REACH_OF_OWN:])
    if "not" in near and "only" in near[near.index("not") :]:
        return False
    return sum(word in NEGATORS for word in near) % 2 == 1


def is_own(lemmas: Sequence[str], at: int) -> bool:
    """Tell whether a phrase is the person's: it, or the nearest pronoun before it, is `i`."""
    if lemmas[at] == "i":
        return True
    before = _since_therefore(lemmas[:at])
    return next((word for word in reversed(before) if word in _PRONOUNS), "i") == "i"


def is_taken_back(lemmas: Sequence[str], at: int) -> bool:
    """Tell whether a view is supposed only, denied as a whole, or told of somebody else.

    "I do not think that ..." denies over words that let a denial through; "she says that ..." tells
    what another one thinks, which is no distortion of the person's.
    """
    before = lemmas[:at]
    if before and before[-1] in _OPENERS:
        return True
    for word in reversed(before[-_REACH:]):
        if word in NEGATORS or word in DENYING:
            return True
        if word not in TRANSPARENT:
            break
    return _is_told_of_another(before)


def _is_told_of_another(before: Sequence[str]) -> bool:
    """Tell whether a verb of saying or thinking, not the person's own, stands right before."""
    for back in range(1, min(3, len(before)) + 1):
        if before[-back] in TELLING:
            who = next((word for word in reversed(before[:-back]) if word in PEOPLE), "")
            return who != "i"
    return False


def _since_therefore(before: Sequence[str]) -> Sequence[str]:
    """Return the words since the latest conclusion, over which neither denial nor subject reach."""
    for at in range(len(before) - 1, -1, -1):
        if before[at] == "therefore":
            return before[at + 1 :]
    return before
