"""What is answered to who asks for people: how many, who they are, how they are, what came of them.

Only what an identity says of its people, and what is known of them, answers.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from mindpipe.language.topics import singular
from mindpipe.person.calendar import DAY_US
from mindpipe.person.mind.relations import NamedOther, kind_of, lost_by, others_of
from mindpipe.person.records.person import PersonIdentity
from mindpipe.person.voice.asked import (
    NEVER,
    QUOTED,
    WORD,
    FoundAnswer,
    HeardQuestion,
    HowTold,
    KnownFact,
    pattern_of,
)
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.manner import texts
from mindpipe.person.voice.retold import Retelling

LATELY_US = 3 * DAY_US
"""For how long what was heard of somebody says how they are."""


class PeopleAnswers:
    """Answers of people with the words of a language, from the table `questions`."""

    def __init__(
        self,
        table: Mapping[str, object],
        lexicon: Lexicon,
        retold: Retelling,
        words: Callable[[Iterable[str]], frozenset[str]],
        kind_of: Callable[[HeardQuestion], tuple[str, str]],
    ) -> None:
        """Take the table, what tells, and what reads the words and the kind that is asked for."""
        asks = texts(table["asks"])
        self._lexicon, self._retold = lexicon, retold
        self._words, self._kind_of = words, kind_of
        self._alive, self._many = pattern_of(asks, "alive"), pattern_of(asks, "many")
        self._names, self._became = pattern_of(asks, "names"), pattern_of(asks, "became")
        self._household = pattern_of(asks, "household")
        self._related = asks.get("related", NEVER)
        self._lives = frozenset(asks.get("lives", "").split())
        self._kinds = frozenset(
            word for words in texts(table["kinds"]).values() for word in words.split()
        )

    def counted(
        self, question: HeardQuestion, identity: PersonIdentity, my: str
    ) -> FoundAnswer | None:
        """Return how many there are of those who are asked for, or who lives with the person.

        None where something else is asked; `my` is the word of what is one's own.
        """
        others = [one for one in others_of(identity) if not one.gone]
        if self.asks_household(question.text):
            home = [one for one in others if one.at_home]
            if not home and any(one.kind != "animal" for one in lost_by(identity)):
                return None
            form = "home_with" if home else "home_alone"
            return FoundAnswer(self._retold.filled(form, names=self._listed(home, my)))
        plain = question.text.casefold().replace("’s", "").replace("'s", "")
        kind, _ = self._kind_of(question._replace(text=plain))
        names, many = self._names.search(plain), self._many.search(plain)
        if not kind or not others or not (many or names):
            return None
        low = [singular(word) for word in WORD.findall(plain)]
        found = [one for one in others if one.kind == kind]
        if not any(word in self._kinds for word in low):
            found = [one for one in found if singular(one.role) in low]
        if names and not many:
            return FoundAnswer(self._listed(found, my)) if len(found) > 1 else None
        if not found:
            return FoundAnswer(self._retold["none_of"])
        number = self._lexicon.number(len(found)) or str(len(found))
        every = self._listed(found, my)
        return FoundAnswer(self._retold.filled("count", number=number.capitalize(), names=every))

    def asks_household(self, text: str) -> bool:
        """Tell whether it is asked who lives with the person."""
        return self._household.search(text) is not None

    def _listed(self, others: Sequence[NamedOther], my: str) -> str:
        """Return people as they are told one after the other: `my son Max and my dog Rex`."""
        named = [
            self._retold.in_first_person(one.name)
            if not one.name[:1].isupper() or not one.role or one.role in one.name.casefold()
            else f"{my} {one.role} {one.name}"
            for one in others
        ]
        return self._retold.joined(named or [""])

    def newest_of(
        self, other: NamedOther, known: Iterable[KnownFact], *, asker: str, t_us: int
    ) -> FoundAnswer | None:
        """Return the latest that is known of somebody, or that they said; None for nothing new."""
        name, by_role = other.name.casefold(), self._words((other.role,))
        told = [
            one
            for one in known
            if t_us - one.t_us < LATELY_US
            and (
                (one.of == "said" and one.source.casefold() == name)
                or (one.of in ("lived", "told") and self._is_of_them(one, name, by_role))
            )
        ]
        if not told:
            return None
        newest = max(told, key=lambda one: (one.t_us, one.of == "said", one.of == "lived"))
        return FoundAnswer(self._retold.aloud(newest, asker=asker, t_us=t_us))

    def related(self, question: HeardQuestion, other: NamedOther, my: str) -> FoundAnswer | None:
        """Return what somebody is to the person, where it is asked whether it is that."""
        pattern = self._related.replace("{name}", re.escape(other.name))
        found = re.search(pattern, question.text, re.I)
        kind, asked = kind_of(found["role"]) if found else ("other", "")
        if not asked or not other.role:
            return None
        same = self._words((asked,)) & self._words((other.role.split()[-1],))
        form = "was_tie" if other.gone else "is_tie"
        text = self._retold.filled(form, name=other.name, my=my, role=other.role)
        # A friend may be a neighbour too, but nobody's brother is its father.
        other_kin = kind != other.kind and kind not in ("friend", "mate", "colleague", "other")
        is_no = not same and (other_kin or kind == other.kind)
        return FoundAnswer(text, bool(same) and not other.gone, is_no)

    def was(self, other: NamedOther, my: str) -> FoundAnswer | None:
        """Return what somebody was to the person that it has lost, None where that is not known."""
        if not other.role:
            return None
        text = self._retold.filled("was_tie", name=other.name, my=my, role=other.role)
        return FoundAnswer(text)

    def became_of(
        self,
        question: HeardQuestion,
        other: NamedOther,
        known: Iterable[KnownFact],
        *,
        asker: str,
        t_us: int,
    ) -> FoundAnswer | None:
        """Return what happened to somebody, where that is asked: its death, or what came last."""
        if not self._became.search(question.text):
            return None
        name, by_role = other.name.casefold(), self._words((other.role,))
        told = [
            one
            for one in known
            if one.of in ("lived", "told") and self._is_of_them(one, name, by_role)
        ]
        if not told:
            return None
        found = max(told, key=lambda one: (one.ends, one.t_us))
        return FoundAnswer(self._retold.aloud(found, asker=asker, t_us=t_us))

    def _is_of_them(self, known: KnownFact, name: str, by_role: frozenset[str]) -> bool:
        """Tell whether what is known begins with somebody: by name, or as what they are."""
        text = known.text.casefold()
        first = self._words(WORD.findall(text)[:2])
        return text.startswith(name) or (bool(by_role) and by_role <= first)

    def asks_alive(self, question: HeardQuestion) -> bool | None:
        """Tell whether it is asked if somebody lives, or is dead; None where neither is."""
        found = self._alive.search(question.text) if question.asks == "yesno" else None
        return None if found is None else found[0].casefold() in self._lives

    def lives(
        self,
        other: NamedOther,
        identity: PersonIdentity,
        how: HowTold,
        *,
        asker: str,
        t_us: int,
    ) -> FoundAnswer | None:
        """Return what is known of somebody's death, or that it was none; None for nothing."""
        of_them = (one for one in reversed(identity.learnt) if one.about == other.name)
        for fact in of_them:
            if fact.until_us is not None:
                continue
            if said := QUOTED.match(fact.text):
                known = KnownFact(said[2], frozenset(), "said", fact.since_us, said[1])
            elif fact.is_death or self._alive.search(fact.text):
                known = KnownFact(how.deed(fact.text), frozenset(), "lived", fact.since_us)
            else:
                continue
            return FoundAnswer(self._retold.aloud(known, asker=asker, t_us=t_us))
        return None
