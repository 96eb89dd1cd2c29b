"""What kind of thing a noun phrase of an event is: a sentence takes only kinds that fit it.

One looks at a thing, holds on to an event in thought, is at a place and with a person. A sentence
says by the name of its slot which of them it takes: `sight` is what can be seen, `affair` what can
be felt about, be behind one or be told, and `thing` either of these, but no place and nobody.
"""

from mindpipe.person.mind.relations import kind_of
from mindpipe.person.voice.lexicon import Lexicon, singulars
from mindpipe.person.voice.phrases import owns

SEEN = frozenset(("thing", "body"))
"""What one can look at."""
AFFAIRS = frozenset(("event", "matter"))
"""What one can be glad of or afraid of, and have behind one."""
ASIDE = frozenset(("person", "place", "time"))
"""What is told with a thing and is none by itself."""


def kind_of_thing(thing: str, lexicon: Lexicon, *, is_where: bool = False) -> str:
    """Return what kind of thing a noun phrase is, by its head.

    It is a `person`, `place`, `body` (a part of one), `event`, `matter` (what is in words or in
    thought), `amount`, `time`, or a plain `thing` where none of these is known.

    Args:
        thing: The phrase, in the first person.
        lexicon: The words of the language.
        is_where: Whether it is told as where something was.
    """
    words = thing.split()
    first, head = words[0].lower(), words[-1].lower()
    known = lexicon.kind_of_noun
    if lexicon.is_gerund(first):
        return "event"
    for noun in (head, *(singulars(head) if head.endswith("s") else ())):
        if noun in known and known[noun] != "time":
            return known[noun]
    if first.partition("-")[0] in lexicon.numbers or first in lexicon.halves:
        return "amount"
    if head in known:
        return known[head]
    if words[0][:1].isupper() and not owns(words[0]) and first not in lexicon.function:
        return "place" if is_where else "person"
    return "event" if lexicon.is_gerund(head) else "thing"


def is_pet(name: str, animals: set[str], text: str) -> bool:
    """Tell whether somebody is an animal: a known one, or as a text or its own name tells."""
    told = text.partition(name)[2].split(".")[0].split(",")[0]
    kind, _ = kind_of(name if " " in name else told if told.startswith(" the ") else "")
    return name.casefold() in animals or kind == "animal"
