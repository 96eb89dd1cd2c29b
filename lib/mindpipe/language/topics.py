"""The words that tell what a text is about."""

from functools import lru_cache

from mindpipe.core.patterns import late
from mindpipe.core.text import FUNCTION_WORDS

_WORD = late(r"[^\W\d_]+(?:'[^\W\d_]+)?")
# Words of asking, wishing and telling, which say nothing of what a text is about.
_TALK = """
able actually almost already always anyone anything appreciate ask asked asking back come consider
considering curious currently definitely even ever every everything exactly feel feeling figure find
finding follow get gets getting give given gives go goes going gonna good got great guess happen
happens hard help helped helpful helping hope hoping idea instead keep keeps kind kinda know let
like likely little look looking lot made make makes making many may maybe mean might much need
needed needs never new newly next nice now okay one ones particular particularly perhaps please plus
point possible pretty probably properly put quite rather ready real really recent recently right
said say saying says see seem seems set should show since some somehow something soon sort specific
specifically start started starting still struggling stuck sure take taken taking talk tell thank
thanks thing things think thinking thought tried try trying understand understanding unsure use used
using various wanna want wanted wants way ways well what whether within without wonder wondering
work worked working worried would yeah yes yet
january february march april may june july august september october november december
"""
_UNTOLD = frozenset(_TALK.split()) | FUNCTION_WORDS


def topic_words(text: str) -> list[str]:
    """Return the words, in lower case, that say what a text is about, in their order."""
    words = _WORD.findall(text.lower().replace("’", "'"))
    return [word for word in words if _tells(word)]


@lru_cache(maxsize=1 << 14)
def singular(noun: str) -> str:
    """Return a noun in lower case, and in the singular where its plural is a regular one."""
    noun = noun.lower().removesuffix("'s").removesuffix("’s")
    if noun in ("series", "species"):
        return noun
    if len(noun) > 4 and noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("sses", "shes", "ches", "xes")):
        return noun[:-2]
    if len(noun) > 3 and noun.endswith("s") and not noun.endswith(("ss", "us", "is")):
        return noun[:-1]
    return noun


def _tells(word: str) -> bool:
    """Tell whether a word says what a text is about."""
    return len(word) > 2 and word not in _UNTOLD and "'" not in word
