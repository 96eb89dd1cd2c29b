"""The lexicon of the parser `improved`: classes of words, phrases, and views."""

from typing import NamedTuple

from mindpipe.person.mind.parsers.seed import words_in


class LexiconEntry(NamedTuple):
    """A pattern under a label."""

    label: str
    pattern: str


CLASSES: dict[str, str] = {
    "will": "will be_going_to be_bound_to be_sure_to",
    "may": "will be_going_to be_bound_to might could may",
    "well": "able happy good enough okay normal loved free better right successful in",
    "done": (
        "=*ed =been =done =gone =known =seen =said =taken =made =told =kept =spent =left =thought"
        " =written =given =chosen =eaten =spoken =bought =brought =found =gotten =worn =driven"
        " =come =put =let =read"
    ),
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
    "flop": (
        "fail lose mess screw ruin spoil wreck flunk disappoint fuck sabotage botch blow blew"
    ),
    "dear": (
        "job friend friends house home mind family marriage career everything child children"
        " kid him her them partner wife husband boyfriend girlfriend control life it_all"
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

COPING: dict[str, tuple[str, ...]] = {
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
}
"""Ways of coping by label, in the wordings that the parser has to know whatever thoughts there are:
no labelled thought tells of these."""

PHRASES: dict[str, tuple[str, ...]] = {
    "catastrophizing": (
        "worst case",
        "disaster !movie|film|relief|area|zone|recovery|response|plan",
        "going to die !down|of|for|laugh",
    ),
    "mental_filter": ("can only see", "all i see be"),
    "disqualifying_positive": ("just|only|pure ~ luck|lucky|fluke",),
}
"""Patterns by label; they and those of coping are void under somebody else's pronoun or a denial
before them."""

VIEWS: dict[str, tuple[str, ...]] = {
    "catastrophizing": (
        "i|we @may ~ lose ~ @dear",
        "i|we @may ~ be|get ~ =fired|sack|evict|expel|arrest|murder|kill|homeless|the_sack",
    ),
    "all_or_nothing": ("i be not ~ get ~ anywhere|anything !near",),
    "overgeneralization": (
        "@everyone ~ hate|leave|abandon|betray|reject|use|bully|ignore|dislike|hurt me",
    ),
    "mind_reading": (
        "@other ~ think ~ i be ~ @worthless|@mean|@bad|@dud|strange|rude|@flop",
        "@other ~ ignore|avoid me",
    ),
    "fortune_telling": (
        "i @will ~ fail|flunk|mess|screw|choke|embarrass|humiliate|panic|suffer|regret",
        "i|we|it|they|he|she @may never ~ @well",
    ),
    "emotional_reasoning": ("i be? @aux? feel|feeling ~~ must be true|real|right",),
    "should_statements": (
        "i should not|never? have never|just|really|at_least? @done !by",
        "i should always|never",
        "they|he|she should not|never? have never|just|really|at_least? @done !by",
    ),
    "labeling": ("i @aux? be not ~ a|an @very? good ~ @person",),
    "personalization": (
        "i @aux? fail ~ our|my ~ family|company|kid|child|team",
        "i do something wrong $",
    ),
}
"""Patterns by label, each with a subject of its own."""

VOICE: dict[str, tuple[str, ...]] = {
    "all_or_nothing": ("it be a complete failure", "i never do anything right"),
    "overgeneralization": ("this always happen to me", "nothing ever work out for me"),
    "disqualifying_positive": ("the good part do not count",),
    "mind_reading": ("everyone think less of me",),
    "fortune_telling": ("this will go wrong",),
    "emotional_reasoning": ("i feel bad so it must be bad", "i feel like a burden"),
    "should_statements": ("i must not show it",),
    "labeling": ("i be such a fool", "i be useless"),
    "personalization": ("it be my fault", "it happen because of me"),
}
"""Views in the words of the composed voice, which finds again what it says."""
