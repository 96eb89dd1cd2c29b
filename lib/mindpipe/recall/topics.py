"""The topics of everyday life: words by which people ask after something, and tell of it.

Who asks where somebody lives finds what speaks of a flat. The words are the common ones of English
for what beliefs are about, no more than a dozen or two for each.
"""

import functools
from collections import defaultdict

from mindpipe.recall.words import stem

# Of each topic the words that mean it all, then those of what belongs to it.
_TOPICS = """
live reside home address move flat apartment house room rent landlord|
work job employ employer workplace profession occupation career
office company shift hire fire boss colleague|
boss manager supervisor|
child kid baby son daughter boy girl born pregnant|
partner spouse relationship wife husband boyfriend girlfriend fiance date marry wedding engaged
divorce couple single|
sibling / sister brother|
parent / mother father mum mom dad|
mother mum mom mummy mama|
father dad daddy papa|
grandmother grandma granny gran|
grandfather grandpa grandad|
name / call|
medication medicine prescription pill tablet dose drug doctor prescribe|
allergy allergic intolerant intolerance react|
ill illness health sick disease condition diagnose doctor hospital|
eat food diet meal dinner lunch dish cook vegetarian vegan meat|
drink beverage / coffee tea beer wine alcohol|
pet animal / dog cat puppy kitten vet|
car vehicle van truck motorbike bike drive|
study school degree diploma course university college phd exam class|
sport exercise / run swim climb gym football tennis marathon training|
music / song band instrument sing concert album guitar piano|
hobby pastime / paint pottery garden read knit bake dance|
travel trip journey holiday vacation / flight train visit|
deadline due deliver delivery|
computer laptop machine|
like love enjoy favourite prefer adore hate dislike dread loathe|
book novel read author|
movie film / show series|
money earn income salary pay wage|
old age birthday
"""


@functools.cache
def _by_stem() -> dict[str, tuple[str, ...]]:
    """Return what each word leads to, by its stem.

    What means a topic leads to all its words, what belongs to it only to what means it.
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for topic in _TOPICS.split("|"):
        named, _, belonging = (part.split() for part in topic.partition("/"))
        for word in (*named, *belonging):
            leads = (*named, *belonging) if word in named else named
            found[stem(word)] |= {stem(one): one for one in leads}
    return {
        own: tuple(word for one, word in leads.items() if one != own)
        for own, leads in found.items()
    }


def kin_of(word: str) -> tuple[str, ...]:
    """Return the words that a word of lower-case letters leads to by its topics, itself apart."""
    return _by_stem().get(stem(word), ())
