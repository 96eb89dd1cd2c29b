"""What is said of what somebody has just named: that a taste has changed, or what is right."""

from mindpipe.core.patterns import late
from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.forms import BY_NOW, NAME, THEM, VERY
from mindpipe.language.records import ENDING, MENTIONED, REPLACEMENT

CHANGES_OF_TASTE = (
    ClauseForm(
        "taste",
        rf"I(?:['’]ve come to| {VERY})(?:love|like|enjoy|adore) {THEM}{BY_NOW}",
        value=MENTIONED,
    ),
    ClauseForm(
        "taste",
        rf"I {VERY}(?:hate|dislike|loathe|detest|dread|can['’]?t (?:stand|bear)|"
        rf"do(?: not|n['’]?t) (?:really )?like) {THEM}{BY_NOW}",
        negative=True,
        value=MENTIONED,
    ),
)
"""What the whole of a clause is that tells by a pronoun that a taste has changed."""
NAMED_BEFORE = (
    r"(?i)\W*(?:(?:so|and|but|ok|okay|well|yes|yeah|finally|yesterday|today)\b\W*)*"
    r"I(?:['’]ve| have)? (?:(?:just|finally|recently|really|also) )*(?:owe|tried|tasted|discovered|"
    r"rediscovered|gave|given|was wrong about|used to (?:hate|dislike|love|like|enjoy))"
    r" (?:the |some )?(?P<thing>[\w'’-]+(?: [\w'’-]+)*)"
)
"""How a sentence not far before such a one names the thing: as what its speaker did it to."""
_WORD = r"(?!(?i:it|he|she|they|that|this|i|we|you|said|says|is|was|are|were)\b)[\w&-]+"
_THING = rf"(?:(?:the|an?|my) )?(?P<{{}}>{_WORD}(?: {_WORD}){{{{0,2}}}})"
_SAID = r"(?:(?:it['’]?s|it is|that['’]?s|I mean|I meant) )?(?:in |at )?"
_RIGHT = (
    r"{0}(?:{1},? (?:and )?not (?:in |at )?{2}|"
    r"not (?:in |at )?{3}(?:,| but|, but) {0}{4})"
)
_PARTS_OF = ("value", "instead", "instead_first", "other")
CORRECTION = ClauseForm(REPLACEMENT, _RIGHT.format(_SAID, *map(_THING.format, _PARTS_OF)))
"""What somebody says who has just called something wrong; it counts where the old value is held."""
_BARE = rf"(?P<{{}}>{_WORD}(?: {_WORD}){{{{0,2}}}})"
_IT_IS = r"(?:it['’]?s|it is|that['’]?s)(?: actually)? (?:in |at )?"
PLAIN_CORRECTION = late(
    rf"(?i:{_IT_IS}){_BARE.format('value')},? (?:and )?not (?:in |at )?{_BARE.format('instead')}|"
    rf"[Nn]ot (?:in |at )?(?P<instead_first>{NAME})(?:, but|,| but) (?:in |at )?(?P<other>{NAME})"
)
"""The same of who called nothing wrong, by bare names: `it's Kiel, not Bremen`."""
KIND_CORRECTION = late(
    rf"(?P<name>{NAME}) (?:is not|isn['’]?t|was never) an? [\w-]+(?: \w+)?(?:[,;.!]+| but| -) "
    r"(?:but |actually )?"
    r"(?:s?he|it)(?:['’]?s| is) (?:actually )?an? (?P<kind>[\w-]+)"
)
"""What somebody says whose animal is another than was said: `Rex isn't a dog, he's a cat`."""
DENIAL = ClauseForm(
    ENDING, rf"[Nn]ot (?:in |at |with )?(?P<value>{NAME}|{_WORD})", "denied", ends_only=True
)
"""What somebody says who has just said no: `nope, not Bremen`."""
MEANT = late(r"(?i)I mean(?:t)? ")
"""How somebody begins who calls his own words wrong."""
RIGHT_NAME = late(
    rf"(?:it['’]s|it is|(?:s?he|they)(?:['’]s| is| are) called|but|but (?:it['’]s|in|at)) "
    rf"(?P<value>{NAME})"
)
"""What the next clause is of who denies a name, and says the right one: `…, it's Tomasz`."""
RIGHT_AGE = late(
    r"(?i)(?:but )?(?:s?he|it|they|I|we|\w+)(?:['’](?:s|m|re)| is| am| are)"
    r"(?: (?:already|now|only|just))? (?P<value>\d{1,3}|[a-z]+(?:[- ][a-z]+)?)"
    r"(?: years old)?(?: now| already)?"
)
"""The same of an age: `…, he is 8`."""
NOT_OTHER = late(rf"(?:and )?not (?:(?:at|in|with|for|from|to) )?(?:the )?(?P<value>{NAME})")
"""What the next clause is of who says as well what is not so: `at Siemens, not at Bosch`."""
