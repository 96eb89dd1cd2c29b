"""Where a tagger fails at chats: which words are names, and which verbs are past."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet

from spacy.language import Language
from spacy.lookups import Lookups
from spacy.tokens import Doc, Token

from mindpipe.language import words
from mindpipe.language.parsed.modality import SUBJECTS

_WORDS = frozenset({"NOUN", "ADJ", "VERB", "ADV", "X", "INTJ", "PUNCT"})
_KIN = (
    words.RELATIVES
    - words.OCCUPATIONS
    - words.OF_A_TIME
    - words.listed("friend baby child kid partner mate")
)
"""Who, before a noun, has it for a name, and does not qualify it as in `friend group`."""
_OF_CHILDREN = frozenset({"eldest", "youngest"})
_SHORTEST = 3


class KnownWords:
    """The words that a pipeline's lemmatizer knows; one without such an index knows all."""

    def __init__(self, pipeline: Language) -> None:
        self._known: list[Collection[str]] = []
        self._pasts: dict[str, list[str]] = {}
        if pipeline.has_pipe("lemmatizer"):
            lookups: Lookups | None = getattr(pipeline.get_pipe("lemmatizer"), "lookups", None)
            if lookups is not None and lookups.has_table("lemma_index"):
                self._known = list(lookups.get_table("lemma_index").values())
            if lookups is not None and lookups.has_table("lemma_exc"):
                self._pasts = lookups.get_table("lemma_exc").get("verb", {})

    def present_of(self, form: str) -> str | None:
        """Return the verb of which a form is the past, or None: of `got` it is `get`."""
        return next((one for one in self._pasts.get(form, ()) if one != form), None)

    def knows(self, *forms: str) -> bool:
        """Tell whether one of the forms of a word is a word of the language."""
        return not self._known or any(one in known for known in self._known for one in forms)


def _is_careless(parse: Doc) -> bool:
    """Tell whether nothing but "I" is written with a capital."""
    return not any(one.text[:1].isupper() and one.lower_ != "i" for one in parse)


def mark_names(parse: Doc, known: KnownWords, *, speakers: AbstractSet[str]) -> None:
    """Mark as names what the tagger took for words: who speaks, and what no dictionary has.

    `speakers` are names in lower case.
    """
    careless = _is_careless(parse)
    for one in parse:
        if one.lower_ in _OF_CHILDREN and one.dep_ != "amod":
            one.pos_, one.lemma_ = "NOUN", one.lower_  # "my eldest", of which it makes an adjective
        if one.pos_ not in _WORDS or not one.text.isalpha() or len(one) < _SHORTEST:
            continue
        if _is_name(one, known, speakers) or (careless and _is_careless_name(one, known)):
            one.pos_, one.tag_ = "PROPN", "NNP"


def mark_pasts(parse: Doc, known: KnownWords) -> None:
    """Mark as past the verbs that begin a sentence and that the tagger took for orders: `Got it`.

    Their form says so.
    """
    for one in parse:
        present = known.present_of(one.lower_) if one.is_sent_start and one.tag_ == "VB" else None
        if present is not None:
            one.tag_, one.lemma_ = "VBD", present


def _is_name(token: Token, known: KnownWords, speakers: AbstractSet[str]) -> bool:
    """Tell whether a token that is tagged as a word is a name."""
    said = token.lower_
    if said in words.RELATIVES | words.PETS:
        return False
    if said in speakers:
        return token.text.istitle() or token.pos_ == "NOUN" or _is_unknown(token, known)
    if not token.text.istitle() or said in words.OCCUPATIONS:
        return False
    if token.is_sent_start:  # "Anders is 19", of which the tagger makes a plural
        return token.dep_ in SUBJECTS and token.tag_ == "NNS" and _is_unknown(token, known)
    if token.dep_ == "oprd" and token.head.lemma_ in ("call", "name"):
        return True  # "she's called Beans"
    of_place = token.tag_ == "NNS" and token.dep_ == "pobj"  # "in Leeds", taken for a plural
    within = (token.tag_ == "NN" or of_place) and token.i > 0 and not token.nbor(-1).is_punct
    return within or _is_unknown(token, known)


def _is_careless_name(token: Token, known: KnownWords) -> bool:
    """Tell whether a token without a capital is a name, where no name has one."""
    of_kin = any(one.dep_ == "compound" and one.lower_ in _KIN for one in token.lefts)
    return of_kin or (token.pos_ in ("NOUN", "X") and _is_unknown(token, known))


def _is_unknown(token: Token, known: KnownWords) -> bool:
    """Tell whether no dictionary has a word."""
    said = token.lower_
    if said in words.RELATIVES | words.PETS:
        return False
    return not known.knows(said, token.lemma_.lower(), said.removesuffix("s"))
