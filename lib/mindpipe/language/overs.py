"""What is said to be over, whatever it was: a diet, a job, a thing, a habit."""

from mindpipe.language import words
from mindpipe.language.clause_form import ClauseForm, ends
from mindpipe.language.forms import I_HAVE, NOW
from mindpipe.language.records import ENDING
from mindpipe.language.words import any_of

_NO_MORE_OF_IT = (
    r"(?!(?:in|on|at|to|for|of|with|and|or|but|by|from|since|until|till|because|so|when|after|"
    r"before|last|this|next|yesterday|today|the|a|an|my|our|your|his|her|their)\b)"
)
"""Before a word behind a thing: what says when, where or why, and names no thing."""
_THING = (
    r"(?:(?:the|my|our|that|this|being|playing|taking) )?(?:an? )?(?:whole |old )?"
    rf"(?P<value>[\w'’-]+(?: {_NO_MORE_OF_IT}[\w'’-]+){{0,2}}?)"
    r"(?: (?:thing|phase|business|experiment|stuff|job))?"
)
_GONE = (
    r"(?:over|gone|off|no more|history|kaput|scrap|scrapped|sold|dead|a thing of the past|"
    r"behind me|water under the bridge)"
)
_OUTGROWN = (
    r"(?:outgrown|outgrew|grown out of|grew out of|recovered from|got over|gotten over|beaten|beat)"
)
OVERS = (
    ends(
        ENDING,
        rf"(?!(?:I|[Ww]e|[Ii]t|[Tt]hat|[Tt]his)\b){_THING}(?:['’]s| is| are) {NOW}{_GONE}",
    ),
    ends(
        ENDING,
        rf"{I_HAVE}{NOW}(?:quit|[Gg]iven up|gave up|[Dd]ropped(?: out of)?|ditched|"
        rf"[Pp]acked in|jacked in|binned|chucked|stopped|[Rr]etired from|[Rr]esigned from|"
        rf"[Cc]ame off|come off|closed|[Dd]one with) {_THING}",
    ),
    ends(
        ENDING,
        rf"{I_HAVE}{NOW}{_OUTGROWN} (?:(?:the|my|that|all my) )?(?P<value>[a-z]+(?: [a-z]+)?)"
        r"(?<! allergy)",
    ),
    ends("allergy", rf"{I_HAVE}{NOW}{_OUTGROWN} my (?P<value>[a-z]+(?: [a-z]+)?) allergy"),
    ends(
        ENDING,
        rf"{I_HAVE}had to (?:stop|quit|give up|drop) {_THING}|"
        rf"{I_HAVE}had to give {_THING.replace('value', 'other')} away",
    ),
    ends(ENDING, rf"{I_HAVE}{NOW}(?:[Gg]ot rid of|[Ss]old|scrapped) {_THING}(?: (?:for|to) .+)?"),
    ends(
        ENDING,
        rf"{I_HAVE}{NOW}(?:[Gg]ave|[Gg]iven) {_THING} away|{I_HAVE}{NOW}(?:gave away|[Rr]ehomed|"
        rf"found (?:an? )?(?:new |good )*homes? for) {_THING.replace('value', 'other')}",
    ),
    ends(ENDING, rf"(?:I['’]?m|I am|[Ww]e['’]re) {NOW}(?:done|through|finished) with {_THING}"),
    ends(
        ENDING,
        rf"(?:(?:I['’]?m|I am) )?[Nn]ot (?:(?:at|with|in) )?{_THING}(?: any ?more| any longer)",
    ),
    ends(ENDING, rf"(?:(?:I['’]?m|I am) )?[Nn]o longer (?:(?:at|with|in) )?{_THING}"),
    ends(ENDING, rf"{_THING} no more"),
    ends(
        ENDING,
        r"(?:[Ss]omeone|[Ss]omebody|[Tt]hey|[Tt]hieves)(?:['’]ve| has| have)? (?:just )?"
        rf"(?:stole|stolen|nicked|pinched) {_THING}",
    ),
    ends(
        ENDING,
        r"[Ww]e (?:had to have|had) (?P<value>[A-ZÀ-Þ][\w'’-]+) (?:put down|put to sleep)(?: .+)?",
    ),
    ends(
        ENDING,
        rf"[Mm]y (?:left |right )?(?P<value>{any_of(words.BODY_PARTS)})(?:['’]s| is| has) "
        r"(?:(?:now|finally|all) )*(?:healed|mended|better|fine again|as good as new)",
    ),
    ClauseForm(
        ENDING,
        r"(?:I|[Ww]e) (?:do not|don['’]?t) (?:(?:do|play|practi[cs]e|go to) "
        rf"{_THING}|(?P<other>[a-z]+))",
        "denied",
        ends_only=True,
    ),
    ClauseForm(
        ENDING,
        rf"(?:{I_HAVE}{NOW}(?:left|quit|stopped|given up|gave up) teaching|I no longer teach|"
        r"I (?:do not|don['’]?t) teach(?= any))",
        "ended",
        ends_only=True,
        value="teacher",
    ),
    ends(ENDING, rf"{I_HAVE}(?:had to )?put (?P<value>[A-ZÀ-Þ][\w'’-]+) (?:down|to sleep)"),
    ends(
        ENDING,
        r"(?:[Mm]y|[Oo]ur|[Tt]he) (?P<value>[\w'’-]+(?: [\w'’-]+)?) (?:has )?(?:just |finally )?"
        r"(?:died|passed away|drowned|gave up the ghost|packed up|bit the dust|is a write-off)"
        r"(?: on .+)?",
    ),
)
"""What the whole of a clause is that ends what is held under that value, and says nothing else."""
