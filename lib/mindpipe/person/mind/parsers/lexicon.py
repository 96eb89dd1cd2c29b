"""The lexicon of the parser `improved`: classes of words, phrases, and views."""

from mindpipe.person.mind.parsers.seed import words_in

CLASSES: dict[str, str] = {
    "will": "will be_going_to be_bound_to be_sure_to",
    "may": "will be_going_to be_bound_to might could may",
    "achieve": (
        "find succeed change work happen amount love forgive pass make learn have finish escape"
        " recover trust understand"
    ),
    "well": "able happy good enough okay normal loved free better right successful in",
    "improved": (
        "better more perfect happy strong stronger grateful ashamed thin rich married friendly"
        " =sleeping =working =doing"
    ),
    "near": (
        "him her them everyone everybody people us mother father parents sister brother family"
        " friend friends child children"
    ),
    "done": (
        "=*ed =been =done =gone =known =seen =said =taken =made =told =kept =spent =left =thought"
        " =written =given =chosen =eaten =spoken =bought =brought =found =gotten =worn =driven"
        " =come =put =let =read"
    ),
    "truly": "ever really truly actually again be_able_to",
    "nobody": "nobody no_one noone",
    "everyone": "everyone everybody they_all people",
    "aux": (
        "will must might may could would should have have_be always really just still probably"
        " clearly obviously also only simply secretly be"
    ),
    "very": (
        "so too very really just such completely totally utterly absolutely always simply still"
        " pretty basically clearly obviously probably a quite rather even also only truly all"
        " entirely"
    ),
    "wholly": "completely totally absolutely utterly entirely",
    "other": (
        "he she they everyone everybody people someone somebody others boss manager teacher"
        " friend friends partner wife husband boyfriend girlfriend ex crush mother mom mum father"
        " dad parent sister brother son daughter child children kid grandma grandmother family"
        " colleague coworker worker classmate client neighbor neighbour audience girl guy"
    ),
    "person": (
        "person human individual mother mom mum father dad parent daughter son child friend"
        " partner wife husband girlfriend boyfriend sister brother student teacher employee worker"
        " manager leader boss writer artist player speaker cook driver grandchild sibling"
        " colleague coworker"
    ),
    "dud": (
        "failure loser idiot fool burden fraud coward moron jerk disgrace disappointment imbecile"
        " imposter impostor screwup fuckup freak weirdo monster hypocrite wimp slob pig dummy"
        " wreck nobody zero embarrassment outcast quitter waste"
    ),
    "worthless": (
        "worthless useless pathetic stupid dumb unlovable unlikable unlikeable undesirable"
        " unattractive unworthy incompetent inadequate incapable inferior hopeless talentless"
        " insignificant unimportant repulsive =disgusting =boring =annoying =broken =defective"
        " =unwanted =damaged ugly"
    ),
    "mean": (
        "selfish self_centered self_centred lazy thoughtless careless heartless evil"
        " weird crazy insane idiotic foolish cruel clumsy irresponsible inconsiderate"
    ),
    "bad": (
        "bad badly terrible awful horrible lousy crappy rubbish poor worst dreadful wretched"
        " =disgusting rotten shit shitty crap wicked"
    ),
    "dreadful": (
        "terrible awful horrible disastrous unbearable hopeless miserable rubbish crap"
        " catastrophic =humiliating =embarrassing nightmare horrendous dreadful drag"
    ),
    "worth": (
        "good smart clever attractive pretty lovable worthy talented likable likeable capable"
        " intelligent important =interesting beautiful competent normal special"
    ),
    "flop": (
        "fail lose mess screw ruin spoil wreck flunk disappoint fuck sabotage botch blow blew"
    ),
    "scorn": "hate dislike despise resent judge pity mock loathe detest",
    "desert": "leave reject hate dump abandon replace forget ignore judge despise =fire",
    "emotion": (
        "bad guilty anxious sad afraid scared terrified hopeless worthless ashamed lonely stupid"
        " terrible awful horrible rejected unloved useless inadequate nervous empty"
    ),
    "fond": "like love want respect care appreciate value miss",
    "cross": "angry mad upset disappoint annoy furious bored sick tired",
    "dear": (
        "job friend friends house home mind family marriage career everything child children"
        " kid him her them partner wife husband boyfriend girlfriend control life it_all"
    ),
    "ill": (
        "lose fail die crash leave_me hate wrong cancer collapse reject cheat kill burn dead"
        " =fired stop_breathing never can_not on_fire drown attack laugh faint panic"
    ),
}
"""Words by class: others whom one may be thought of by, words of low worth, and so on."""
NEGATORS = words_in("not no never hardly without neither nor nobody refuse unable")
"""Words that deny."""
TRANSPARENT = words_in(
    "think believe mean say that feel like know because as though sure true suppose imply"
    " prove to me it be longer any more afraid worry accept agree just really even all"
    " necessarily always"
)
"""Words over which a denial reaches the clause behind them, as in "I do not think that I am"."""
DENYING = words_in("use pretend joke wrong stop doubt quit deny")
"""Words that, like negators, take back what is said behind them."""
TELLING = words_in("think believe say call know tell claim ask assume insist")
"""Words by which somebody else's view is told."""
PEOPLE = words_in(
    "i you he she they we people everyone everybody someone somebody nobody mother mom"
    " mum father dad boss friend teacher partner wife husband boyfriend girlfriend sister"
    " brother"
)
"""Whose view a telling word may tell."""

PHRASES: dict[str, tuple[str, ...]] = {
    "rumination": (
        "can not stop think ¬",
        "can not ~ stop ~ think ¬",
        "keep go|going over",
        "go|going over and over",
        "replay",
        "keep replay",
        "keep think about",
        "over and over ~ in my head|mind",
        "can not get it out of my head|mind ¬",
        "why do i always",
        "dwell on",
        "ruminate",
        "go|going round ~ in my head|mind",
    ),
    "acceptance": (
        "it be okay !if|for|when|not",
        "it be alright",
        "i ~ accept",
        "accept it|this|that|myself|what",
        "let it|this|that go",
        "it be what it be",
        "make peace with",
        "come to term with",
        "live with it|this|that",
    ),
    "reappraisal": (
        "maybe|perhaps it be not that|so bad ¬",
        "another|other|different way to|of look|see|think",
        "reframe",
        "look|see at it ~ differently",
        "on the other hand",
        "could ~ also mean",
        "see the bright|good side",
        "learn ~ from this|it",
    ),
    "suppression": (
        "push it|this|that|them down|away|aside",
        "do not feel anything|it|this|that|them ¬",
        "do not let|want ~ feel ¬",
        "ignore it|this|that|them",
        "bottle ~ up",
        "bury it|this|that|them",
        "swallow it|this|that",
        "hold|keep it ~ in|inside",
        "do not feel $ ¬",
    ),
    "catastrophizing": (
        "worst case",
        "disaster !movie|film|relief|area|zone|recovery|response|plan",
        "going to die !down|of|for|laugh",
        "catastrophe",
        "everything be|will ~ ruin",
        "ruin everything|my_life|it_all",
        "the end of ~ world|everything",
        "i be going to lose everything|it",
        "the worst thing ~ ever|happen",
        "the worst day|week|year ~ of my life",
        "not worth living|it_anymore",
        "no point in living|going_on|try|anything",
        "can not stand|bear ~ it|this|be|anymore|any_more|myself ¬",
        "can not take it|this anymore|any_more|any_longer ¬",
        "can not go|carry on like_this|anymore|any_more|live|without ¬",
        "can not cope|live anymore|any_more|like_this|without ¬",
    ),
    "problem_solving": (
        "figure this|it|that|out ~ out",
        "figure this|it|that out",
        "need a plan",
        "make a plan",
        "solve this|it|that",
        "first step",
        "step by step",
        "what can i do",
        "work ~ out how",
        "fix this|it|that",
    ),
    "distraction": (
        "think about|of something else",
        "distract myself",
        "take|get my mind off",
        "keep|stay busy",
        "do|watch|read something else",
    ),
    "denial": (
        "it be fine !weather|day|print|line|dust|for|with|if|tun|thread|wine|art|dining|when",
        "nothing be wrong",
        "not happen ¬",
        "everything be fine",
        "i be fine",
        "there be no problem ¬",
        "can not be true|happen|real ¬",
        "not a big deal ¬",
        "refuse to believe ¬",
    ),
    "all_or_nothing": (
        "complete|total|absolute|utter failure !rate",
        "be|feel_like|as ~ complete|total|absolute|utter @dud|mess|disaster !of",
        "never ~ anything right",
        "can not ~ do ~ anything $ ¬",
        "can not ~ do ~ anything|a_thing right|well|properly|good ¬",
        "all or nothing",
        "if i can not ~ perfect",
        "all for nothing",
        "down the drain",
        "waste all ~ time|life|year|effort|my",
        "not get ~ anywhere !near ¬",
        "never ~ good enough",
    ),
    "overgeneralization": (
        "always happen to_me|$",
        "never work out|for_me",
        "nothing ever",
        "no one ever",
        "nobody ever",
        "alone|lonely ~ forever",
        "always ~ be|going_to_be ~ alone|lonely",
        "just my luck",
    ),
    "mental_filter": (
        "only ~ see|notice|remember|hear ~ bad|badly|wrong|mistake",
        "see|notice|remember|hear ~ only ~ bad|badly|wrong|mistake",
        "can only see",
        "all i see be",
        "nothing good ~ happen|about|in|come|ever|to_me|left",
    ),
    "disqualifying_positive": (
        "just|only|pure ~ luck|lucky|fluke",
        "be ~ fluke",
        "anyone|anybody|everyone|everybody can|could ~ do|have|achieve",
        "do not deserve",
        "do not mean i be ~ @worth|success|successful ¬",
        "mean|prove nothing $",
    ),
    "emotional_reasoning": (
        "feel like|as_if|as_though ~ a|an|the|such ~ @dud",
        "feel|feeling ~ @worthless !about|at|in|for|with",
    ),
    "personalization": (
        "all|entirely|only|completely my own? fault",
        "blame myself",
        "if i have only",
        "if only i have",
    ),
}
"""Patterns by label; they are void under somebody else's pronoun or a denial before them."""

VIEWS: dict[str, tuple[str, ...]] = {
    "catastrophizing": (
        "i|we @may ~ lose ~ @dear",
        "i|we @may ~ be|get ~ =fired|sack|evict|expel|arrest|murder|kill|homeless|the_sack",
        "i|we @may ~ end up ~ alone|homeless|broke|with_no|with_nothing|fail",
        "i|we @may ~ die !of|laugh|for",
        "my ~ life|career|marriage|relationship|future be|have ~ over|ruin|destroy",
        "what if i|he|she|they|it|we|my|the|something|nobody|everyone ~~ @ill",
        "@other @will ~ kill me",
        "house|home|building|kitchen|place ~ @may burn down|explode",
        "something|anything ~ bad|terrible|awful|horrible @may ~ happen",
        "it|everything|life be ~ hopeless|unbearable|pointless|meaningless|not_worth !to",
        "i|we be ~ doom",
        "there be no hope|future|way_out",
        "i|everything|life|it_all ~ fall apart",
        "i ~ never ~ recover",
    ),
    "all_or_nothing": (
        "i @aux? fail at|in everything",
        "everything i do|try|touch ~ fail|wrong|bad|badly",
        "nothing i do ~ work|matter|help|be|right|good|enough",
        "i be not ~ get ~ anywhere|anything !near",
        "i be not ~ make ~ any progress",
        "i @aux? blow|blew it|everything|my_diet|my_chance|my_interview|my_exam !up|out|away",
        "be not any good !at|for",
        "be no good $",
        "my ~ life|job|work|career be ~ @worthless|@bad|pointless|meaningless|nothing|mess|joke",
        "if i be not ~~ i be ~ @dud|@worthless|nothing|nobody",
        "if i do not ~~ perfect",
        "unless i ~~ perfect",
        "i|everything ~ @wholly @worthless|@mean|fail|ruin|hopeless",
    ),
    "overgeneralization": (
        "@nobody ~ @fond|understand|help|need|find|talk|listen ~ to? ~ me !at|for|to|on",
        "@nobody ~ care !if|for|to",
        "@everyone ~ hate|leave|abandon|betray|reject|use|bully|ignore|dislike|hurt me",
        "@everyone ~ against me",
        "everything always ~ go|turn|end|be ~ wrong|@bad|against",
        "everything ~ go ~ wrong|badly|against",
        "nothing ~ work !on|as|like|better",
        "nothing ~ go right|well|my_way",
        "nothing ~ make me happy",
        "i @aux? always|constantly @very? @flop",
        "i @aux? always|constantly ~ do|get|say|make|end|pick|choose ~ @bad|wrong|alone|mistake",
        "i be @very? always ~ alone|lonely|wrong|last|late|awkward|@bad|@worthless",
        "i @aux? keep @flop|make_mistake|get_reject",
        "i @aux? never ~ get|say|have|be ~ right|enough|anywhere|luck|lucky|what_i_want",
        "i @aux? never ~ succeed|fit_in|measure_up|belong|win",
        "why ~ always me|happen",
        "every time i ~~ fail|lose|wrong|mess|ruin|hurt|reject|bad",
        "can not trust anyone|anybody|people|men|women|nobody",
        "my whole|entire life be ~ @bad|mistake|failure|waste|lie|mess|ruin|joke",
    ),
    "disqualifying_positive": (
        "i @aux? only get|manage|pass|win|succeed ~ because",
        "it|that|this|good|part|success|praise|compliment|achievement ~ do not count !as",
        "@other ~ be just|only be nice|polite|kind",
        "@other ~~ only because ~~ nice|polite|kind|sorry|pity",
        "i just|only @very? get lucky",
    ),
    "mind_reading": (
        "@other ~ think ~ less|badly|poorly|little of me",
        "@other ~ think ~ i be ~ @worthless|@mean|@bad|@dud|strange|rude|@flop",
        "@other ~ think ~ i be not ~ @worth",
        "@other ~ must ~ think ~ i|me|my",
        "@other be going to think",
        "@other ~ do not ~ want to be|spend|talk|hang|speak|go_out ~~ with_me|to_me|my_friend",
        "@other ~ do not ~ want to see|know|meet me",
        "@other @aux? @very? @scorn me !to",
        "@everyone ~ laugh|sneer at|about me",
        "@other ~ must|probably|will|secretly ~ laugh|sneer at|about me",
        "make fun of me",
        "look down on|upon me",
        "talk|laugh|whisper|gossip ~ behind my back",
        "@other ~ do not ~ @fond|trust ~ me|about_me !to",
        "@other no longer ~ @fond ~ me",
        "@other ~ ignore|avoid me",
        "@other @will ~ be ~ @cross ~ with|at|of|in me",
        "@other ~ must|probably ~ be ~ @cross ~ with|at|of|in me",
        "@other be =cheating on me",
        "@everyone ~ know ~~ @worthless|@mean|@dud|@bad i",
        "@everyone be =staring|=watching|=looking|=judging|=laughing at? me",
        "@other ~ must|probably|only|just ~ feel sorry for me",
        "@other ~ find me ~ @worthless|@mean|strange",
        "i ~ know ~ what they|he|she ~ think about|of me",
    ),
    "fortune_telling": (
        "i @will ~ fail|flunk|mess|screw|choke|embarrass|humiliate|panic|suffer|regret",
        "i @will ~ make a fool",
        "i @may ~ go crazy|mad|insane",
        "my|this|our ~ @will be ~ @dreadful !weather",
        "i|we|it|they|he|she @may never ~ @well",
        "i|we|it|they|he|she @may never @truly? get !to|tired|bore|over_it",
        "i|we|it|they|he|she @may never @truly? @achieve !to|how|why",
        "i|we @may never @truly? see ~~ again",
        "i|we|it|they|he|she never @will $",
        "never going to ~ get|find|have|make|succeed|change|pass|work|happen|finish|learn",
        "never going to ~ @well",
        "i|we @will ~ be ~ lonely|miserable|unhappy|homeless",
        "i|we @will ~ be ~ alone|single|stuck|poor|broke forever|for_ever|for_life|for_the_rest",
        "i|we @will ~ be ~ stuck ~~ forever|life|rest|remainder",
        "i @will ~ be ~ alone $",
        "i|we @will ~ get ~ reject|hurt|dump|bad_grade|bad_mark|bad_review",
        "it|this|that|everything|all @will ~ go|be|turn_out ~ wrong|@dreadful|@bad !weather",
        "there @will never be",
        "i|we @will not ~ make_it|succeed|pass|survive|cope|fit_in !to",
        "@nobody @will ~ like|love|want|hire|believe|care|help",
        "@other @may ~ @desert|hurt me !the|a|an|some|with|my|his|her|it|to|in|at|on|here|for",
        "@other @may ~ break up with me",
        "@other @may ~ get ~ @cross of me",
        "@other @will not|never ~ want to ~~ me|again",
        "@other @will not|never ~ @fond|forgive|hire|accept|trust|see|talk_to|speak_to ~ me",
    ),
    "emotional_reasoning": (
        "i be? @aux? feel|feeling ~ like|as_if|as_though ~ a|an|the|such ~ @dud",
        "i be? @aux? feel|feeling ~ @emotion ~~ must be|mean|have",
        "i be? @aux? feel|feeling ~~ must be true|real|right",
        "i be? @aux? feel|feeling ~ like ~ i be ~ @worthless|@dud|@bad|@mean",
        "i be? @aux? feel|feeling ~ like ~ i be not ~ enough|@worth",
        "i be @very? afraid|scared|anxious|terrify|frighten|worry ~~ so|therefore ~ must",
    ),
    "should_statements": (
        "i should not|never? have never|just|really|at_least? @done !by",
        "i should not @very? be ~ so|such|@mean|@worthless|sad|tired|anxious|angry|lonely",
        "i should not @very? feel|let|do",
        "i should always|never",
        "i should @very? be ~ @improved !to|by",
        "i should ~ do better|well|more",
        "i must not|always|never",
        "i must|have_to @very? be ~ perfect|strong|well|flawless|the_best",
        "i must @very? do ~ better|well|everything",
        "i ought to ~ have|know_better|do_better|be_better",
        "they|he|she should not|never? have never|just|really|at_least? @done !by",
        "they|he|she should not ~ be so|such",
        "i could have ~ do|be|try ~ better|more|hard|harder",
        "how could i have @done",
        "how could i be so|such",
    ),
    "labeling": (
        "i @aux? be @very? a|an|such|the|complete|total ~ @dud",
        "i @aux? be @very? @very? @worthless !that|about|of|with|to",
        "i @aux? be @very? @mean $",
        "i @aux? be @very? a|an|such|the ~ @bad|@mean|@worthless ~ @person",
        "i @aux? be the worst ~ @person|in_the_world|ever",
        "i @aux? be not @very? @worth|strong enough !yet|to",
        "i @aux? be not ~ a|an @very? good ~ @person",
        "i @aux? be not @very? good|any_good at_anything|at_all|at_what|at_life|at_it|what !yet",
        "i @aux? be not @very? attractive|lovable|worthy|likable|capable|=interesting|normal",
        "i be @very? incapable of ~ anything|love|be",
        "how @worthless|@mean|@bad i be",
        "i do not matter",
        "i be nothing|nobody !like|but|compare|short",
        "what a|an ~ @dud ~ i be",
        "i @aux? hate myself",
        "something be? @very? wrong with me",
        "what be wrong with me",
    ),
    "personalization": (
        "it|this|that|everything ~ be @very? my own? fault",
        "i @aux? let ~ @near|team ~ down !the|a|from|to|into",
        "i @aux? fail ~ our|my ~ family|company|kid|child|team",
        "i @aux? fail everyone|them|him|her $",
        "i @aux? make ~ @near ~ sad|unhappy|angry|upset|feel_bad|suffer|leave",
        "because of me",
        "i be @very? to blame",
        "i be ~ responsible for ~ his|her|their ~ mistake|failure|unhappiness|death|pain|mood",
        "because i be ~ @bad|@worthless|@mean|@dud",
        "because i be not ~ enough|@worth",
        "because i @aux? fail !to",
        "because i @aux? do something|it|everything wrong",
        "i do something wrong $",
        "what do i do ~ wrong|to_make|to_deserve",
        "i must ~ have do|say ~ wrong",
    ),
}
"""Patterns by label, each with a subject of its own."""
