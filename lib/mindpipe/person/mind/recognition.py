"""Which turn of a life the words of an event tell of, and of whom.

A turn is told by a sentence that says it of the right one: somebody whom the person knows has died,
a partner parts from *you*, *you* lose your work. Who a verb is of has to stand beside it, and the
sentence must show by no word that it is a question, a wish, a doubt, a dream, a plan or a story
(`mindpipe.language.guards`). Silent rather than wrong: what only might be a turn is none.

What is here is compiled when it is imported: import it where a text has a word of a turn.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.core.text import FUNCTION_WORDS
from mindpipe.language.clauses import Stretch, clauses, sentences
from mindpipe.language.guards import clause_meant, denies, sentence_meant
from mindpipe.language.numerals import WORDS as NUMBER_WORDS
from mindpipe.language.numerals import number_of
from mindpipe.person.mind.relations import CAPITAL, ROLE_WORDS, Kind, NamedOther, kind_of, others_of
from mindpipe.person.mind.told_turn import SICK_LEAVE, ToldTurn, weight_of
from mindpipe.person.records.event import LifeTopic, PersonEvent
from mindpipe.person.records.person import PersonIdentity


class _Telling(NamedTuple):
    """An event as it is read: its text, who says it, what it weighs, and whom the person knows."""

    text: str
    source: str
    spoken: bool
    weight: float
    others: tuple[NamedOther, ...]
    speaker: NamedOther | None


KIN: frozenset[Kind] = frozenset({"child", "parent", "sibling", "relative", "animal", "partner"})
_FAMILY: frozenset[Kind] = frozenset({"child", "parent", "sibling", "relative", "partner"})
_KIN_WORD = re.compile(
    r"\b(?:grand\w*|mum|mom|mother|mama|dad|papa|father|aunt\w*|uncle|son|daughter|sister|brother"
    r"|cousin|niece|nephew|child|children|toddler|baby|dog|cat)\b",
    re.I,
)
STRONG, CLOSED = 0.8, 0.7
"""How much must weigh what is told of somebody whom nobody named, and of a place that closes."""

# Who: named here or by what they are to the person.
_WHO = (
    rf"(?:(?P<owner>(?i:your|our|my)) (?:[\w-]+ ){{0,2}}?(?P<role>(?i:{ROLE_WORDS}))(?: {CAPITAL})*"
    rf"|(?P<baby>(?i:the baby))|(?P<pronoun>(?i:he|she|they)\b)"
    rf"|(?P<name>{CAPITAL}(?: {CAPITAL})*))(?:,[^,.;:]{{1,60}},| of \w+ years)?"
)
_LEFT_OPEN = re.compile(
    r"(?i)(?:\b(?:of|to|with|by|from|near|beside|after|about|like|than|behind|since|before|until|"
    r"till|when|while|as|how|why|where|who|whose|whom|which|because|for|over|against|"
    r"(?:day|night|year|time|moment|way|place|house) that)|['’]s|\bor)\s+$"
)
"""What stands before words that are no news of their own."""
_END = r"(?=\s*(?:$|[.,;:!–—]))"
_WHEN = (
    r"(?:\s+(?:today|tonight|yesterday|this|last|at|on|in the (?:night|morning|evening|afternoon)"
    r"|overnight|an hour|a moment|minutes|hours)\b)"
)
_STOPS = rf"(?:(?=\s*(?:$|[.,;:!–—]))|(?={_WHEN}))"
_OLD = re.compile(
    r"(?i)\b(?:(?:years|decades|months) ago|in (?:1[5-9]|20)\d\d|in (?:the )?\w+ties\b|long ago"
    r"|as a "
    r"(?:child|boy|girl)|when you were|anniversary|remember\w*|recall\w*|reminds?|photographs?"
    r"|photos?|pictures? of|once upon|legend|song|poem|opera|series|episode|play|rumou?rs?|jok\w+"
    r"|kidding|pretend\w*|lied|lies that|museum|centur(?:y|ies)|headline)\b"
)
"""Words of what was long ago, or is no news of one's own."""
_TAKEN_BACK = re.compile(
    r"(?i)\b(?:alive|revived|resuscitated|(?:brought|got) (?:him|her|them) back|came round|false "
    r"alarm|mistake|mistaken|joking|kidding|a joke|april fool\w*|wrong (?:man|woman|person|name"
    r"|number|house)|not (?:him|her|true|dead)|no bad news|resign(?:ed|s)|new job|retire[sd]"
    r"|transferred|left the (?:firm|company|team))\b"
)

_AUX = (
    r"(?:(?:has|have|had|is|are|was|were|'s)\s+)?(?:(?:just|now|suddenly|finally|sadly|both)\s+)?"
)
_DIED = (
    rf"(?:(?:{_AUX}died|dies)(?! (?:down|away|out|laughing|of (?:shame|laughter|embarrassment"
    rf"|boredom|thirst"
    r"|curiosity)|for|a little|inside|a thousand|on (?:stage|me|you)))"
    r"|(?:is|are|'s|lies|lay|was found|were found|has been found) dead(?! (?:tired|drunk|serious|"
    r"sure|set|wrong|right|asleep|to|against|broke|calm|beat|on|last|certain|keen|ahead|slow|level"
    r"|weight|inside|from|drunk|easy|good|bored))"
    rf"|(?:{_AUX}passed|passes) (?:peacefully |quietly )?(?:away|over)(?! (?:from|the|to|his|her"
    rf"|your|my|a)\b)"
    r"|(?:(?:has |have |'s |had )?passed peacefully|(?:has|have|'s"
    r"|had) passed(?: on)?)" + _STOPS + rf"|{_AUX}passed on" + _STOPS + r""
    r"|(?:has|have|had|did|could)(?: not|n't) (?:survived?|pull(?:ed)? through|live through)"
    r"|(?:has|have|did)(?: not|n't) (?:make|made) it(?! (?:to|in|home|on|back|up|past|into|through|"
    r"for|easy|clear|easier|worse|better|a|this far))"
    r"|(?:will )?(?:has |have )?(?:never|did not|didn't) (?:wake|woke|woken)(?: up)?(?: again)?"
    r"(?: from (?:the|his|her) (?:coma|operation|anaesthetic))(?:.{0,20}\bdied)?"
    r"|(?:is|are|'s) (?:no longer|not)(?: any ?more)? (?:with us(?! (?:on|in|at|for)\b)|among us"
    r"|alive|among the living)"
    rf"|{_AUX}(?:been )?(?:got )?(?:killed|murdered|shot dead|beaten to death|stabbed to death"
    rf"|executed)"
    r"(?! (?:the|a|an|time|off|some|his|her|it)\b)"
    rf"|{_AUX}(?:drowned|perished|bled to death|frozen? to death|froze to death|starved to death)"
    r"(?! (?:the|his|her|their|my|your|its|a|an|in (?:work|debt|debts|paper|tears|sorrow|emails?)"
    r"|out)\b)"
    rf"|{_AUX}succumbed to (?:the|his|her|their|a) (?:\w+ )?(?:fever|injur\w+|wounds?|illness"
    rf"|cancer"
    r"|burns?|disease|infection|virus|pneumonia|tumou?r|stroke)"
    rf"|{_AUX}(?:lost (?:his|her|their) (?:(?:life|lives)"
    r"(?! (?:savings|insurance|jacket|work|story|vest))|(?:\w+ )?(?:fight|battle) (?:with|against"
    r"|to)"
    r" (?:the |his |her )?(?:\w+ )?(?:cancer|illness|disease|leuk\w+|tumou?r|fever|infection)))"
    rf"|{_AUX}(?:took|taken) (?:his|her|their) own li(?:fe|ves)"
    r"(?! (?:jacket|vest|insurance|story|boat))"
    rf"|{_AUX}(?:committed suicide"
    r"|(?:killed|hanged|hung|shot) (?:himself|herself|themselves))(?! in the (?:foot|leg))"
    rf"|{_AUX}(?:breathed|drew|took|taken) (?:his|her|their) last(?: breath)?" + _STOPS + r""
    r"|(?:has )?fell (?:at the front|in (?:battle|action|combat|the war))"
    r"|(?:was|is|were|has been) stillborn"
    r"|(?:could|can)(?: not|n't|not) be (?:saved|revived|resuscitated))"
)
_HEART = (
    r"'s heart (?:has )?(?:just )?(?:stopped(?: beating)?|failed|gave out)"
    r"(?! (?:for|when|at the|in))"
)
_GONE = r"(?:is|are|'s) gone" + _STOPS
_PEACE = re.compile(
    r"(?i)\bin (?:her|his|their) sleep\b|\bpeacefully\b|\brest in peace\b|\bGod rest\b"
    r"|\bto heaven\b"
    r"|\bthe funeral\b|\bat peace\b|\b(?:her|his) heart\b|\bthere was nothing\b"
)
"""What makes a death of `she is gone`."""
_DEATHS = re.compile(
    rf"(?<![\w'’-]){_WHO}(?:\s*{_HEART}|\s+{_DIED}|(?<gone>\s+{_GONE}))".replace(
        "(?<gone>", "(?P<gone>"
    )
)
_LOST = re.compile(
    rf"(?i:\b(?:we(?:'ve| have)?|you(?:'ve| have)?|they(?:'ve| have)?) (?:just )?lost|"
    rf"\b(?:kill(?:s|ed)|murdered)|\b(?:could(?: not|n't)|cannot|can't) (?:save|revive|resuscitate)"
    rf"|\b(?:news|word|telegram|message|report|notice) (?:of"
    rf"|that tells of) the death of) {_WHO}{_STOPS}"
)
_DEATH_OF = re.compile(
    rf"(?i:\b(?:news|word|telegram|message|report|notice|call|letter) (?:of|about|with"
    rf"|tells (?:you )?of)) "
    rf"{_WHO}['’]s death\b"
)

_PARTS = (
    r"(?:(?:has |is |'s )?(?:now )?(?:leaves|leaving|left) you(?:\s+for (?:another|"
    r"(?:a|the|your|his|her) (?:[\w-]+ )?(?:wom[ae]n|m[ae]n|girl|boy|colleague|friend|neighbou?r"
    r"|dancer|student|nurse|secretary|singer|actress|actor|sister|brother|boss)\b|somebody|someone"
    rf"|good\b|ever\b|(?-i:{CAPITAL})(?<!day))"
    r"|\s+(?:after|because|with the (?:children|kids|baby))\b|" + _STOPS + r")"
    r"|(?:has )?(?:walks?|walked) out on you"
    r"|(?:has )?(?:moves|moved|moving) out"
    + _STOPS
    + r"|(?:has )?(?:moves|moved) out (?:of (?:the|your) (?:flat|house|apartment|home)|and|with"
    r"|for)\b"
    r"|(?:has )?(?:ends?|ended) (?:it|things|(?:the|your) (?:relationship|marriage|engagement"
    r"|affair))"
    r"(?: with (?:you|a (?:letter|message|text|call|note)|an? \w+)| between|" + _STOPS + r"))"
)
_PARTS_FOR_SURE = (
    r"(?:(?:has )?(?:breaks|broke|broken|breaking) up with you|(?:has )?(?:breaks|broke|calls"
    r"|called)"
    r" off (?:the|your) (?:engagement|wedding)|(?:has )?(?:divorces|divorced|dumps|dumped"
    r"|is divorcing)"
    r" you|leaves you for (?:an?other|a (?:woman|man|colleague|friend|younger|dancer)|somebody"
    r"|someone)"
    r"|(?:wants|has asked(?: you)? for|asks(?: you)? for|demands|(?:has )?files?(?:d)? for"
    r"|talks of)"
    r" (?:a |the )?(?:divorce|separation)|wants (?:you )?to (?:separate|break up|split up"
    r"|leave you)"
    r"|(?:no longer loves|does not love|doesn't love|has stopped loving) you"
    r"|has (?:somebody|someone) else)"
)
_PARTING = re.compile(rf"(?<![\w'’-]){_WHO}\s+(?:(?P<sure>{_PARTS_FOR_SURE})|{_PARTS})")
_WE_PARTED = re.compile(
    rf"(?i:\byou and )(?P<name>{CAPITAL}(?: {CAPITAL})*"
    rf"|(?i:your (?:{ROLE_WORDS})))(?P<owner>)(?P<role>)"
    r"(?P<baby>)(?P<pronoun>) (?:have |are |had |'ve )?(?:now |finally |just )?(?:separated?"
    r"|separating"
    r"|parted(?! at| from the)|split(?: up)?|break up|broke up|broken up|divorced?|divorcing"
    r"|getting (?:a divorce|divorced)|go your separate ways)" + _STOPS
)
_PAPERS = re.compile(
    r"(?i)\b(?:the|your) divorce (?:papers|petition)\b.{0,40}\b(?:arrives?|come|came|arrived|lie"
    r"|are)\b"
    r"|\byour (?:divorce|separation) (?:is|was|has become|becomes) (?:final|through|granted"
    r"|official)"
    r"|\byour (?:marriage|engagement|relationship) (?:is (?:over|off|at an end)|has ended|ends"
    r"|breaks up)"
)
_I_PART = re.compile(
    r"(?i)\bI(?:'m| am)(?: really)? leaving you(?: for\b|[.,!;]|$)|\bI(?:'ve| have) left you\b"
    r"|\bI want (?:a|the|us to get a) (?:divorce|separation)|\bI want (?:us )?to (?:break up"
    r"|separate"
    r"|split up|leave you(?:[.,!;]|$))|\bI (?:do not|don't|no longer) love you(?: any ?more"
    r"| any longer"
    r"|[.,!;]|$)|\b(?:it(?:'s| is) over|we(?:'re| are) (?:over|finished|through)) ?(?:between us"
    r"|with us"
    r"|for us)?(?=[.,!;]|$)|\bwe (?:should|must|have to|need to) (?:split up|separate|break up"
    r"|part\b"
    r"|go our separate ways|get (?:a )?divorced?)|\bI(?:'m| am) moving out\b|\bI (?:can't|cannot"
    r"|can not)"
    r" live with you\b|\bI(?:'m| am) (?:breaking up|done|finished) with you|\bI(?:'ve"
    r"| have) (?:met|found)"
    r" (?:somebody|someone) else|\bthere(?:'s| is) (?:somebody|someone) else\b|\bI(?:'ve"
    r"| have) been "
    r"seeing (?:somebody|someone)"
)
_OVER = re.compile(r"(?i)^it(?:'s| is) over$")
_US = re.compile(r"(?i)\b(?:between us|leav\w+ you|love you|divorce|us\b)")

_FIRM = (
    r"(?:they|(?:the|your) (?:\w+ )?(?:company|firm|boss|owner|manager|director|headmaster"
    r"|headmistress"
    r"|head|chief|foreman|forewoman|captain|employer|factory|plant|bank|school|hospital|agency"
    r"|bakery"
    r"|restaurant|hotel|shop|store|office|depot|university|council|ministry|mill|mine|yard|theatre"
    r"|paper|workshop|supervisor|chef|board|management|clinic|airline|railway|contractor))"
)
_WORK_NOUN = r"(?:job|position|post|work|employment|role|place on the (?:team|crew))"
_FIRED = (
    r"(?:fired(?! (?:up|at|by a))|sacked|dismissed(?! (?:from (?:class|school|hospital|the (?:ward"
    r"|hospital"
    r"|table))|early|as|with a (?:wave|smile|nod)))|laid off|made redundant|let go(?! of))"
)
_DISMISSED = re.compile(
    rf"(?i)\byou(?:'re| are|'ve been| have been| were| get| got| will be)(?: now| being)? {_FIRED}"
    r"|\byour name is (?:on|among) .{0,25}\b(?:laid off|dismissed|made redundant|let go)"
    rf"|\b{_FIRM} (?:(?:has|have|will|now|just) )?(?:(?:fires?|fired|sacks?|sacked|dismiss(?:es"
    rf"|ed)?|lays?"
    rf"|laid) you\b(?! up)|(?:makes?|made) you redundant|(?:gives?|gave|given) you (?:your )?notice"
    rf"|(?:terminates?|terminated|ends?|ended|cancels?) your (?:\w+ )?(?:contract|employment|job"
    rf"|position)"
    rf"|lets? you go(?=\s*(?:$|[.,;!]| after [^.;]{{1,20}}(?:years?|months?|seasons?)"
    rf"| with | from (?:the|your) (?:job|post|work)| today"
    rf"| on "
    rf"\w+day| because)))"
    rf"|\byou(?:'ve| have)? (?:just )?(?:lost|lose|are losing) your {_WORK_NOUN}(?=\s*(?:$|[.,;:!]"
    r"| (?:at|as|in|on|this|today|after|because|and|with|over|to|for|when)\b))"
    r"|\byour (?:job|position|post|employment|role|work contract|contract(?: of work)?"
    r"|teaching contract)"
    r" (?:is|was|has been|will be|ends|will)(?: now)?(?: being)? ?(?:gone|cut(?! off)|terminated"
    r"|axed"
    r"|eliminated"
    r"|abolished|cancelled|ended|not (?:be )?(?:renewed|extended|kept)|(?:made )?redundant"
    r"|at an end"
    r"|with immediate effect|no more)"
    r"|\byou(?:'re| are) (?:now )?(?:out of (?:work|a job)|unemployed|without (?:work|a job)"
    r"|jobless"
    r"|off the crew|redundant)\b"
    r"|\b(?:letter of dismissal|dismissal letter|notice of (?:dismissal|redundancy|termination)"
    r"|redundancy notice|your dismissal|your redundancy)\b"
)
_TOLD_DISMISSED = re.compile(
    r"(?i)\b(?:we|I)(?:'re| are|'m| am)? (?:have to|must|had to|will have to|going to|forced to"
    r"|need to)?"
    r" ?(?:let|letting) you go(?=[.,!;]|$| from| after| on| today| with)|\b(?:we|I) (?:have to"
    r"|must|had to"
    r"|are going to|will) (?:lay you off|dismiss you|make you redundant|terminate your)"
    r"|\byour (?:services|help|work) (?:is|are) no longer (?:required|needed|wanted)|\b(?:cannot"
    r"|can't"
    r"|won't|will not) (?:keep you on|renew your contract|extend your contract|keep you(?=[.,!;]"
    r"|$))"
    r"|\bhere is your notice\b|\bthere is no (?:berth|place|work|job|post) for you\b"
)
_CLOSES = re.compile(
    r"(?i)\b(?P<whose>the|your|this) (?P<firm>plant|factory|mine|mill|shipyard|bakery|workshop"
    r"|branch|office"
    r"|company|firm|shop|restaurant|depot|school|hotel|foundry|quarry|brewery|site|works) (?:is "
    r"|will |has |is "
    r"going to )?(?:be )?(?:clos(?:es?|ing|ed)|shuts?|shutting|goes bankrupt|goes under|bankrupt)"
    r"(?P<rest>[^.;!?]*)"
)
_FOR_GOOD = re.compile(
    r"(?i)^ (?:down\b|for (?:good|ever)|forever|permanently|its (?:doors|gates)|at (?:easter"
    r"|christmas|the end"
    r" of)|in (?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december"
    r"|spring|summer|autumn|winter)|next (?:month|year|week))"
)
_NOT_WORK = re.compile(
    r"(?i)\b(?:landlord|landlady|police|customs|guard lets|doctor|nurse|teacher|trainer|coach"
    r"|sergeant"
    r"|officer|lieutenant|judge|jury"
    r"|referee|the team"
    r"|kidnapp\w+|temporar\w+|joke)\b"
)

_LOVES = re.compile(
    r"(?i)\bI(?:'m| am)(?: so| madly| deeply)? in love with you\b|\bI(?:'ve"
    r"| have) fallen (?:in love with|for)"
    r" you\b|\bI love you(?=\s*(?:$|[.,!;…–—]|too\b|so\b|and\b|with\b|more\b|madly))"
)
_PROPOSED = re.compile(
    r"(?i)^(?:[\w'-]+[,:] )?(?:please,? )?(?:marry me|(?:will|won't) you (?:please )?marry me"
    r"|will you be my (?:wife|husband|girlfriend|boyfriend))\b"
)
_LOVE_TOLD = re.compile(
    rf"(?:(?P<who>(?i:the \w+|your [\w-]+(?: \w+)?|he|she)|{CAPITAL}(?: {CAPITAL})*)"
    r"(?: [^.,;:]{1,50} and)? (?:(?i:has |is )?(?:kisses"
    r"|kissed) you(?! (?:on (?:the|your) (?:cheek|hand|forehead|brow|head|nose|both)|good|hello"
    r"|on both|as"
    r" always|absently|lightly on|for luck|and (?:leaves|goes))|['’r])"
    r"|(?i:falls? for you|(?:falls|is|has fallen) in love with you|asks you to marry (?:him|her)"
    r"|asks you to be (?:his|her)|proposes to you|says yes to you|(?:tells you that (?:he"
    r"|she) )?loves you)))"
)
_LOVE_YOURS = re.compile(
    rf"(?i:\byou(?:'ve| have|'re| are)? (?:fall|fell|fallen|deeply"
    rf"|madly)? ?in love\b(?! with (?:the|this|that"
    r"|your) (?:\w+ )?(?:house|car|song|book|city|dress|boat|sea|idea|dog|cat|kitchen|view|place"
    r"|bike|job))"
    r"|\byou (?:spend|spent) the night together\b)"
    rf"|(?i:\byou kiss(?:ed)? )(?P<kissed>{CAPITAL}|(?i:him|her|each other))(?= |$"
    rf"|[.,!;])(?! (?i:on the (?:cheek|"
    r"hand|forehead)|good))"
    rf"|(?i:\byou and )(?P<two>{CAPITAL}(?: {CAPITAL})*) (?i:kiss\b|(?:are|become"
    rf"|are now) (?:a couple|lovers"
    r"|engaged|together now))"
)

_TO_MANY = re.compile(r"(?i)\byou (?:all|guys|lot|two|people)\b|\b(?:miss|sir|teacher|folks)[.!]?$")
_I_THINK = re.compile(r"(?i)\bI (?:think|guess|believe)(?: that)?,? ")
"""What makes what two say of themselves no doubt: it is how such things are said."""

_CHILD = r"(?:son|daughter|boy|girl|baby|child|twins|little one|triplets|first child|firstborn)"
_BORN = re.compile(
    rf"(?i)\byour (?:[\w-]+ )?{_CHILD} (?:is|are|was|were|has been"
    rf"|have been) (?:just )?born\b(?! (?:to|in the year|on an?|when|with a talent))"
    rf"|\byour (?:baby|little one|twins|firstborn) (?:is|are) here\b"
    rf"|\byour {_CHILD} comes? into the world\b"
    r"|\byou (?:give|gave|have given) birth\b|\byou(?:'ve| have) become (?:a|the) (?:father|mother"
    r"|parents?)\b"
    rf"|\byou (?:hold|held) your newborn\b|\byour newborn {_CHILD}\b|\ba {_CHILD} is born to you\b"
    rf"|\byou are delivered of a {_CHILD}\b"
)
_GAVE_BIRTH = re.compile(
    rf"(?<![\w'’-]){_WHO} (?i:(?:has |have )?(?:just )?(?:gives|gave|given) birth"
    r"|(?:has |is )?(?:been )?delivered (?:of )?a)"
)
_BORN_TOLD = re.compile(
    r"(?i)\bit(?:'s| is) a (?:healthy )?(?:boy|girl)\b|\byou(?:'ve| have)(?: got)? a (?:healthy "
    r"|beautiful |fine"
    rf" |little |new )*(?:son|daughter|boy|girl)(?=[.,!;]|$)|\byour {_CHILD} (?:is|was"
    rf"|has been) (?:just )?born"
    rf"|\byour {_CHILD} is here\b"
)
_OURS_BORN = re.compile(rf"(?i)\bour {_CHILD} (?:is|are|was|has been) (?:just )?(?:born|here)\b")

_EXAM = re.compile(
    r"(?i)\b(?:exams?|examinations?|finals|mid-?terms?|viva(?: voce)?|orals?(?! (?:history"
    r"|histories|tradition"
    r"|hygiene|surgery|agreement|contract|report|vaccine|thermometer))|thes[ie]s|dissertation"
    r"|driving test"
    r"|entrance tests?|licen[cs]ing test|A-levels|baccalaur[eé]at|matura|abitur|audition"
    r"|boards?(?= exam)"
    r"|(?:pass|sit|take|resit|retake) (?:the|my|a|an|your) (?:[\w'’-]+ ){0,3}tests?)\b"
)
_NOT_TAKEN = re.compile(
    r"(?i)\b(?:mark(?:ing)?|grad(?:e|ing)|correct(?:ing)?|invigilat\w+|set(?:ting)?|supervis\w+"
    r"|hold(?:ing)?|"
    r"print(?:ing)?|collect(?:ing)?|hand(?:ing)? (?:back|out)|help \w+|(?:his|her|their"
    r"|['’]s) (?:\w+ )?(?:exam|"
    r"viva|thesis|finals|test|oral|audition)|eye exam\w*|medical exam\w*|physical exam\w*"
    r"|blood test)\b"
)

_ILLNESS = (
    r"(?:cancer|(?:a )?tumou?r|leuk(?:a?e)mia|pneumonia|tuberculosis|covid|(?:the )?(?:flu"
    r"|influenza)|hepatitis"
    r"|malaria|dengue|cholera|typhoid|(?:a |another )?(?:stroke|heart attack)|meningitis"
    r"|appendicitis|sepsis"
    r"|diabetes|multiple sclerosis|parkinson\w*|(?:a )?(?:slipped disc|broken hip)|lymphoma"
    r"|melanoma|HIV)"
)
_SICK = re.compile(
    rf"(?i)\byou(?:'ve| have| are|'re)(?: got| been)?(?: diagnosed with"
    rf"| had)?(?: \w+)? {_ILLNESS}\b(?! (?:shots?|jabs?|vaccin\w+|tests?|ward))"
    r"|\byou(?:'ve| have| are|'re)(?: been)? diagnosed with\b|\byou (?:are|have) to be operated\b"
    rf"|\b(?:doctor|biopsy|scan|tests?|x-ray|results?|surgeon|consultant"
    rf"|specialist)s? (?:\w+ )?(?:finds?|found"
    rf"|shows?|confirms?|confirmed|diagnoses|reveals?) (?:that )?(?:you have |it is )?{_ILLNESS}\b"
)
UNFIT = re.compile(
    r"(?i)\b(?:weeks?|months?|days?) (?:off|without|out of|away from) work|\bunfit (?:for|to) work"
    r"|\bsigned (?:you )?off (?:work|sick)|\bsigns you off\b|\bon sick leave|\bsick note\b"
    r"|\byou (?:cannot|can't|must not|mustn't|may not) (?:go to |do any )?work\b"
    r"|\bno work for \w+ (?:days|weeks|months)"
)
"""Words of who may not work for a while, such as a doctor's."""
_HIRED = re.compile(
    r"(?i)\byou(?:'re| are|'ve been| have been| were| get) (?:hired|taken on|re-?hired|reinstated"
    r"|employed again)"
    r"|\b(?:you (?:get|got|have|find|found|take|took|accept|accepted|start|begin)|you(?:'ve"
    r"| have) (?:got|found))"
    r" (?:the|a|your(?: old| new)?|another) (?:new )?(?:job|post|position)\b|\byou got the job\b"
    r"|\bthe job is yours"
    r"|\b(?:offers?|offered|gives?|gave) you (?:a|the|your(?: old)?) (?:new )?(?:job|position|post"
    r"|contract)\b"
    r"|\b(?:your )?first day (?:back )?(?:at|in) (?:your |the )?(?:new )?(?:work|job|office"
    r"|post)\b|\byou(?:'re| are"
    r"| go)? back (?:at|to) work\b|\byou (?:start|begin|return to) work\b|\byour new (?:job|post"
    r"|position) (?:begins"
    r"|starts)|\b(?:takes?|took|have|has|hires?|hired) you (?:back|on)(?: again)?(?=\s*(?:$|[.,;!]"
    r"| at | as | from ))"
)
_WE_HIRE = re.compile(
    r"(?i)\b(?:the job is yours|you(?:'re| are) hired|you(?:'ve| have) got the job"
    r"|you can (?:start|begin) on"
    r"|we(?:'d| would)? (?:want|like|offer) (?:to offer )?you (?:the|a|your(?: old)?) (?:job|post"
    r"|position)|welcome"
    r" (?:back )?to the (?:team|crew|firm|company)|you start on)\b"
)
_BACK = (
    r"(?:(?:has |is |'s )?(?:comes?|came|coming|moves?|moved|moving) back(?: in)?(?: to you| home"
    r"| with you|"
    + _STOPS
    + r")|(?:has )?(?:returns?|returned) to you|takes? you back|wants you back|(?:is"
    r"|are) back (?:with you|"
    r"together|for good))"
)
_REUNION = re.compile(rf"(?<![\w'’-]){_WHO} {_BACK}")
_TOGETHER = re.compile(
    rf"(?i:\byou and )(?P<name>{CAPITAL}(?: {CAPITAL})*"
    rf"|(?i:your (?:{ROLE_WORDS})))(?P<owner>)(?P<role>)(?P<baby>)"
    r"(?P<pronoun>) (?:are |get |have |got |'re )?(?:now )?(?:(?:back )?together(?: again)?"
    r"|reconciled?|made (?:it )?up"
    r"|make (?:it )?up|try (?:it )?again|a couple again)"
)
_I_RETURN = re.compile(
    r"(?i)\bI(?:'m| am) (?:coming|moving) back(?: to you| home| in)?(?=[.,!;]|$)|\bI(?:'ve"
    r"| have) come (?:back|home)"
    r" to you\b|\bI(?:'m| am) back for good\b|\bI want (?:you back|to come back to you|us (?:back"
    r"|to try again))|\blet(?:'s"
    r"| us) (?:try|begin|start) again\b"
)


def told_turn(event: PersonEvent, identity: PersonIdentity) -> ToldTurn | None:
    """Return which turn the words of an event tell of, None where of none for sure."""
    telling = _telling(event, identity)
    if event.type in ("goal", "concern"):
        return ToldTurn("exam") if _tells_exam(telling.text) else None
    if _OLD.search(telling.text):
        return None
    valence = event.valence or 0.0
    if valence <= -0.3:
        found = _bad_turn(telling, valence)
        return None if found is not None and _is_known(found, identity) else found
    return _birth(telling) or (_love(telling) if valence >= 0.5 else None)


def _is_known(turn: ToldTurn, identity: PersonIdentity) -> bool:
    """Tell whether it is no news that somebody died: the person said so, or learnt it before."""
    if turn.topic != "bereavement":
        return False
    parted = {one.about for one in identity.learnt if one.turn == "separation"}
    gone = any(one.gone and one.name == turn.name for one in others_of(identity))
    return gone and turn.name not in parted


def told_of(topic: LifeTopic, event: PersonEvent, identity: PersonIdentity) -> ToldTurn:
    """Return a turn that is known by the event itself, with whose it is by its words."""
    telling = _telling(event, identity)._replace(weight=1.0)
    found = {"bereavement": _death, "separation": _separation}.get(topic)
    told = found(telling) if found else None
    if told is not None:
        return told
    if topic == "illness" and UNFIT.search(telling.text):
        return ToldTurn(topic, SICK_LEAVE)
    if topic in ("bereavement", "separation"):
        source = telling.speaker if topic == "separation" else None
        named = source or next(
            (one for one in telling.others if _named_in(one, telling.text)), None
        )
        if named is not None and not named.gone:
            return ToldTurn(topic, named.name, named.kind)
    return ToldTurn(topic)


def _tells_exam(text: str) -> bool:
    """Tell whether a goal or a worry is an exam of one's own."""
    return _EXAM.search(text) is not None and not _NOT_TAKEN.search(text)


_SPANS = {"day": 1, "week": 7, "fortnight": 14, "month": 30}
_SPAN = re.compile(
    rf"(?i)\b(?:for |another )?({NUMBER_WORDS}|\d{{1,2}}|an?|a few|several)?"
    r"\s*(day|week|fortnight|month)s?\b"
)
_COUNTS = {"a": 1, "an": 1, "": 1, "a few": 3, "several": 4}
DAYS_OFF = 7
"""For how many days somebody may not work of whom no time is told (C)."""


def days_off(text: str) -> int:
    """Return for how many days somebody may not work, by the words of whoever says so."""
    found = _SPAN.search(text)
    if found is None:
        return DAYS_OFF
    said = (found.group(1) or "").lower()
    count = _COUNTS[said] if said in _COUNTS else number_of(said) or 1
    return count * _SPANS[found.group(2).lower()]


def tells_work_again(event: PersonEvent, identity: PersonIdentity) -> bool:
    """Tell whether an event gives a person work, or gives back what it had."""
    telling = _telling(event, identity)
    relative = telling.speaker is not None and telling.speaker.kind in _FAMILY
    if relative or _OLD.search(telling.text):
        return False
    return _says((_WE_HIRE if telling.spoken else _HIRED,), telling, planned=True)


def reunited(event: PersonEvent, identity: PersonIdentity, parted: Iterable[str]) -> str:
    """Return which of those who parted from a person comes back to it, or nothing."""
    telling = _telling(event, identity)
    if (event.valence or 0.0) < 0.0 or _OLD.search(telling.text):
        return ""
    names = {one.casefold(): one for one in parted}
    if telling.spoken:
        source = telling.speaker.name if telling.speaker else telling.source
        back = _says((_I_RETURN,), telling, planned=True)
        return names.get(source.casefold(), "") if back else ""
    for pattern in (_REUNION, _TOGETHER):
        for found in _hits(pattern, telling, planned=False):
            whom = _whom(found, telling)
            if whom is not None and whom.name.casefold() in names:
                return names[whom.name.casefold()]
    return ""


def _telling(event: PersonEvent, identity: PersonIdentity) -> _Telling:
    """Return an event as it is read."""
    text = " ".join((event.text or "").replace("’", "'").split())
    others = others_of(identity)
    source = event.source or ""
    low = source.casefold()
    speaker = next((one for one in others if low and one.name.casefold() == low), None)
    if speaker is None and source:
        kind, role = kind_of(source)
        if role and (low.startswith("your ") or low == role):
            speaker = NamedOther(source, kind, role)
    return _Telling(text, source, event.type == "speech", weight_of(event), others, speaker)


def _hits(pattern: re.Pattern[str], telling: _Telling, *, planned: bool) -> Iterator[re.Match[str]]:
    """Yield where a text says something plainly: not asked, doubted, wished, denied or imagined."""
    for sentence in sentences(telling.text, whole=True):
        if sentence_meant(sentence.text) is not None:
            continue
        for found in pattern.finditer(sentence.text):
            if _is_plain(found, sentence, planned=planned):
                yield found


def _says(patterns: Iterable[re.Pattern[str]], telling: _Telling, *, planned: bool = False) -> bool:
    """Tell whether a text says one of some things plainly."""
    return any(True for one in patterns for _ in _hits(one, telling, planned=planned))


def _is_plain(found: re.Match[str], sentence: Stretch, *, planned: bool) -> bool:
    """Tell whether nothing around words speaks against them."""
    before = sentence.text[: found.start()]
    if _LEFT_OPEN.search(before):
        return False
    at = sentence.start + found.start()
    clause = next((one for one in clauses(sentence) if one.start <= at < one.end), sentence)
    within = sentence.text[max(clause.start - sentence.start, 0) : found.start()]
    if denies(within) or denies(re.split(r"[,;:]", before)[-1]):
        return False
    meant = clause_meant(clause.text)
    if meant == "planned" or (meant == "wished" and re.search(r"(?i)\bwants?\b", clause.text)):
        return planned
    return meant in (None, "reported")


def _bad_turn(telling: _Telling, valence: float) -> ToldTurn | None:
    """Return the loss, the illness or the like that is told of, if any."""
    weight = telling.weight
    if valence <= -0.5 and weight >= 0.6 and (found := _death(telling)):
        return found
    if valence <= -0.4 and weight >= 0.5 and (found := _separation(telling)):
        return found
    if weight >= 0.5 and _is_dismissed(telling):
        return ToldTurn("dismissal")
    if valence <= -0.4 and weight >= 0.5 and _is_sick(telling):
        return ToldTurn("illness", SICK_LEAVE if UNFIT.search(telling.text) else "")
    return None


def _death(telling: _Telling) -> ToldTurn | None:
    """Return whose death is told."""
    back = _TAKEN_BACK.search(telling.text)
    if back is not None and not denies(telling.text[max(0, back.start() - 12) : back.start()]):
        return None
    for pattern in (_DEATHS, _LOST, _DEATH_OF):
        for found in _hits(pattern, telling, planned=False):
            if found.groupdict().get("gone") and not _PEACE.search(telling.text):
                continue
            whom = _whom(found, telling)
            if whom is not None:
                return ToldTurn("bereavement", whom.name, whom.kind)
    return None


def _separation(telling: _Telling) -> ToldTurn | None:
    """Return who parts from the person."""
    whom = _spoken_parting(telling) if telling.spoken else _told_parting(telling)
    if whom is None and not telling.spoken and _says((_PAPERS,), telling):
        whom = next((one.name for one in telling.others if one.kind == "partner"), "")
    return None if whom is None else ToldTurn("separation", whom, "partner")


def _spoken_parting(telling: _Telling) -> str | None:
    """Return who says to the person that it leaves it: a partner, or somebody as near as that."""
    speaker, source = telling.speaker, telling.source
    if not source or _is_family(telling):
        return None
    telling = telling._replace(text=_I_THINK.sub("", telling.text))
    for found in _hits(_I_PART, telling, planned=True):
        if _OVER.match(found.group().strip(" .!,")) and not _parts_elsewhere(found, telling):
            continue
        if (speaker is not None and speaker.kind == "partner") or _US.search(telling.text):
            return speaker.name if speaker is not None else source
    return None


def _told_parting(telling: _Telling) -> str | None:
    """Return who is told to leave the person: a partner, or surely somebody as near."""
    for pattern in (_PARTING, _WE_PARTED):
        for found in _hits(pattern, telling, planned=True):
            whom = _whom(found, telling)
            if whom is None:
                continue
            sure = pattern is _WE_PARTED or found.group("sure")
            if whom.kind == "partner" or (sure and whom.kind not in KIN and telling.weight >= 0.6):
                return whom.name
    return None


def _is_family(telling: _Telling) -> bool:
    """Tell whether who speaks is of the family, and no partner."""
    if telling.speaker is not None:
        return telling.speaker.kind in KIN - {"partner"}
    return _KIN_WORD.search(telling.source) is not None


def _parts_elsewhere(found: re.Match[str], telling: _Telling) -> bool:
    """Tell whether something besides `it is over` is of the two of them."""
    rest = telling.text.replace(found.group(), " ", 1)
    return _I_PART.search(rest) is not None or _US.search(rest) is not None


def _is_dismissed(telling: _Telling) -> bool:
    """Tell whether the person loses its work."""
    if _NOT_WORK.search(f"{telling.source}: {telling.text}"):
        return False
    patterns: tuple[re.Pattern[str], ...] = (_DISMISSED,)
    if telling.spoken:
        if telling.speaker is not None and telling.speaker.kind not in ("colleague", "other"):
            return False
        if _KIN_WORD.search(telling.source):
            return False
        patterns = (_DISMISSED, _TOLD_DISMISSED)
    return _says(patterns, telling, planned=True) or any(
        telling.weight >= CLOSED
        and ("bankrupt" in found.group().casefold() or _FOR_GOOD.match(found.group("rest")))
        for found in _hits(_CLOSES, telling, planned=True)
    )


def _is_sick(telling: _Telling) -> bool:
    """Tell whether the person falls ill, or may not work."""
    if any(_named_in(one, telling.text) for one in telling.others):
        return False
    return _says((_SICK, UNFIT), telling, planned=True)


def _birth(telling: _Telling) -> ToldTurn | None:
    """Return that a child of the person's own is born."""
    if telling.weight < 0.5:
        return None
    speaker = telling.speaker
    if not telling.spoken:
        born = _says((_BORN,), telling) or any(
            _is_of_partner(found, telling) for found in _hits(_GAVE_BIRTH, telling, planned=False)
        )
    elif speaker is not None and speaker.kind in KIN:
        born = speaker.kind == "partner" and _says((_OURS_BORN, _BORN_TOLD), telling)
    else:
        born = _says((_BORN_TOLD,), telling)
    return ToldTurn("birth") if born else None


def _is_of_partner(found: re.Match[str], telling: _Telling) -> bool:
    """Tell whether it is the person's partner whom words are of."""
    whom = _whom(found, telling)
    return whom is not None and whom.kind == "partner"


def _love(telling: _Telling) -> ToldTurn | None:
    """Return with whom love begins: nobody of the family, nor who is a partner already."""
    if telling.weight < 0.45:
        return None
    who = _spoken_love(telling) if telling.spoken else _told_love(telling)
    return None if who is None else ToldTurn("love", who)


def _spoken_love(telling: _Telling) -> str | None:
    """Return who tells the person that it loves it."""
    source = telling.source
    if not _is_stranger(source, telling) or re.match(r"(?i)an? ", source):
        return None
    if _TO_MANY.search(telling.text):
        return None
    telling = telling._replace(text=_I_THINK.sub("", telling.text))
    loved = _PROPOSED.search(telling.text) or _says((_LOVES,), telling)
    return source if loved else None


def _told_love(telling: _Telling) -> str | None:
    """Return who is told to love the person, or whom it loves; nothing where that is not named."""
    for found in _hits(_LOVE_TOLD, telling, planned=False):
        who = found.group("who")
        who = telling.source if who.casefold() in ("he", "she") else who
        if _is_stranger(who, telling):
            return who
    for found in _hits(_LOVE_YOURS, telling, planned=False):
        who = found.group("two") or found.group("kissed") or telling.source
        who = "" if who.casefold() in ("him", "her", "each other") else who
        if not who or _is_stranger(who, telling):
            return who
    return None


def _is_stranger(who: str, telling: _Telling) -> bool:
    """Tell whether somebody is neither of the family nor a partner."""
    if not who or _KIN_WORD.search(who):
        return False
    known = _known(who, telling)
    return (kind_of(who)[0] if known is None else known.kind) not in KIN


def _named_in(other: NamedOther, text: str) -> bool:
    """Tell whether a text names somebody, by name or as `your mother`."""
    words = [re.escape(other.name)]
    if other.role:
        words.append(rf"your (?:[\w-]+ )?{re.escape(other.role)}")
    return re.search(rf"(?<!\w)(?i:{'|'.join(words)})(?![\w-])", text) is not None


def _known(name: str, telling: _Telling) -> NamedOther | None:
    """Return whom of an identity a name is of: all of it, or one of its words."""
    low = name.casefold()
    for one in telling.others:
        parts = one.name.casefold().split(" ")
        if low == one.name.casefold() or low in parts or one.name.casefold() in low.split(" "):
            return one
    return None


def _whom(found: re.Match[str], telling: _Telling) -> NamedOther | None:
    """Return whom words are of, None where that is nobody of the person's own."""
    groups = found.groupdict()
    if name := groups["name"]:
        yours = name.casefold().startswith("your ")
        return _of_role(name[5:], telling) if yours else _by_name(name, telling)
    if groups["pronoun"]:
        return _by_pronoun(found, telling)
    if groups["baby"]:
        return NamedOther("your baby", "child", "baby") if telling.weight >= STRONG else None
    owner = (groups["owner"] or "").casefold()
    family = telling.spoken and telling.speaker is not None and telling.speaker.kind in _FAMILY
    theirs = owner == "your" or (owner == "our" and family)
    return _of_role(groups["role"] or "", telling) if theirs else None


def _of_role(role: str, telling: _Telling) -> NamedOther | None:
    """Return who is somebody's husband, brother or dog: as the identity names them, or so."""
    kind, word = kind_of(role)
    if not word:
        return None
    same = [one for one in telling.others if word in (one.role, one.role.split(" ")[-1])]
    if not same and kind == "partner":
        same = [one for one in telling.others if one.kind == kind and not one.gone]
    return same[0] if len(same) == 1 else NamedOther(f"your {word}", kind, word)


def _by_name(name: str, telling: _Telling) -> NamedOther | None:
    """Return who has a name; who is not known is only believed where it weighs much."""
    known = _known(name, telling)
    if known is not None:
        return known
    kind, role = kind_of(name)
    if role and role == name.casefold() and kind in _FAMILY:
        return _of_role(role, telling)
    word = name.split(" ")[0].casefold()
    if word in FUNCTION_WORDS or word in _NO_NAMES or telling.weight < STRONG:
        return None
    return NamedOther(name, "other")


_NOT_NAMES = """
i the a an no nobody everybody everyone somebody someone something nothing it this that my our your
yesterday today tonight then there here all one two many most some paris london god internet
everything
"""
_NO_NAMES = frozenset(_NOT_NAMES.split())


def _by_pronoun(found: re.Match[str], telling: _Telling) -> NamedOther | None:
    """Return whom `he` or `she` is: the last one named before, or the only one that is named."""
    at = telling.text.find(found.group())
    places = sorted(
        (hit.start(), one)
        for one in telling.others
        if (hit := re.search(rf"(?<!\w){re.escape(one.name)}(?![\w-])", telling.text))
    )
    before = [one for place, one in places if place < at]
    if before:
        return before[-1]
    return places[0][1] if len(places) == 1 else None
