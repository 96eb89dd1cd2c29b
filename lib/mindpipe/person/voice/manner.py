"""A person's manner of speaking: what its identity says of age, field of life and temper."""

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from mindpipe.person.mind.relations import own_age
from mindpipe.person.mind.sentences import sentences_of
from mindpipe.person.records.person import NARRATIVE, PersonIdentity, Traits

MARKED = 0.13
"""How far from the mean a trait colours how somebody speaks."""
GRAVE = -0.6
"""From which worth on what is told is grave."""
MOST_TOLD = 10
"""The most words with which somebody is named together with what is told of them."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NAMED = re.compile(r"(?<=[\w,;:] )[A-ZÀ-Þ][\w'’-]*")
_TRAITS = (
    ("o", "dreamy", "earthy"),
    ("c", "orderly", "loose"),
    ("e", "outgoing", "inward"),
    ("a", "warm", "blunt"),
    ("n", "worried", "steady"),
)


class Tie(NamedTuple):
    """Somebody who belongs to a person: by name, as what ("my sister"), and as is told of them."""

    name: str
    kin: str
    told: str = ""


class Manner(NamedTuple):
    """How somebody speaks: tags of the tables, its people, and its part of the common phrases."""

    tags: frozenset[str]
    ties: tuple[Tie, ...]
    idiolect: int


class MannerTable:
    """The words of a language that tell a manner, from the table `manner`."""

    def __init__(self, table: Mapping[str, object]) -> None:
        self.fields, self.ways = _stems(table["fields"]), _stems(table["ways"])
        self.weather = _stems(table["weather"])
        self.deaths = _stems(table["deaths"])["words"]
        self._loss = {slot: said.split("\n") for slot, said in texts(table["loss"]).items()}
        small_talk = table["small_talk"] if isinstance(table["small_talk"], Mapping) else {}
        self._somebody = str(small_talk["somebody"])
        self._small_talk = {
            meaning: {slot: said.split("\n") for slot, said in texts(told).items()}
            for meaning, told in small_talk.items()
            if isinstance(told, Mapping)
        }
        self.work, self.trials = _stems(table["work"])["words"], _stems(table["trials"])["words"]
        self._places = _stems(table.get("places"))
        self._activities = _stems(table.get("activities"))
        self.outdoors = _stems(table.get("outdoors")).get("words", ())
        weights = texts(table["told"])
        self._graves, self._joys = (tuple(weights[one].split()) for one in ("graves", "joys"))
        self.denies = re.compile(weights["denies"], re.I)
        self._missed = re.compile(weights.get("missed", r"(?!)"), re.I)
        self._funeral = re.compile(weights.get("funeral", r"(?!)"), re.I)
        self._loses = re.compile(weights.get("loses", r"(?!)"), re.I)
        failures = texts(table.get("performance")).values()
        self._failures = tuple(re.compile(pattern, re.I) for pattern in failures)
        self.partners = _stems(table["partners"])["words"]
        self.heard = {name: re.compile(pattern) for name, pattern in texts(table["heard"]).items()}
        self._asked = {name: re.compile(pattern) for name, pattern in texts(table["asked"]).items()}
        self.feelings, self.topics = texts(table["feelings"]), texts(table["topics"])
        ages = table["ages"] if isinstance(table["ages"], Mapping) else {}
        people = texts(table["people"])
        self._mine = re.compile(rf"\b(?:{people['mine']}) ((?:[\w-]+ )?[\w-]+)", re.I)
        self.my, self._qualified = people["my"], frozenset(people["qualified"].split())
        self._name = re.compile(
            rf"(?:(?:{people['titles']}) )?[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*"
        )
        self._owners = re.compile(rf"^(?:{people['mine']}) ", re.I)
        self.begins = re.compile(people["begins"], re.I)
        self.lowered = re.compile(people["lowered"], re.I)
        self.tells_late = re.compile(people["late"], re.I)
        self._outlives = re.compile(people["outlives"], re.I)
        self.yours = people["yours"]
        self.manner = lru_cache(maxsize=1024)(self._manner)
        self.tells_death = lru_cache(maxsize=1024)(self._tells_death)
        self.young, self.old = int(str(ages["young"])), int(str(ages["old"]))
        self.child, self.retirement = int(str(ages["child"])), int(str(ages["retired"]))
        self.retired_words = tuple(str(ages.get("retired_words", "")).split())
        self.young_words = tuple(str(ages["young_words"]).split())
        self.old_words = tuple(str(ages["old_words"]).split())

    def _manner(self, name: str, traits: Traits, identity: PersonIdentity, person: str) -> Manner:
        """Return how somebody speaks; without an identity of its own only its traits tell."""
        told = () if identity.self_narrative == NARRATIVE else (identity.self_narrative,)
        given = bool(told or identity.relational_markers or identity.emotional_patterns)
        tags = {_of_trait(getattr(traits, name), high, low) for name, high, low in _TRAITS}
        if given:
            life = " ".join((*told, *identity.key_memories))
            tags |= {"known", self._field(" ".join(told) or life) or self._field(life)}
            nature = " ".join((*identity.disposition_traits, *identity.emotional_patterns))
            tags |= {way for way, stems in self.ways.items() if _count(nature, stems)}
            tags |= {self._age(" ".join(told), identity), *self._of_age(" ".join(told))}
            if "child" in tags:
                tags -= self.fields.keys() - {"school", "study"}
        ties = self._ties(identity.relational_markers)
        idiolect = zlib.crc32("\n".join((person, name, *told)).encode())
        return Manner(frozenset(tags - {""}), ties, idiolect)

    def named_in(self, text: str, manner: Manner) -> tuple[str, ...]:
        """Return whom of a person's people a text names, by name or as what only they are to it.

        They are in the order of the person's ties.
        """
        roles = [tie.kin.rpartition(" ")[2] for tie in manner.ties]

        def is_named(tie: Tie, role: str) -> bool:
            kin = rf"|(?i:{self.yours} (?:[\w-]+ )?{re.escape(role)})"
            kin = kin if roles.count(role) == 1 else ""
            named = kin if role else ""
            return re.search(rf"\b(?:{re.escape(tie.name)}{named})\b", text) is not None

        return tuple(
            tie.name for tie, role in zip(manner.ties, roles, strict=True) if is_named(tie, role)
        )

    def loss(self, name: str) -> dict[str, tuple[str, ...]]:
        """Return words for the death of somebody, by the slot that they fill."""
        return _told_of(self._loss, name)

    def is_own(self, thing: str) -> bool:
        """Tell whether a thing is told as a person's own, as a part of the body is."""
        return bool(self._owners.match(thing))

    def is_small_talk(self, text: str) -> bool:
        """Tell whether a text is a greeting, thanks or the like."""
        return bool(self._small_talk.get(self.meaning(text)))

    def small_talk(self, text: str, name: str) -> dict[str, tuple[str, ...]]:
        """Return words for a greeting, thanks or the like of somebody, by the slot they fill."""
        return _told_of(self._small_talk.get(self.meaning(text), {}), name or self._somebody)

    def weather_tags(self, weather: str) -> frozenset[str]:
        """Return what a weather is like."""
        return frozenset(kind for kind, stems in self.weather.items() if _count(weather, stems))

    def meaning(self, text: str) -> str:
        """Return what somebody means who says a text: `greeting`, `how`, `asks` ..., or nothing."""
        plain = _plain(text)
        return next((name for name, found in self.heard.items() if found.search(plain)), "")

    def only_asks(self, text: str) -> bool:
        """Tell whether a text is one question and tells of nothing."""
        return bool(self._asked["only"].search(_plain(text)))

    def asks_who(self, text: str) -> bool:
        """Tell whether a text asks who somebody is."""
        return bool(self._asked["who"].search(_plain(text)))

    def _tells_death(self, text: str) -> bool:
        """Tell whether a text tells of a death."""
        return any(all(_count(text, (stem,)) for stem in word.split("+")) for word in self.deaths)

    def is_of_the_dead(self, marker: str) -> bool:
        """Tell whether a marker of a relation is of somebody who has died, and not of a widower."""
        late = self.tells_late.search(marker) is not None
        return late or self._tells_death(self._outlives.sub("", marker))

    def weight(self, text: str, valence: float) -> tuple[bool, bool]:
        """Tell whether what is told is grave, and whether it is a joy, by its words and its worth.

        A joy that is denied is none, and a misfortune that is denied is none either.
        """
        plain = self._undenied(text)
        grave = valence <= GRAVE or (valence <= 0 and self.tells_grave(text))
        great = valence >= -GRAVE or (valence >= 0 and bool(_count(plain, self._joys)))
        return grave, great and not grave

    def tells_grave(self, text: str) -> bool:
        """Tell whether a text tells of a misfortune that it does not deny."""
        plain = self._undenied(text)
        return self.tells_death(plain) or bool(_count(plain, self._graves))

    def _undenied(self, text: str) -> str:
        """Return the sentences of a text that deny nothing."""
        return " ".join(one for one in sentences_of(text) if not self.denies.search(one))

    def tells_trial(self, text: str) -> bool:
        """Tell whether a text is of something at which one may fail before others."""
        return bool(_count(text, self.trials))

    def tells_funeral(self, text: str) -> bool:
        """Tell whether a text is of a funeral."""
        return bool(self._funeral.search(text))

    def tells_failure(self, text: str) -> bool:
        """Tell whether a text tells the one it is about that it fails at what it does."""
        return any(pattern.search(text) for pattern in self._failures)

    def tells_defeat(self, text: str) -> bool:
        """Tell whether a text tells the one it is about that it loses."""
        return self._loses.search(text) is not None

    def is_of_loss(self, memory: str) -> bool:
        """Tell whether a memory is one of something that was lost or missed."""
        return self.tells_grave(memory) or self._missed.search(memory) is not None

    def is_partner(self, kin: str) -> bool:
        """Tell whether somebody shares a person's life."""
        return bool(_count(kin, self.partners))

    def is_outdoors(self, place: str) -> bool:
        """Tell whether a place is under the sky."""
        return bool(_count(place, self.outdoors))

    def place_tags(self, place: str) -> set[str]:
        """Return what kind of place one is at, nothing where its words tell none."""
        return {kind for kind, stems in self._places.items() if _count(place, stems)}

    def activity_tags(self, activity: str) -> set[str]:
        """Return what somebody is at, nothing where its words tell none."""
        return {kind for kind, stems in self._activities.items() if _count(activity, stems)}

    def tells_work(self, text: str) -> bool:
        """Tell whether a place or an activity is that of work."""
        return bool(_count(text, self.work))

    def is_of_field(self, place: str, tags: frozenset[str]) -> bool:
        """Tell whether a place belongs to the field of life of somebody with such a manner."""
        return any(_count(place, stems) for name, stems in self.fields.items() if name in tags)

    def _ties(self, markers: tuple[str, ...]) -> tuple[Tie, ...]:
        """Return those whom relational markers tell of; without a name they are what they are."""
        found = []
        for marker in markers:
            head = marker.partition(":")[0]
            mine, name = self._mine.search(head), self._name.search(head)
            kin = ""
            if mine:
                first, *others = mine[1].lower().split()
                more = f" {others[0]}" if first in self._qualified and others else ""
                kin = f"{self.my} {first}{more}"
            called = self._owners.sub("", name[0]) if name else kin
            if called and not self._owners.fullmatch(f"{called} "):
                is_told = head == marker and "," in marker and len(marker.split()) <= MOST_TOLD
                told = f"{' '.join(marker.split()).rstrip('.')}," if is_told else ""
                found.append(Tie(called, kin, told))
        return tuple(found)

    def _field(self, life: str) -> str:
        """Return the field of life that a text has most words of, or nothing; names tell none."""
        life = _NAMED.sub("", life)
        counts = {field: _count(life, stems) for field, stems in self.fields.items()}
        best = max(counts, key=lambda field: counts[field])
        return best if counts[best] else ""

    def _of_age(self, narrative: str) -> set[str]:
        """Return what an age leaves: a `child` has no trade yet, who is `retired` none any more."""
        age = own_age(narrative)
        if age is not None and age < self.child:
            return {"child"}
        over = age is not None and age >= self.retirement
        return {"retired"} if over or _count(narrative, self.retired_words) else set()

    def _age(self, narrative: str, identity: PersonIdentity) -> str:
        """Return `young`, `grown` or `old`."""
        age = own_age(narrative)
        if age is None:
            everything = " ".join((narrative, *identity.relational_markers))
            if _count(everything, self.old_words):
                return "old"
            return "young" if _count(narrative, self.young_words) else "grown"
        if age >= self.old:
            return "old"
        return "young" if age < self.young else "grown"


def _told_of(said: Mapping[str, Sequence[str]], name: str) -> dict[str, tuple[str, ...]]:
    """Return phrases of a table with a name put in, by the slot that they fill."""
    return {
        slot: tuple(one.replace("{name}", name) for one in phrases if one)
        for slot, phrases in said.items()
    }


def _of_trait(value: float, high: str, low: str) -> str:
    """Return the tag of a trait, or nothing where it is as with most."""
    if abs(value - 0.5) < MARKED:
        return ""
    return high if value > 0.5 else low


@lru_cache(maxsize=4096)
def _count(text: str, stems: tuple[str, ...]) -> int:
    """Return how many words of a text begin with one of some stems; a short stem is a word."""
    words = [word.lower() for word in _WORD.findall(text)]
    return sum(
        any(word == stem or (len(stem) > 3 and word.startswith(stem)) for stem in stems)
        for word in words
    )


def _stems(table: object) -> dict[str, tuple[str, ...]]:
    """Return lists of beginnings of words by name."""
    return {name: tuple(words.split()) for name, words in texts(table).items()}


def texts(table: object) -> dict[str, str]:
    """Return a table of texts."""
    return {str(k): str(v) for k, v in table.items()} if isinstance(table, Mapping) else {}


def _plain(text: str) -> str:
    """Return a text in small letters, with plain marks and single blanks."""
    return " ".join(text.lower().replace("’", "'").split())
