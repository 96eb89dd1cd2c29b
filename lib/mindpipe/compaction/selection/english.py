"""Lists of English words that tell something, or nothing; in other languages they stay silent."""

import re

_WORD = re.compile(r"[a-z]+")

TIMES = frozenset(
    _WORD.findall(
        "yesterday today tomorrow tonight ago days week weeks weekend weekends month months year "
        "years hours minutes decade century spring summer autumn winter monday tuesday wednesday "
        "thursday friday saturday sunday mon tue tues wed thu thurs fri sat sun january february "
        "march april june july august september october november december two three four five six "
        "seven eight nine ten dozen hundred thousand million half twice"
    )
)
"""When something was, how long, how often, how many; digits tell it in any language."""

BINDING = frozenset(
    _WORD.findall(
        "agreed always appointment cancelled canceled chose deadline decide decided decision error "
        "failed fails must never prefer prefers promise promised promises"
    )
)
"""What was decided, promised, asked for once and for all, or went wrong."""

PERSONS = frozenset(
    _WORD.findall("i me my mine we us our ours he him his she her hers they them their theirs")
)
"""Who tells of themselves or of others, not of the one spoken to."""

FUNCTION = frozenset(
    _WORD.findall(
        "a about all also am an and any are as at be been but by can could d did didn do does "
        "doesn don for from get got had has have haven he her here him his how i if in into is isn "
        "it its just ll m me more most much my no not of on or our out re really s she should so "
        "some t than that the their them then there these they this those to too up us ve very was "
        "wasn we were what when where which who why will with won would you your"
    )
)
"""Words that only join others."""

OPENERS = frozenset(
    _WORD.findall(
        "absolutely actually ah also and anyway awesome btw but certainly cool definitely "
        "great haha hello hey hi honestly nah nice no nope oh ok okay or plus right so sure "
        "thanks then totally well wow yeah yep yes yup"
    )
)
"""What opens a sentence and may be left out."""
