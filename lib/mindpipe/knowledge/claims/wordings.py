"""The wordings in which people say what they are, have, use and want, and what slots these fill."""

import functools
import re
from typing import NamedTuple

from mindpipe.knowledge.claims.claim import Sense
from mindpipe.knowledge.records import Kind

_NAME = r"[A-ZÀ-ÞŁŚŽ][\w'’.&+-]*"
_PLACE = (
    rf"(?:the )?(?P<value>{_NAME}"
    rf"(?:,? (?:de |da |do |del |la |le |of |the |di |van |an )?{_NAME}){{0,4}})"
)
_I = r"\b(?:I|[Ww]e)(?:['’]m| am| are|['’]re|['’]ve| have|['’]ll be| will be)?"
_ADVERB = r"(?: (?:just|now|currently|recently|finally|officially|still|also|actually|since|both))*"
_IN_MY = r"(?: my [\w ]{2,30} in)?"
_PHRASE = r"(?P<value>[^.!?;\n]{3,120})"
_SHORT = r"(?P<value>[^.,!?;\n]{2,80})"
_WHO = (
    r"\b(?:[Tt]he )?(?P<subject>(?!(?:He|She|It|They|This|That|Who|What|One|Everyone|Nobody)\b)"
    rf"(?:[Uu]ser|[Oo]perator|{_NAME}))"
)
_THING = (
    r"\b(?:(?:[Tt]he|[Oo]ur|[Mm]y) )?"
    r"(?P<subject>[A-Z][\w.-]*(?: [A-Za-z][\w.-]*){0,2}?|[\w-]+\.[a-z]{2,4})"
)
_DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend"
_PART = "morning|afternoon|evening|night"
_USUALLY = "(?:usually |always |often |really )*"
_MEALS = "breakfast|brunch|lunch|dinner|supper"
_WILL = "(?:will|is going to)"
_PLAN = "(?:['’]ll| will|(?:['’]m| am) (?:going|planning) to| plan to| intend to| want to)"
_EAT = "(?:have|eat|get|grab|make|cook|try|order)"
_DO_NOT = r"\bI (?:don['’]t|do not)"
_NEVER = r"\bI(?:['’]ve| have)? never"
_ANY_MORE = r",? any ?(?:more|longer)\b"
# Behind a name that is whole, and of which it is not said that it is so no more.
_WHOLE = rf"(?![\w'’.&+-]*\w)(?!,? [A-Z])(?!{_ANY_MORE})"
_STAGES = (
    "(?:active |early |open |closed |limited )?(?:development|beta|alpha|production|maintenance|"
    "staging|testing|review)|on hold|paused|live|launched|finished|cancelled|archived"
)


class ClaimWording(NamedTuple):
    """One way of saying something, and the slot that it fills.

    The group `value` is what the slot holds, `topic` the slot's topic, and `subject` whom it is
    said of, without which it is the speaker. `needs` are texts of which a sentence has one, or the
    pattern is not tried. `bound` says that it holds where somebody lives, and `sense` whether it is
    so, is so no longer, or never was.
    """

    kind: Kind
    word: str
    needs: tuple[str, ...]
    spelling: str
    bound: bool = False
    sense: Sense = "states"

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return the spelling as a pattern, which is made when it is first needed."""
        return _pattern(self.spelling)


@functools.cache
def _pattern(spelling: str) -> re.Pattern[str]:
    """Return a spelling as a pattern."""
    return re.compile(spelling)


def _wording(
    kind: Kind, word: str, needs: str, pattern: str, *, bound: bool = False, sense: Sense = "states"
) -> ClaimWording:
    """Return a wording of the table."""
    return ClaimWording(kind, word, tuple(needs.split("|")), pattern, bound, sense)


_HOMES = (
    _wording(
        "world_fact",
        "residence",
        "liv|resid|based|settl",
        rf"{_I}{_ADVERB} (?:live|living|resid(?:e|ing)|based|settled|settling)(?: here| down)?"
        rf" (?:in|into|at){_IN_MY} {_PLACE}",
    ),
    _wording(
        "world_fact",
        "residence",
        "lived in",
        rf"\b(?:I|[Ww]e)(?:['’]ve| have){_ADVERB} lived in {_PLACE}",
    ),
    _wording(
        "world_fact",
        "residence",
        "mov|relocat|transfer",
        rf"{_I}{_ADVERB}(?: decided to| going to)? (?:mov(?:e|ed|ing)|relocat(?:e|ed|ing)"
        rf"|transferr?(?:ed|ing))(?: back| over| out| in)? (?:in)?to{_IN_MY} {_PLACE}",
    ),
    _wording(
        "world_fact",
        "residence",
        " in ",
        r"\b(?:[Mm]y|an?|our)(?: new| own)? (?:apartment|flat|house|home|place|studio)(?: is)? in "
        rf"{_PLACE}",
    ),
    _wording("world_fact", "residence", "lives in", rf"{_WHO} (?:now )?lives in {_PLACE}"),
    _wording("world_fact", "residence", " home", rf"\bI(?: now)? call {_PLACE} (?:my )?home\b"),
    _wording(
        "world_fact", "residence", "been in", rf"{_I}{_ADVERB} been in {_PLACE} (?:for|since)\b"
    ),
)
_WORK = (
    _wording(
        "world_fact",
        "workplace",
        "work|start|job|join",
        rf"{_I}{_ADVERB} (?:(?:work(?:ed|ing)?|started(?: working| a new job)?|got a(?: new)? job)"
        rf" (?:at|for|with)|joined|joining) {_PLACE}",
    ),
    _wording(
        "world_fact",
        "job",
        "work as|working as|promoted",
        rf"{_I}{_ADVERB} (?:work(?:ing)? as|been promoted to|promoted to|got promoted to)"
        r"(?: an?| the)? (?P<value>[a-z][\w -]{2,40}?)"
        r"(?= (?:at|for|in|with|and|but|since)\b|[.,!?;]|$)",
    ),
)
_PERSONS = (
    _wording(
        "world_fact",
        "age",
        "I'm |I’m |I am ",
        r"\bI(?:['’]m| am) (?P<value>\d{1,3})(?: years old\b|,|\.|$)",
    ),
    _wording(
        "world_fact",
        "name",
        "name is|called",
        rf"\b(?:[Mm]y name is|I am called) (?P<value>{_NAME})",
    ),
)
_WISHES = (
    _wording(
        "operator_preference",
        "instruction",
        "lways|ever",
        r"^(?:Please |From now on,? )?(?P<value>(?:[Aa]lways|[Nn]ever) "
        r"(?![a-z]+(?:ing|ed|en|ly)\b)(?!(?:a|an|the|in|on|at|up|to|so|such|been|had|here|there|"
        r"good|nice|happy|great|fun|give|say|saw|mind)\b)[a-z][^.!?;\n]{3,160})",
    ),
    _wording(
        "operator_preference",
        "favourite",
        "favo",
        rf"\b[Mm]y favou?rite (?P<topic>[\w ]{{3,30}}?) (?:is|are|will be) {_SHORT}",
    ),
    _wording(
        "operator_preference",
        "prefers",
        "prefer",
        rf"\bI (?:\w+ )?prefer(?: to| using| having)? {_SHORT}",
    ),
    _wording(
        "operator_preference",
        "prefers",
        "prefers",
        rf"{_WHO} (?:\w+ )?prefers(?: to| using| having)? {_SHORT}",
    ),
    _wording(
        "operator_preference",
        "communication_style",
        "best to",
        rf"(?:\bI respond|{_WHO} responds) best to {_PHRASE}",
    ),
    _wording(
        "operator_preference",
        "dislikes",
        "hate|dislike|stand|like",
        r"\bI (?:really )?(?:hate|dislike|can['’]t stand|don['’]t (?:really )?like) " + _SHORT,
    ),
    _wording(
        "operator_preference",
        "likes",
        "love|like|enjoy",
        r"\bI (?:really |also )?(?:love|like|enjoy) (?!to know|to see|when|how|it\b|that\b|this\b)"
        + _SHORT,
    ),
)
# What is so no longer has ended; what is only said not to be so speaks against what was said.
_NOT_SO = (
    _wording(
        "world_fact",
        "residence",
        " liv",
        rf"\bI (?:no longer live|stopped living) in {_PLACE}",
        sense="ends",
    ),
    _wording(
        "world_fact", "residence", " any", rf"{_DO_NOT} live in {_PLACE}{_ANY_MORE}", sense="ends"
    ),
    _wording(
        "world_fact",
        "residence",
        "never |n't |n’t |not ",
        rf"(?:{_NEVER} (?:lived in|moved to)|{_DO_NOT} live in) {_PLACE}{_WHOLE}",
        sense="denies",
    ),
    _wording(
        "world_fact",
        "workplace",
        "work|quit|left",
        r"\bI (?:no longer work|stopped working|quit(?: my job)?|left my job) (?:at|for)"
        rf" {_PLACE}",
        sense="ends",
    ),
    _wording(
        "world_fact",
        "workplace",
        " any",
        rf"{_DO_NOT} work (?:at|for) {_PLACE}{_ANY_MORE}",
        sense="ends",
    ),
    _wording(
        "world_fact",
        "workplace",
        "never |n't |n’t |not ",
        rf"(?:{_NEVER} (?:worked (?:at|for|with)|joined)|{_DO_NOT} work (?:at|for))"
        rf" {_PLACE}{_WHOLE}",
        sense="denies",
    ),
    _wording(
        "operator_preference",
        "likes",
        "no longer",
        r"\bI no longer (?:love|like|enjoy) " + _SHORT,
        sense="ends",
    ),
    _wording(
        "operator_preference",
        "likes",
        " any",
        rf"{_DO_NOT} (?:love|like|enjoy) (?P<value>[^.,!?;\n]{{2,80}}?){_ANY_MORE}",
        sense="ends",
    ),
    _wording(
        "operator_preference",
        "likes",
        "never ",
        rf"{_NEVER} (?:really )?(?:liked|loved|enjoyed) {_SHORT}",
        sense="denies",
    ),
)
_ROUTINES = (
    _wording(
        "operator_preference",
        "routine",
        "routine",
        rf"\b[Mm]y (?P<topic>[\w-]+) routine(?: {_WILL})? (?:is|be|includes?|has been|starts? with|"
        rf"consists? of) {_PHRASE}",
        bound=True,
    ),
    _wording(
        "operator_preference",
        "routine",
        "reakfast|unch|inner|upper",
        rf"\b[Mm]y (?:usual |typical |new )?(?P<topic>(?i:{_MEALS}))"
        rf"(?: {_WILL})? (?:is|be) {_PHRASE}",
        bound=True,
    ),
    _wording(
        "operator_preference",
        "routine",
        "reakfast|unch|inner|upper",
        rf"\b[Ff]or (?P<topic>(?i:{_MEALS})),? I(?:{_PLAN})? {_USUALLY}{_EAT} {_PHRASE}",
        bound=True,
    ),
    _wording(
        "operator_preference",
        "routine",
        "reakfast|unch|inner|upper",
        rf"\bI(?:{_PLAN} | (?:usually|always|often) ){_EAT} (?P<value>[^.,!?;\n]{{3,80}}?)"
        rf" for (?:my )?(?P<topic>(?i:{_MEALS}))\b",
        bound=True,
    ),
    # What somebody is going to have is of the meal that the sentence speaks of.
    _wording(
        "operator_preference",
        "routine",
        "reakfast|unch|inner|upper",
        rf"\b(?P<topic>(?i:{_MEALS}))\b[^.!?\n]*? I{_PLAN} {_EAT} {_PHRASE}",
        bound=True,
    ),
    _wording(
        "operator_preference",
        "routine",
        "very ",
        rf"\b[Ee]very (?P<topic>(?i:{_DAY}|{_PART}))(?: (?:{_PART}))?,? I {_USUALLY}"
        rf"(?:(?:love|like|enjoy) (?:to )?)?{_PHRASE}",
        bound=True,
    ),
    _wording(
        "operator_preference",
        "routine",
        "n ",
        rf"\b(?:[Oo]n|[Ii]n the) (?P<topic>(?i:{_DAY}|{_PART}))(?: (?:{_PART}))?s,? I {_USUALLY}"
        rf"(?:(?:love|like|enjoy) (?:to )?)?{_PHRASE}",
        bound=True,
    ),
)
_MIND = (
    _wording(
        "self_model",
        "tendency",
        "I ",
        r"\bI (?:tend to|often|usually|sometimes|rarely|generally) (?=[a-z])" + _PHRASE,
    ),
    _wording(
        "self_model",
        "tendency",
        "skew",
        r"\b(?P<value>[A-Z][\w ]{2,60} skews? (?:toward|towards|to) [^.!?;\n]{2,80})",
    ),
    _wording(
        "self_model",
        "strength",
        "good|reliable|strong",
        r"\bI(?: am|['’]m) (?:good|reliable|strong) (?:at|with|in) " + _PHRASE,
    ),
    _wording(
        "self_model",
        "weakness",
        "struggle|bad at|weak at|unreliable",
        r"\bI(?: am|['’]m)? (?:struggle with|bad at|weak at|unreliable (?:at|with)) " + _PHRASE,
    ),
)
_THINGS = (
    _wording(
        "project_state",
        "status",
        "development|beta|alpha|production|maintenance|staging|testing|review|on hold|paused|live|"
        "launched|finished|cancelled|archived",
        rf"{_THING} (?:is|has been|went)(?: now| currently| still)*(?: in| into| under)?"
        rf" (?P<value>{_STAGES})\b",
    ),
    _wording(
        "project_state",
        "status",
        " in ",
        r"^(?P<subject>(?!(?:it|this|that|he|she|what|which|everything|one)\b)[a-z][\w.-]*) is"
        rf"(?: now| currently| still)* in (?P<value>{_STAGES})\b",
    ),
    _wording(
        "project_state",
        "launch",
        "target|aims for|launch",
        rf"{_THING} (?:[a-z ,]{{0,40}})?(?:targets|targeting|aims for|launches in|will launch in)"
        r" (?:an? )?(?P<value>Q[1-4](?: \d{4})?|[A-Z][a-z]+ \d{4})",
    ),
    _wording(
        "tooling_state",
        "port",
        "on port",
        rf"{_THING} (?:is|runs|listens|serves|works|uses [a-z]+ mode)(?: [a-z]+)? on port"
        r" (?P<value>\d{2,5})\b",
    ),
    _wording(
        "tooling_state",
        "mode",
        " mode",
        rf"{_THING} (?:uses|is in|runs in|switched to) (?P<value>[a-z-]+) mode\b",
    ),
    _wording(
        "world_fact",
        "event",
        "was ",
        r"\b(?P<subject>[A-Z][\w.-]*(?: [A-Za-z0-9][\w.-]*){0,3}?)"
        r" was (?P<topic>released|founded|launched|published|born|discontinued)"
        r"(?: in| on)? (?P<value>[A-Z0-9][^.,;!?\n]{2,40})",
    ),
    _wording(
        "tooling_state",
        "version",
        ".",
        r"\b(?P<subject>[A-Z][A-Za-z]+(?:[.-][A-Za-z]+)*(?: [A-Z][A-Za-z]+)?)(?: version)?"
        r" v?(?P<value>\d+(?:\.\d+){1,3})(?![\w%])",
    ),
)
RELATION = _wording(
    "relationship_fact", "relation", "my |My |our |Our |'s |’s ", r"\b(?:[Mm]y|[Oo]ur)\b|['’]s\b"
)
"""Where relations are told of, which memory finds: the pattern is what their sentences have."""
WORDINGS = (*_HOMES, *_WORK, *_PERSONS, *_WISHES, *_NOT_SO, *_ROUTINES, *_MIND, *_THINGS)
