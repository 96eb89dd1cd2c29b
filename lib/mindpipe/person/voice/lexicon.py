"""The words of a language by what they do, and the forms of its verbs."""

import re
from collections.abc import Iterator, Mapping

_WORD = re.compile(r"[^\W\d_]")
_VOWELS = "aeiou"
TWENTY = 20
"""Up to which number each has a word of its own in the list of numbers; then come the tens."""
_DOUBLED = (
    *("admit", "begin", "commit", "forget", "permit"),
    *("prefer", "quiz", "regret", "transfer", "unwrap"),
)
"""Longer verbs that are stressed on their end."""


MOST_BEFORE = 12
"""Among how many first words of a clause its verb is looked for."""


class Lexicon:
    """The words of a language by what they do, from the table `words`."""

    def __init__(self, table: Mapping[str, object]) -> None:
        def listed(name: str) -> frozenset[str]:
            return frozenset(str(table.get(name, "")).split())

        self.determiners, self.possessives = listed("determiners"), listed("possessives")
        self.numbers, self.prepositions = listed("numbers"), listed("prepositions")
        self.joins, self.pronouns = listed("joins"), listed("pronouns")
        self.auxiliaries, self.others = listed("auxiliaries"), listed("others")
        self.vague, self.bare_after_none = listed("vague"), listed("bare_after_none")
        self.titles, self.telling = listed("titles"), listed("telling")
        self.bringing = listed("bringing")
        forms = [row.split() for row in str(table.get("irregular", "")).strip().splitlines()]
        self.past = {base: past for base, past, _ in forms}
        self.of_form = {form: base for base, past, done in forms for form in (past, done)}
        self.verbs = listed("verbs") | self.past.keys()
        self.turned, self.past_of = _strings(table.get("turned")), _strings(table.get("past_of"))
        self.short, self.frames = _strings(table.get("short")), _strings(table.get("frames"))
        self.oneself = _strings(table.get("oneself"))
        self.oneself_owning = _strings(table.get("oneself_owning"))
        self.oneself_verbs = _strings(table.get("oneself_verbs"))
        self.spans, self.several = listed("spans"), listed("several")
        self.alone, self.skipped = listed("alone"), listed("skipped")
        self.momentary, self.to_come = listed("momentary"), listed("to_come")
        self.modifiers, self.reporting = listed("modifiers"), listed("reporting")
        self.gives, self.deadlines = listed("gives"), listed("deadlines")
        self.locating, self.unknown = listed("locating"), listed("unknown")
        self._roles(table)
        self.interjections = frozenset(str(table.get("interjections", "")).split("|"))
        self.empty = listed("empty")
        self.likened, self.indefinite = listed("likened"), listed("indefinite")
        self.compared, self.cut_before = listed("compared"), listed("cut_before")
        self.clock = _strings(table.get("clock"))
        self.days_of = {unit: int(n) for unit, n in _strings(table.get("days_of")).items()}
        kinds = _strings(table.get("kinds")).items()
        self.kind_of_noun = {noun: kind for kind, nouns in kinds for noun in nouns.split()}
        self._numbers = tuple(str(table.get("numbers", "")).split())
        self.asking = tuple(re.findall(r"[^|]+", str(table.get("asking", ""))))
        self.wishes = tuple(re.findall(r"[^|]+", str(table.get("wishes", ""))))
        self.function = (self.determiners | self.possessives | self.prepositions | self.joins) | (
            self.pronouns | self.auxiliaries | self.others
        )
        self.opens_thing = self.determiners | self.possessives | self.numbers
        self.no_end = self.determiners | self.possessives | self.prepositions | self.joins

    def coordinated(self, sentence: str) -> list[str]:
        """Return a sentence, parted where another subject begins: `and the ambulance is late`."""
        words, opens = sentence.split(), self.determiners | self.possessives | self.pronouns
        parts, start = list[str](), 0
        for at in range(1, len(words) - 1):
            after = words[at + 1]
            other = after.lower() in opens or (
                after[:1].isupper() and not words[at - 1][:1].isupper()
            )
            if words[at] in self.coupling and other and at > start:
                parts.append(" ".join(words[start:at]).rstrip(","))
                start = at + 1
        return [*parts, " ".join(words[start:])]

    def _roles(self, table: Mapping[str, object]) -> None:
        """Read the words by the part that they have in a clause."""

        def listed(name: str) -> frozenset[str]:
            return frozenset(str(table.get(name, "")).split())

        self.hearer, self.speaker = listed("hearer"), listed("speaker")
        self.persons, self.owned = listed("persons"), listed("owned")
        self.adding, self.attached = listed("adding"), listed("attached")
        self.of_content, self.degrees = listed("of_content"), listed("degrees")
        self.lacking = frozenset(str(table.get("lacking", "")).split("|"))
        self.nouns_of = _strings(table.get("nouns_of"))
        self.pale, self.polite = listed("pale"), listed("polite")
        self.particles, self.pointing = listed("particles"), listed("pointing")
        self.asked_only = listed("asked_only")
        self.that, self.teller = listed("that"), _strings(table.get("teller"))
        self.after_noun = listed("after_noun")
        limbs = _strings(table.get("limbs")).items()
        self.limb_of = {noun: limb for limb, nouns in limbs for noun in nouns.split()}
        self.relatives, self.inquiring = listed("relatives"), listed("inquiring")
        self.subjects, self.many_subjects = listed("subjects"), listed("many_subjects")
        self.of_subject, self.dangling = listed("of_subject"), listed("dangling")
        self.coupling, self.trailing = listed("coupling"), listed("trailing")
        self.of_hearer, self.halves = listed("of_hearer"), listed("halves")
        self.denying, self.leading = listed("denying"), listed("leading")
        self.beside, self.subordinating = listed("beside"), listed("subordinating")
        self.states = listed("states")
        self.advice = frozenset(str(table.get("advice", "")).split("|"))
        self.promising = frozenset(str(table.get("promising", "")).split("|"))
        self.self_verbs = _strings(table.get("self_verbs"))
        self.request_turned = _strings(table.get("request_turned"))

    def tells_state(self, text: str) -> bool:
        """Tell whether a clause tells in the present how something is, and not what is done."""
        words = [word.casefold() for word in re.findall(r"[\w']+", text)][:MOST_BEFORE]
        at = next((n for n, word in enumerate(words) if word in self.states), None)
        if not at:
            return False
        after = words[at + 1 : at + 3]
        done = any(self.participle(word) or word.endswith("ing") for word in after)
        return bool(after) and not done

    def value(self, word: str) -> int:
        """Return the number from 1 to 90 that a word is, 0 where it is none."""
        at = self._numbers.index(word) + 1 if word in self._numbers else 0
        return at if at <= TWENTY else 10 * (at - TWENTY + 2) if at < TWENTY + 8 else 0

    def number(self, value: int) -> str:
        """Return a number from 1 to 99 in words, nothing for another."""
        if not 0 < value < 100 or len(self._numbers) < TWENTY + 7:
            return ""
        if value <= TWENTY:
            return self._numbers[value - 1]
        tens, ones = divmod(value, 10)
        ten = self._numbers[TWENTY + tens - 3] if tens > 2 else self._numbers[TWENTY - 1]
        return f"{ten}-{self._numbers[ones - 1]}" if ones else ten

    def third(self, word: str) -> str:
        """Return the base of a verb in the third person, or nothing where it is none."""
        if not word.endswith("s") or word.endswith("ss") or "'" in word:
            return ""
        for base in singulars(word):
            if base in self.verbs:
                return base
        return ""

    def is_gerund(self, word: str) -> bool:
        """Tell whether a word is a form in -ing of a verb that is known."""
        return word.endswith("ing") and bool(self.base(word))

    def base(self, word: str) -> str:
        """Return the base of any form of a verb that is known, or nothing."""
        if word in self.verbs:
            return word
        if word in self.of_form:
            return self.of_form[word]
        if found := self.third(word):
            return found
        for end in ("ed", "ing", "d"):
            stem = word.removesuffix(end)
            for base in (stem, f"{stem}e", stem[:-1], f"{stem[:-1]}y"):
                if stem != word and base in self.verbs:
                    return base
        return ""

    def is_content(self, word: str) -> bool:
        """Tell whether a word is no word of grammar."""
        return word not in self.function and bool(_WORD.search(word))

    def participle(self, word: str) -> bool:
        """Tell whether a word may be the participle of a verb."""
        return word in self.of_form or (len(word) > 3 and word.endswith("ed"))

    def preterite(self, base: str) -> str:
        """Return the past of a verb."""
        if base in self.past:
            return self.past[base]
        if base.endswith("e"):
            return f"{base}d"
        if base.endswith("y") and base[-2:-1] not in _VOWELS:
            return f"{base[:-1]}ied"
        return f"{_doubled(base)}ed"

    def gerund(self, base: str) -> str:
        """Return the -ing form of a verb."""
        if base.endswith("ie"):
            return f"{base[:-2]}ying"
        if base.endswith("e") and base[-2:] not in ("ee", "oe", "ye") and base != "be":
            return f"{base[:-1]}ing"
        return f"{_doubled(base)}ing"


def _strings(table: object) -> dict[str, str]:
    """Return a table of words."""
    return {str(k): str(v) for k, v in table.items()} if isinstance(table, Mapping) else {}


def singulars(word: str) -> Iterator[str]:
    """Yield what a word that ends in s may be without it."""
    if word.endswith("ies"):
        yield f"{word[:-3]}y"
    if word.endswith("es"):
        yield word[:-2]
        yield word[:-3]
    yield word[:-1]


def _doubled(base: str) -> str:
    """Return a verb with its last consonant doubled where it is short and has one vowel."""
    short = re.fullmatch(r"(?:[^aeiou]*|qu)[aeiou][bdgklmnprtvz]", base) is not None
    return base + base[-1] if short or base in _DOUBLED else base
