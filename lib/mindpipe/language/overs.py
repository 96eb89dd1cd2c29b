"""What is said to be over, whatever it was: a diet, a job, a thing, a habit."""

from mindpipe.language.clause_form import ends
from mindpipe.language.forms import I_HAVE, NOW
from mindpipe.language.records import ENDING

_THING = (
    r"(?:(?:the|my|our|that|this|being|playing|taking) )?(?:an? )?(?:whole |old )?"
    r"(?P<value>[\w'’-]+(?: [\w'’-]+){0,2}?)(?: (?:thing|phase|business|experiment|stuff|job))?"
)
_GONE = (
    r"(?:over|gone|off|no more|history|kaput|scrap|scrapped|sold|dead|a thing of the past|"
    r"behind me|water under the bridge)"
)
OVERS = (
    ends(
        ENDING,
        rf"(?!(?:I|[Ww]e|[Ii]t|[Tt]hat|[Tt]his)\b){_THING}(?:['’]s| is| are) {NOW}{_GONE}",
    ),
    ends(
        ENDING,
        rf"{I_HAVE}{NOW}(?:quit|[Gg]iven up|gave up|[Dd]ropped|ditched|[Pp]acked in|jacked in|"
        rf"binned|chucked|stopped|[Rr]etired from|[Rr]esigned from|[Cc]ame off|come off|"
        rf"closed|[Dd]one with) {_THING}",
    ),
    ends(ENDING, rf"{I_HAVE}{NOW}(?:[Gg]ot rid of|[Ss]old|scrapped) {_THING}(?: (?:for|to) .+)?"),
    ends(ENDING, rf"(?:I['’]?m|I am|[Ww]e['’]re) {NOW}(?:done|through|finished) with {_THING}"),
    ends(ENDING, rf"(?:(?:I['’]?m|I am) )?[Nn]ot {_THING}(?: any ?more| any longer)"),
    ends(ENDING, rf"(?:(?:I['’]?m|I am) )?[Nn]o longer {_THING}"),
)
"""What the whole of a clause is that ends what is held under that value, and says nothing else."""
