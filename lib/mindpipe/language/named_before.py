"""What is said of what somebody has just named: that a taste has changed, or what is right."""

from mindpipe.core.patterns import late
from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.forms import NAME, VERY
from mindpipe.language.records import MENTIONED, REPLACEMENT

_THEM = r"(?:it|them|those|that|the stuff|these)"
_BY_NOW = r"(?: a lot| too)?(?:,? (?:now|these days|nowadays|any ?more|after all|again))+"
CHANGES_OF_TASTE = (
    ClauseForm(
        "taste",
        rf"I(?:['’]ve come to| {VERY})(?:love|like|enjoy|adore) {_THEM}{_BY_NOW}",
        value=MENTIONED,
    ),
    ClauseForm(
        "taste",
        rf"I {VERY}(?:hate|dislike|loathe|detest|dread|can['’]?t (?:stand|bear)|"
        rf"do(?: not|n['’]?t) (?:really )?like) {_THEM}{_BY_NOW}",
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
CORRECTION = ClauseForm(
    REPLACEMENT,
    rf"{_SAID}(?:{_THING.format('value')},? (?:and )?not (?:in |at )?{_THING.format('instead')}|"
    rf"not (?:in |at )?{_THING.format('instead_first')}(?:,| but|, but) "
    rf"{_SAID}{_THING.format('other')})",
)
"""What somebody says who has just called something wrong; it counts where the old value is held."""
MEANT = late(r"(?i)I mean(?:t)? ")
"""How somebody begins who calls his own words wrong."""
RIGHT_NAME = late(
    rf"(?:it['’]s|it is|(?:s?he|they)(?:['’]s| is| are) called|but|but (?:it['’]s|in|at)) "
    rf"(?P<value>{NAME})"
)
"""What the next clause is of who denies a name, and says the right one: `…, it's Tomasz`."""
RIGHTED = late(
    r"(?i:(?:(?:oh|ah|no|wait|oops|sorry|argh)\b[,.! ]*)*"
    r"(?:no,? wait|wait,? no|i mean(?:t)?|correction|make that|scratch that)\b)"
    rf"[,.:! ]*(?:(?:it['’]s|in|at) )?(?P<value>{NAME})\W*"
)
"""All that somebody says who has just said a wrong name: `no wait, Linz`."""
