"""The clauses of an event: a subject, its verb in the past and as a gerund, and what follows it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mindpipe.person.voice.lexicon import singulars
from mindpipe.person.voice.phrases import PhraseReader, is_many, owns

MOST_REST = 7
"""The most words after a verb."""


class ClauseVerb(NamedTuple):
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
    verb: ClauseVerb
    rest: tuple[str, ...]


class ClauseReader:
    """Reads clauses with the words of one language."""

    def __init__(self, phrases: PhraseReader) -> None:
        self.phrases = phrases
        self.lexicon = phrases.lexicon

    def clauses(self, words: Sequence[str]) -> Iterator[EventClause]:
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
            if at < len(words) and words[at].lower() in lex.relatives:
                return
            if at < len(words) and words[at].lower() not in lex.adding:
                subject = ()
            at += 1

    def _clause(
        self, words: Sequence[str], at: int, shared: tuple[str, ...]
    ) -> tuple[int, EventClause] | None:
        """Return the clause that begins at a word and where it ends, None where it is not sure."""
        lex = self.lexicon
        end = self.subject(words, at)
        subject = tuple(words[at:end])
        if len(subject) > 2 and subject[-1].lower() in lex.hearer and subject[-2] in lex.coupling:
            # `Mia and you` is told as `you and Mia`.
            subject = (subject[-1], subject[-2], *subject[:-2])
        if not subject:
            end, subject = at, shared
        if not subject or end >= len(words):
            return None
        verb = self._verb(words, end, subject)
        if verb is None:
            return None
        words = self._with_that(words, verb)
        stop, rest = self._rest(words, verb.end)
        if not verb.ahead:
            rest = tuple(word for word in rest if word.lower() not in lex.momentary)
        helped = [k for k, word in enumerate(rest) if word.lower() in lex.auxiliaries]
        if helped and not verb.ahead:
            # How it was not done is left out: `without being asked`.
            at_ = helped[0] - 1
            if at_ < 1 or rest[at_].lower() not in lex.prepositions:
                return None
            rest = rest[:at_]
        if reported := self._reported(words, stop, verb):
            stop, rest = len(words), (*rest, *reported)
        bare = verb.past in lex.past_of.values() and not verb.doing
        return None if bare and not rest else (stop, EventClause(subject, verb, rest))

    def _with_that(self, words: Sequence[str], verb: ClauseVerb) -> Sequence[str]:
        """Return words with the `that` which may be left out after a verb of saying."""
        lex, at = self.lexicon, verb.end
        if lex.base((verb.past.split() or [""])[-1]) not in lex.reporting:
            return words
        end = self.subject(words, at)
        told = end > at and end < len(words) and words[end].lower()
        if not told or not (told in lex.past_of or lex.third(told)):
            return words
        return (*words[:at], "that", *words[at:])

    def _reported(self, words: Sequence[str], at: int, verb: ClauseVerb) -> tuple[str, ...]:
        """Return what somebody says, thinks or notices, as it is told later, or nothing."""
        lex, first = self.lexicon, at + 1
        base = lex.base((verb.past.split() or [""])[-1])
        if first >= len(words) or words[at].lower() != "that" or base not in lex.reporting:
            return ()
        end = self.subject(words, first)
        subject = [word.lower() for word in words[first:end]]
        mine = len(subject) == 1 and subject[0] in lex.hearer
        if not subject or end >= len(words) or (not lex.hearer.isdisjoint(subject) and not mine):
            return ()
        past = lex.past_of.get(words[end].lower(), "")
        after = end + 1
        if not past:
            group = self._plain_verb(words, end, tuple(words[first:end]))
            past, after = (group.past, group.end) if group else ("", end)
        ends = next((k for k in range(after, len(words)) if words[k].lower() in lex.joins), None)
        tail = list(words[after:ends][:MOST_REST])
        while tail and tail[-1].lower() in lex.no_end:
            tail.pop()
        if not past or not (tail or past not in lex.past_of.values()):
            return ()
        past = "was" if mine and past == "were" else past
        if (
            not mine
            and lex.third(words[end].lower())
            and not lex.to_come.isdisjoint(word.lower() for word in tail)
        ):
            # What is still to come stands as it was told.
            past = words[end]
        return ("that", *(("I",) if mine else words[first:end]), *past.split(), *tail)

    def _after_adverbs(self, words: Sequence[str], at: int) -> int:
        """Return where the words end that may stand within a verb and say little."""
        while at < len(words) - 1 and words[at].lower() in self.lexicon.skipped:
            at += 1
        return at

    def _verb(self, words: Sequence[str], at: int, subject: tuple[str, ...]) -> ClauseVerb | None:
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
            alone = len(subject) == 1 and subject[0].lower() in lex.hearer
            now, past = ("am", "was") if alone else (helper, past)
            return self._being(words, then, (now, past, no))
        if past == "had":
            return self._having(words, then, no)
        return self._helped(words, then, (helper, past, no))

    def _being(self, words: Sequence[str], at: int, forms: tuple[str, str, str]) -> ClauseVerb:
        """Return a verb that begins with a form of `be`: passive, going on, to come, or a state."""
        lex, (now, past, no), main = self.lexicon, forms, words[at].lower()
        after = [word.lower() for word in words[at + 1 : at + 3]]
        if main == "going" and after[:1] == ["to"] and lex.base("".join(after[1:])):
            return ClauseVerb(at + 3, ahead=f"{now} {no}going to {after[1]}")
        if main == "being" and after and lex.participle(after[0]):
            return ClauseVerb(at + 2, f"{past} {no}{after[0]}", f"{no}being {after[0]}")
        if lex.is_gerund(main):
            return ClauseVerb(at + 1, f"{past} {no}{main}", f"{no}{main}")
        if lex.participle(main):
            return ClauseVerb(at + 1, f"{past} {no}{main}", f"{no}being {main}")
        return ClauseVerb(at, f"{past} {no}".strip())

    def _having(self, words: Sequence[str], at: int, no: str) -> ClauseVerb | None:
        """Return a verb that begins with a form of `have`."""
        lex, main = self.lexicon, words[at].lower()
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        base = lex.base(main)
        if main == "been" and lex.participle(after):
            return ClauseVerb(at + 2, f"was {no}{after}", f"{no}being {after}")
        if main == "to" and lex.base(after):
            return ClauseVerb(at + 2, f"had to {after}", f"having to {after}") if not no else None
        if lex.participle(main) and base:
            gerund = f"not having {main}" if no else lex.gerund(base)
            return ClauseVerb(at + 1, f"had not {main}" if no else lex.preterite(base), gerund)
        return None if no else ClauseVerb(at, "had")

    def _helped(
        self, words: Sequence[str], at: int, forms: tuple[str, str, str]
    ) -> ClauseVerb | None:
        """Return a verb after `do`, or after one such as `can` or `will`."""
        lex, (helper, past, no), main = self.lexicon, forms, words[at].lower()
        if main not in lex.verbs:
            return ClauseVerb(at, "did", "doing") if past == "did" and not no else None
        if helper in ("will", "shall"):
            return ClauseVerb(at + 1, ahead=f"{helper} {no}{main}")
        gerund = f"{no}{lex.gerund(main)}" if past == "did" else ""
        return ClauseVerb(at + 1, f"{past} {no}{main}", gerund)

    def _plain_verb(
        self, words: Sequence[str], at: int, subject: tuple[str, ...]
    ) -> ClauseVerb | None:
        """Return a verb that stands alone; one that is not known where nothing else is the verb."""
        lex, low = self.lexicon, words[at].lower()
        many = subject[0].lower() in lex.many_subjects or not lex.coupling.isdisjoint(subject)
        base = lex.third(low) if not many else (low if low in lex.verbs else "")
        if (
            not base
            and not many
            and (subject[0][:1].isupper() or not self.phrases.verb_known(words))
        ):
            base = next(singulars(low)) if re.fullmatch(r"[a-z]{3,}[^s]s", low) else ""
        if not base and is_many(subject[-1]) and low in lex.verbs:
            base = low
        if not base and (low in lex.of_form or low.endswith("ed")):
            base = lex.of_form.get(low, "") or lex.base(low)
            if not base and not self.phrases.verb_known(words):
                return ClauseVerb(at + 1, low)
        if not base:
            return None
        return ClauseVerb(at + 1, lex.preterite(base), lex.gerund(base) if base != "be" else "")

    def subject(self, words: Sequence[str], at: int) -> int:
        """Return where a subject ends, with a phrase such as `from the bank` that belongs to it."""
        lex, end = self.lexicon, self._subject_head(words, at)
        if end > at and end < len(words) and words[end].lower() in lex.of_subject:
            first = end + 1
            if first < len(words) and words[first].lower() in lex.opens_thing:
                first += 1
            after = self.phrases.nouns(words, first)
            if after > first and after < len(words):
                low = words[after].lower()
                if lex.third(low) or low in lex.past_of:
                    return after
        return end

    def _subject_head(self, words: Sequence[str], at: int) -> int:
        """Return where a subject ends, that of two where a verb follows the second."""
        end = self._one_subject(words, at)
        if end > at and end < len(words) and words[end] in self.lexicon.coupling:
            both = self._one_subject(words, end + 1)
            if both > end + 1 and both < len(words) and self.begins_verb(words[both].lower()):
                return both
        return end

    def begins_verb(self, low: str) -> bool:
        """Tell whether a word may be the verb of several."""
        lex = self.lexicon
        return low in lex.past_of or low in lex.verbs or low in lex.of_form

    def _one_subject(self, words: Sequence[str], at: int) -> int:
        """Return where the subject that begins at a word ends; the same place where none does."""
        lex = self.lexicon
        low = words[at].lower() if at < len(words) else ""
        if low in lex.hearer:
            return self._with_you(words, at)
        if low in lex.alone:
            return at + 1
        if low in lex.titles and at + 1 < len(words):
            named = words[at + 1][:1].isupper() and words[at + 1].lower() not in lex.function
            return self.phrases.named(words, at + 1) if named else at + 1
        if low in lex.opens_thing or (low.endswith("'s") and low not in lex.function):
            end = self.phrases.nouns(words, at + 1)
            return end if end > at + 1 else at
        if low and words[at][:1].isupper() and low not in lex.function:
            end = self.phrases.named(words, at)
            return self.phrases.nouns(words, end) if owns(words[end - 1]) else end
        return at

    def _with_you(self, words: Sequence[str], at: int) -> int:
        """Return where a subject ends that begins with `you`, and perhaps goes on with others."""
        lex, end = self.lexicon, at + 1
        while end + 1 < len(words) and words[end].lower() in lex.coupling:
            after = words[end + 1]
            if after[:1].isupper():
                end = self.phrases.named(words, end + 1)
            elif after.lower() in lex.possessives | lex.determiners:
                end += 3
            else:
                break
        return min(end, len(words))

    def _rest(self, words: Sequence[str], at: int) -> tuple[int, tuple[str, ...]]:
        """Return where what follows a verb ends, and as many of its words as are said."""
        lex, end = self.lexicon, at
        while end < len(words) and (
            words[end].lower() not in lex.joins or self._asks_how(words, end)
        ):
            opens = words[end].lower() in lex.determiners | lex.possessives | lex.subjects
            before = words[end - 1].lower()
            is_thing = lex.is_content(before) and before not in lex.verbs
            if opens and end > at and is_thing and not self._asks_how(words, end - 3):
                break
            end += 1
        kept = list(words[at : min(end, at + MOST_REST)])
        if at + MOST_REST < end and not self._may_part(words, at + MOST_REST):
            while kept and lex.is_content(kept[-1].lower()):
                kept.pop()
        while kept and kept[-1].lower() in lex.no_end - lex.particles:
            kept.pop()
        while kept and (
            kept[-1].lower() in lex.dangling
            or (at + MOST_REST < end and kept[-1].lower() in lex.no_end)
        ):
            kept.pop()
        return end, tuple(kept)

    def _asks_how(self, words: Sequence[str], at: int) -> bool:
        """Tell whether a word begins a phrase such as `how to bone a fish`."""
        after = [word.lower() for word in words[at + 1 : at + 3]] if at >= 0 else []
        asks = words[at].lower() in self.lexicon.inquiring
        return asks and len(after) > 1 and after[0] == "to" and self.lexicon.is_content(after[1])

    def _may_part(self, words: Sequence[str], at: int) -> bool:
        """Tell whether a phrase may be cut before a word: it begins a new one."""
        low = words[at].lower()
        return low in self.lexicon.function
