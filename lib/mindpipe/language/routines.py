"""What somebody does again and again: each activity by itself, and what fills a day of the week."""

from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.forms import NOW, WE

_DAY = r"(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_OFTEN = (
    rf"(?:(?:every|each) (?:other |single )?{_DAY}s?|on {_DAY}s|"
    rf"every (?:single |other )?(?:day|morning|"
    r"evening|night|week|weekend)|(?:once|twice|(?:two|three|four) times) a (?:week|month)|daily)"
)
_WHERE = (
    r"(?: (?:at|in|on|with|through|along|by|to|around|before|after|near|from|followed|for|till|"
    r"until)\b.*)?"
)
_WORDS = (
    r"(?P<value>[\w'’-]+(?: (?!(?:at|in|on|with|through|along|by|to|around|before|after|near|from|"
    r"followed|for|and|or|then|till|until|every|each)\b)[\w'’-]+){0,3})"
)
_HELD = r"(?:practice|lessons?|training|rehearsals?|class(?:es)?)"
_DOING = (
    r"(?:(?P<done>run|swim|cycle|row|climb|jog|meditate|box|surf)|"
    r"go (?P<value>(?!going)[a-z-]{2,}ing)|"
    r"(?:go to(?: the)? (?!(?:bed|sleep|work|school)\b)|(?:do|play|practi[cs]e) |"
    rf"have (?=[a-z]+ {_HELD}\b))"
    r"(?P<other>(?!(?:it|that|this|nothing|everything|nights|days|shifts|the|my|a|an)\b)[a-z-]+"
    rf"(?: {_HELD})?))"
)
ROUTINES = (
    ClauseForm("routine", rf"{WE} {NOW}{_DOING} {_OFTEN}{_WHERE}"),
    ClauseForm("routine", rf"{WE} {NOW}{_DOING}{_WHERE.replace('.*', '[^,]*?')} {_OFTEN}"),
    ClauseForm(
        "routine",
        r"[Mm]y (?P<topic>(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)day|morning|evening|weekend))"
        r"(?:['’]?s)? (?:routine|ritual)(?:['’]s| is| will be| has become) "
        rf"{NOW}(?!(?:to|not|so|the same|boring|changing|ruined|broken)\b){_WORDS}{_WHERE}",
    ),
)
"""What the whole of a clause is that tells of a routine; one that is to be is from now on."""
