"""Classes of words that patterns name with `@`."""

from mindpipe.person.feedback.wording import words

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
NEGATORS = words("not no never hardly without neither nor nobody refuse unable")
"""Words that deny."""
TRANSPARENT = words(
    "think believe mean say that feel like know because as though sure true suppose imply"
    " prove to me it be longer any more afraid worry accept agree just really even all"
    " necessarily always"
)
"""Words over which a denial reaches the clause behind them, as in "I do not think that I am"."""
DENYING = words("use pretend joke wrong stop doubt quit deny")
"""Words that, like negators, take back what is said behind them."""
TELLING = words("think believe say call know tell claim ask assume insist")
"""Words by which somebody else's view is told."""
PEOPLE = words(
    "i you he she they we people everyone everybody someone somebody nobody mother mom"
    " mum father dad boss friend teacher partner wife husband boyfriend girlfriend sister"
    " brother"
)
"""Whose view a telling word may tell."""
