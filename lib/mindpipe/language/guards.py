"""Cheap guards: what shows, without a parse, that words are no plain claim of their speaker."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from mindpipe.core.patterns import LatePattern, late
from mindpipe.language import words
from mindpipe.language.clauses import clauses, sentences
from mindpipe.language.names import names_in
from mindpipe.language.numerals import WORDS as NUMBERS
from mindpipe.language.records import Meant

# "almost a nurse", not "nearly three weeks ago".
_BARELY = (
    rf"(?:almost|nearly)(?!\s+(?:\d|half\b|(?:{NUMBERS})\b|"
    r"an? (?:hour|day|week|month|year|decade)\b))"
)
_QUOTED = late(r"[\"“”«»„]")
_ASKED = late(
    r"(?i)^\W*(?:(?:so|and|but|ok(?:ay)?|hey|hi|wait|btw|oh)\b\W*)*"
    r"(?:who|what|when|where|why|how|which|whose|is|are|was|were|am|do|does|did|has|have|can(?!['’]t)|could|"
    r"will|would|should|shall|might|(?-i:may))\b"
    r"(?!\s*(?:a|an|the)\s+\w+\s+(?:day|week|mess|night|shame|joy|relief)\b)"
)
_ASKED_BY_NAME = late(
    r"(?i)^\W*(?!(?:how|why)\b)\w+,? (?:are|do|did|have|can|could|will|would|should|were) "
    r"(?:you|u|we|they|i)\b"
)
"""How a question begins that calls somebody: `ana are you the vegan one`."""
# Who makes games for a living makes real ones: "a game designer".
_REAL_TRADE = rf"(?!\s+(?:{words.any_of(words.WORKPLACES | words.OCCUPATIONS)})s?\b)"
_IMAGINED = late(
    r"(?i)\b(?:dream(?:t|s|ed|ing)?|nightmare|imagine[sd]?|imagining|suppose|supposing|pretend\w*|"
    r"(?:as|for) an? (?:joke|laugh|prank|dare|bet)|"
    r"if|unless|would(?:n['’]?t)?|hypothetical(?:ly)?|"
    r"in (?:(?:an)?other|my (?:next|other|past|former|previous)) life|as though|"
    rf"(?:game|novel|story|character|movie|film)\b{_REAL_TRADE}|play(?:ed)? a|"
    r"in (?:my|his|her) (?:head|dreams|imagination|fantasies))\b|['’]d\b|"
    r"^\W*(?:ask|call|give|wake|touch|show|tell|bring|buy|try)\b[^,.;]* and (?:i|we)\b"
)
_IRONIC = late(
    r"(?i)^\W*(?:(?:oh|ah|well),? )?(?:great|brilliant|fantastic|wonderful|lovely|marvellous|"
    r"perfect|awesome|super|splendid)\b(?=[ ,!.])"
    r"|\byeah,? right\b|\bsaid no one\b|\bas if\b"
    r"|\b(?:truly|simply|absolutely|totally|just)(?: i)? (?:love|adore)\b"
    r"|\bi do (?:so (?:love|adore|like|enjoy)|(?:love|adore|like|enjoy) an?)\b"
    r"|\bliving the dream\b|\blucky me\b"
    r"|\b(?:for|in) (?:\w+ ){0,3}(?:zero|0) (?:second|minute|hour|day|week|month|year)s?\b"
    r"|\bfor joy\b|\b(?:oh joy|what (?:a treat|a joy|joy|bliss))\b|\bget enough of\b"
    r"|\b(?:just )?what i(?:['’]ve)? always (?:wanted|dreamed|dreamt)\b"
    r"|^\W*oh,? i just (?:love|adore) \w+ing\b"
    r"|\bnothing i (?:love|like|enjoy) more\b|\bmy (?:passion|favou?rite hobby)\b|/s\b|🙄"
    r"|\b(?:just kidding|jk|literally)\b"
)
_DREAM = late(
    r"(?i)\b(?:i|we) (?:\w+ )?(?:dreamt|dreamed)\b|^\W*(?:(?:so|and|last night) )?(?:dreamt|"
    r"dreamed)\b|"
    r"^\W*my (?:\w+ )?character(?:['’]s| is|,)|"
    r"\b(?:two truths?\W+(?:and )?(?:a|one) lie|(?:guess )?which (?:one |of these )?(?:is|are) "
    r"(?:the lie|a lie|lies|false|made up|not true|untrue)|"
    r"never have i ever|let['’]?s play (?:a game|pretend|"
    r"make[- ]?believe|(?:the )?would you rather|truth or dare|(?:20|twenty) questions|role))\b|"
    r"\b(?:had|having) (?:an?|this|that|the|another|my) (?:\w+ )?(?:dream|nightmare)\b|"
    r"\bin (?:my|the|a|this) (?:\w+ )?(?:dream|nightmare|next life)\b|"
    r"\b(?:i|we)(?:['’](?:m|re))? play(?:ing)? (?:(?:the|an?) )?\w+ in (?:the|an?|our|my|this) "
    r"(?:\w+ )?(?:play|musical|film|movie|panto(?:mime)?|opera)\b|"
    r"^\W*(?:(?:please|now|ok|okay|let['’]?s|so) )*(?:pretend|imagine|suppose|role-?play|act as)\b"
)
_OTHERS = late(
    rf"(?i)\b(?:{words.any_of(words.RELATIVES - words.OCCUPATIONS)}|he|she|they|his|her|"
    rf"their|him|them)s?\b"
)
_SOMEBODY_DID = late(
    r"(?:^|[.!?…] +)(?!(?:I|We|Just|Finally|Also|Never|Only|Not|Now|So|And|But)\b)"
    r"[A-ZÀ-Þ][a-zß-ÿ]+ (?:[a-z]{2,}ed|quit|left|went|came|lost|broke|took|bought|sold|"
    r"met|rang|wrote|became|began)\b"
)
"""How a sentence begins that tells what somebody did whom a capital alone makes a name."""
_ASKED_AFTER = late(r"(?:^|[.!?…] +)[\w'’-]+\?+\s*$")
"""How a text ends that asks after somebody or something, of which what follows tells: `Tom?`."""
_ASIDE = late(
    r"(?i)^[^\w(]*(?:\(\W*(?:of|not|no|retired|ex|former(?:ly)?|once|trainee|unemployed|well|sort|kind|almost|nearly|mostly|only|just|if|unless|until|till|"
    r"except|apart|when|at (?:least|heart|best)|in (?:theory|spirit|training|name|my)|on paper|ish|"
    r"or|as if|I (?:wish|hope|think|guess)|honorary|unofficial|allegedly|kidding|joke|jk|lol|ha)\b|"
    r"(?:at heart|of sorts|in (?:the (?:simulator|sims|game)|"
    r"a (?:\w+ )?game|theory|spirit|training|disguise|progress|name only|the making|"
    r"(?:a|an|my) (?:past|previous|former|other|another|spare|head|dreams?|mind)|another life)|"
    r"for (?:the|an?|one) (?:day|night|evening|afternoon|morning|weekend|week|minute|moment)|"
    r"by (?:night|day|marriage|training)|on paper|wannabe|at (?:parties|weekends|best))\b)"
)
_CLAUSE: tuple[tuple[Meant, LatePattern], ...] = (
    (
        "wished",
        late(
            r"(?i)\b(?:wish(?:es|ed|ing)?|hop(?:e|es|ed|ing)|want(?:s|ed|ing)? to|longing|"
            r"would (?:like|love))\b"
        ),
    ),
    (
        "hedged",
        late(
            r"(?i)\b(?:maybe|perhaps|possibly|probably|apparently|supposedly|allegedly|might|"
            r"(?-i:may)|could be|not sure|no idea|i (?:think|guess|suppose|reckon|believe|doubt|"
            r"assume|hope)|kinda|sort of|or something|or so|seem(?:s|ed)?|wonder(?:ing)?|"
            r"technically|nominally|in theory|on paper|obviously|clearly|evidently|naturally|"
            r"^\W*sure,|"
            rf"{_BARELY}|thinking (?:of|about)|considering|tempted|if only|or whatever|"
            r"who knows|lol|ha(?:ha)+)\b"
        ),
    ),
    (
        "reported",
        late(
            r"(?i)\b(?:(?:says?|said|saying)(?! good ?bye| no to\b)|claim(?:s|ed)?|tells?|told|"
            r"hears?|heard|reckons?|thinks?|believes?|swears?|swore|insist(?:s|ed)?|rumou?rs?|"
            r"according to|reads|read (?!the|this|these|those|your|my)|wrote|mentioned|"
            r"(?:was|were|be|all) like|jok(?:es?|ed|ing)|pretend\w*|lied|lying|quote|supposed to)\b"
        ),
    ),
    (
        "planned",
        late(
            r"(?i)\b(?:(?-i:will)|going to|gonna|plan(?:s|ned|ning)? to|about to|"
            r"tomorrow|soon|next (?:week|month|year|summer|spring|autumn|winter)|"
            r"looking for|searching|applied|"
            r"applying)\b|['’]ll\b"
        ),
    ),
)
_TAKES_BACK = late(
    r"(?i)^\W*(?:or )?(?:not(?! (?:since|ever)\b)"
    r"(?! (?:(?:at|in|with|for|from|to) )?(?:the )?(?-i:[A-ZÀ-Þ])|"
    rf" (?:the )?\d| (?:{NUMBERS})\b)|"
    r"unfortunately not|nope|nein|"
    r"(?:never again|for(?! good\b| real\b| ever\b)|until|till|except|"
    r"unless|if|much|mostly|sort of|kind of|badly)\b|"
    r"no,? wait|i mean|or rather|rather|only in|in (?:my|his|her) (?:head|dreams?|mind))\b|"
    r"^\W*well,? (?!done|deserved|well|finally)\w|april fools|used to$|\bi mean\W*$|"
    # of somebody else alone, and the opposite: "my boxes did", "ok I can"
    r"^\W*(?:(?:well|or|ok|okay|but|at least)\b\W*)*(?:my|our|his|her|their|the) [\w'’-]+ "
    r"(?:did|does|do|has|have|is|are|was)\W*$|"
    r"^\W*i (?:do|am|did|have)(?: not|n['’]?t)\W*$|"
    r"^\W*(?:ok|okay|well|fine|alright|actually|no|but|or)\b\W*(?:maybe )?i"
    r"(?: (?:can|do|am|did|have|could|was)(?: not|n['’]?t)?|['’]m not|['’]ve not)\W*$"
)
_NOT_SO = late(
    r"(?i)^\W*(?:(?:oh|ah|er|um|no|nope|wait|sorry|actually|hm+)\b\W*)*"
    r"(?:hang on|hold on|wait,? no|no,? wait|scrap that|scratch that|strike that|correction|"
    r"(?:(?:i['’]?m|i am|i was) )?(?:just |only )?(?:kidding|joking)\b(?! aside)|"
    r"well,? (?:almost|nearly|not (?:quite|really|yet)|sort of|kind of|in theory)|almost|not quite|"
    r"at least,? (?:that['’]?s what|according to|so (?:he|she|they|my|the)|in my (?:mind|head))|"
    r"(?:that|this|it)(?:['’]s| is| was) (?:the |a |an |my )?(?:(?:first|last|opening) )?"
    r"(?:line|lyrics?|ending|plot|quote|title|sentence|scene|start|beginning) (?:of|from|in)|"
    r"(?:that|this|it)(?:['’]s| is| was) (?:only |just )?an? (?:\w+ )?"
    r"(?:dream|joke|lie|test|prank|quote|april fool)|is what (?:I|he|she|they|we)|"
    r"well,? (?:my|his|her|our) [\w'’ ]{2,30} (?:does|do|has)|"
    r"(?:in|on|at) [^.!?]{2,40},? (?:that is|i mean)\b|you['’]?re wrong,? i\b|"
    r"of course (?:i|we) (?:do(?: not|n['’]?t)|did(?: not|n['’]?t)|am not)\b|psych|gotcha|dream on|"
    r"that['’]?s how (?:my|the|his|her|our) \w+ (?:begins|starts|ends)|true or false|"
    r"repeat after me|how do you (?:say|spell|write|translate) (?:that|it|this)|"
    r"translate (?:that|this|it)|say (?:that|it) (?:again|in)|"
    r"(?:i|we) (?:only )?stayed (?:there |here )?(?:for|until|till)|"
    r"(?:i |we )?(?:had|was|were|lived|worked)\b[^.!?]{1,40}[,–-] (?:sorry|i mean|i should say)|"
    r"my mistake|my bad(?! \w)|wrong (?:one|line|person|name|way)|"
    r"(?:that|it)(?:['’]?s| is| was) wrong|"
    r"i(?:['’]ve)? (?:misread|misheard|misspoke|got that wrong|was wrong|am wrong))\b"
    r"(?!,? (?:was i|were you|you))"
)
"""How somebody begins who corrects what he has just said, however long he goes on."""
_HEDGE = late(
    r"(?i)\W*(?:(?:or |at least |well )*(?:I|we) "
    r"(?:think|guess|suppose|believe|reckon|hope|assume)|"
    r"maybe|perhaps|probably|possibly|presumably|apparently|supposedly|allegedly|or so(?:mething)?|"
    r"if at all)\W*"
)
"""A piece of a sentence that only doubts the rest of it: `…, I think, …`."""
_UNDONE = late(
    r"(?i)\b(?:then|but)\b(?:,? [\w'’]+){0,4} (?:back|again)\b|\b(?:fell|fallen) through\b|"
    r"\bbut (?:in fact|in reality|in truth|strictly)\b|"
    r"\b(?:well|or),? (?:(?:i|we|he|she|they|it) )?(?:did|was|were|had|used to)\b(?! (?:i|you)\b)|"
    r"\bthen (?:(?:on )?to )?(?-i:[A-Z][a-z]+)\b|"
    r"\bwhich (?:is|was) (?:a (?:\w+ )?(?:lie|joke|dream)|not (?:true|so)|untrue|wrong|nonsense|"
    r"false)\b|"
    r"\bwhich (?:i|we) (?:made up|invented|dreamt|dreamed)\b|\bbut not (?:really|yet|quite)\b|"
    r"\bor so (?:i|we) (?:wish|hope|dream)\b|\bthat['’]?s what (?:i|we) (?:told|tell|say)\b|"
    r"\bor (?:i|we) (?:try|used to)\b|\bor (?:will|would) be\b|"
    r"\bat least in\b|\bparallel (?:universe|life|world)\b|\bmade (?:of|from) \w+|"
    r"\bneither (?:one )?(?:is|was|of (?:it|them|that|which) (?:is|was)) true\b|"
    r"\bended (?:up )?(?:at|in|with)\b|\bjust like (?:you|he|she|they|pigs|fish)\b|"
    r"\bchang(?:ed|ing) (?:my|our|his|her|their) minds?\b|"
    r"\b(?:did not|didn['’]?t) (?:last|work out)\b|"
    r"\bjust (?:landed|arrived|touched down|checked in)\b|\bbacked out\b|"
    r"\bbut (?:I|we|he|she|they) (?:refused|declined|said no)\b|"
    r"\bcalled (?:it )?off\b|\bin my (?:mind|head|dreams?)\b"
)
"""How a sentence goes on that undoes what it tells: `…, then back to Rome`."""
_OUTDONE = late(
    r"(?i)\W*(?:no,? |actually,? )?(?:I|we)(?:['’]ve| have)?(?: got)?(?: (?:really|absolutely|just|"
    r"totally|simply))* (?!(?:hate|loathe|detest|despise|avoid|dislike|never|can|do|leave|skip)\b)"
    r"(?:[a-z]+ )?"
    r"(?:it|them|those|two|three|four|five|six|seven|\d+|several|loads|lots|tons|both|all of)\b"
)
"""How somebody goes on who denies that it is all: `I don't like olives, I love them`."""


_HATED = late(
    r"(?i)\W*(?:no,? |actually,? )?I (?:(?:really|absolutely|just|totally|simply) )*"
    r"(?:hate|loathe|detest|despise|abhor|can['’]?t (?:stand|bear))\b"
)
"""How he goes on who denies that it is all he has against it: `I don't dislike it, I hate it`."""
_LAUGHTER = late(
    r"(?i)(?:[\s,.!]*\b(?:(?:a?ha){2,}h?|(?:he){2,}|(?:hi){2,}|lo+l|lmao|rofl|xd)\b)+[\s.!]*$"
)


def without_laughter(text: str) -> str:
    """Return a text without the laughter that it ends in: who laughs at a mistake denies it."""
    return _LAUGHTER.sub("", text)


def hates_it(rest: str) -> bool:
    """Tell whether a sentence goes on that its speaker hates what he did not dislike."""
    return _HATED.match(rest) is not None


_BESIDES = late(r"(?i)\b(?:also|as well|on top of (?:it|that)|part[- ]time as well)\b")
_ONE_AT_A_TIME = frozenset({"residence", "workplace", "job"})


def is_besides(attribute: str, clause: str) -> bool:
    """Tell whether a clause adds another value where one is held: `I also work at Lidl`."""
    return attribute in _ONE_AT_A_TIME and _BESIDES.search(clause) is not None


def turned_by(rest: str, *, denied: bool) -> Meant | None:
    """Return how something is meant by the rest of its sentence, None where as it stands."""
    if any(_HEDGE.fullmatch(piece) for piece in re.split(r"[,;–—]", rest)):
        return "hedged"
    if _UNDONE.search(rest) or (denied and _OUTDONE.match(rest)):
        return "hedged"
    return None


_SAYS_WHO = late(
    r"(?i)^\W*(?:says|said|claims|claimed|thinks|reckons|writes|wrote|insists|according to) "
    r"(?!i\b|so\b|yes\b|no\b|good ?bye)"
)
"""How somebody begins who tells whose words that were: `…, says the man who eats them`."""
_FOR_ALL_KNOWN = late(
    r"(?i)^\W*(?:as far as|last (?:i|we) (?:heard|knew)|or (?:did|was|were|had)\b|afaik|"
    r"iirc|if (?:i (?:remember|recall)|memory))"
)
"""How somebody goes on who does not know whether it still holds: `…, or did until May`."""
_CORRECTED = late(
    r"(?i)[,;–—-]\s*(?:"
    r"sorry(?! (?:for|about|to|in|if|that|but|again|everyone|all)\b)(?=[ ,:–—-]+\w)|"
    r"wait|hang on|correction|or (?:is|was) it|i mean|scratch that|no(?=, \w+[.!]*$))\b"
)
_OF_SYSTEMS = late(
    r"(?i)\b(?:the|our|my|a|an|its|every|all|each) (?:[\w-]+ ){0,2}(?:quer(?:y|ies)|databases?|"
    r"servers?|apis?|repos?|backend|frontend|deploys?|pipelines?|migration|code(?:base)?|schema|"
    r"cluster|hosting|tables?|scripts?|builds?|tickets?|docs)\b"
    r"(?! (?:job|role|position|team|engineer|developer|company|startup|post))"
)
_OWN_WORD = late(
    r"(?i)\bI(?:['’]ve)? (?:told|said|mentioned|wrote|swear)\b|^\W*told (?:you|ya)\b|"
    r"^\W*(?:(?:don['’]?t|please|just|do|and) )*(?:tell|say)\b"
)
"""Whose own word it is, and orders to tell: `tell no one` makes no report of what it follows."""
FEW_WORDS = 4
"""How a clause of so few words is meant holds for the next one too: `she says, I live there`."""
_GONE = late(
    r"(?i)\b(?:dead|died|passed away|buried|put down|put to sleep|rip|rehomed|late|no more)\b"
)
_OVER = late(
    r"(?i)\b(?:used to|no longer|any ?more|any longer|former(?:ly)?|previously|until recently|"
    r"(?:stopped|quit|ceased|gave up|given up|back when|when i was|was once|were once|once was)\b|"
    r"ex-)"
)
_NEVER = late(
    r"(?i)\b(?:not|no|never|neither|nor|none|nobody|nothing|nowhere|cannot|without|"
    r"(?:do|does|did|is|are|was|were|has|have|had|ca|wo|could|would|should|ai)n['’]?t)\b"
)


_ALL_WRONG = late(
    r"(?i)\W*(?:(?:no|nope|nah|hey|um|sorry|well|actually|but|hm+)\b\W*)*"
    r"(?:that|it|this)(?:['’]?s| is|(?= isn['’]?t))(?: (?:just|simply|completely|totally|all))? "
    r"(?:wrong|incorrect|false|untrue|(?:not|isn['’]?t) (?:true|right|correct|so|the case|"
    r"where I (?:live|work)|my (?:name|job)))"
    r"(?: at all| any ?more)?\W*"
)


def calls_wrong(text: str) -> bool:
    """Tell whether a text says that what was said before is wrong, and no more: `That's wrong!`."""
    return _ALL_WRONG.fullmatch(text) is not None


_DISOWNED = late(
    r"(?i)\W*(?:(?:no|hey|but|wait|um|well|sorry|and)\b\W*)*"
    r"(?:i (?:never|did(?:n['’]?t| not))(?: ever)? (?:say|said|tell|told|claim|claimed)|"
    r"who (?:on earth |the hell )?(?:said|says|told))(?: (?:you|that|anyone|anybody|so))*"
    r"[:,]? (?P<words>i(?:['’]|\b)[^.!?;]*)"
)


_UNSAID = late(
    r"(?i)\b(?:i (?:said|told you|mentioned|wrote|claimed)|"
    r"you (?:remembered|noted|wrote|said|think))"
    r"(?: that)? (?P<words>i(?:['’]|\b)[^.!?;,]*?)\s*(?:[,.;–—-]+\s*)?"
    r"(?:(?:but|and|which)\b ?)*(?:that|it|this)?(?:['’]s| is| was)(?: all| just)? "
    r"(?:wrong|not true|not right|untrue|false|incorrect|nonsense|an? (?:lie|joke|mistake|typo))\b"
)


_MADE_UP = late(
    r"(?i)\b(?:the (?:whole )?(?:thing|bit|part|story|stuff)|what i (?:said|told you)) about "
    r"(?P<words>[^.!?;,]+?)(?:,? (?:that|it))? (?:is|was)(?: all| just| only)? "
    r"(?:wrong|not true|untrue|false|nonsense|made[- ]up|an? (?:lie|joke|mistake))\b"
)
_CONTRARY = late(
    r"(?i)\b(?:contrary to|unlike|despite) what i (?:said|told|wrote|claimed)[^,.!?;]*, "
    r"(?P<words>i(?:['’]|\b)[^.!?;]*)"
)


def disowned(text: str) -> str:
    """Return the words that somebody says he never said, or calls wrong, "" where there are none.

    `I never said I was vegan`, `Who told you I work there?`, `I said I live in Ulm. That was a
    lie.`, `The thing about Ulm was a joke.`, `Contrary to what I said, I was never a cook.`.
    """
    found = _DISOWNED.match(text) or next(
        (said for one in (_UNSAID, _MADE_UP, _CONTRARY) if (said := one.search(text))), None
    )
    return found["words"] if found else ""


_RIGHTS = late(
    r"(?i)\W*(?:(?:oh|ah|oops|no|wait|sorry|argh|ugh|hey)\b\W*)*(?:typo|correction|autocorrect|"
    r"my (?:mistake|bad)|i me[ae]nt?|make that|"
    r"sorry(?!\s*[.!…]|,? (?:for|about|['’]?bout|to|in|if|that|but|again)\b))\b\W*\w"
)


def slip_in(text: str) -> tuple[int, int] | None:
    """Return the characters with which a text begins by taking back a slip, or None."""
    found = _RIGHTS.match(text)
    return None if found is None else found.span()


def rights(text: str) -> bool:
    """Tell whether a text begins by taking back a slip, and goes on: `Sorry, typo: I live in …`."""
    return slip_in(text) is not None


_THERE = late(r"(?i)\b(?:live|living|work|working) there\b")


def denies_unnamed(text: str) -> bool:
    """Tell whether a text denies what others named before: `I don't live there`, `That's wrong`."""
    return calls_wrong(text) or (_THERE.search(text) is not None and denies(text))


def may_deny(text: str) -> bool:
    """Tell whether a text may deny something that is held, by its name or as named before."""
    return denies(text) or denies_unnamed(text) or rights(text) or disowned(text) != ""


LOOKS_BACK = late(
    r"(?i)^\W*(?:(?:and|but|god|man) )?(?:how|why)(?: on earth| the hell)? "
    r"(?:did|could) (?:I|we) ever "
)
"""What asks for no answer, but says that it was so, and is no longer: `how did I ever like it`."""


def is_ironic(text: str) -> bool:
    """Tell whether a text begins, or goes on, as where the opposite is meant; so is the rest."""
    return _IRONIC.search(text) is not None


def tells_dream(text: str) -> bool:
    """Tell whether a text begins to tell a dream, or a game; what follows is of it too."""
    return _DREAM.search(text) is not None


def asks_by_name(sentence: str) -> bool:
    """Tell whether a sentence asks whom it calls, whether or not it ends so: `ana do you drive`."""
    return _ASKED_BY_NAME.match(sentence) is not None


_BACK_THEN = late(
    r"(?i)\bwhen (?:i|we|he|she|they) (?:was|were)\b|\bgrowing up\b|\bin those days\b|"
    r"\bas an? (?:\w+ )?(?:kid|child|teenager|teen|boy|girl|student|baby|toddler)\b|"
    r"\bback (?:then|when|in (?:the|my|those|\d))\b|\bat the time\b|\bbefore that\b|"
    r"\bin my (?:\w+ )?(?:teens|twenties|thirties|youth|childhood|student)\b|\bdecades ago\b"
)


def tells_of_then(text: str) -> bool:
    """Tell whether a text is of a time that is long past: `as a student I lived in Ghent`."""
    return _BACK_THEN.search(text) is not None


def tells_of_others(text: str) -> bool:
    """Tell whether a text tells of others, so that what follows without "I" may be of them."""
    told = _OTHERS.search(text) or _SOMEBODY_DID.search(text) or _ASKED_AFTER.search(text)
    # A capital that begins a sentence makes no name.
    return told is not None or any(names_in(one.text) for one in sentences(text))


def is_narrowed_by(behind: str) -> bool:
    """Tell whether the words right behind a value leave little of it.

    `a doctor (of dachshunds)`, `vegan (mostly)`, `a sailor at heart`.
    """
    return _ASIDE.match(behind) is not None


_OR_SO_SAYS = late(
    r"(?i)\bas (?:my|his|her|our) \w+ (?:tells?|says?|claims?|thinks?|believes?)\b|"
    r"\bas (?:the|they|that) (?:song|saying|joke|line|story|lyrics?|poem|old saying)? ?"
    r"(?:goes|go|says?|has it|put it)\W*$|"
    r",\s*or (?:at least )?so (?!i\b|we\b|many\b|much\b)(?:[\w'’-]+ ){1,4}[\w'’-]+\W*$"
)
"""How a sentence ends whose words are another's: `…, or so my mother claims`."""


_SAYING = (
    r"(?:says?|said|claim(?:s|ed)|tells?|told|thinks?|thought|brag(?:s|ged)|boast(?:s|ed)|"
    r"jok(?:es?|ed)|whisper(?:s|ed)|lie[sd]|insist(?:s|ed)|swears?|swore|writes?|wrote|"
    r"shout(?:s|ed)|yell(?:s|ed)|mutter(?:s|ed)|mumble[sd]|laugh(?:s|ed)|reckon(?:s|ed)|"
    r"announce[sd]|declare[sd]|scream(?:s|ed)|cried|cries|sigh(?:s|ed)|repl(?:ies|ied)|"
    r"answer(?:s|ed)|add(?:s|ed)|grin(?:s|ned)|explain(?:s|ed)|text(?:s|ed)|post(?:s|ed)|"
    r"tweet(?:s|ed)|sings?|sang|admit(?:s|ted)|confess(?:es|ed)|remark(?:s|ed)|recall(?:s|ed)|"
    r"complain(?:s|ed)|moan(?:s|ed)|quip(?:s|ped)|tease[sd]|snap(?:s|ped)|believe[sd]|"
    r"pretend(?:s|ed)|wail(?:s|ed)|sob(?:s|bed)|hiss(?:es|ed)|groan(?:s|ed)|chuckle[sd])"
)
_DOING = (
    r"(?:(?:liv|work|mov|stay|us|lov|lik|hat|play|own|di|join|start|retir|turn|marri|need|want|"
    r"studi|stopp|pass|call|nam|arriv|return|chang|adopt|cook|watch|walk|travell?|follow|visit|"
    r"help|finish|land|pick|dropp|fix|clean|paint|bak|rais|fri|grill|fill|ag)(?:e?s|ed)|red|bed)"
)
"""What others do and have: of such a verb with its subject nobody's words stand before it."""
_ASIDE_BEHIND = (
    r"\W*$|[,;:]| (?:again|back|once|twice|when|while|after|just|only|out|to|at|in|on|from|over|"
    r"with|about|\w+ly|today|yesterday)\b(?! (?:it|that|this|love|bed|work|school|to)\b)"
)
_TELLING = (
    rf"(?:(?:{_SAYING}|goes|went|(?:keeps?|kept) (?!on\b)\w+ing|(?:used to|would) say)"
    rf"(?={_ASIDE_BEHIND}| (?:me|us|him|her|them|everyone|everybody|people|anyone)\b)|"
    rf"(?!{_DOING}\b)\w{{2,}}ed(?={_ASIDE_BEHIND}))"
)
_SENT = rf"(?:{words.any_of(words.SENT_TEXTS)})s?"
_ANOTHER = (
    r"(?:(?:my|his|her|our|their|your|the|an?|some|one of) "
    rf"(?:(?!(?:is|was|has|had|have|are|were|{_DOING})\b)[\w'’-]+ ){{1,6}}?|"
    r"(?:he|she|they|someone|somebody|everyone) |(?-i:[A-ZÀ-Þ])[\w'’-]+ )"
)
_SAYS_BEHIND = late(
    rf"(?i)[,;–—-]\s*(?:and |but |as )?{_ANOTHER}"
    rf"(?:(?:always|once|just|then|often|had|has|later|proudly|even) )*{_TELLING}|"
    rf"[,;–—-]\s*{_SAYING} (?:(?:my|his|her|our|their|the|an?) [\w'’-]+|he|she|they|"
    r"(?-i:[A-ZÀ-Þ])[\w'’-]+)(?: [\w'’-]+){0,3}\W*$|"
    r"[,;–—-]\s*(?:(?:was|is|were|came) (?:his|her|their|my \w+['’]s) \w+|"
    rf"(?:read|reads|ran|said|says) (?:the|an?|my|his|her|their) {_SENT})\W*$"
)
"""How a sentence ends that tells whose words it was: `…, my date bragged`, `…, joked Tom`."""


_ACCORDING = late(r"(?i)^\W*(?:(?:and|but|so|well)\b\W*)*(?:according to|as per|rumou?r has it)\b")


def is_of_others(sentence: str) -> bool:
    """Tell whether a sentence is another's by how it begins or ends: `according to Tom, …`."""
    return _is_rumoured(sentence) or _SAYS_BEHIND.search(sentence) is not None


def _is_rumoured(sentence: str) -> bool:
    """Tell whether who passes a sentence on does not vouch for it: `…, or so my mother claims`."""
    return _ACCORDING.match(sentence) is not None or _OR_SO_SAYS.search(sentence) is not None


def _is_news(sentence: str) -> bool:
    """Tell whether a sentence is told as it stands, be it with who says it behind it.

    To whom something happens `Nieves has passed on, the nurse says` is news; of who speaks it is
    no word of one's own.
    """
    meant = sentence_meant(sentence)
    return meant is None or (meant == "reported" and not _is_rumoured(sentence))


def sentence_meant(sentence: str) -> Meant | None:
    """Return how a whole sentence is meant where its words show that it claims nothing, else None.

    A question, a quotation and something imagined colour all that a sentence says; irony colours
    what comes behind it too, and is asked for by itself.
    """
    looks_back = LOOKS_BACK.match(sentence)
    if not looks_back and (sentence.rstrip(" )!.").endswith("?") or _ASKED.match(sentence)):
        return "asked"
    if asks_by_name(sentence):
        return "asked"
    if _QUOTED.search(sentence):
        return "quoted"
    if is_of_others(sentence):
        return "reported"
    return "imagined" if _IMAGINED.search(sentence) else None


def clause_meant(clause: str) -> Meant | None:
    """Return how a clause is meant where its own words show that it claims nothing, else None."""
    return next((meant for meant, pattern in _CLAUSE if pattern.search(clause)), None)


def is_own_word(words: str) -> bool:
    """Tell whether words that tell of telling are the speaker's own, or an order: `say, …`."""
    return _OWN_WORD.search(words) is not None


def taken_back(after: str, *, denial: bool = False) -> Meant | None:
    """Return how something is meant by the few words behind it: `…, maybe`, `…. Not.`.

    Who calls wrong what was said takes back what he says himself; of a `denial` he says once more
    that what another said is wrong.
    """
    if calls_wrong(after):
        return None if denial else "hedged"
    if _SAYS_WHO.match(after):
        return "reported"
    if _NOT_SO.search(after) or _FOR_ALL_KNOWN.match(after):
        return "hedged"
    if not after or len(after.split()) > FEW_WORDS or is_own_word(after):
        return None
    if is_ironic(after) or _TAKES_BACK.search(after):
        return "hedged"
    return clause_meant(after)


_FRANK = late(
    r"(?i)^\W*(?:(?:(?:one|i|we)(?: must| have to|['’]ll| will| should)? be|to be|truth be|the|"
    r"my|full|in|an?|"
    r"and|so|ok|yes|yeah|no|well|hey|oh|right|big|good|bad|quick|small|life)\s+)*(?:honest|honesty|truth|told|"
    r"confession|fair|frank|fact|short version|short|disclosure|"
    r"(?:\w+ )?(?:news|updates?)(?: (?:in|for) \w+(?: \w+)?)?|yes|yeah|no|nope|"
    r"well|"
    r"correction|typo|wrong|sorry|right|ok|okay|actually|btw|fyi|currently|nowadays|finally)\W*$"
)
_OF_ONESELF = late(r"\b(?:I|me|us)\b(?!.*\b(?:say|tell|text|wrote|read|hear)\b)")
"""Who leads in of himself speaks on: `that settles it for me: I hate ferries`."""


def is_frank(lead: str) -> bool:
    """Tell whether words lead in somebody's own plain word: `one must be honest: …`."""
    return _FRANK.match(lead) is not None


def corrects_itself(sentence: str) -> bool:
    """Tell whether somebody corrects within a sentence what it said: `in Hull, sorry, Leeds`."""
    return _CORRECTED.search(sentence) is not None


_INTRODUCES = late(r"\s*(?:I['’]?m|I am) [A-ZÀ-Þ][a-zß-ÿ]")
"""How somebody begins who says his name: `the basics: I'm Ana, I'm thirty`."""


def is_led_in(before: str, behind: str = "") -> bool:
    """Tell whether a colon leads in what follows: what stands before it says whose words it is."""
    if not before.endswith(":") or is_frank(before) or _INTRODUCES.match(behind):
        return False
    return _OF_ONESELF.search(before) is None or clause_meant(before) is not None


def is_gone(text: str) -> bool:
    """Tell whether a text tells of somebody's death: `our goldfish, Elvis, is dead`."""
    return _GONE.search(text) is not None


def tells_of_systems(text: str) -> bool:
    """Tell whether a text is of programs: `we moved to Atlas, the query runs`."""
    return _OF_SYSTEMS.search(text) is not None


def is_over(said: str) -> bool:
    """Tell whether words say that something was so, and is no longer."""
    return _OVER.search(said) is not None


def denies(said: str) -> bool:
    """Tell whether words have a negation among them."""
    return _NEVER.search(said) is not None


class PlainWords(NamedTuple):
    """Words that were looked for, their sentence and clause, and how that is meant."""

    found: re.Match[str]
    sentence: str
    clause: str
    meant: Meant | None


def told_plainly(text: str, pattern: LatePattern, *, earnest: bool = False) -> Iterator[PlainWords]:
    """Yield where a text says what a pattern looks for: not asked, quoted, imagined nor denied.

    Where `earnest`, nothing is looked for from the first irony on.
    """
    for sentence in sentences(text, whole=True):
        if earnest and is_ironic(sentence.text):
            return
        if not _is_news(sentence.text):
            continue
        for found in pattern.finditer(sentence.text):
            at = sentence.start + found.start()
            clause = next((one for one in clauses(sentence) if one.start <= at < one.end), sentence)
            if not denies(re.split(r"[,;:]", sentence.text[: found.start()])[-1]):
                yield PlainWords(found, sentence.text, clause.text, clause_meant(clause.text))


class MeantClause(NamedTuple):
    """The words of a clause, and how they are meant where not as they stand."""

    text: str
    meant: Meant | None


def earnest_clauses(text: str) -> Iterator[MeantClause]:
    """Yield the clauses of those sentences of a text that are meant, as far as it is no irony."""
    for sentence in sentences(text.replace("’", "'"), whole=True):
        if is_ironic(sentence.text):
            return
        if _is_news(sentence.text):
            for clause in clauses(sentence):
                yield MeantClause(clause.text, clause_meant(clause.text))
