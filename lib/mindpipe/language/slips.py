"""The few words with which somebody sets right what he has just said: `*Redding`, `43, sorry`."""

from difflib import SequenceMatcher
from typing import Literal, NamedTuple

from mindpipe.core.patterns import late
from mindpipe.language.forms import DATE, NAME, NO_NAME
from mindpipe.language.numerals import WORDS

MOST_WORDS = 4
"""Of more words is a sentence, and a reader's."""
ALIKE = 0.6
"""Share of their letters from which on one name may be a slip for another: Bosh, Bosch."""
SlipKind = Literal["name", "number", "day"]
_SURE = (
    r"(?:no,? wait|wait,? no|i mean(?:t)?|correction|make that|scratch that|"
    r"(?:that was a )?typo|(?:(?:stupid|damn|bloody) )?autocorrect)"
)
_UNSURE = (
    r"(?:oh|ah|no|nope|nah|wait|oops|sorry|argh|ugh|actually|well|rather|my (?:bad|mistake)|lol)"
)
_SLIP = late(
    rf"(?P<before>\*\s*|(?:(?:(?i:{_SURE}|{_UNSURE})\b[,.!: ]*))*)"
    rf"(?i:(?:it['’]s|in|at|on) )?"
    rf"(?:(?P<day>{DATE})|(?P<number>\d{{1,3}}|(?i:{WORDS}))|{NO_NAME}(?P<name>{NAME}))"
    rf"(?P<behind>\s*\*|(?:[,.! ]+(?i:{_SURE}|{_UNSURE})\b)*)[\s.!…]*"
    rf"(?P<tail>,? (?i:{_SURE})[\s.!…]*)?"
)
_IS_SURE = late(rf"(?i)\*|\b{_SURE}\b")
_DENIES = late(r"(?i)\b(?:no|nope|nah|actually|rather)\b")
_RIGHTS_NUMBER = late(r"(?i)\bsorry\b")


class Slip(NamedTuple):
    """What is right, of which kind, and whether the words say for sure that they set it right.

    Who says `sorry, Anna` calls her; who says `no, Anna` `denies`, and it is not sure what.
    """

    right: str
    kind: SlipKind
    sure: bool
    denies: bool

    def rights(self, said: str) -> bool:
        """Tell whether it is sure to set right what was said, also by how alike the two are."""
        alike = SequenceMatcher(None, self.right.casefold(), said.casefold()).ratio() >= ALIKE
        return self.sure or (self.kind == "name" and alike)


def slip_of(text: str) -> Slip | None:
    """Return what a text sets right that says no more than that, None where it does not."""
    found = _SLIP.fullmatch(text.strip())
    if found is None or len(text.split()) > MOST_WORDS + len(found["before"].split()):
        return None
    marks = f"{found['before']} {found['behind']} {found['tail'] or ''}"
    if not marks.strip() or ("*" in found["before"] and "*" in found["behind"]):
        return None
    kind: SlipKind = "day" if found["day"] else "number" if found["number"] else "name"
    right = found[kind].strip(" .")
    sure = _IS_SURE.search(marks) is not None
    sure = sure or (kind == "number" and _RIGHTS_NUMBER.search(marks) is not None)
    return Slip(right, kind, sure, _DENIES.search(marks) is not None)
