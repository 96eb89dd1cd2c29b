"""Noun phrases and names within the words of an event: where they end, and where a verb begins."""

from collections.abc import Sequence

from mindpipe.person.voice.lexicon import Lexicon

MOST_THING = 3
"""The most words of a noun phrase."""
_ONE = ("news", "series", "physics", "mathematics", "diabetes", "measles", "Christmas")
"""Nouns that are one, whatever their end."""


class PhraseReader:
    """Finds noun phrases with the words of one language."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def nouns(self, words: Sequence[str], at: int) -> int:
        """Return where the nouns (with their adjectives) that begin at a word end."""
        lex, end = self.lexicon, at
        if end + 1 < len(words) and words[end].lower() in lex.modifiers:
            end += lex.is_content(words[end + 1].lower())
        first = end
        while end < len(words) and end - at < MOST_THING:
            low = words[end].lower()
            if not lex.is_content(low) and low not in lex.numbers:
                break
            if end > first and self.is_verb_here(words, end):
                break
            if end > first and (low.endswith("ly") or low in lex.after_noun):
                break
            end += 1
            if low in lex.numbers and end - at > 1:
                break
        return end

    def is_verb_here(self, words: Sequence[str], at: int) -> bool:
        """Tell whether the word after a noun is a verb of its clause."""
        lex, low = self.lexicon, words[at].lower()
        if low in lex.verbs and (is_many(words[at - 1]) or not lex.coupling.isdisjoint(words[:at])):
            # At the end it is the verb where there is no other, and it is no noun.
            noun = low in lex.kind_of_noun or self.verb_known(words[:at])
            return at + 1 < len(words) or not noun
        after = words[at + 1].lower() if at + 1 < len(words) else ""
        if (
            low.endswith("s")
            and after in lex.opens_thing - lex.relatives
            and not is_many(words[at - 1])
        ):
            # Two things do not stand side by side: between them is a verb.
            return not low.endswith(("ss", "'s", "us"))
        base = lex.third(low) or lex.of_form.get(low, "")
        if not base and low.endswith("ed"):
            base = lex.base(low)
        ends = at + 1 == len(words) and low.endswith("ed")
        if not base and not self.verb_known(words):
            after_noun = at + 1 < len(words) and words[at + 1].lower() in lex.function
            one = low.endswith("s") and not low.endswith("ss") and not is_many(words[at - 1])
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
            if low in lex.joins and not self._is_paired(words):
                return False
            if low in lex.auxiliaries or lex.third(low) or low in lex.of_form:
                return True
            if low in lex.hearer:
                return True
        return False

    def _is_paired(self, words: Sequence[str]) -> bool:
        """Tell whether a clause begins with `you and`, so that its verb has no ending."""
        lex, first = self.lexicon, [word.lower() for word in words[:2]]
        return len(first) > 1 and first[0] in lex.hearer and first[1] in lex.coupling

    def named(self, words: Sequence[str], at: int) -> int:
        """Return where a name that begins at a word ends."""
        end = at + 1
        while end < len(words) and words[end][:1].isupper() and not owns(words[end - 1]):
            end += 1
        return end

    def verb_known(self, words: Sequence[str]) -> bool:
        """Tell whether a segment has a verb that is known."""
        lex = self.lexicon
        if len(words) > 1 and words[0].lower() in lex.hearer and lex.is_content(words[1].lower()):
            return True
        return any(
            low in lex.auxiliaries or lex.third(low) or low in lex.of_form
            for low in map(str.lower, words)
        )


def is_many(word: str) -> bool:
    """Tell whether a noun is in the plural, as far as its form says."""
    return word in ("children", "people", "men", "women", "police") or (
        word.endswith("s") and not word.endswith(("ss", "us", "is", "'s")) and word not in _ONE
    )


def owns(word: str) -> bool:
    """Tell whether a word is a name with a possessive ending."""
    return len(word) > 2 and word[:1].isupper() and word.endswith(("'s", "s'"))
