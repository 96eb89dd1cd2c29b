"""The words of an event as parts of a sentence: who did what, which things, what was said.

The text of an event is in the second person and in the present tense ("you sit at Reijo's bed").
What is read from it is in the first person and in a form that fits a frame: a thing ("the harbour
news"), a deed ("I sat at Reijo's bed"), a doing ("Kaisu peeling the potatoes"), a saying. What
cannot be read surely is left out, so that a simpler frame is taken.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

MOST_REST, MOST_SAID, MOST_BIT, MOST_ASKED, LEAST_BIT = 7, 6, 7, 9, 2
"""The most words after a verb, of a saying, of a bit, of a question; the least of a bit."""
MOST_THING = 3
MOST_READ = 400
"""The most characters of a text that are read."""
_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[.,;:!?()\[\]…—–\"“”«»/]")
_WORD = re.compile(r"[^\W\d_]")
_VOWELS = "aeiou"
_SUBJECTS = frozenset(("i", "you", "he", "she", "they", "we"))
_PARTICLES = frozenset(("in", "out", "up", "on", "off", "over", "down", "for"))
_DANGLING = frozenset(
    ("next", "half", "only", "very", "too", "so", "as", "then", "than", "just", "even")
)


class EventWords(NamedTuple):
    """What was read from the text of an event, the most particular first; all may be empty.

    `things` are noun phrases with their determiner; `deeds` are clauses in the past, `doings` are
    the same as noun phrases; `sayings` are its words as they stand, `bits` those as its hearer
    says them; `asked` is a question that it is; `aim` is an infinitive, `aiming` its gerund.
    """

    things: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    doings: tuple[str, ...] = ()
    sayings: tuple[str, ...] = ()
    bits: tuple[str, ...] = ()
    asked: str = ""
    aim: str = ""
    aiming: str = ""


class VerbGroup(NamedTuple):
    """A verb with its auxiliaries, and where it ends: in the past, and its gerund if it has one.

    What is still to come is `ahead`, as it stands; it has no past.
    """

    end: int
    past: str = ""
    doing: str = ""
    ahead: str = ""


class EventClause(NamedTuple):
    """A subject as it stands, its verb, and what follows it."""

    subject: tuple[str, ...]
    verb: VerbGroup
    rest: tuple[str, ...]


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
        forms = [row.split() for row in str(table.get("irregular", "")).strip().splitlines()]
        self.past = {base: past for base, past, _ in forms}
        self.of_form = {form: base for base, past, done in forms for form in (past, done)}
        self.verbs = listed("verbs") | self.past.keys()
        self.turned, self.past_of = _strings(table.get("turned")), _strings(table.get("past_of"))
        self.short, self.frames = _strings(table.get("short")), _strings(table.get("frames"))
        self.alone, self.skipped = listed("alone"), listed("skipped")
        self.asking = tuple(re.findall(r"[^|]+", str(table.get("asking", ""))))
        self.wishes = tuple(re.findall(r"[^|]+", str(table.get("wishes", ""))))
        self.function = (self.determiners | self.possessives | self.prepositions | self.joins) | (
            self.pronouns | self.auxiliaries | self.others
        )
        self.opens_thing = self.determiners | self.possessives | self.numbers
        self.no_end = self.determiners | self.possessives | self.prepositions | self.joins

    def third(self, word: str) -> str:
        """Return the base of a verb in the third person, or nothing where it is none."""
        if not word.endswith("s") or word.endswith("ss") or "'" in word:
            return ""
        for base in _singulars(word):
            if base in self.verbs:
                return base
        return ""

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
            for base in (stem, f"{stem}e", stem[:-1]):
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


def _singulars(word: str) -> Iterator[str]:
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
    known = base in ("begin", "forget", "regret", "permit", "commit", "admit", "prefer", "quiz")
    return base + base[-1] if short or known else base


def cleaned(text: str) -> str:
    """Return a text with plain marks, its shouting lowered and its pictures left out."""
    words = text[:MOST_READ].replace("’", "'").replace("‘", "'")
    words = re.sub(r"(?<!\w)i(?=$|[\s'])", "I", words)
    letters = [c for c in words if c.isalpha()]
    if len(letters) > 3 and sum(c.isupper() for c in letters) > 0.7 * len(letters):
        words = re.sub(r"\bi\b", "I", words.lower().capitalize())
    return " ".join(words.split())


class WordingReader:
    """Reads the texts of events with the words of one language."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.read = lru_cache(maxsize=512)(self._read)

    def _read(self, text: str, *, spoken: bool = False, aimed: bool = False) -> EventWords:
        """Return the parts of a text; `spoken` where it is speech, `aimed` where it is a goal."""
        plain = self._spelled_out(cleaned(text))
        segments = list(_segments(self._told(plain)))
        if not segments or not self._is_known(segments):
            return EventWords(sayings=self._sayings(segments) if spoken else ())
        things = self._ranked(self._things(segments, spoken=spoken))
        if aimed:
            aim, aiming = self._aim(segments)
            return EventWords(things=things, aim=aim, aiming=aiming)
        if spoken:
            return EventWords(things=things, sayings=self._sayings(segments))
        clauses = [clause for words in segments for clause in self._clauses(words)]
        asked = self._question(plain)
        return EventWords(
            things=things,
            deeds=_distinct(self._deed(clause) for clause in clauses),
            doings=_distinct(self._doing(clause) for clause in clauses),
            bits=_distinct((*map(self._to_come, clauses), *self._bits(segments)))
            if not asked
            else (),
            asked=asked[:1].upper() + asked[1:],
        )

    def _question(self, text: str) -> str:
        """Return a text that is a short question, with its mark; nothing for another."""
        if len(text.split()) > MOST_ASKED:
            return ""
        begins = any(text.lower().startswith(f"{lead} ") for lead in self.lexicon.asking)
        return f"{text.rstrip('.!?')}?" if begins or text.endswith("?") else ""

    def _spelled_out(self, text: str) -> str:
        """Return a text with short forms as they are said, and no article written twice."""
        lex = self.lexicon
        full = re.sub(
            r"(?<![\w/])[\w/]+(?![\w/])",
            lambda found: lex.short.get(found[0].lower(), found[0]),
            text,
        )
        opens = lex.determiners | lex.possessives
        return re.sub(
            r"\b(\w+) \1\b",
            lambda found: found[1] if found[1].lower() in opens else found[0],
            full,
            flags=re.I,
        )

    def _told(self, text: str) -> str:
        """Return what is told, where a text says first who tells it (`the bank writes: ...`)."""
        before, mark, after = text.partition(":")
        words = before.lower().split()
        return (
            after
            if mark and after.strip() and words and words[-1] in self.lexicon.telling
            else text
        )

    def turned(self, name: str) -> str:
        """Return a name of somebody as the hearer says it: `your mother` is `my mother`."""
        plain = cleaned(name)
        first = plain.split(" ", 1)[0].lower()
        return " ".join(map(self._turn, plain.split())) if first in ("your", "you") else plain

    def _is_known(self, segments: Sequence[Sequence[str]]) -> bool:
        """Tell whether a text is in the language: some of its words are words of grammar."""
        words = [word.lower() for segment in segments for word in segment]
        known = sum(w in self.lexicon.function or bool(self.lexicon.base(w)) for w in words)
        return len(words) > 1 and known >= max(1, len(words) // 5)

    # -- things

    def _things(self, segments: Sequence[Sequence[str]], *, spoken: bool) -> Iterator[str]:
        """Yield the noun phrases of a text, as its hearer says them."""
        for words in segments:
            at = 0
            while at < len(words):
                end, thing = self._thing(words, at, spoken=spoken)
                if thing:
                    yield thing
                at = max(end, at + 1)

    def _thing(self, words: Sequence[str], at: int, *, spoken: bool) -> tuple[int, str]:
        """Return where a noun phrase that begins at a word ends, and its words, or nothing."""
        word = words[at]
        low = word.lower()
        if low == "half" and at + 2 < len(words) and words[at + 1] in ("a", "an"):
            return at + 3, " ".join(words[at : at + 3])
        if low in self.lexicon.opens_thing or _owns(word):
            return self._led(words, at, spoken=spoken)
        if word[:1].isupper() and at and low not in self.lexicon.function:
            end = self._named(words, at)
            if _owns(words[end - 1]):
                return max(end - 1, at + 1), ""
            return end, "" if low in self.lexicon.titles else " ".join(words[at:end])
        return self._bare(words, at)

    def _led(self, words: Sequence[str], at: int, *, spoken: bool) -> tuple[int, str]:
        """Return a noun phrase that begins with a determiner, a number or somebody's name."""
        lex, low = self.lexicon, words[at].lower()
        end = self._nouns(words, at + 1)
        others = low in lex.possessives and low != "your" and (low != "my" or spoken)
        if end == at + 1 or others or low == "no":
            return end, ""
        nouns = " ".join(words[at + 1 : end])
        if low in ("this", "that", "another"):
            return end, nouns
        if low in lex.determiners:
            return end, f"{lex.frames.get('definite', low)} {nouns}"
        return end, f"{lex.turned.get(low, low if low in lex.numbers else words[at])} {nouns}"

    def _bare(self, words: Sequence[str], at: int) -> tuple[int, str]:
        """Return a noun phrase without a determiner, after a verb or a preposition only."""
        lex = self.lexicon
        before = words[at - 1].lower() if at else ""
        verb = lex.third(before) or (before if before in lex.verbs else "")
        if not (before in lex.prepositions or (verb and verb not in lex.bare_after_none)):
            return at + 1, ""
        end = self._nouns(words, at)
        nouns = words[at:end]
        if not nouns or lex.third(nouns[0].lower()) or not nouns[-1].islower():
            return at + 1, ""
        last = nouns[-1].lower()
        if (
            len(last) < 3
            or last.endswith(("ly", "ing", "ed"))
            or last in lex.verbs | set(lex.of_form)
        ):
            return at + 1, ""
        many = last.endswith("s") and not last.endswith(("ss", "us", "is"))
        definite = lex.frames.get("definite")
        return end, (f"{definite} " if many and definite else "") + " ".join(nouns)

    def _nouns(self, words: Sequence[str], at: int) -> int:
        """Return where the nouns (with their adjectives) that begin at a word end."""
        lex, end = self.lexicon, at
        while end < len(words) and end - at < MOST_THING:
            low = words[end].lower()
            if not lex.is_content(low) and low not in lex.numbers:
                break
            if end > at and self._is_verb_here(words, end):
                break
            if end > at and low.endswith("ly"):
                break
            end += 1
            if low in lex.numbers and end - at > 1:
                break
        return end

    def _is_verb_here(self, words: Sequence[str], at: int) -> bool:
        """Tell whether the word after a noun is a verb of its clause."""
        lex, low = self.lexicon, words[at].lower()
        if low in lex.verbs and (_is_many(words[at - 1]) or "and" in words[:at]):
            return at + 1 < len(words)
        base = lex.third(low) or lex.of_form.get(low, "")
        if not base and low.endswith("ed"):
            base = lex.base(low)
        ends = at + 1 == len(words) and low.endswith("ed")
        if not base and not self._verb_known(words):
            after_noun = at + 1 < len(words) and words[at + 1].lower() in lex.function
            one = low.endswith("s") and not low.endswith("ss") and not _is_many(words[at - 1])
            return (one and after_noun) or low.endswith("ed")
        if not base or (self._has_verb(words, at) and not ends):
            return False
        if at + 1 == len(words):
            return True
        after = words[at + 1]
        return after.lower() in lex.function or after[:1].isupper() or low not in lex.verbs

    def _has_verb(self, words: Sequence[str], at: int) -> bool:
        """Tell whether a verb stands before a word in its clause."""
        lex = self.lexicon
        for before in reversed(words[:at]):
            low = before.lower()
            if low in lex.joins and not _is_paired(words):
                return False
            if low in lex.auxiliaries or lex.third(low) or low in lex.of_form:
                return True
            if low == "you":
                return True
        return False

    def _ranked(self, things: Iterable[str]) -> tuple[str, ...]:
        """Return things without repetition, the most particular first."""
        lex, found = self.lexicon, _distinct(things)

        def weight(thing: str) -> float:
            words = thing.split()
            head = words[-1].lower()
            score = min(len(head), 9) + 2.0 * (len(words) > 2) + 1.5 * (words[0] == "my")
            return score - 8.0 * (head in lex.vague) - 4.0 * (len(words) == 1)

        kept = [thing for thing in found if weight(thing) > 0]
        return tuple(sorted(kept, key=lambda thing: -weight(thing)))

    # -- clauses

    def _clauses(self, words: Sequence[str]) -> Iterator[EventClause]:
        """Yield the clauses of a segment that are surely read; a language may tell no verbs."""
        if not self.lexicon.verbs:
            return
        lex, at, subject = self.lexicon, 0, tuple[str, ...]()
        while at < len(words):
            found = self._clause(words, at, subject)
            if found is not None:
                end, clause = found
                subject = clause.subject
                yield clause
                at = end
            while at < len(words) and words[at].lower() not in lex.joins:
                at += 1
            if at < len(words) and words[at].lower() in ("that", "who", "whom", "which", "what"):
                return
            if at < len(words) and words[at].lower() not in ("and", "but"):
                subject = ()
            at += 1

    def _clause(
        self, words: Sequence[str], at: int, shared: tuple[str, ...]
    ) -> tuple[int, EventClause] | None:
        """Return the clause that begins at a word and where it ends, None where it is not sure."""
        lex = self.lexicon
        end = self._subject(words, at)
        subject = tuple(words[at:end])
        if not subject:
            end, subject = at, shared
        if not subject or end >= len(words):
            return None
        verb = self._verb(words, end, subject)
        if verb is None:
            return None
        stop, rest = self._rest(words, verb.end)
        if not verb.ahead and any(word.lower() in lex.auxiliaries for word in rest):
            return None
        bare = verb.past in lex.past_of.values() and not verb.doing
        return None if bare and not rest else (stop, EventClause(subject, verb, rest))

    def _after_adverbs(self, words: Sequence[str], at: int) -> int:
        """Return where the words end that may stand within a verb and say little."""
        while at < len(words) - 1 and words[at].lower() in self.lexicon.skipped:
            at += 1
        return at

    def _verb(self, words: Sequence[str], at: int, subject: tuple[str, ...]) -> VerbGroup | None:
        """Return the verb that stands at a word, None where none is sure."""
        lex, at = self.lexicon, self._after_adverbs(words, at)
        low = words[at].lower()
        helper = low.removesuffix("n't") if low.endswith("n't") else low
        helper = lex.short.get(helper, helper)
        if helper not in lex.past_of:
            return self._plain_verb(words, at, subject)
        then = self._after_adverbs(words, at + 1)
        denied = helper != low or (then < len(words) and words[then].lower() == "not")
        if denied and helper == low:
            then = self._after_adverbs(words, then + 1)
        if then >= len(words):
            return None
        past, no = lex.past_of[helper], "not " if denied else ""
        if past in ("was", "were"):
            alone = len(subject) == 1 and subject[0].lower() == "you"
            now, past = ("am", "was") if alone else (helper, past)
            return self._being(words, then, (now, past, no))
        if past == "had":
            return self._having(words, then, no)
        return self._helped(words, then, (helper, past, no))

    def _being(self, words: Sequence[str], at: int, forms: tuple[str, str, str]) -> VerbGroup:
        """Return a verb that begins with a form of `be`: passive, going on, to come, or a state."""
        lex, (now, past, no), main = self.lexicon, forms, words[at].lower()
        after = [word.lower() for word in words[at + 1 : at + 3]]
        if main == "going" and after[:1] == ["to"] and lex.base("".join(after[1:])):
            return VerbGroup(at + 3, ahead=f"{now} {no}going to {after[1]}")
        if main == "being" and after and lex.participle(after[0]):
            return VerbGroup(at + 2, f"{past} {no}{after[0]}", f"{no}being {after[0]}")
        if main.endswith("ing") and lex.base(main):
            return VerbGroup(at + 1, f"{past} {no}{main}", f"{no}{main}")
        if lex.participle(main):
            return VerbGroup(at + 1, f"{past} {no}{main}", f"{no}being {main}")
        return VerbGroup(at, f"{past} {no}".strip())

    def _having(self, words: Sequence[str], at: int, no: str) -> VerbGroup | None:
        """Return a verb that begins with a form of `have`."""
        lex, main = self.lexicon, words[at].lower()
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        base = lex.base(main)
        if main == "been" and lex.participle(after):
            return VerbGroup(at + 2, f"was {no}{after}", f"{no}being {after}")
        if main == "to" and lex.base(after):
            return VerbGroup(at + 2, f"had to {after}", f"having to {after}") if not no else None
        if lex.participle(main) and base:
            gerund = f"not having {main}" if no else lex.gerund(base)
            return VerbGroup(at + 1, f"had not {main}" if no else lex.preterite(base), gerund)
        return None if no else VerbGroup(at, "had")

    def _helped(
        self, words: Sequence[str], at: int, forms: tuple[str, str, str]
    ) -> VerbGroup | None:
        """Return a verb after `do`, or after one such as `can` or `will`."""
        lex, (helper, past, no), main = self.lexicon, forms, words[at].lower()
        if main not in lex.verbs:
            return VerbGroup(at, "did", "doing") if past == "did" and not no else None
        if helper in ("will", "shall"):
            return VerbGroup(at + 1, ahead=f"{helper} {no}{main}")
        gerund = f"{no}{lex.gerund(main)}" if past == "did" else ""
        return VerbGroup(at + 1, f"{past} {no}{main}", gerund)

    def _plain_verb(
        self, words: Sequence[str], at: int, subject: tuple[str, ...]
    ) -> VerbGroup | None:
        """Return a verb that stands alone; one that is not known where nothing else is the verb."""
        lex, low = self.lexicon, words[at].lower()
        many = subject[0].lower() in ("you", "they", "we") or "and" in subject
        base = lex.third(low) if not many else (low if low in lex.verbs else "")
        if not base and not many and (subject[0][:1].isupper() or not self._verb_known(words)):
            base = next(_singulars(low)) if re.fullmatch(r"[a-z]{3,}[^s]s", low) else ""
        if not base and _is_many(subject[-1]) and low in lex.verbs:
            base = low
        if not base and (low in lex.of_form or low.endswith("ed")):
            base = lex.of_form.get(low, "") or lex.base(low)
            if not base and not self._verb_known(words):
                return VerbGroup(at + 1, low)
        if not base:
            return None
        return VerbGroup(at + 1, lex.preterite(base), lex.gerund(base) if base != "be" else "")

    def _verb_known(self, words: Sequence[str]) -> bool:
        """Tell whether a segment has a verb that is known."""
        lex = self.lexicon
        return any(
            low in lex.auxiliaries or lex.third(low) or low in lex.of_form
            for low in map(str.lower, words)
        )

    def _subject(self, words: Sequence[str], at: int) -> int:
        """Return where a subject ends, with a phrase such as `from the bank` that belongs to it."""
        lex, end = self.lexicon, self._subject_head(words, at)
        if (
            end > at
            and end < len(words)
            and words[end].lower() in ("from", "of", "in", "at", "for")
        ):
            first = end + 1
            if first < len(words) and words[first].lower() in lex.opens_thing:
                first += 1
            after = self._nouns(words, first)
            if after > first and after < len(words):
                low = words[after].lower()
                if lex.third(low) or low in lex.past_of:
                    return after
        return end

    def _subject_head(self, words: Sequence[str], at: int) -> int:
        """Return where a subject ends, that of two where a verb follows the second."""
        end = self._one_subject(words, at)
        if end > at and end < len(words) and words[end] == "and":
            both = self._one_subject(words, end + 1)
            if both > end + 1 and both < len(words) and self._begins_verb(words[both].lower()):
                return both
        return end

    def _begins_verb(self, low: str) -> bool:
        """Tell whether a word may be the verb of several."""
        lex = self.lexicon
        return low in lex.past_of or low in lex.verbs or low in lex.of_form

    def _one_subject(self, words: Sequence[str], at: int) -> int:
        """Return where the subject that begins at a word ends; the same place where none does."""
        lex = self.lexicon
        low = words[at].lower() if at < len(words) else ""
        if low == "you":
            return self._with_you(words, at)
        if low in lex.alone:
            return at + 1
        if low in lex.opens_thing:
            end = self._nouns(words, at + 1)
            return end if end > at + 1 else at
        if low and words[at][:1].isupper() and low not in lex.function:
            end = self._named(words, at)
            return self._nouns(words, end) if _owns(words[end - 1]) else end
        return at

    def _with_you(self, words: Sequence[str], at: int) -> int:
        """Return where a subject ends that begins with `you`, and perhaps goes on with others."""
        lex, end = self.lexicon, at + 1
        while end + 1 < len(words) and words[end].lower() == "and":
            after = words[end + 1]
            if after[:1].isupper():
                end = self._named(words, end + 1)
            elif after.lower() in lex.possessives | lex.determiners:
                end += 3
            else:
                break
        return min(end, len(words))

    def _named(self, words: Sequence[str], at: int) -> int:
        """Return where a name that begins at a word ends."""
        end = at + 1
        while end < len(words) and words[end][:1].isupper() and not _owns(words[end - 1]):
            end += 1
        return end

    def _rest(self, words: Sequence[str], at: int) -> tuple[int, tuple[str, ...]]:
        """Return where what follows a verb ends, and as many of its words as are said."""
        lex, end = self.lexicon, at
        while end < len(words) and words[end].lower() not in lex.joins:
            opens = words[end].lower() in lex.determiners | lex.possessives | _SUBJECTS
            before = words[end - 1].lower()
            if opens and end > at and lex.is_content(before) and before not in lex.verbs:
                break
            end += 1
        kept = list(words[at : min(end, at + MOST_REST)])
        if at + MOST_REST < end and not self._may_part(words, at + MOST_REST):
            while kept and lex.is_content(kept[-1].lower()):
                kept.pop()
        while kept and kept[-1].lower() in lex.no_end - {"in", "out", "off", "up", "down", "on"}:
            kept.pop()
        while kept and (
            kept[-1].lower() in _DANGLING
            or (at + MOST_REST < end and kept[-1].lower() in lex.no_end)
        ):
            kept.pop()
        return end, tuple(kept)

    def _may_part(self, words: Sequence[str], at: int) -> bool:
        """Tell whether a phrase may be cut before a word: it begins a new one."""
        low = words[at].lower()
        return low in self.lexicon.function

    def _deed(self, clause: EventClause) -> str:
        """Return a clause in the past and in the first person, nothing for what is to come."""
        if not clause.verb.past:
            return ""
        subject = self._as_subject(clause.subject)
        return " ".join((subject, clause.verb.past, *map(self._turn, clause.rest)))

    def _to_come(self, clause: EventClause) -> str:
        """Return a clause of what is to come, in the first person; nothing for what was."""
        if not clause.verb.ahead:
            return ""
        subject = self._as_subject(clause.subject)
        return " ".join((subject, clause.verb.ahead, *map(self._turn, clause.rest)))

    def _doing(self, clause: EventClause) -> str:
        """Return a clause as a noun phrase, or nothing where it would be stiff."""
        if clause.verb.ahead:
            return self.lexicon.frames["ahead"].replace("{clause}", self._to_come(clause))
        if not clause.verb.doing or clause.subject[0].lower() in self.lexicon.alone:
            return ""
        rest = tuple(map(self._turn, clause.rest))
        if clause.subject[0].lower() != "you":
            return " ".join((self._as_subject(clause.subject), clause.verb.doing, *rest))
        with_ = " ".join(map(self._turn, clause.subject[2:]))
        return " ".join((clause.verb.doing, *rest, *(("with", with_) if with_ else ())))

    def _as_subject(self, words: tuple[str, ...]) -> str:
        """Return a subject in the first person: `you and Mia` is `Mia and I`."""
        if words[0].lower() == "you":
            others = " ".join(map(self._turn, words[2:]))
            return f"{others} and I" if others else "I"
        first = words[0] if words[0].lower() not in self.lexicon.function else words[0].lower()
        return " ".join(map(self._turn, (first, *words[1:])))

    def _turn(self, word: str) -> str:
        """Return a word as the hearer says it."""
        return self.lexicon.turned.get(word.lower(), word)

    # -- words as they stand

    def _sayings(self, segments: Sequence[Sequence[str]]) -> tuple[str, ...]:
        """Return short stretches of what was said, those with the most in them first."""
        lex, found = self.lexicon, list[tuple[int, str]]()
        for words in segments:
            if len(words) == 1 and len(segments) > 1:
                continue
            for piece in self._pieces(words):
                said = list(piece)
                while len(said) > 1 and said[0].lower() in ("and", "but", "that", "so", "or", "to"):
                    said = said[1:]
                if len(said) > MOST_SAID:
                    said = said[:MOST_SAID]
                    while said and said[-1].lower() in lex.function:
                        said.pop()
                while said and said[-1].lower() in lex.no_end - _PARTICLES:
                    said.pop()
                weight = sum(len(w) for w in said if lex.is_content(w.lower()))
                if said and (weight or len(segments) == 1):
                    found.append((weight, " ".join(said)))
        return _distinct(said for _, said in sorted(found, key=lambda pair: -pair[0]))[:4]

    def _pieces(self, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield a segment in pieces that begin at joins and prepositions, as long as may be."""
        lex, piece = self.lexicon, list[str]()
        for at, word in enumerate(words):
            low = word.lower()
            if piece and low != "to" and (low in lex.joins or low in lex.prepositions):
                ahead = next(
                    (
                        k
                        for k in range(at + 1, len(words))
                        if words[k].lower() in lex.joins or words[k].lower() in lex.prepositions
                    ),
                    len(words),
                )
                if len(piece) + ahead - at > MOST_SAID and len(piece) >= LEAST_BIT:
                    yield tuple(piece)
                    piece = []
            piece.append(word)
        if piece:
            yield tuple(piece)

    def _bits(self, segments: Sequence[Sequence[str]]) -> Iterator[str]:
        """Yield short segments as their hearer says them."""
        for words in segments:
            if not LEAST_BIT <= len(words) <= MOST_BIT:
                continue
            lex = self.lexicon
            if (
                words[0].lower() in lex.joins | lex.prepositions
                or words[-1].lower() in lex.no_end - _PARTICLES
            ):
                continue
            first = "I" if words[0].lower() == "you" else self._turn(words[0])
            if words[0].lower() in self.lexicon.function and first == words[0]:
                first = words[0].lower()
            yield " ".join((first, *map(self._turn, words[1:])))

    def _aim(self, segments: Sequence[Sequence[str]]) -> tuple[str, str]:
        """Return a goal as an infinitive and as a gerund, nothing where it begins with no verb."""
        words = list(segments[0])
        for wish in self.lexicon.wishes:
            lead = wish.split()
            if [word.lower() for word in words[: len(lead)]] == lead:
                words = words[len(lead) :]
                break
        if words and words[0].lower().endswith("ing"):
            words[0] = self.lexicon.base(words[0].lower()) or words[0]
        if not words or words[0].lower() not in self.lexicon.verbs or len(words) > 7:
            return "", ""
        verb, rest = words[0].lower(), [self._turn(word) for word in words[1:]]
        return " ".join((verb, *rest)), " ".join((self.lexicon.gerund(verb), *rest))


def _segments(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the words between the marks of a text."""
    words: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0].isalnum():
            words.append(token)
        elif words:
            yield tuple(words)
            words = []
    if words:
        yield tuple(words)


def _is_many(word: str) -> bool:
    """Tell whether a noun is in the plural, as far as its form says."""
    return word in ("children", "people", "men", "women", "police") or (
        word.endswith("s") and not word.endswith(("ss", "us", "is", "'s"))
    )


def _is_paired(words: Sequence[str]) -> bool:
    """Tell whether a clause begins with `you and`, so that its verb has no ending."""
    return len(words) > 1 and words[0].lower() == "you" and words[1].lower() == "and"


def _owns(word: str) -> bool:
    """Tell whether a word is a name with a possessive ending."""
    return len(word) > 2 and word[:1].isupper() and word.endswith(("'s", "s'"))


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    """Return texts that are not empty, each once."""
    return tuple(dict.fromkeys(word for word in words if word))
