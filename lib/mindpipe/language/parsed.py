"""A reader that walks the parse of any installed spaCy pipeline of English.

Each clause whose predicate is known gives a statement; how it is meant follows from the way up the
tree: report and imagination verbs, quotation, question, condition, modality, negation. Words that
no rule knows give nothing.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from mindpipe.core.dates import dates_in
from mindpipe.language import words
from mindpipe.language.guards import IRONIC
from mindpipe.language.numerals import number_of
from mindpipe.language.records import Meant, Statement, Utterance

VERSION = 1
MOST_WORDS = 6
_BESIDE = 3
"""Tokens up to which a noun is joined to the one before it."""
_NEAR = 7
"""Tokens behind its verb in which a medicine is looked for."""
"""A longer value is a quotation, and no value."""

_SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_PREDICATES = frozenset(
    {"ROOT", "ccomp", "conj", "parataxis", "advcl", "relcl", "acl", "xcomp", "dep"}
)
_REPORT = frozenset(
    [
        "say",
        "tell",
        "hear",
        "claim",
        "think",
        "believe",
        "reckon",
        "swear",
        "insist",
        "read",
        "write",
        "mention",
        "joke",
        "pretend",
        "announce",
        "suggest",
        "argue",
        "assume",
        "suspect",
        "guess",
        "suppose",
        "figure",
        "feel",
        "doubt",
        "wonder",
        "ask",
        "worry",
        "fear",
        "expect",
    ]
)
_IMAGINE = words.listed(
    """
    dream imagine pretend picture fantasise fantasize suppose
    """
)
_IMAGINED = words.listed(
    """
    dream nightmare lotto lottery hypothetically hypothetical
    """
)
_WISH = frozenset(["wish", "hope", "want", "love", "like", "long", "need"])
_PLAN = words.listed(
    """
    plan intend go aim decide promise try consider think
    """
)
_MODALS: dict[str, Meant] = {
    "might": "hedged", "may": "hedged", "could": "hedged", "would": "imagined", "'d": "imagined",
    "should": "hedged", "must": "hedged", "will": "planned", "'ll": "planned", "shall": "planned",
    "wo": "planned", "’ll": "planned", "’d": "imagined", "ought": "hedged", "gon": "planned",
}  # fmt: skip
_HEDGES = frozenset(
    [
        "maybe",
        "perhaps",
        "possibly",
        "probably",
        "apparently",
        "supposedly",
        "allegedly",
        "hopefully",
        "presumably",
        "almost",
        "nearly",
        "practically",
        "basically",
    ]
)
_NO = frozenset({"no", "never", "neither", "nobody", "none"})
_WHILE = frozenset(
    {"since", "after", "before", "during", "in", "on", "at", "by", "until", "from", "for"}
)
_SPEAKER = frozenset({"i", "we", "me", "us", "myself"})
_MINE = frozenset({"my", "our"})
_THIRD = frozenset({"he", "she", "him", "her", "his"})
_IT = frozenset({"it", "them", "they"})
_MODIFIERS = frozenset({"compound", "amod", "nmod", "nummod", "quantmod", "flat", "advmod", "case"})
_TIMES = frozenset(
    [
        "shift",
        "night",
        "day",
        "week",
        "weekend",
        "hour",
        "morning",
        "evening",
        "room",
        "crowd",
        "door",
    ]
)
_TOO_WIDE = frozenset(
    [
        "thing",
        "one",
        "stuff",
        "lot",
        "bit",
        "way",
        "time",
        "day",
        "week",
        "year",
        "something",
        "anything",
        "it",
        "that",
    ]
)


_WHAT_IF = re.compile(r"(?i)\bwhat if\b|\bas if\b")
_BECOME = re.compile(
    r"(?i)(?:(?:now|finally|officially)\s+)?(?P<job>(?P<free>self-employed|unemployed|retired|freelance)"
    r"|[a-z]+(?: [a-z]+)?)\s+(?:as of|from|since|starting)\s"
)


class _Read(NamedTuple):
    """What a rule finds in a clause; `end` is the last token of it."""

    attribute: str
    value: str
    topic: str | None = None
    subject: str | None = None
    meant: Meant | None = None
    negated: bool = False


class ParsedReader:
    """Read statements off the parses of a pipeline."""

    def __init__(self, pipeline: Language, *, name: str) -> None:
        self._pipeline = pipeline
        self._name = name

    @property
    def name(self) -> str:
        """Return its name, its version, and what parses for it."""
        return f"parsed/{VERSION} {self._name}"

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance."""
        parses = self._pipeline.pipe(one.text for one in said)
        return [
            tuple(dict.fromkeys(_Utterance(one, parse, self.name).statements()))
            for one, parse in zip(said, parses, strict=True)
        ]


class _Utterance:
    """One utterance and its parse."""

    def __init__(self, said: Utterance, parse: Doc, reader: str) -> None:
        self.said = said
        self.parse = parse
        self.reader = reader
        self.quoted = _quoted(parse)

    def statements(self) -> Iterator[Statement]:
        """Yield what is said, clause by clause."""
        if not self.parse.has_annotation("DEP"):
            return
        for sentence in self.parse.sents:
            plain = _way_of(sentence)
            if plain is None and sentence.start not in self.quoted:
                yield from self._of_fragment(sentence)
            for token in sentence:
                if token.pos_ in ("VERB", "AUX") and token.dep_ in _PREDICATES:
                    yield from self._of_clause(token, plain)
                elif token.pos_ in ("NOUN", "PROPN"):
                    yield from self._of_noun(token, plain)

    def _of_fragment(self, sentence: Span) -> Iterator[Statement]:
        """Yield what somebody has become: `shift manager as of Monday`, `self-employed from May`."""
        found = _BECOME.match(sentence.text)
        if found is None:
            return
        job = found["job"]
        if (
            found["free"]
            or sentence.doc.char_span(
                sentence.start_char + found.start("job"), sentence.start_char + found.end("job")
            )[-1].lemma_.lower()
            in words.OCCUPATIONS
        ):
            yield self._statement(_Read("job", job), self.said.speaker, "asserted", sentence[0])

    def _of_clause(self, verb: Token, plain: Meant | None) -> Iterator[Statement]:
        """Yield what a clause says."""
        subject = _subject(verb)
        meant, negated = _meant(verb)
        if verb.i in self.quoted:
            meant = "quoted"
        meant = plain or meant
        who = self._who(subject) if subject is not None else _elided(verb, self.said.speaker)
        for read in _rules(verb, subject, self):
            whom = read.subject if read.subject is not None else who
            if whom is None or not _is_value(read.value):
                continue
            way = meant or read.meant
            if way is None or (way == "planned" and read.meant == "asserted"):
                way = "asserted"
            if way == "past":
                continue
            if way == "asserted" and negated != read.negated:
                way = "ended" if _no_longer(verb) else "denied"
            yield self._statement(read, whom, way, verb)

    def _of_noun(self, noun: Token, plain: Meant | None) -> Iterator[Statement]:
        """Yield who is called how: `my sister Eva`, `the boss, Attracta`, `a cat called Points`."""
        if plain is not None or noun.i in self.quoted:
            return
        kind = noun.lemma_.lower()
        if kind not in words.RELATIVES and kind not in words.PETS:
            return
        named = next(
            (
                one
                for one in noun.rights
                if one.dep_ == "appos" or (one.dep_ == "npadvmod" and one.pos_ == "PROPN")
            ),
            None,
        )
        called = next((one for one in noun.children if one.lemma_ in ("call", "name")), None)
        if called is not None:
            named = next((one for one in called.children if one.dep_ in ("oprd", "attr")), None)
        owner = noun
        if noun.dep_ == "compound" and noun.head.pos_ == "PROPN":
            named, owner = noun.head, noun.head
        elif noun.head.pos_ == "PROPN" and noun.dep_ == "appos" and noun.i == noun.head.i + 2:
            named = noun.head
        if named is None or named.pos_ != "PROPN":
            return
        whose = self._owner(owner, noun)
        if whose is not None:
            read = _named(kind, _text(named), whose)
            yield self._statement(read, whose, "asserted", noun)

    def _owner(self, noun: Token, kind: Token) -> str | None:
        """Return whose somebody is, or None where it is not said."""
        for one in (noun, kind):
            for child in one.children:
                if child.dep_ == "poss":
                    return self._who(child)
        by = [child.lower_ for one in (noun, kind) for child in one.children if child.dep_ == "det"]
        if "the" in by and kind.lemma_ in ("boss", "manager", "landlord", "landlady"):
            return self.said.speaker
        return self.said.speaker if kind.lemma_ in words.PETS and "a" in by else None

    def _who(self, token: Token) -> str | None:
        """Return of whom a subject or owner tells, or None where that is not certain."""
        word = token.lower_
        if word in _SPEAKER or word in _MINE:
            return self.said.speaker
        if word in _THIRD:
            return self._person_before(token)
        if word in _IT:
            found = self.thing_before(token)
            return _text(found) if found is not None and found.pos_ == "PROPN" else None
        if token.pos_ == "PROPN":
            return _text(token)
        return None

    def _person_before(self, token: Token) -> str | None:
        """Return the last name before a pronoun that is no place."""
        for one in reversed(self.parse[: token.i]):
            if one.pos_ == "PROPN" and one.dep_ in (
                "nsubj",
                "attr",
                "dobj",
                "appos",
                "poss",
                "oprd",
                "ROOT",
                "conj",
            ):
                return _text(one)
        return None

    def animal_before(self, token: Token) -> Token | None:
        """Return the last animal of which an utterance has told before."""
        return next(
            (one for one in reversed(self.parse[: token.i]) if one.lemma_.lower() in words.PETS),
            None,
        )

    def thing_before(self, token: Token) -> Token | None:
        """Return what `it` means: of the nearest sentence before it the subject, then the object."""
        own = [one for one in token.sent if one.i < token.i]
        earlier = [list(one) for one in self.parse.sents if one.end <= token.sent.start]
        for tokens in (own, *reversed(earlier)):
            for deps in (("nsubj",), ("dobj", "attr"), ("pobj",), ("ROOT",)):
                for one in reversed(tokens):
                    if one.dep_ in deps and one.pos_ in ("NOUN", "PROPN") and _is_topic(one):
                        return one
        return None

    def _statement(self, read: _Read, whom: str, meant: Meant, token: Token) -> Statement:
        """Return a statement with the characters of its sentence."""
        return Statement(
            speaker=self.said.speaker,
            subject=whom,
            attribute=read.attribute,
            value=read.value,
            topic=read.topic,
            meant=meant,
            since=self._since(token) if meant == "asserted" else None,
            start=token.sent.start_char,
            end=token.sent.end_char,
            reader=self.reader,
        )

    def _since(self, token: Token) -> str | None:
        """Return the day that a sentence names, if it names one."""
        found = dates_in(token.sent.text, at=self.said.at, ahead=True) if self.said.at else ()
        return found[0].since[:10] if len(found) == 1 else None


def _quoted(parse: Doc) -> frozenset[int]:
    """Return the tokens that stand between quotation marks."""
    marks = [token.i for token in parse if token.text in ('"', "“", "”", "„", "«", "»", "``", "''")]
    inside: set[int] = set()
    for first, last in zip(marks[::2], [*marks[1::2], len(parse)], strict=False):
        inside.update(range(first, last + 1))
    return frozenset(inside)


def _way_of(sentence: Span) -> Meant | None:
    """Return how a whole sentence is meant where its words show it."""
    text = sentence.text.strip()
    if text.endswith("?") or "?" in text[-4:]:
        return "asked"
    if any(token.lemma_.lower() in _IMAGINED for token in sentence) or _WHAT_IF.search(text):
        return "imagined"
    if IRONIC.search(text):
        return "ironic"
    return None


def _subject(verb: Token) -> Token | None:
    """Return the subject of a clause, which several predicates may share."""
    while True:
        for child in verb.children:
            if child.dep_ in _SUBJECTS:
                return child
        if verb.dep_ not in ("conj", "xcomp") or verb.head.pos_ not in ("VERB", "AUX"):
            return None
        verb = verb.head


def _elided(verb: Token, speaker: str) -> str | None:
    """Return the speaker where a chat leaves out "I": a past form or participle begins it."""
    begins = verb.left_edge.i == verb.i or all(
        one.dep_ in ("advmod", "intj", "punct", "cc", "aux", "neg") for one in verb.lefts
    )
    return (
        speaker
        if begins and verb.tag_ in ("VBD", "VBN") and verb.dep_ in ("ROOT", "ccomp", "conj")
        else None
    )


def _meant(verb: Token) -> tuple[Meant | str | None, bool]:
    """Return how a clause is meant by the way up the tree (None: plainly), and whether negated."""
    negated = _negated(verb)
    meant: Meant | str | None = None
    node, own = verb, True
    while True:
        meant = meant or (_modality(node) if own else None)
        if node.dep_ == "ROOT" or node.head is node:
            break
        head = node.head
        own = own and _shares(node)
        if node.dep_ in ("ccomp", "xcomp", "acl", "relcl", "pcomp") or (
            node.dep_ in ("advcl", "dep") and head.lemma_ in _REPORT
        ):
            meant = meant or _under(node, head)
            if node.dep_ == "xcomp" and head.lemma_ in ("stop", "quit", "cease"):
                meant = meant or "ended"
            if node.dep_ == "xcomp" and _negated(head):
                negated = not negated
        elif node.dep_ == "advcl":
            marks = {one.lower_ for one in node.children if one.dep_ in ("mark", "advmod")}
            if marks & {"if", "unless", "whether", "until", "till"}:
                meant = meant or "imagined"
            elif marks & {"when", "while", "before", "as", "though", "like"} and node.tag_ == "VBD":
                meant = meant or "past"
        node = head
    return meant, negated


def _shares(verb: Token) -> bool:
    """Tell whether a predicate stands under the auxiliaries of the one that it hangs on."""
    own = any(child.dep_ in _SUBJECTS for child in verb.children)
    return verb.dep_ == "xcomp" or (verb.dep_ == "conj" and not own)


def _modality(verb: Token) -> Meant | str | None:
    """Return how a verb is meant by its own auxiliaries and adverbs."""
    for child in verb.lefts:
        if child.tag_ in ("WP", "WRB") and child.dep_ in ("advmod", "dobj", "attr", "nsubj"):
            return "asked"
    for child in verb.children:
        if child.dep_ in ("aux", "auxpass") and child.lower_ in _MODALS:
            return _MODALS[child.lower_]
        if child.dep_ in ("advmod", "intj", "npadvmod") and child.lower_ in _HEDGES:
            return "hedged"
        if child.dep_ == "advcl" and any(
            one.lower_ in ("if", "unless") and one.dep_ == "mark" for one in child.children
        ):
            return "imagined"
    aux = {child.lower_ for child in verb.children if child.dep_ in ("aux", "auxpass")}
    if verb.lower_ == "used" and any(one.dep_ == "xcomp" for one in verb.children):
        return "ended"
    if aux & {"had"} and verb.tag_ == "VBN":
        return "past"
    if verb.lemma_ == "be" and verb.tag_ == "VBD":
        return "past"
    if aux & {"was", "were"} and verb.tag_ == "VBG":
        return "past"
    if verb.lemma_ in ("move", "emigrate", "relocate", "look", "leave") and verb.tag_ == "VBG":
        return "planned"
    return None


def _under(node: Token, head: Token) -> Meant | None:
    """Return how a clause is meant that hangs on a verb or noun."""
    lemma = head.lemma_.lower()
    if lemma in _IMAGINE or lemma in ("nightmare", "idea", "rumour", "rumor"):
        return "imagined"
    subject = _subject(head)
    own = subject is not None and subject.lower_ in _SPEAKER
    if lemma in _REPORT:
        if lemma in ("say", "tell", "swear", "insist", "mention", "announce") and own:
            return None
        if node.i < head.i and node.dep_ == "ccomp" and not own and _subject(node) is None:
            return None  # "started it today, the doc said …"
        return "hedged" if own else "reported"
    if node.dep_ == "xcomp" and lemma in _WISH and node.tag_ != "VBG":
        return "wished"
    if node.dep_ in ("xcomp", "pcomp") and lemma in _PLAN:
        return "planned"
    return None


def _negated(verb: Token) -> bool:
    """Tell whether a predicate is negated."""
    for child in verb.children:
        if child.dep_ == "neg" or (
            child.dep_ in ("det", "advmod", "nsubj") and child.lower_ in _NO
        ):
            return True
        if child.dep_ in ("dobj", "attr", "acomp") and any(
            one.dep_ in ("det", "neg") and one.lower_ in ("no", "not") for one in child.children
        ):
            return True
    return False


def _no_longer(verb: Token) -> bool:
    """Tell whether a negation says that it was so once."""
    text = " ".join(one.lower_ for one in verb.subtree)
    return any(one in text for one in ("no longer", "any more", "anymore", "any longer"))


def _is_topic(token: Token) -> bool:
    """Tell whether a later pronoun may mean a noun."""
    if token.lemma_.lower() in _TOO_WIDE or token.ent_type_ == "PERSON":
        return False
    return token.dep_ != "pobj" or (
        token.head.lower_ not in _WHILE and token.head.head.pos_ == "VERB"
    )


def _is_value(value: str) -> bool:
    """Tell whether a text is a value: some words, and no sentence."""
    return bool(value) and 1 <= len(value.split()) <= MOST_WORDS


def _text(noun: Token) -> str:
    """Return a noun with what stands before it and belongs to it, without its article."""
    first = noun
    for child in reversed(list(noun.lefts)):
        if child.dep_ not in _MODIFIERS or child.lower_ in (
            "just",
            "even",
            "only",
            "actual",
            "own",
        ):
            break
        first = child.left_edge if child.dep_ != "amod" else child
    last = noun
    for child in noun.rights:
        if child.dep_ == "flat" or (child.dep_ == "case" and noun.dep_ != "poss"):
            last = child
        elif child.dep_ == "prep" and child.lower_ == "of" and child.i == last.i + 1:
            last = child.right_edge
    span = noun.doc[first.i : last.i + 1]
    text = span.text.strip(" .,!?;:'\"")
    return text.lower() if text.isupper() and len(text) > 4 else text


def _objects(verb: Token, *preps: str) -> Iterator[Token]:
    """Yield the nouns that stand behind one of some prepositions of a verb."""
    for child in verb.children:
        if child.dep_ in ("prep", "agent") and child.lower_ in preps:
            for noun in child.children:
                if noun.dep_ == "pobj":
                    yield noun
                    yield from _joined(noun)
                elif noun.dep_ == "prep":
                    yield from (one for one in noun.children if one.dep_ == "pobj")


def _joined(noun: Token) -> Iterator[Token]:
    """Yield what stands beside a noun: `olives and capers`."""
    for one in noun.conjuncts:
        if noun.i < one.i <= noun.i + _BESIDE:
            yield one


def _direct(verb: Token) -> Iterator[Token]:
    """Yield the direct objects of a verb."""
    for child in verb.children:
        if child.dep_ == "dobj" or (  # a noun that the pipeline takes for a verb
            child.dep_ == "xcomp" and child.i == verb.i + 1 and not any(child.children)
        ):
            yield child
            yield from _joined(child)


def _named(kind: str, name: str, whose: str) -> _Read:
    """Return that somebody is called so, by what he is to whom."""
    if kind in words.PETS:
        return _Read("pet", f"{name} ({kind})", topic=name, subject=whose)
    if kind in words.PARTNERS:
        return _Read("partner", name, subject=whose)
    return _Read("relation", name, topic=words.SAME_RELATIVE.get(kind, kind), subject=whose)


def _is_medicine(token: Token) -> bool:
    """Tell whether a noun names a medicine, by the stems of their international names."""
    word = token.lower_
    return word in words.MEDICINES or (len(word) > 5 and word.endswith(tuple(words.MEDICINE_STEMS)))


def _rules(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield what the rules make of a clause."""
    lemma = verb.lemma_.lower()
    for rule in _RULES.get(lemma, ()):
        yield from rule(verb, subject, said)
    yield from _medicine(verb, said)


def _medicine(verb: Token, said: _Utterance) -> Iterator[_Read]:
    """Yield a medicine that somebody takes or was given."""
    if verb.lemma_ not in (
        "take",
        "start",
        "prescribe",
        "be",
        "have",
        "put",
        "swap",
        "switch",
        "get",
        "move",
    ):
        return
    for noun in verb.subtree:
        if verb.i < noun.i <= verb.i + _NEAR and _is_medicine(noun):
            given = any(one.dep_ == "dobj" and one.lower_ in _SPEAKER for one in verb.children)
            yield _Read(
                "medication",
                noun.text,
                topic=noun.text,
                subject=said.said.speaker if given else None,
            )


def _reside(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield where somebody lives."""
    for noun in _objects(verb, "in", "at", "near"):
        if noun.pos_ == "PROPN":
            yield _Read("residence", _text(noun))


def _live(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield where somebody lives, and with whom."""
    yield from _reside(verb, subject, said)
    for noun in _objects(verb, "with"):
        if noun.pos_ == "PROPN":
            yield _Read("housemate", _text(noun), topic=_text(noun))


def _move(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield where somebody has moved."""
    if any(one.dep_ == "dobj" for one in verb.children):
        return
    for noun in _objects(verb, "to", "into"):
        if noun.pos_ == "PROPN" and verb.tag_ in ("VBD", "VBN"):
            yield _Read("residence", _text(noun))


def _dwell(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield where somebody has taken a home."""
    for noun in (*_direct(verb), *_objects(verb, "for")):
        if noun.lemma_ in words.DWELLINGS and verb.tag_ in ("VBD", "VBN"):
            for place in _objects(noun, "in"):
                if place.pos_ == "PROPN":
                    yield _Read("residence", _text(place))


def _work(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield where somebody works, and as what."""
    for noun in _objects(verb, "at", "for", "with"):
        if (
            noun.pos_ in ("PROPN", "NOUN")
            and noun.lemma_ not in _TOO_WIDE
            and noun.ent_type_ != "DATE"
        ):
            yield _Read("workplace", _text(noun))
    for noun in _objects(verb, "as"):
        yield _Read("job", _text(noun))
    for noun in _direct(verb):
        if noun.lemma_ not in _TIMES and any(one.lower_ == "the" for one in noun.children):
            yield _Read("workplace", _text(noun))


def _join(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield where somebody begins to work."""
    if verb.lemma_ == "start":
        for noun in _objects(verb, "at"):
            if noun.pos_ in ("NOUN", "PROPN") and not any(map(str.isdigit, noun.text)):
                yield _Read("workplace", _text(noun), meant="asserted")
        for noun in _objects(verb, "as"):
            yield _Read("job", _text(noun), meant="asserted")
        return
    for noun in _direct(verb):
        if noun.pos_ == "PROPN" and verb.tag_ in ("VBD", "VBN"):
            yield _Read("workplace", _text(noun))


def _promote(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield what somebody has become."""
    for noun in _objects(verb, "to", "as"):
        yield _Read("job", _text(noun))


def _turn(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield how old somebody becomes."""
    for child in verb.children:
        if child.pos_ == "NUM" and child.i > verb.i:
            yield from _age(child)


def _age(number: Token) -> Iterator[_Read]:
    """Yield an age."""
    years = number_of(number.doc[number.left_edge.i : number.i + 1].text)
    if years is not None and 1 <= years <= 110:
        yield _Read("age", str(years), meant="asserted")


def _taste(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield what somebody likes or dislikes."""
    lemma = verb.lemma_.lower()
    negated = _negated(verb)
    stands = lemma in ("stand", "bear")
    if stands and not negated:
        return
    if any(one.dep_ in ("aux",) and one.lower_ in ("would", "'d", "’d") for one in verb.children):
        return
    likes = lemma in words.LIKES and not negated
    things = list(_direct(verb))
    if lemma == "go":
        if not any(one.lower_ == "off" for one in verb.children) or verb.tag_ not in ("VBD", "VBN"):
            return
        things = list(_objects(verb, "off"))
    things += [
        one
        for one in verb.children
        if one.dep_ == "xcomp"
        and one.tag_ == "VBG"
        and not any(c.dep_ == "dobj" for c in one.children)
    ]
    for noun in things:
        meant = noun
        if noun.lower_ in _IT:
            found = said.thing_before(noun)
            if found is None:
                continue
            meant = found
        elif (
            noun.pos_ == "PRON"
            or noun.lemma_.lower() in _TOO_WIDE
            or noun.tag_ in ("WP", "WDT", "DT")
        ):
            continue
        if any(one.dep_ in ("relcl", "acl") for one in meant.children) and meant is noun:
            continue
        if any(one.dep_ == "poss" and one.lower_ not in _MINE for one in meant.children):
            continue
        value = _text(meant)
        yield _Read("taste", value if likes else f"not {value}", topic=value, negated=negated)


def _eat(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield what somebody does not eat or drink."""
    if not _negated(verb) or any(
        one.dep_ == "aux" and one.lower_ in ("did", "have") for one in verb.children
    ):
        return
    for noun in _direct(verb):
        if noun.pos_ in ("NOUN", "VERB", "PROPN") and noun.lemma_ not in _TOO_WIDE:
            if verb.lemma_ == "do" and noun.lemma_ not in (
                "meat",
                "dairy",
                "gluten",
                "fish",
                "alcohol",
                "caffeine",
                "sugar",
                "coffee",
            ):
                continue
            value = _text(noun)
            yield _Read("food", f"not {value}", topic=value, negated=True)


def _have(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield what somebody has: an animal, an illness, something bought."""
    lemma = verb.lemma_
    for noun in _direct(verb):
        if noun.lemma_ in words.PETS and lemma in ("have", "own", "adopt", "get"):
            yield _Read("pet", _text(noun), topic=noun.lemma_)
        elif noun.lemma_.lower() in words.ILLNESSES and lemma in ("have", "get"):
            yield _Read("health", _text(noun), topic=noun.lemma_)
        elif (
            lemma == "own"
            and noun.lemma_ not in _TOO_WIDE
            and any(one.lower_ in ("a", "an") for one in noun.children)
        ):
            yield _Read("owns", _text(noun), topic=_text(noun))


def _diagnose(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield an illness."""
    for noun in _objects(verb, "with"):
        yield _Read("health", _text(noun), topic=_text(noun))


def _speak(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield a language that somebody speaks."""
    for noun in _direct(verb):
        if noun.lower_ in words.LANGUAGES:
            yield _Read("skill", noun.text, topic=noun.text)


def _leave(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield what somebody has left, sold or given up."""
    lemma = verb.lemma_
    if verb.tag_ not in ("VBD", "VBN"):
        return
    for noun in _direct(verb):
        mine = any(one.dep_ == "poss" and one.lower_ in _MINE for one in noun.children)
        if lemma in ("quit", "leave", "resign") and noun.lemma_ == "job":
            yield _Read("workplace", "the last job", meant="ended")
        elif lemma in ("quit", "leave") and noun.pos_ == "PROPN":
            yield _Read("workplace", _text(noun), meant="ended")
        elif lemma in ("sell", "ditch") and (mine or noun.pos_ == "NOUN"):
            yield _Read("owns", _text(noun), topic=_text(noun), meant="ended")
    if lemma in ("fire", "sack", "lay"):
        names = [_text(noun) for noun in _objects(verb, "from", "by")]
        yield _Read("workplace", names[0] if names else "the last job", meant="ended")


def _part(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield that a couple has parted."""
    if verb.tag_ not in ("VBD", "VBN") or not any(one.lower_ == "up" for one in verb.children):
        return
    for noun in _objects(verb, "with"):
        if noun.pos_ == "PROPN":
            yield _Read("partner", _text(noun), meant="ended")
    if subject is not None:
        both = [subject, *subject.conjuncts]
        names = [one for one in both if one.pos_ == "PROPN"]
        if names and any(one.lower_ in _SPEAKER for one in both):
            yield _Read("partner", _text(names[0]), subject=said.said.speaker, meant="ended")


def _die(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield that an animal has died; whose it was, its name tells."""
    if subject is not None and verb.tag_ in ("VBD", "VBN") and subject.pos_ == "PROPN":
        yield _Read("pet", _text(subject), topic=_text(subject), subject="", meant="ended")


def _marry(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield whom somebody has married."""
    for noun in _direct(verb):
        if noun.pos_ == "PROPN" and verb.tag_ in ("VBD", "VBN"):
            yield _Read("partner", _text(noun))


def _call(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield how somebody or something is called."""
    named = next(
        (one for one in verb.children if one.dep_ in ("oprd", "attr") and one.pos_ == "PROPN"), None
    )
    if named is None or subject is None or not any(one.dep_ == "auxpass" for one in verb.children):
        return
    yield from _called(subject, _text(named), said)


def _called(subject: Token, name: str, said: _Utterance) -> Iterator[_Read]:
    """Yield how the subject of a clause is called."""
    if subject.lower_ in _THIRD | _IT:
        found = said.animal_before(subject)
        if found is not None:
            yield _named(found.lemma_.lower(), name, said.said.speaker)
        return
    kind = subject.lemma_.lower()
    if kind in words.RELATIVES or kind in words.PETS:
        whose = said._owner(subject, subject)
        if whose is not None:
            yield _named(kind, name, whose)


def _be(verb: Token, subject: Token | None, said: _Utterance) -> Iterator[_Read]:
    """Yield what somebody or something is."""
    for child in verb.children:
        if child.dep_ in ("attr", "acomp", "oprd", "dobj", "npadvmod") or (
            child.dep_ == "amod" and child.i > verb.i
        ):
            yield from _complement(verb, subject, child, said)
            for one in child.conjuncts:
                if one.i > child.i and one.pos_ == child.pos_:
                    yield from _complement(verb, subject, one, said)
    for noun in _objects(verb, "into"):
        if noun.pos_ in ("NOUN", "PROPN"):
            yield _Read("taste", _text(noun), topic=_text(noun))


def _complement(
    verb: Token, subject: Token | None, child: Token, said: _Utterance
) -> Iterator[_Read]:
    """Yield what one complement of "to be" says."""
    word = child.lemma_.lower()
    person = subject is not None and (
        subject.lower_ in _SPEAKER | _THIRD or subject.pos_ == "PROPN"
    )
    if (
        child.pos_ == "NUM"
        and person
        and not any(one.dep_ in ("prep", "npadvmod") for one in child.children)
    ):
        yield from _age(child)
    if word == "old" and child.pos_ == "ADJ":
        for years in child.children:
            for number in years.children:
                if years.lemma_ == "year" and number.pos_ == "NUM":
                    yield from _age(number)
    if person and word in words.DIETS:
        yield _Read("diet", child.lower_)
    if person and word in words.ILL:
        yield _Read("health", child.lower_, topic=child.lower_)
    if word == "allergic":
        for noun in _objects(child, "to"):
            yield _Read("allergy", _text(noun), topic=_text(noun))
    if word == "base":
        yield from _reside(child, subject, said)
    if word in ("married", "engaged", "marry", "engage"):
        for noun in _objects(child, "to"):
            if noun.pos_ == "PROPN":
                yield _Read("partner", _text(noun))
    if word in ("over", "finished", "done", "finish", "divorced") and subject is not None:
        yield from _over(verb, subject, child, said)
    if subject is not None and subject.lemma_ == "birthday":
        whose = said._owner(subject, subject)
        if whose is not None:
            for day in (
                dates_in(said.parse.text, at=said.said.at, ahead=True) if said.said.at else ()
            ):
                if day.start >= child.left_edge.idx:
                    yield _Read("birthday", said.parse.text[day.start : day.end], subject=whose)
                    break
    if child.pos_ in ("NOUN", "PROPN"):
        yield from _noun_complement(subject, child, said, person=person)


def _over(verb: Token, subject: Token, child: Token, said: _Utterance) -> Iterator[_Read]:
    """Yield that it is over between two."""
    both = [subject, *subject.conjuncts]
    names = [one for one in both if one.pos_ == "PROPN"]
    if names and any(one.lower_ in _SPEAKER for one in both):
        yield _Read("partner", _text(names[0]), subject=said.said.speaker, meant="ended")
    if subject.lower_ == "it":
        for noun in (*_objects(verb, "with"), *_objects(child, "with")):
            if noun.pos_ == "PROPN":
                yield _Read("partner", _text(noun), subject=said.said.speaker, meant="ended")


def _noun_complement(
    subject: Token | None, child: Token, said: _Utterance, *, person: bool
) -> Iterator[_Read]:
    """Yield what a noun says of a subject."""
    word = child.lemma_.lower()
    if (
        person
        and word in words.OCCUPATIONS
        and not any(one.dep_ == "poss" for one in child.children)
    ):
        yield _Read("job", _text(child))
    if person and word == "fan":
        for noun in _objects(child, "of"):
            yield _Read("taste", _text(noun), topic=_text(noun))
    if subject is None:
        return
    kind = subject.lemma_.lower()
    if child.pos_ == "PROPN" and (kind in words.RELATIVES or kind in words.PETS):
        whose = said._owner(subject, subject)
        if whose is not None:
            yield _named(kind, _text(child), whose)
    elif child.pos_ == "PROPN" and kind == "name":
        for one in subject.children:
            if one.dep_ == "poss":
                if one.lemma_.lower() in words.RELATIVES | words.PETS:
                    yield from _called(one, _text(child), said)
                elif (whom := said._who(one)) is not None:
                    yield _Read("name", _text(child), subject=whom)
    elif subject.pos_ == "PROPN" and word in words.RELATIVES:
        whose = said._owner(child, child)
        if whose is not None:
            yield _named(word, _text(subject), whose)
    elif kind in words.THINGS:
        yield _Read("project", _text(child), topic=kind, subject="project")


_RULES = {
    "live": (_live,), "reside": (_reside,), "settle": (_reside,), "base": (_reside,),
    "move": (_move,), "relocate": (_move,), "emigrate": (_move,),
    "sign": (_dwell,), "rent": (_dwell,), "lease": (_dwell,), "buy": (_dwell,),
    "get": (_dwell, _have), "work": (_work,), "start": (_join,), "join": (_join,),
    "promote": (_promote,), "hire": (_promote,), "turn": (_turn,),
    "like": (_taste,), "love": (_taste,), "adore": (_taste,), "enjoy": (_taste,), "hate": (_taste,),
    "dislike": (_taste,), "loathe": (_taste,), "detest": (_taste,), "despise": (_taste,),
    "dread": (_taste,), "stand": (_taste,), "bear": (_taste,), "go": (_taste,),
    "eat": (_eat,), "drink": (_eat,), "do": (_eat,), "touch": (_eat,),
    "have": (_have,), "own": (_have,), "adopt": (_have,), "diagnose": (_diagnose,),
    "speak": (_speak,), "quit": (_leave,), "leave": (_leave,), "sell": (_leave,), "ditch": (_leave,),
    "fire": (_leave,), "sack": (_leave,), "lay": (_leave,), "break": (_part,), "split": (_part,),
    "die": (_die,), "marry": (_marry,), "call": (_call,), "name": (_call,), "be": (_be,),
}  # fmt: skip
