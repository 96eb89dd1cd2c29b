"""The words of an event as parts of a sentence: who did what, which things, what was said.

The text of an event is in the second person and in the present tense ("you wait by Elin's bed").
What is read from it is in the first person and in a form that fits a frame: a thing ("the harbour
news"), a deed ("I waited by Elin's bed"), a doing ("Elin peeling the carrots"), a saying. What
cannot be read surely is left out, so that a simpler frame is taken.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from mindpipe.person.voice.clauses import ClauseReader, EventClause
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.phrases import PhraseReader, owns

MOST_SAID, MOST_BIT, MOST_ASKED, LEAST_BIT = 8, 7, 14, 2
"""The most words of a saying, of a bit, of a question; the least of a bit."""
MOST_AIM = 7
"""The most words of a goal that stand for it."""
MOST_NAMES = 2
"""The most words of a name that stands between two marks."""
MOST_READ = 400
"""The most characters of a text that are read."""
_SENTENCES = re.compile(r"(?<=[.!?…])\s+")
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:['’-][^\W_]+)*|[.,;:!?()\[\]…—–\"“”«»/]")


class EventWords(NamedTuple):
    """What was read from the text of an event, the most particular first; all may be empty.

    `things` are noun phrases with their determiner, `core` those of its first part that has
    any; `deeds` are clauses in the past, `turned` those of them that the text tells in the
    present; `doings` are the same as noun phrases, `states` those of how something is,
    `about` who or what they are of;
    `sayings` are its words as they stand, `bits` those as its hearer says them; `asked` is a
    question that it is; `aim` is an infinitive, `aiming` its gerund.
    """

    things: tuple[str, ...] = ()
    core: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    doings: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    sayings: tuple[str, ...] = ()
    bits: tuple[str, ...] = ()
    asked: str = ""
    aim: str = ""
    aiming: str = ""


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
        self.phrases = PhraseReader(lexicon)
        self.clauses = ClauseReader(self.phrases)
        titles = "|".join(map(re.escape, sorted(lexicon.titles))) or r"(?!)"
        self._titled = re.compile(rf"(?<![\w'])((?i:{titles})|[A-ZÀ-Þ])\.(?=\s+[A-ZÀ-Þ])")
        self.read = lru_cache(maxsize=512)(self._read)

    def _read(self, text: str, *, spoken: bool = False, aimed: bool = False) -> EventWords:
        """Return the parts of a text; `spoken` where it is speech, `aimed` where it is a goal."""
        plain = self.spelled_out(cleaned(text))
        whole = list(segments_of(self.told(plain)))
        if not whole or not self._is_known(whole):
            return EventWords(sayings=self._sayings(plain) if spoken else ())
        segments = whole if spoken or aimed else list(map(self.reported, whole))
        in_order = tuple(self._things(segments, spoken=spoken))
        things = self._ranked(in_order)
        if aimed:
            aim, aiming = self._aim(segments)
            things = _distinct(one for one in in_order if one in things)
            return EventWords(things=things, core=things[:1], aim=aim, aiming=aiming)
        if spoken:
            # What was all that was said is no thing of it: it stands as it was said, or not at all.
            said = {" ".join(words).lower() for words in segments}
            things = tuple(one for one in things if one.lower() not in said)
            first = map(set[str], (self._things([words], spoken=True) for words in segments))
            told = next(filter(None, (one.intersection(things) for one in first)), set[str]())
            core = tuple(one for one in things if one in told)
            return EventWords(things=things, core=core, sayings=self._sayings(plain))
        asked = self._question(plain)
        if asked:
            things = tuple(map(self._before_verb, things))
        clauses = [] if asked else [c for words in segments for c in self.clauses.clauses(words)]
        # What somebody told is told as such; what it is about is what was told.
        telling = [] if asked else [c for words in whole for c in self.clauses.clauses(words)]
        parts = (self._ranked(self._things([words], spoken=False)) for words in segments)
        told = set(re.findall(r"[\w'-]+", plain.lower()))
        present = (c for c in telling if not told.issuperset(c.verb.past.lower().split()))
        return EventWords(
            things=things,
            core=next(filter(None, parts), ()),
            deeds=_distinct(self._deed(clause) for clause in telling),
            turned=_distinct(map(self._deed, present)),
            doings=_distinct(self._doing(clause) for clause in clauses),
            states=_distinct(map(self._state, clauses)),
            about=_distinct(map(self._about, clauses)),
            bits=_distinct((*map(self._to_come, clauses), *self._bits(segments)))
            if not asked
            else (),
            asked=asked[:1].upper() + asked[1:],
        )

    def _before_verb(self, thing: str) -> str:
        """Return a noun phrase of a question without the verb that follows its subject there."""
        words = thing.split()
        is_verb = len(words) > 2 and words[-1].lower() in self.lexicon.verbs
        return " ".join(words[:-1]) if is_verb else thing

    def _question(self, text: str) -> str:
        """Return a text that is a short question, with its mark; nothing for another."""
        if len(text.split()) > MOST_ASKED:
            return ""
        begins = any(text.lower().startswith(f"{lead} ") for lead in self.lexicon.asking)
        return f"{text.rstrip('.!?')}?" if begins or text.endswith("?") else ""

    def spelled_out(self, text: str) -> str:
        """Return a text with short forms as they are said, and no article written twice.

        The dot of a title or an initial ends no sentence and is left out.
        """
        lex = self.lexicon
        full = re.sub(
            r"(?<![\w/])[\w/]+(?![\w/])",
            lambda found: lex.short.get(found[0].lower(), found[0]),
            text,
        )
        full = self._titled.sub(r"\1", full)
        opens = lex.determiners | lex.possessives
        return re.sub(
            r"\b(\w+) \1\b",
            lambda found: found[1] if found[1].lower() in opens else found[0],
            full,
            flags=re.I,
        )

    def told(self, text: str) -> str:
        """Return what is told, where a text says first who tells it (`the bank writes: ...`)."""
        before, mark, after = text.partition(":")
        words, told = before.split(), after.split()
        if not mark or not told or not words:
            return text
        lex, is_last = self.lexicon, words[-1].lower() in self.lexicon.telling
        if not is_last:
            # Who or what brings the news is none: `a letter from the bank: the loan is refused`.
            brought = lex.telling | lex.bringing
            is_told = not brought.isdisjoint(one.lower() for one in words)
            if not is_told or not self.phrases.verb_known(told):
                return text
        return " ".join((*self._with_teller(told[0], words[:-1]), *told[1:]))

    def _with_teller(self, first: str, who: Sequence[str]) -> Sequence[str]:
        """Return the first word of what somebody told, where it points to who told it by name."""
        instead = self.lexicon.teller.get(first.lower(), "")
        named = len(who) <= MOST_NAMES and all(word[:1].isupper() for word in who)
        return instead.replace("{who}", " ".join(who)).split() if instead and named else (first,)

    def reported(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return what a segment says that somebody told, else the segment.

        Who told it is named in it where it is only pointed to: `Mia writes that she comes`.
        """
        lex = self.lexicon
        end = self.clauses.subject(words, 0)
        if not 0 < end < len(words) - 2 or words[end].lower() not in lex.telling:
            return words
        first = end + 1
        if words[first].lower() in lex.hearer:
            # `tells you that you win`, but `says you win`.
            after = words[first + 1].lower()
            first += after in lex.that or self.clauses.subject(words, first + 1) > first + 1
        is_led = words[first].lower() in lex.that
        begins = first + is_led
        subject = self.clauses.subject(words, begins)
        if subject == begins or subject >= len(words):
            return words
        after = words[subject].lower()
        if not (is_led or after in lex.past_of or lex.third(after)):
            return words
        return (*self._with_teller(words[begins], words[:end]), *words[begins + 1 :])

    def asks(self, text: str) -> bool:
        """Tell whether speech ends with a question: not `I won, can you believe it?`."""
        last = _SENTENCES.split(text.strip())[-1]
        pieces = list(segments_of(last)) or [()]
        main = next((words for words in pieces if len(words) > LEAST_BIT), pieces[-1])
        is_told = bool(main) and main[0].lower() in self.lexicon.subjects
        return last.endswith("?") and not is_told

    def within(self, asked: str) -> str:
        """Return a question as it stands within a sentence, without its mark.

        Its subject comes before its verb there (`how I pay`); nothing where the verb has to turn.
        """
        lex, words = self.lexicon, asked.removesuffix("?").split()
        if not words:
            return ""
        helpers = (at for at, word in enumerate(words[:3]) if word.lower() in lex.auxiliaries)
        at = next(helpers, len(words))
        if words[at + 1 : at + 2] and words[at + 1].lower() in lex.subjects | lex.alone:
            helper, subject = words[at : at + 2]
            left = lex.base(helper.lower()) in lex.asked_only
            whether = lex.frames.get("whether", "")
            if (left and helper.lower() not in lex.asked_only) or not (at or whether):
                return ""
            after = [] if left else [helper.lower()]
            words[at : at + 2] = [*([] if at else [whether]), subject, *after]
        low = words[0].lower()
        first = low if low in lex.function and words[0] != lex.frames.get("self") else words[0]
        return " ".join((first, *words[1:]))

    def turned(self, name: str) -> str:
        """Return a name of somebody as the hearer says it: `your mother` is `my mother`."""
        plain = cleaned(name)
        first = plain.split(" ", 1)[0].lower()
        return (
            " ".join(map(self._turn, plain.split())) if first in self.lexicon.of_hearer else plain
        )

    def brief(self, thing: str) -> str:
        """Return a noun phrase by its head: `Yaw's black coffee` is `the coffee`.

        What somebody does is called by its noun, where it has one: `the divorce`. Names, numbers
        and phrases that have no other words stay as they are.
        """
        definite, noun = self.lexicon.frames.get("definite", ""), self._noun_of(thing.split())
        return f"{definite} {noun}" if definite and noun else self._head(thing, definite)

    def _head(self, thing: str, definite: str) -> str:
        """Return the head of a noun phrase, or all of it."""
        lex, words = self.lexicon, thing.split()
        first, head = words[0], words[-1].lower()
        mine = first.lower() in lex.turned.values()
        led = first.lower() == definite or mine or owns(first)
        # Where it is, is none of its head: `the task at the board`.
        placed = not lex.locating.isdisjoint(words[2:])
        if not definite or placed or len(words) < 2 + led or not words[-1].islower():
            return thing
        if lex.base(head) not in ("", head):
            return thing
        if not led and not all(word.islower() for word in words):
            return thing
        if any(map(lex.is_gerund, (first.lower(), *words[1:-1]))):
            return thing  # what somebody does has no head: `the priest letting earth fall`
        if first.lower() in lex.numbers or head in lex.vague or not lex.is_content(head):
            return thing
        return f"{first if mine else definite} {words[-1]}"

    def _noun_of(self, words: Sequence[str]) -> str:
        """Return what is called by one word that somebody does: `Linda getting divorced`."""
        lex = self.lexicon
        low = [word.lower() for word in words]
        done = next((at for at, word in enumerate(low) if lex.is_gerund(word)), len(low))
        bases = (lex.base(word) for word in low[done : done + 2])
        return next((lex.nouns_of[base] for base in bases if base in lex.nouns_of), "")

    def _is_known(self, segments: Sequence[Sequence[str]]) -> bool:
        """Tell whether a text is in the language: some of its words are words of grammar."""
        words = [word.lower() for segment in segments for word in segment]
        known = sum(w in self.lexicon.function or bool(self.lexicon.base(w)) for w in words)
        return len(words) > 1 and known >= max(1, len(words) // 5)

    # -- things

    def _things(self, segments: Sequence[Sequence[str]], *, spoken: bool) -> Iterator[str]:
        """Yield the noun phrases of a text, as its hearer says them."""
        for number, words in enumerate(segments):
            at = 0
            if number and self._is_name(words):
                # What stands alone after a mark is the name of what was told: "a girl, Ondine".
                yield " ".join(words)
                continue
            while at < len(words):
                end, thing = self._thing(words, at, spoken=spoken)
                if thing:
                    yield thing
                at = max(end, at + 1)

    def _is_name(self, words: Sequence[str]) -> bool:
        """Tell whether words between two marks are a name and nothing else."""
        lex = self.lexicon
        no_names = lex.function | lex.titles
        return len(words) <= MOST_NAMES and all(
            word[:1].isupper() and word.lower() not in no_names and not lex.base(word.lower())
            for word in words
        )

    def _thing(self, words: Sequence[str], at: int, *, spoken: bool) -> tuple[int, str]:
        """Return where a noun phrase that begins at a word ends, and its words, or nothing."""
        word = words[at]
        low = word.lower()
        if end := self._no_thing(words, at):
            return end, ""
        if (
            low in self.lexicon.halves
            and words[at + 1 : at + 2]
            and (at + 2 < len(words) and words[at + 1] in self.lexicon.indefinite)
        ):
            return at + 3, " ".join(words[at : at + 3])
        if low in self.lexicon.opens_thing or owns(word):
            return self._led(words, at, spoken=spoken)
        if word[:1].isupper() and at and low not in self.lexicon.function:
            end = self.phrases.named(words, at)
            if owns(words[end - 1]):
                return max(end - 1, at + 1), ""
            return end, "" if low in self.lexicon.titles else " ".join(words[at:end])
        return self._bare(words, at)

    def _no_thing(self, words: Sequence[str], at: int) -> int:
        """Return where words end that name no thing of what is told, 0 where they may name one."""
        lex, low = self.lexicon, words[at].lower()
        if self._is_lacking(words, at):
            # What something is out of, or without, is no thing of it: `out of danger`.
            return max(self.phrases.nouns(words, at), at + 1)
        if low not in lex.indefinite:
            return 0
        if self._is_degree(words, at + 1):
            return at + 2
        # What something is like is no thing of it: `like a ghost`.
        likened = at > 0 and words[at - 1].lower() in lex.likened
        return max(self.phrases.nouns(words, at + 1), at + 1) if likened else 0

    def _is_lacking(self, words: Sequence[str], at: int) -> bool:
        """Tell whether what follows is told to be away, or past: `free of pain`."""
        lack = self.lexicon.lacking
        before = [word.lower() for word in words[max(at - 2, 0) : at]]
        return before[-1:] != [] and (before[-1] in lack or " ".join(before) in lack)

    def _is_degree(self, words: Sequence[str], at: int) -> bool:
        """Tell whether a noun only says how much: `a bit tight`, and not `a bit of bread`."""
        is_it = words[at : at + 1] and words[at].lower() in self.lexicon.degrees
        return bool(is_it) and (words[at + 1 : at + 2] or ["of"])[0].lower() != "of"

    def _led(self, words: Sequence[str], at: int, *, spoken: bool) -> tuple[int, str]:
        """Return a noun phrase that begins with a determiner, a number or somebody's name."""
        lex, low = self.lexicon, words[at].lower()
        end = self.phrases.nouns(words, at + 1)
        mine = low in lex.owned and (low in lex.of_hearer or not spoken)
        others = low in lex.possessives and not mine
        if end == at + 1 or others or low in lex.denying:
            return end, ""
        nouns = " ".join(words[at + 1 : end])
        if low in self.lexicon.pointing:
            return end, nouns
        if low in lex.determiners:
            of_it = self._of_content(words, end) if low in lex.indefinite else ""
            return end, f"{lex.frames.get('definite', low)} {nouns}{of_it}"
        return end, f"{lex.turned.get(low, low if low in lex.numbers else words[at])} {nouns}"

    def _of_content(self, words: Sequence[str], at: int) -> str:
        """Return what tells what a thing is of, with a blank before it: ` about owls`."""
        tells = bool(words[at : at + 1]) and words[at].lower() in self.lexicon.of_content
        one = tells and self.phrases.nouns(words, at + 1) == at + 2
        return f" {words[at]} {words[at + 1]}" if one else ""

    def _bare(self, words: Sequence[str], at: int) -> tuple[int, str]:
        """Return a noun phrase without a determiner, after a verb or a preposition only."""
        lex = self.lexicon
        before = words[at - 1].lower() if at else ""
        verb = lex.third(before) or (before if before in lex.verbs else "")
        if not (before in lex.prepositions or (verb and verb not in lex.bare_after_none)):
            return at + 1, ""
        end = self.phrases.nouns(words, at)
        nouns = words[at:end]
        if not nouns or lex.third(nouns[0].lower()) or not nouns[-1].islower():
            return at + 1, ""
        if words[end : end + 1] and words[end].lower() in lex.opens_thing - lex.relatives:
            # Before another thing it was the verb: `the wind rattles the door`.
            return at + 1, ""
        last = nouns[-1].lower()
        if (
            len(last) < 3
            or last in lex.after_noun
            or last.endswith(("ly", "ing", "ed"))
            or last in lex.verbs | set(lex.of_form)
        ):
            return at + 1, ""
        many = last.endswith("s") and not last.endswith(("ss", "us", "is"))
        definite = lex.frames.get("definite")
        return end, (f"{definite} " if many and definite else "") + " ".join(nouns)

    def _ranked(self, things: Iterable[str]) -> tuple[str, ...]:
        """Return things without repetition, the most particular first."""
        lex, found = self.lexicon, _distinct(things)

        def weight(thing: str) -> float:
            words = thing.split()
            head = words[-1].lower()
            score = min(len(head), 9) + 2.0 * (len(words) > 2) + 1.5 * (words[0] == "my")
            mine = words[0] == "my" and lex.kind_of_noun.get(head) == "body"
            vague = (4.0 if mine else 8.0) * (head in lex.vague)
            return score - vague - 4.0 * (len(words) == 1)

        kept = [thing for thing in found if weight(thing) > 0]
        return tuple(sorted(kept, key=lambda thing: -weight(thing)))

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
        if clause.subject[0].lower() not in self.lexicon.hearer:
            return " ".join((self._as_subject(clause.subject), clause.verb.doing, *rest))
        with_ = " ".join(map(self._turn, clause.subject[2:]))
        return " ".join((clause.verb.doing, *rest, *(("with", with_) if with_ else ())))

    def _state(self, clause: EventClause) -> str:
        """Return how something is, as a noun phrase: `two broken toes`, or nothing."""
        lex, subject = self.lexicon, clause.subject
        past, *done = clause.verb.past.split() or [""]
        told = done or list(clause.rest)
        nobody = all(lex.kind_of_noun.get(word.lower()) != "person" for word in subject)
        led = subject[0].lower() in lex.opens_thing and len(subject) > 1 and nobody
        if past not in ("was", "were") or not led or len(told) != 1 or (done and clause.rest):
            return ""
        how = told[0].lower()
        if not lex.is_content(how) or how.endswith("ly") or how in lex.numbers:
            return ""
        first, *nouns = map(self._turn, subject)
        first = first if first.lower() not in lex.determiners else lex.frames.get("definite", first)
        return " ".join((first.lower(), how, *nouns))

    def _about(self, clause: EventClause) -> str:
        """Return of whom or what a clause tells, nothing where that is only pointed to."""
        lex, words = self.lexicon, clause.subject
        if words[0].lower() in lex.alone | lex.persons | lex.several:
            return ""
        parts = (at for at, word in enumerate(words) if at and word.lower() in lex.of_subject)
        words = words[: next(parts, len(words))]
        first = lex.frames.get("definite", "") if words[0].lower() in lex.indefinite else words[0]
        return self._as_subject((first, *words[1:]))

    def _as_subject(self, words: tuple[str, ...]) -> str:
        """Return a subject in the first person: `you and Mia` is `Mia and I`."""
        if words[0].lower() in self.lexicon.hearer:
            others = " ".join(map(self._turn, words[2:]))
            return f"{others} and I" if others else "I"
        first = words[0] if words[0].lower() not in self.lexicon.function else words[0].lower()
        return " ".join(map(self._turn, (first, *words[1:])))

    def _turn(self, word: str) -> str:
        """Return a word as the hearer says it."""
        return self.lexicon.turned.get(word.lower(), word)

    # -- words as they stand

    def _sayings(self, text: str) -> tuple[str, ...]:
        """Return what was said that is short enough to be quoted, each piece whole.

        A piece is all that stands between two marks, and of each sentence it is the first clause,
        or else the longest: what is called to somebody (`little owl`), or said by the way, is none.
        """
        found = list[tuple[int, str]]()
        sentences = [list(segments_of(one)) for one in _SENTENCES.split(text)]
        for segments in sentences:
            pieces = [(self._weight(words), words) for words in segments]
            most = max(pieces, key=lambda one: (len(one[1]), one[0]), default=(0, ()))
            clauses = (one for one in pieces if self._is_clause(one[1]))
            weight, words = next(clauses, most)
            is_one = len(sentences) == 1 and len(segments) == 1
            if len(words) == 1 and not is_one:
                continue
            if words and len(words) <= MOST_SAID and (weight or len(sentences) == 1):
                found.append((weight, " ".join(words)))
        return _distinct(said for _, said in sorted(found, key=lambda pair: -pair[0]))[:4]

    def _is_clause(self, words: Sequence[str]) -> bool:
        """Tell whether a piece says something by itself: it has a verb, and more than that."""
        return len(words) > LEAST_BIT and self.phrases.verb_known(words)

    def _weight(self, words: Sequence[str]) -> int:
        """Return how much words say: the letters of those that are no words of grammar."""
        return sum(len(word) for word in words if self.lexicon.is_content(word.lower()))

    def _bits(self, segments: Sequence[Sequence[str]]) -> Iterator[str]:
        """Yield short segments as their hearer says them."""
        for words in segments:
            if not LEAST_BIT <= len(words) <= MOST_BIT:
                continue
            lex = self.lexicon
            if (
                words[0].lower() in lex.joins | lex.prepositions
                or words[-1].lower() in lex.no_end - lex.trailing
            ):
                continue
            if any(self._is_told_of_hearer(words, at) for at in range(1, len(words))):
                continue
            mine = words[0].lower() in lex.hearer
            first = lex.frames.get("self", "") if mine else self._turn(words[0])
            if words[0].lower() in self.lexicon.function and first == words[0]:
                first = words[0].lower()
            rest = list(map(self._turn, words[1:]))
            if mine and lex.past_of.get(rest[0].lower()) == "were":
                rest[0] = "was" if rest[0].lower() == "were" else "am"
            yield " ".join((first, *rest))

    def _is_told_of_hearer(self, words: Sequence[str], at: int) -> bool:
        """Tell whether a clause within a segment is of its hearer: its verb would have to turn."""
        lex, before = self.lexicon, words[at - 1].lower()
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        leads = before in lex.joins or after in lex.auxiliaries
        return words[at].lower() in lex.hearer and leads

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
        while len(words) > MOST_AIM:
            cuts = [k for k in range(2, len(words)) if words[k].lower() in self.lexicon.cut_before]
            if not cuts:
                break
            words = words[: cuts[-1]]
        if not words or words[0].lower() not in self.lexicon.verbs or len(words) > MOST_AIM:
            return "", ""
        verb, rest = words[0].lower(), [self._turn(word) for word in words[1:]]
        return " ".join((verb, *rest)), " ".join((self.lexicon.gerund(verb), *rest))


def segments_of(text: str) -> Iterator[tuple[str, ...]]:
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


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    """Return texts that are not empty, each once."""
    return tuple(dict.fromkeys(word for word in words if word))
