"""What is told of a person in the third person, as it says it of itself."""

from mindpipe.person.voice.lexicon import Lexicon


def own_words(told: str, lexicon: Lexicon) -> str:
    """Return a trait or a pattern as a clause in the first person, nothing where none is known.

    "goes quiet when she is hurt" is "I go quiet when I am hurt", "slow to forgive" is "I am slow to
    forgive". A pronoun in the singular is the person; what cannot be read surely is not said.
    """
    words = " ".join(told.split()).rstrip(".!").split()
    first, mine = words[0].lower() if words else "", lexicon.oneself
    acts = bool(lexicon.third(first)) or first in lexicon.oneself_verbs
    unread = first.endswith("s") and not first.endswith(("us", "ss")) and not acts
    if not words or not mine or unread or not lexicon.several.isdisjoint(map(str.lower, words)):
        return ""
    said: list[str] = []
    for place, word in enumerate(words):
        low = word.lower()
        before = words[place - 1].lower() if place else ""
        after = words[place + 1].lower() if place + 1 < len(words) else ""
        is_verb = not before or before in lexicon.beside or _is_subject(before, lexicon)
        if is_verb and low in lexicon.oneself_verbs:
            said.append(lexicon.oneself_verbs[low])
        elif (acts or _is_subject(before, lexicon)) and is_verb and (base := lexicon.base(low)):
            said.append(base if low.endswith("s") else word)
        elif low in lexicon.oneself_owning:
            owned = after and (lexicon.is_content(after) or after == "own")
            said.append(lexicon.oneself_owning[low] if owned else mine.get(low, word))
        else:
            said.append(mine.get(low, word))
    clause = " ".join(said)
    frame = "acts" if acts else "trait"
    return lexicon.frames.get(frame, "").replace("{clause}", clause)


def _is_subject(word: str, lexicon: Lexicon) -> bool:
    """Tell whether a word stands for the person as the subject of a verb."""
    return lexicon.oneself.get(word) == lexicon.frames.get("self")
