"""English words of what turns a life, as patterns: who it is said of, and what is said.

Each is compiled when it is first asked for.
"""

from mindpipe.core.patterns import late
from mindpipe.person.mind.relations import CAPITAL, ROLE_WORDS

# Who: named here or by what they are to the person.
WHO = (
    rf"(?:(?P<owner>(?i:your|our|my)) (?:[\w-]+ ){{0,2}}?(?P<role>(?i:{ROLE_WORDS}))(?: {CAPITAL})*"
    rf"|(?P<baby>(?i:the baby))|(?P<pronoun>(?i:he|she|they)\b)"
    rf"|(?P<name>{CAPITAL}(?: {CAPITAL})*)(?: the (?:{ROLE_WORDS}))?)"
    r"(?:,[^,.;:]{1,60},| of \w+ years)?"
)
TELLER = late(
    rf"^(?P<teller>(?:(?i:(?:the|your) )?{CAPITAL}(?: {CAPITAL})*|(?i:(?:the"
    rf"|your) (?:[\w-]+ )?[\w-]+)))"
    r",? (?i:(?:says?|said|writes?|wrote|tells?|told|rings?|rang|calls?|called|texts?|reports?"
    r"|confirms?"
    r"|announces?|thinks|believes)(?: (?:to |and tells )?you)?(?: on the telephone"
    r"| from [\w ]{2,20}?)?"
    r"(?:,? that|:|,)) ?(?P<told>.+)$"
)
"""Who tells something, and what."""
LEFT_OPEN = late(
    r"(?i)(?:\b(?:of|to|with|by|from|near|beside|after|about|like|than|behind|since|before|until|"
    r"till|when|while|as|how|why|where|who|whose|whom|which|because|for|over|against|"
    r"(?:day|night|year|time|moment|way|place|house) that)|['’]s|\bor)\s+$"
)
"""What stands before words that are no news of their own."""
WHEN = (
    r"(?:\s+(?:today|tonight|yesterday|this|last|at|on|in the (?:night|morning|evening|afternoon)"
    r"|overnight|an hour|a moment|minutes|hours)\b)"
)
STOPS = rf"(?:(?=\s*(?:$|[.,;:!–—]))|(?={WHEN}))"
OLD = late(
    r"(?i)\b(?:(?:years|decades|months) ago|in (?:1[5-9]|20)\d\d|in (?:the )?\w+ties\b|long ago"
    r"|as a "
    r"(?:child|boy|girl)|when you were|anniversary|remember\w*|recall\w*|reminds?|photographs?"
    r"|photos?|pictures? of|once upon|legend|song|poem|opera|series|episode|play|rumou?rs?|jok\w+"
    r"|kidding|pretend\w*|lied|lies that|museum|centur(?:y|ies)|headline)\b"
)
"""Words of what was long ago, or is no news of one's own."""
TAKEN_BACK = late(
    r"(?i)\b(?:alive|revived|resuscitated|(?:brought|got) (?:him|her|them) back|came round|false "
    r"alarm|mistake|mistaken|joking|kidding|a joke|april fool\w*|wrong (?:man|woman|person|name"
    r"|number|house)|not (?:him|her|true|dead)|no bad news|resign(?:ed|s)|new job|retire[sd]"
    r"|transferred|left the (?:firm|company|team))\b"
)

AUX = r"(?:(?:has|have|had|is|are|was|were|'s)\s+)?(?:(?:just|now|suddenly|finally|sadly|both)\s+)?"
DIED_SOFTLY = (
    r"(?:(?:fell|has fallen|fallen) asleep (?:for (?:good|ever)|forever|for the last time)"
    r"|(?:went|gone|goes) to sleep(?: [\w ]{2,20}?)?"
    r" and (?:did not|didn't|never|has not) (?:wake|woke|woken)(?: up)?"
    r"(?! (?:up )?(?:until|till|before|when|in time|for))"
    r"|(?:has |have )?stopped breathing(?! (?:for|when|with|a moment))"
    r"|(?:has |have )?slipped away (?:in (?:his|her|their) sleep|peacefully|quietly|in the night"
    r"|overnight|this (?:morning|afternoon|evening)|last night|at (?:dawn|noon))"
    r"|(?:has |have )?closed (?:his|her|their) eyes for (?:good|ever|the last time)"
    r"|(?:was|were|has been|had to be|is) put (?:down(?= *(?:$|[.,;!]| (?:today|this|last|because"
    r"|by the vet|yesterday)))|to sleep(?= *(?:$|[.,;!]| (?:by the vet|today|this|yesterday)))))"
)
"""How it is told in kind words that somebody, or an animal, has died."""
DIED = (
    rf"(?:{DIED_SOFTLY}|"
    rf"(?:(?:{AUX}died|dies)(?! (?:down|away|out|laughing|of (?:shame|laughter|embarrassment"
    rf"|boredom|thirst"
    r"|curiosity)|for|a little|inside|a thousand|on (?:stage|me|you)))"
    r"|(?:is|are|'s|lies|lay|was found|were found|has been found) dead(?! (?:tired|drunk|serious|"
    r"sure|set|wrong|right|asleep|to|against|broke|calm|beat|on|last|certain|keen|ahead|slow|level"
    r"|weight|inside|from|drunk|easy|good|bored))"
    rf"|(?:{AUX}passed|passes) (?:peacefully |quietly )?(?:away|over)(?! (?:from|the|to|his|her"
    rf"|your|my|a)\b)"
    r"|(?:(?:has |have |'s |had )?passed peacefully|(?:has|have|'s"
    r"|had) passed(?: on)?)" + STOPS + rf"|{AUX}passed on" + STOPS + r""
    r"|(?:has|have|had|did|could)(?: not|n't) (?:survived?|pull(?:ed)? through|live through)"
    r"|(?:has|have|did)(?: not|n't) (?:make|made) it(?! (?:to|in|home|on|back|up|past|into|through|"
    r"for|easy|clear|easier|worse|better|a|this far))"
    r"|(?:will )?(?:has |have )?(?:never|did not|didn't) (?:wake|woke|woken)(?: up)?(?: again)?"
    r"(?: from (?:the|his|her) (?:coma|operation|anaesthetic))(?:.{0,20}\bdied)?"
    r"|(?:is|are|'s) (?:no longer|not)(?: any ?more)? (?:with us(?! (?:on|in|at|for)\b)|among us"
    r"|alive|among the living)"
    rf"|{AUX}(?:been )?(?:(?:hit|run over|struck|knocked down|shot)(?: by [\w ]{{2,20}}?)? and )?"
    rf"(?:got )?(?:killed|murdered|shot dead|beaten to death|stabbed to death"
    rf"|executed)"
    r"(?! (?:the|a|an|time|off|some|his|her|it)\b)"
    rf"|{AUX}(?:drowned|perished|bled to death|frozen? to death|froze to death|starved to death)"
    r"(?! (?:the|his|her|their|my|your|its|a|an|in (?:work|debt|debts|paper|tears|sorrow|emails?)"
    r"|out)\b)"
    rf"|{AUX}succumbed to (?:the|his|her|their|a) (?:\w+ )?(?:fever|injur\w+|wounds?|illness"
    rf"|cancer"
    r"|burns?|disease|infection|virus|pneumonia|tumou?r|stroke)"
    rf"|{AUX}(?:lost (?:his|her|their) (?:(?:life|lives)"
    r"(?! (?:savings|insurance|jacket|work|story|vest))|(?:\w+ )?(?:fight|battle) (?:with|against"
    r"|to)"
    r" (?:the |his |her )?(?:\w+ )?(?:cancer|illness|disease|leuk\w+|tumou?r|fever|infection)))"
    rf"|{AUX}(?:took|taken) (?:his|her|their) own li(?:fe|ves)"
    r"(?! (?:jacket|vest|insurance|story|boat))"
    rf"|{AUX}(?:committed suicide"
    r"|(?:killed|hanged|hung|shot) (?:himself|herself|themselves))(?! in the (?:foot|leg))"
    rf"|{AUX}(?:breathed|drew|took|taken) (?:his|her|their) last(?: breath)?" + STOPS + r""
    r"|(?:has )?fell (?:at the front|in (?:battle|action|combat|the war))"
    r"|(?:was|is|were|has been) stillborn"
    r"|(?:could|can)(?: not|n't|not) be (?:saved|revived|resuscitated)))"
)
HEART = (
    r"'s heart (?:has )?(?:just )?(?:stopped(?: beating)?|failed|gave out)"
    r"(?! (?:for|when|at the (?:sight|sound|thought|news|word)|in (?:his|her|their)))"
)
GONE = r"(?:is|are|'s) gone" + STOPS
PEACE = late(
    r"(?i)\bin (?:her|his|their) sleep\b|\bpeacefully\b|\brest in peace\b|\bGod rest\b"
    r"|\bto heaven\b"
    r"|\bthe funeral\b|\bat peace\b|\b(?:her|his) heart\b|\bthere was nothing\b"
)
"""What makes a death of `she is gone`."""
DEATHS = late(rf"(?<![\w'’-]){WHO}(?:\s*{HEART}|\s+{DIED}|(?P<gone>\s+{GONE}))")
ANY_DEATH = late(rf"(?i:\b(?:{DIED})\b)")
LOST = late(
    rf"(?i:\b(?:we(?:'ve| have)?|you(?: and (?-i:{CAPITAL}))?(?:'ve| have)?|they(?:'ve| have)?)"
    rf" (?:just )?lost|"
    rf"\b(?:kill(?:s|ed)|murdered)|\b(?:could(?: not|n't)|cannot|can't) (?:save|revive|resuscitate)"
    rf"|\b(?:news|word|telegram|message|report|notice) (?:of"
    rf"|that tells of) the death of) {WHO}{STOPS}"
)
PUT_TO_SLEEP = late(
    rf"(?i:\b(?:(?:had|has|have) to )?puts? ){WHO} (?i:to sleep|down)"
    r"(?=\s*(?:$|[.,;!–—]| (?:today|this|last|because|yesterday)\b))"
)
"""How it is told what a vet did; of a child it says something else."""
FOUND_DEAD = late(
    rf"(?i:\b(?:finds?|found) ){WHO}\s+(?i:(?:lying )?dead)\b"
    r"(?! (?i:tired|drunk|serious|sure|set|wrong|right|asleep|to|against|broke|calm|boring)\b)"
)
DEATH_OF = late(
    rf"(?i:\b(?:news|word|telegram|message|report|notice|call|letter) (?:of|about|with"
    rf"|tells (?:you )?of)) "
    rf"{WHO}['’]s death\b"
)

PARTS = (
    r"(?:(?:has |is |'s )?(?:now )?(?:leaves|leaving|left) you(?:\s+for (?:another|"
    r"(?:a|the|your|his|her) (?:[\w-]+ )?(?:wom[ae]n|m[ae]n|girl|boy|colleague|friend|neighbou?r"
    r"|dancer|student|nurse|secretary|singer|actress|actor|sister|brother|boss)\b|somebody|someone"
    rf"|good\b|ever\b|(?-i:{CAPITAL})(?<!day))"
    r"|\s+(?:after|because|with the (?:children|kids|baby))\b|" + STOPS + r")"
    r"|(?:has )?(?:walks?|walked) out on you"
    r"|(?:has )?(?:moves|moved|moving) out"
    + STOPS
    + r"|(?:has )?(?:moves|moved) out (?:of (?:the|your) (?:flat|house|apartment|home)|and|with"
    r"|for)\b"
    r"|(?:has )?(?:ends?|ended) (?:it|things|(?:the|your) (?:relationship|marriage|engagement"
    r"|affair))"
    r"(?: with (?:you|a (?:letter|message|text|call|note)|an? \w+)| between|" + STOPS + r"))"
)
PARTS_FOR_SURE = (
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
PARTING = late(rf"(?<![\w'’-]){WHO}\s+(?:(?P<sure>{PARTS_FOR_SURE})|{PARTS})")
WE_PARTED = late(
    rf"(?i:\byou and )(?P<name>{CAPITAL}(?: {CAPITAL})*"
    rf"|(?i:your (?:{ROLE_WORDS})))(?P<owner>)(?P<role>)"
    r"(?P<baby>)(?P<pronoun>) (?:have |are |had |'ve )?(?:now |finally |just )?(?:separated?"
    r"|separating"
    r"|parted(?! at| from the)|split(?: up)?|break up|broke up|broken up|divorced?|divorcing"
    r"|getting (?:a divorce|divorced)|go your separate ways)" + STOPS
)
WANTED = late(
    r"(?i)\b(?:wants?|asks?|asked|demands?|talks of|wish(?:es)?)\b[^.;!?]*?"
    r"\b(?:divorce|separation|separate|break up|split up|leave you)\b"
)
"""A parting that somebody wants and that has not come about."""
PAPERS = late(
    r"(?i)\b(?:the|your) divorce (?:papers|petition)\b.{0,40}\b(?:arrives?|come|came|arrived|lie"
    r"|are)\b"
    r"|\byour (?:divorce|separation) (?:is|was|has become|becomes) (?:final|through|granted"
    r"|official)"
    r"|\byour (?:marriage|engagement|relationship) (?:is (?:over|off|at an end)|has ended|ends"
    r"|breaks up)"
)
I_PART = late(
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
OVER = late(r"(?i)^it(?:'s| is) over$")
US = late(r"(?i)\b(?:between us|leav\w+ you|love you|divorce|us\b)")

FIRM = (
    r"(?:they|(?:the|your) (?:\w+ )?(?:company|firm|boss|owner|manager|director|headmaster"
    r"|headmistress"
    r"|head|chief|foreman|forewoman|captain|employer|factory|plant|bank|school|hospital|agency"
    r"|bakery"
    r"|restaurant|hotel|shop|store|office|depot|university|council|ministry|mill|mine|yard|theatre"
    r"|paper|workshop|supervisor|chef|board|management|clinic|airline|railway|contractor))"
)
WORK_NOUN = r"(?:job|position|post|work|employment|role|place on the (?:team|crew))"
LEAVES_WORK = r"| at the end of the (?:day|week|month|quarter|year|season)\b| (?:as of|by) \w+"
"""When somebody's work ends."""
FIRED = (
    r"(?:fired(?! (?:up|at|by a))|sacked|dismissed(?! (?:from (?:class|school|hospital|the (?:ward"
    r"|hospital"
    r"|table))|early|as|with a (?:wave|smile|nod)))|laid off|made redundant|let go(?! of))"
)
WORK_END = (
    r"(?:[\w-]+ )?(?:job|position|post|employment|role|contract)s? (?:ends?|will end|runs? out"
    r"|will run out"
    r"|expires?|will expire|finish(?:es)?|comes? to an end|is to end|will be (?:cut|gone)"
    r"|is (?:being )?cut)"
    r" (?:in|on|at the end of|next|this|with|after|tomorrow|by)\b"
)
"""How it is told that somebody's work ends at a time to come."""
NOTICE = late(rf"(?i)\byour {WORK_END}")
ENDS_LATER = late(
    r"(?i)\b(?:at|by|from|with|after) the end of (?:the|this) (?P<unit>day|week|month|quarter"
    r"|season|year)\b"
)
"""That it ends at the end of a span that is going on."""
DISMISSED = late(
    rf"(?i)\byou(?:'re| are|'ve been| have been| were| get| got| will be)(?: now| being)? {FIRED}"
    r"|\byour name is (?:on|among) .{0,25}\b(?:laid off|dismissed|made redundant|let go)"
    rf"|\b{FIRM} (?:(?:has|have|will|now|just) )?(?:(?:fires?|fired|sacks?|sacked|dismiss(?:es"
    rf"|ed)?|lays?"
    rf"|laid) you\b(?! up)|(?:makes?|made) you redundant|(?:gives?|gave|given) you (?:your )?notice"
    rf"|(?:terminates?|terminated|ends?|ended|cancels?) your (?:\w+ )?(?:contract|employment|job"
    rf"|position)"
    rf"|lets? you go(?=\s*(?:$|[.,;!]{LEAVES_WORK}| after [^.;]{{1,20}}(?:years?|months?|seasons?)"
    rf"| with | from (?:the|your) (?:job|post|work)| today"
    rf"| on "
    rf"\w+day| because)))"
    rf"|\byou(?:'ve| have)? (?:just )?(?:lost|lose|are losing) your {WORK_NOUN}(?=\s*(?:$|[.,;:!]"
    r"| (?:at|as|in|on|this|today|after|because|and|with|over|to|for|when)\b))"
    r"|\byour (?:job|position|post|employment|role|work contract|contract(?: of work)?"
    r"|teaching contract)"
    r" (?:is|was|has been|will be|ends|will)(?: now)?(?: being)? ?(?:gone|cut(?! off)|terminated"
    r"|axed"
    r"|eliminated"
    r"|abolished|cancelled|ended|not (?:be )?(?:renewed|extended|kept)|(?:made )?redundant"
    r"|at an end"
    r"|with immediate effect|no more)"
    rf"|\byour {WORK_END}"
    r"|\b(?:are|is|will be|have|has) (?:cutting|axing|abolishing|cut|axed|abolished) your (?:job"
    r"|position"
    r"|post|role)\b"
    r"|\byou(?:'re| are) (?:now )?(?:out of (?:work|a job)|unemployed|without (?:work|a job)"
    r"|jobless"
    r"|off the crew|redundant)\b"
    r"|\b(?:letter of dismissal|dismissal letter|notice of (?:dismissal|redundancy|termination)"
    r"|redundancy notice|your dismissal|your redundancy)\b"
)
TOLD_DISMISSED = late(
    r"(?i)\b(?:we|I)(?:'re| are|'m| am)? (?:have to|must|had to|will have to|going to|forced to"
    r"|need to)?"
    rf" ?(?:let|letting) you go(?=[.,!;]{LEAVES_WORK}|$| from| after| on| today| with)"
    r"|\b(?:we|I) (?:have to"
    r"|must|had to"
    r"|are going to|will) (?:lay you off|dismiss you|make you redundant|terminate your)"
    r"|\byour (?:services|help|work) (?:is|are) no longer (?:required|needed|wanted)|\b(?:cannot"
    r"|can't"
    r"|won't|will not) (?:keep you on|renew your contract|extend your contract|keep you(?=[.,!;]"
    r"|$))"
    r"|\bhere is your notice\b|\bthere is no (?:berth|place|work|job|post) for you\b"
)
CLOSES = late(
    r"(?i)\b(?P<whose>the|your|this) (?P<firm>plant|factory|mine|mill|shipyard|bakery|workshop"
    r"|branch|office"
    r"|company|firm|shop|restaurant|depot|school|hotel|foundry|quarry|brewery|site|works) (?:is "
    r"|will |has |is "
    r"going to )?(?:be )?(?:clos(?:es?|ing|ed)|shuts?|shutting|goes bankrupt|goes under|bankrupt)"
    r"(?P<rest>[^.;!?]*)"
)
FOR_GOOD = late(
    r"(?i)^ (?:down\b|for (?:good|ever)|forever|permanently|its (?:doors|gates)|at (?:easter"
    r"|christmas|the end"
    r" of)|in (?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december"
    r"|spring|summer|autumn|winter)|next (?:month|year|week))"
)
NOT_WORK = late(
    r"(?i)\b(?:landlord|landlady|police|customs|guard lets|doctor|nurse|teacher|trainer|coach"
    r"|sergeant"
    r"|officer|lieutenant|judge|jury"
    r"|referee|the team"
    r"|kidnapp\w+|temporar\w+|joke)\b"
)

LOVES = late(
    r"(?i)\bI(?:'m| am)(?: so| madly| deeply)? in love with you\b|\bI(?:'ve"
    r"| have) fallen (?:in love with|for)"
    r" you\b|\bI love you(?=\s*(?:$|[.,!;…–—]|too\b|so\b|and\b|with\b|more\b|madly))"
)
PROPOSED = late(
    r"(?i)^(?:[\w'-]+[,:] )?(?:please,? )?(?:marry me|(?:will|won't) you (?:please )?marry me"
    r"|will you be my (?:wife|husband|girlfriend|boyfriend))\b"
)
LOVE_TOLD = late(
    rf"(?:(?P<who>(?i:the \w+|your [\w-]+(?: \w+)?|he|she)|{CAPITAL}(?: {CAPITAL})*)"
    r"(?: [^.,;:]{1,50} and)? (?:(?i:has |is )?(?:kisses"
    r"|kissed) you(?! (?:on (?:the|your) (?:cheek|hand|forehead|brow|head|nose|both)|good|hello"
    r"|on both|as"
    r" always|absently|lightly on|for luck|and (?:leaves|goes))|['’r])"
    r"|(?i:falls? for you|(?:falls|is|has fallen) in love with you|asks you to marry (?:him|her)"
    r"|asks you to be (?:his|her)|proposes to you|says yes to you|(?:tells you that (?:he"
    r"|she) )?loves you)))"
)
LOVE_YOURS = late(
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

TO_MANY = late(r"(?i)\byou (?:all|guys|lot|two|people)\b|\b(?:miss|sir|teacher|folks)[.!]?$")
I_THINK = late(r"(?i)\bI (?:think|guess|believe)(?: that)?,? ")
"""What makes what two say of themselves no doubt: it is how such things are said."""

CHILD = r"(?:son|daughter|boy|girl|baby|child|twins|little one|triplets|first child|firstborn)"
BORN = late(
    rf"(?i)\b(?:your (?:[\w-]+ )?{CHILD}(?:,? (?!(?:is|are|was|were|has|have)\b)[\w'’-]+,?)?"
    rf"|[\w'’-]+, your {CHILD},) (?:is|are|was|were|has been"
    rf"|have been) (?:just )?born\b(?! (?:to|in the year|on an?|when|with a talent))"
    rf"|\byour (?:baby|little one|twins|firstborn) (?:is|are) here\b"
    rf"|\byour {CHILD} comes? into the world\b"
    r"|\byou (?:give|gave|have given) birth\b|\byou(?:'ve| have) become (?:a|the) (?:father|mother"
    r"|parents?)\b"
    rf"|\byou (?:hold|held) your newborn\b|\byour newborn {CHILD}\b|\ba {CHILD} is born to you\b"
    rf"|\byou are delivered of a {CHILD}\b"
)
GAVE_BIRTH = late(
    rf"(?<![\w'’-]){WHO} (?i:(?:has |have )?(?:just )?(?:gives|gave|given) birth"
    r"|(?:has |is )?(?:been )?delivered (?:of )?a)"
)
BORN_TOLD = late(
    r"(?i)\bit(?:'s| is) a (?:healthy )?(?:boy|girl)\b|\byou(?:'ve| have)(?: got)? a (?:healthy "
    r"|beautiful |fine"
    rf" |little |new )*(?:son|daughter|boy|girl)(?=[.,!;]|$)|\byour {CHILD} (?:is|was"
    rf"|has been) (?:just )?born"
    rf"|\byour {CHILD} is here\b"
)
OURS_BORN = late(rf"(?i)\bour {CHILD} (?:is|are|was|has been) (?:just )?(?:born|here)\b")

BORN_TO = late(
    rf"(?<![\w'’-]){WHO}(?i:(?: and (?-i:{CAPITAL}))? (?:(?:has |have )?(?:just )?(?:had"
    rf"|got) (?:a|an|their"
    rf"|her|his) (?:[\w-]+ ){{0,2}}?(?:{CHILD}|baby)(?! (?:with|of|who|in|at|seat|food|shower"
    rf"|sick|cough"
    r"|home|on|to))|(?:has |have )?(?:had|got) twins\b|(?:(?:has |have )?(?:just )?(?:gives?"
    r"|gave|given)"
    r" birth)|(?:has |have )?(?:becomes?|became) (?:a|an|the)? ?(?:father|mother|parents?)\b))"
)
"""Who has had a child."""
THEIR_CHILD = late(
    rf"(?:(?P<owner>(?i:your|our|my)) (?:[\w-]+ ){{0,2}}?(?P<role>(?i:{ROLE_WORDS}))(?: {CAPITAL})*"
    rf"|(?P<pronoun>(?i:his|her|their)\b)|(?P<name>{CAPITAL}(?: {CAPITAL})*))(?P<baby>)(?:['’]s?)?"
    rf" (?i:(?:[\w-]+ ){{0,2}}?{CHILD}(?: (?-i:{CAPITAL}))? (?:is|are|was|were|has been|have been)"
    r" (?:just )?(?:born|here)\b)"
)
"""Whose child is born."""
GRANDCHILD = late(
    r"(?i)\byour (?:[\w-]+ ){0,2}?(?P<role>grand(?:son|daughter|child)|niece|nephew|(?:baby "
    r"|little )?"
    rf"(?:brother|sister))(?:,? (?-i:{CAPITAL}),?)? (?:is|was|has been) (?:just )?(?:born|here)\b"
    r"|\byou(?:'re| are|'ve become| have become| become)(?: now)? an? (?:grand(?:mother|father|ma"
    r"|pa|mum|dad)|aunt|uncle)\b"
)
"""A child of the family that is born, by what it is to the person."""
EXAM = late(
    r"(?i)\b(?:exams?|examinations?|finals|mid-?terms?|viva(?: voce)?|orals?(?! (?:history"
    r"|histories|tradition"
    r"|hygiene|surgery|agreement|contract|report|vaccine|thermometer))|thes[ie]s|dissertation"
    r"|driving test"
    r"|entrance tests?|licen[cs]ing test|A-levels|baccalaur[eé]at|matura|abitur|audition"
    r"|boards?(?= exam)"
    r"|(?:pass|sit|take|resit|retake) (?:the|my|a|an|your) (?:[\w'’-]+ ){0,3}tests?)\b"
)
EXAM_NAMED = late(
    rf"(?i)\b(?:an?|the"
    rf"|your) (?P<exam>(?:[\w'’-]+ ){{0,3}}?(?:{EXAM.pattern.removeprefix('(?i)')}|tests?)"
    r"(?: (?:in|of|on|for) (?:[\w'’-]+ ?){1,4}?)?)(?=\s*$|[.,;]| (?:is|are|will|begins?|starts?)\b)"
)
EXAM_AIM = "pass the {exam}"
"""An exam that is to come, and how it is a goal."""
NOT_TAKEN = late(
    r"(?i)\b(?:mark(?:ing)?|grad(?:e|ing)|correct(?:ing)?|invigilat\w+|set(?:ting)?|supervis\w+"
    r"|hold(?:ing)?|"
    r"print(?:ing)?|collect(?:ing)?|hand(?:ing)? (?:back|out)|help \w+|(?:his|her|their"
    r"|['’]s) (?:\w+ )?(?:exam|"
    r"viva|thesis|finals|test|oral|audition)|eye exam\w*|medical exam\w*|physical exam\w*"
    r"|blood test)\b"
)

ILLNESS = (
    r"(?:cancer|(?:a )?tumou?r|leuk(?:a?e)mia|pneumonia|tuberculosis|covid|(?:the )?(?:flu"
    r"|influenza)|hepatitis"
    r"|malaria|dengue|cholera|typhoid|(?:a |another )?(?:stroke|heart attack)|meningitis"
    r"|appendicitis|sepsis"
    r"|diabetes|multiple sclerosis|parkinson\w*|(?:a )?(?:slipped disc|broken hip)|lymphoma"
    r"|melanoma|HIV)"
)
SICK = late(
    rf"(?i)\byou(?:'ve| have| are|'re)(?: got| been)?(?: diagnosed with"
    rf"| had)?(?: \w+)? {ILLNESS}\b(?! (?:shots?|jabs?|vaccin\w+|tests?|ward))"
    r"|\byou(?:'ve| have| are|'re)(?: been)? diagnosed with\b|\byou (?:are|have) to be operated\b"
    rf"|\b(?:doctor|biopsy|scan|tests?|x-ray|results?|surgeon|consultant"
    rf"|specialist)s? (?:\w+ )?(?:finds?|found"
    rf"|shows?|confirms?|confirmed|diagnoses|reveals?|says?|said) (?:that )?"
    rf"(?:you have |it is )?{ILLNESS}\b"
)
ILL = late(rf"(?i)\b{ILLNESS}\b")
NOT_ILL = late(
    rf"(?i)\b(?:it|(?:the|your) (?:lump|tumou?r|shadow|spot|growth|swelling|mole)s?) (?:is"
    rf"|was) (?:not"
    rf"|no|never|benign|harmless)\b|\byou (?:do not|don't|never did|did not"
    rf"|didn't) have (?:an? )?{ILLNESS}\b"
    rf"|\bno (?:sign|trace) of {ILLNESS}\b|\byou(?:'re| are) (?:healthy|well again|cured"
    rf"|in remission"
    r"|fit (?:for|to) work)\b"
)
"""That somebody is not ill, or no more."""
IT_IS = late(
    rf"(?i)^(?:it|(?:the|your) (?:lump|tumou?r|shadow|spot|growth|result|biopsy|swelling|illness"
    rf"|mole)s?)"
    rf" (?:is|was|means) (?:an? )?(?:(?!not|no\b)[\w-]+ )?{ILLNESS}\b"
)
"""What a doctor, or news, says that something is."""
UNFIT = late(
    r"(?i)\b(?:weeks?|months?|days?) (?:off|without|out of|away from) work|\bunfit (?:for|to) work"
    r"|\bsigned (?:you )?off (?:work|sick)|\bsigns you off\b|\bon sick leave|\bsick note\b"
    r"|\byou (?:cannot|can't|must not|mustn't|may not) (?:go to |do any )?work\b"
    r"|\bno work for \w+ (?:days|weeks|months)"
)
"""Words of who may not work for a while, such as a doctor's."""
HIRED = late(
    r"(?i)\byou(?:'re| are|'ve been| have been| were| get) (?:hired|taken on|re-?hired|reinstated"
    r"|employed again)"
    r"|\b(?:you (?:get|got|have|find|found|take|took|accept|accepted|start|begin)|you(?:'ve"
    r"| have) (?:got|found))"
    r" (?:the|a|your(?: old| new)?|another) (?:new )?(?:job|post|position)\b|\byou got the job\b"
    r"|\byou(?:'ve| have)? (?:find|found|got) (?:new )?work(?= (?:again|at|in|as|with|on)\b"
    r"|[.,;!]|$)"
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
WE_HIRE = late(
    r"(?i)\b(?:the job is yours|you(?:'re| are) hired|you(?:'ve| have) got the job"
    r"|you can (?:start|begin) on"
    r"|we(?:'d| would)? (?:want|like|offer) (?:to offer )?you (?:the|a|your(?: old)?) (?:job|post"
    r"|position)|welcome"
    r" (?:back )?to the (?:team|crew|firm|company)|you start on)\b"
)
BACK = (
    r"(?:(?:has |is |'s )?(?:comes?|came|coming|moves?|moved|moving) back(?: in)?(?: to you| home"
    r"| with you|"
    + STOPS
    + r")|(?:has )?(?:returns?|returned) to you|takes? you back|wants you back|(?:is"
    r"|are) back (?:with you|"
    r"together|for good))"
)
ALIVE = late(
    rf"(?<![\w'’-]){WHO}(?i:(?: is|'s| has been| was)(?: still| found)? (?:alive|not dead"
    rf"|never dead)\b"
    r"| (?:did not|didn't|has not|hasn't) (?:die|died)\b| lives(?= *(?:$|[.,;!])))"
)
MISTAKEN_WORDS = (
    r"(?:(?:a|the|some|their|my) (?:mistake|mix-?up|misunderstanding|false alarm|error|hoax)"
    rf"|(?:was|is) (?:(?:another|a different|some other) (?-i:{CAPITAL})|some(?:body|one) else)"
    rf"|(?:was|is)(?: not|n't) (?:(?-i:{CAPITAL})|your [\w-]+) (?:who|that)"
    r"|false alarm"
    r"|mixed up|mistook|not true|untrue|was wrong|were wrong|got it wrong|wrong (?:name|man|woman"
    r"|person|file"
    r"|result|test|number|patient)s?)"
)
MISTAKEN = late(rf"(?i)\b{MISTAKEN_WORDS}\b")
"""That what was told is not so."""
TAKES_BACK = late(
    rf"(?i)\b(?:(?P<never>{MISTAKEN_WORDS}|never happened|made (?:it|that) up)"
    r"|(?:has |have )?chang(?:ed?|es) (?:my|our|his|her|its|their) minds?"
    r"|(?:is|was|has been|have been) (?:withdrawn|taken back|called off|retracted|revoked)"
    r"|(?:takes?|took|taken) (?:it|that|everything)(?: all)? back"
    r"|(?:did not|didn't) mean (?:it|that|what I said))\b(?P<of> (?:about|with|in|over|on|to)\b)?"
)
"""That what was told is not so (`never`), or no more as somebody meant it; `of` is of what."""
OF_WHAT_WAS_TOLD = late(
    r"(?i)(?:[\w' ]{2,40}: )?(?:(?:good news|sorry|listen|oh|no|but|and|so)\b[,:.!]? ?)*"
    r"(?:(?:it|that|this|all of it|everything|(?:the|this|that|our|my) (?:news|call|letter|message"
    r"|report|diagnosis|rumou?r|whole thing|thing)|what (?:they|he|she|I|we|you) (?:said|told you"
    r"|heard|wrote|were told))(?:'s|'ve| has| is| was)?(?: all| just| only| been)*"
    r"|(?:they|he|she|I|we|somebody|someone|the (?:hospital|doctors?|police|office|clerk|bank"
    r"|laboratory|lab|boss|firm|company|council|school))(?:'ve|'s| have| has| had)?(?: all| just)?"
    r"(?: made)?)"
)
"""What stands before words that take something back and say not what: `it was`, `they have`."""
ENDED_WELL = late(
    r"(?i)(?:\b(?:is|are|was|were|has been|have been)|'s|'re|'m|\bam)"
    r"(?: now| all| both| finally| at last| home and)* (?:(?P<back>(?:back|home)"
    r"(?: (?:from|out of) (?:the )?(?:hospital|clinic|ward|sea|front))?|found|freed|released)"
    r"|(?P<health>out of (?:danger|hospital|intensive care|the coma)|well again|recover(?:ed|ing)"
    r"|on the mend|benign|harmless|cancer-free|in remission|cured|discharged)"
    r"|safe|unhurt|unharmed|all right|alright|okay|fine|saved|rescued|in port)"
    r"(?! (?:by|from|against|in a|to)\b)\b"
    r"|\b(?P<came>(?:comes?|came|has come|have come|gets?|got|makes? it|made it|brought|walks?"
    r"|walked|sails?|sailed|sent|let|took|taken|fetched) (?:safely |(?P<whom>[\w' ]{2,25}?) )?"
    r"(?:back|home|in|ashore|through)|(?:has |have )?(?:turned"
    r"|turns) up|(?:has |have )?(?:returns?|returned)|(?:was|were|has been|have been) found)\b"
    r"|\b(?P<fetched>(?:fetch(?:es|ed)?|collect(?:s|ed)?|picks? up|picked up)"
    r" (?P<taken>[\w' ]{2,25}?) from)(?= (?:the (?:hospital|clinic|ward)|hospital|(?-i:[A-Z])))"
    r"|\b(?P<healed>(?:has |have )?(?:pull(?:s|ed) through|survived?|recovered|woken up|woke up))\b"
    r"|\b(?:went|goes|has gone|turned out) (?:well|fine|all right|alright)\b"
)
"""That something ended well, and whether it is by coming back or by getting well."""
WITHOUT = late(r"(?i)\b(?:without|except|but not|empty|dead|drunk|alone)\b")
"""What makes a return no good end."""
ABSENT = late(
    r"(?i)\b(?:missing|overdue|late|lost|gone|disappeared|vanished|away|not (?:come|back|home"
    r"|returned|answer\w*|arrived)|has(?: not|n't)|have(?: not|n't)|no (?:word|news|sign|answer"
    r"|trace)|storm|gale|sea|boat|ran away|run away|taken|arrested|hospital|rescue|search\w*|caught"
    r"|stuck|snow|still out|out there|waits?|waiting)\b"
)
"""Words of fears that end when somebody or something comes back."""
AILING = late(
    r"(?i)\b(?:ill|sick|hospital|hurt|injur\w+|accident|operation|operated|surgery|cancer|tumou?r"
    r"|lump|shadow|biopsy|scan|fever|stroke|heart|coma|lungs?|collapsed?|fell|fallen|bleed\w*"
    r"|infection|pneumonia|flu|doctors?|ambulance|intensive|ward|results?|swallowed|poison\w*)\b"
)
"""Words of fears that end when somebody gets well."""
KEPT_ON = late(
    r"(?i)\brumou?r\b[^.;]{0,20}\b(?:false|wrong|untrue|not true)\b|\byou (?:may |can |will )?stay"
    r"(?: on)?(?=[.,;!]|$)|\byou(?:'re| are| can| may| will|'ll)? (?:keep|keeping|stay in"
    r"|staying in"
    r"|kept) your (?:job|post"
    r"|position|contract|place)\b|\byour (?:job|post|position|contract) (?:is|has been|will be"
    r"|was) (?:safe"
    r"|saved|extended|renewed|kept|permanent)\b|\b(?:takes?|took|have taken"
    r"|has taken) back (?:the|your)"
    r" (?:notice|dismissal)\b|\b(?:notice|dismissal) (?:is|was|has been) (?:withdrawn|taken back"
    r"|cancelled"
    r"|a mistake)\b"
)
"""That somebody keeps the work that it was to lose."""
CARE_NOUN = (
    r"(?:hospital|clinic|hospice|intensive care|sanatorium|rehab|nursing home|care home|maternity"
    r"(?: ward)?)"
)
_JAIL = r"(?:prison|jail|custody)"
AWAY = late(
    rf"(?<![\w'’-]){WHO} (?i:(?:(?:is|was|'s|has been|had to be)(?: now| just)? (?:taken|rushed"
    rf"|brought|admitted|moved|transferred|sent|flown) (?:to|into)|(?:is|lies|stays|'s|(?:must"
    rf"|has to|will have to) (?:stay|be|remain))(?: now| still)? in)(?: the| an?)?(?: [\w-]+)?"
    rf" (?:(?P<care>{CARE_NOUN})|(?P<jail>{_JAIL})))\b"
    rf"|(?<![\w'’-]){WHO.replace('(?P<', '(?P<go_')} (?i:(?:has |is |'s )?(?:goes|gone|went|going"
    rf"|leaves|left|leaving|drives|drove|(?P<afar>flies|flew|flown|flying|travels|travelled"
    rf"|travelling|moves|moved|moving|sails|sailed|sailing))(?: off)? (?:(?P<far>abroad|overseas"
    rf"|to sea|to the front|away(?! from (?:you|the)))|(?:to|for) (?-i:(?P<to>(?!\w*day\b|Easter"
    rf"|Christmas|New Year|Lent|Ramadan){CAPITAL}))))\b"
    rf"|(?<![\w'’-]){WHO.replace('(?P<', '(?P<is_')} (?i:(?:is|'s)(?: now)? (?P<out>abroad"
    r"|overseas|at sea|deployed|called up|away on|away for|away until))\b"
)
"""Who is not at home for a while: cared for, locked up, or gone somewhere."""
HOME_AGAIN = late(
    rf"(?<![\w'’-]){WHO} (?i:(?:is|'s|was|has been)(?: now| finally| at last)? (?:back(?! to (?:the"
    rf" )?(?:hospital|prison))|home|discharged|released|out of (?:{CARE_NOUN}|{_JAIL}))\b|(?:has"
    r" |is )?(?:comes?|came|coming|returns?|returned|gets?|got|moves?|moved) (?:(?:back )?home"
    r"|back(?= *(?:$|[.,;!]| from | today| tonight))|(?=from (?:the )?hospital))|(?:has )?returned"
    r"(?= *(?:$|[.,;!]| from )))"
)
"""Who is at home again."""
_A_WHILE = (
    r"(?:the|this|a|an|some|a few|two|three|four|five|a couple of)(?: rest of the| whole)?"
    r" (?:(?:next )?(?:day|week|fortnight|month)s?|time)"
)
LEAVE = late(
    r"(?i)(?:^|[.,!;:–—]\s*|\b(?:please|just|and|so|you|you (?:can|may|should)) )"
    rf"(?:take {_A_WHILE}(?: off\b|(?= *(?:$|[.,;!–—]| until\b)))|have {_A_WHILE} off\b)"
    r"|\b(?:gives?|gave|given|grants?|granted) you (?:the|a|two|three|some|a few)(?: rest of the)?"
    r" (?:day|week|fortnight|month)s?(?: off)?\b"
    r"|\b(?:do not|don't|no need to|you needn't) come (?:in|to work|back)(?=[^.;!?]{0,20}\b(?:week"
    r"|days?|until|before|till|month))"
    r"|\byou(?:'re| are) (?:off|on (?:leave|holiday))(?= *(?:$|[.,;!]| (?:until|for|this|all|the"
    r" (?:week|rest))\b))"
)
"""That somebody need not come to work for a while."""
ON_NIGHTS = late(
    r"(?i)\b(?:you(?:'re| are|'ll be| will be)(?: going)?(?: back)? on (?:the )?(?:nights|night"
    r" shifts?)|you (?:work|do|take|have) (?:the )?(?:nights|night shifts?)|(?:puts?|moved?|moves)"
    r" you (?:on|to) (?:the )?(?:nights|night shifts?))\b"
)
OFF_NIGHTS = late(
    r"(?i)\b(?:you(?:'re| are|'ll be| will be)(?: back)? on (?:the )?(?:days"
    r"|day shifts?|earl(?:y|ies)|lates?)|(?:your )?(?:nights|night shifts?) (?:are|is) over"
    r"|last night shift)\b"
)
"""That somebody works by night for a while, and that it does so no more."""
REUNION = late(rf"(?<![\w'’-]){WHO} {BACK}")
TOGETHER = late(
    rf"(?i:\byou and )(?P<name>{CAPITAL}(?: {CAPITAL})*"
    rf"|(?i:your (?:{ROLE_WORDS})))(?P<owner>)(?P<role>)(?P<baby>)"
    r"(?P<pronoun>) (?:are |get |have |got |'re )?(?:now )?(?:(?:back )?together(?: again)?"
    r"|reconciled?|made (?:it )?up"
    r"|make (?:it )?up|try (?:it )?again|a couple again)"
)
I_RETURN = late(
    r"(?i)\bI(?:'m| am) (?:coming|moving) back(?: to you| home| in)?(?=[.,!;]|$)|\bI(?:'ve"
    r"| have) come (?:back|home)"
    r" to you\b|\bI(?:'m| am) back for good\b|\bI want (?:you back|to come back to you|us (?:back"
    r"|to try again))|\blet(?:'s"
    r"| us) (?:try|begin|start) again\b"
)
