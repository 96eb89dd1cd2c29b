"""How what a person knows is said to who asks: in the first person, as it was told, and when.

What somebody told is turned where that is sure, or quoted; what one did oneself is said with how
long ago it was.
"""

import re
from collections.abc import Mapping, Sequence

from mindpipe.person.calendar import HOUR_US, ago_text
from mindpipe.person.voice.asked import WORD, KnownFact, pattern_of
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.manner import texts

FEW_WORDS = 5
"""Up to how many words something is told with its time in one breath."""
LATE_US = 12 * HOUR_US
"""From how long after it was told one says when that was."""


class Retelling:
    """Says what is known with the words of a language, from the table `questions`."""

    def __init__(self, table: Mapping[str, object], lexicon: Lexicon) -> None:
        asks = texts(table["asks"])
        self._lexicon = lexicon
        self._of_self = frozenset((asks["self"] + " " + asks["yours"]).split())
        self._of_speaker = frozenset(asks["speaker"].split())
        self._object = pattern_of(asks, "object")
        self._own_object = asks.get("own_object", "")
        self._back, self.own = texts(table["back"]), texts(table["own"])
        self._theirs = texts(table.get("theirs"))
        self._said = texts(table["told"])

    def __getitem__(self, form: str) -> str:
        """Return a sentence of the table `told` as it stands."""
        return self._said[form]

    def aloud(self, known: KnownFact, *, asker: str, t_us: int) -> str:
        """Return what is known as it is said to who asks."""
        ago = ago_text(known.t_us, t_us) if known.t_us > 0 else ""
        by_name = rf"(?<!\w){re.escape(asker)}(?!\w)"
        if known.of == "lived" and asker and re.search(by_name, known.text, re.I):
            return self._said["shared"]
        if known.of == "lived" and ago and not known.lasts and ago not in known.text:
            form = "lived" if len(known.text.split()) > FEW_WORDS else "lived_short"
            return self.filled(form, text=known.text, ago=ago)
        retold = known.of in ("told", "said")
        return self._retold(known, asker, ago, t_us) if retold else known.text

    def _retold(self, known: KnownFact, asker: str, ago: str, t_us: int) -> str:
        """Return what was told as it is said to who asks: turned where that is sure, or quoted."""
        by_asker = known.source.casefold() == asker.casefold()
        if known.of == "told" and not known.text[:1].isupper():
            return self._reported(known, ago, by_asker=by_asker)
        said = WORD.findall(known.text.casefold().replace("’", "'"))
        words = {word.split("'")[0] for word in said}
        of_self = not words.isdisjoint(self._of_self)
        of_teller = not words.isdisjoint(self._of_speaker)
        bids = bool(said) and said[0] in self._lexicon.verbs
        if by_asker and not of_self and not bids and known.of == "told":
            turned = self.turned(known.text, self._back, after=("you",))
            form = "told_then" if t_us - known.t_us >= LATE_US else "told_now"
            return self.filled(form, text=turned, ago=ago)
        if by_asker:
            return self.filled("quoted", text=known.text, ago=ago)
        if not known.source:
            return known.text if not (of_self or of_teller) else ""
        return self.filled("hearsay", text=known.text, ago=ago, who=known.source)

    def _reported(self, known: KnownFact, ago: str, *, by_asker: bool) -> str:
        """Return what somebody told in other words: that one's own are its own who asks for it."""
        turned = self.turned(known.text, self.own, after=("i",))
        if by_asker:
            turned = self.turned(turned, self._theirs, after=("you",))
            return self.filled("told_then", text=turned, ago=ago)
        return self.filled("reported", text=turned, ago=ago, who=known.source)

    def filled(self, form: str, **slots: str) -> str:
        """Return a sentence that is made of what is known."""
        words = self._said[form]
        for name, value in slots.items():
            words = words.replace(f"{{{name}}}", value)
        return " ".join(words.split())

    def turned(self, text: str, turned: Mapping[str, str], *, after: tuple[str, ...]) -> str:
        """Return a text as another says it; a verb is turned after a turned subject alone."""
        last = ""

        def turn(found: re.Match[str]) -> str:
            nonlocal last
            low = found[0].casefold().replace("’", "'")
            verb = low in self._lexicon.auxiliaries and "'" not in low
            if low not in turned or (verb and last not in after):
                last = low
                return found[0]
            last = turned[low].casefold()
            return turned[low]

        return WORD.sub(turn, text)

    def in_first_person(self, text: str) -> str:
        """Return what was told to the person of itself as it says it."""
        plain = self._object.sub(self._own_object, text.rstrip(".!"))
        return self.turned(plain, self.own, after=("i",))

    def joined(self, parts: Sequence[str]) -> str:
        """Return what is told one after the other."""
        *first, last = parts
        return self.filled("and", first=", ".join(first), last=last) if first else last
