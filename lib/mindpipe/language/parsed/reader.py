"""The reader: clause by clause, by the rules, each as it is meant."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import zip_longest

from spacy.language import Language
from spacy.tokens import Doc, Span, Token

from mindpipe.language import words
from mindpipe.language.clauses import prose_of, sentences
from mindpipe.language.doubts import doubtful_clauses
from mindpipe.language.guards import (
    FEW_WORDS,
    clause_meant,
    corrects_itself,
    denies,
    is_besides,
    is_gone,
    is_ironic,
    is_led_in,
    is_narrowed_by,
    is_of_others,
    is_own_word,
    sentence_meant,
    taken_back,
    tells_of_others,
    turned_by,
)
from mindpipe.language.own_text import own_text
from mindpipe.language.parsed import homes
from mindpipe.language.parsed.clause import PAST, ClauseReading, ParsedClause, kinship, named
from mindpipe.language.parsed.endings import is_still_had
from mindpipe.language.parsed.left_out import with_subjects
from mindpipe.language.parsed.mentions import Mentions
from mindpipe.language.parsed.modality import (
    MINE,
    SUBJECTS,
    Way,
    denies_less,
    is_elided,
    is_no_more,
    is_nobody,
    quoted,
    subject_of,
    way_of_clause,
    way_of_sentence,
)
from mindpipe.language.parsed.nouns import (
    BESIDE,
    bare_name,
    is_of_past,
    is_value,
    own_words,
    text_of,
)
from mindpipe.language.parsed.proper_names import KnownWords, mark_names, mark_pasts
from mindpipe.language.parsed.rules import of_person, readings
from mindpipe.language.records import CLAIMS, Meant, Statement, Utterance
from mindpipe.language.spelling import in_full
from mindpipe.language.strict import STRICT, StrictReader
from mindpipe.language.times import HoldingTime, only_day
from mindpipe.language.topics import singular
from mindpipe.language.values import is_somebody, names_something

VERSION = 1
HASH_CHARACTERS = 16
_GOING_ON = frozenset({"ironic", "dreamt"})
"""How a sentence may be meant that colours what follows."""
_PREDICATES = words.listed("ROOT ccomp conj parataxis advcl relcl acl xcomp dep")
_MARKS = frozenset("\"“”„«'‘")
_PROPER = frozenset({"oprd", "attr"})
_SINCE = re.compile(r"(?i)\bsince\b")
_CHILDREN = frozenset({"boy", "girl"})
_TITLES = words.listed("aunt auntie uncle gran granny grandma grandpa grandad nana nan")
"""Relatives whom who speaks calls so before their names."""
_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_WHOLE = 3
"""Words that a sentence has which ends with a comma."""
_LONG = 5
"""Tokens within which a subject and its verb stand."""
_LEANS = re.compile(
    r"(?i)^\W*(?:(?:and|but|so|well|ok|oh) )*(?:if|when|whenever|while|because|since|as|although|"
    r"though|unless|until|once|after|before|even|in|on|at|for|with|without|by|to|from|during|"
    r"given|imagine|suppose|had|were|should|whatever|wherever|whoever|however)\b"
)
"""How a sentence begins of which the first part leans on what stands behind its comma."""
_FRAGMENT = re.compile(
    r"(?i)(?:(?:now|finally|officially|back to being|still)\s+)?(?:an?\s+)?"
    r"(?P<said>(?P<free>self-employed|freelance)|[a-z-]+(?: [a-z-]+)?)"
    r"\s+(?:now|again|as of|from|since|starting|these days)\b|"
    r"(?:(?:now|finally|officially|newly|fully)\s+)*qualified (?P<trade>[a-z]+(?: [a-z]+)?)\W*$"
)


class ParsedReader:
    """Read statements off the parses of a pipeline, besides those of the strict forms."""

    def __init__(
        self, pipeline: Language, *, digest: str | None = None, strict: StrictReader = STRICT
    ) -> None:
        """Take a pipeline and the digest of its files; one made in memory has its configuration.

        `strict` reads the forms, and attributes by their names.
        """
        self._pipeline = pipeline
        self._strict = strict
        self._known_words = KnownWords(pipeline)
        made = pipeline.config.to_str() if digest is None else ""
        told = digest or hashlib.sha256(made.encode()).hexdigest()
        meta = pipeline.meta
        parser = f"{meta['lang']}_{meta['name']}-{meta['version']}"
        self._name = f"parsed/{VERSION} {parser} sha256:{told[:HASH_CHARACTERS]}"

    @property
    def name(self) -> str:
        """Return its name, its version, and what parses for it: pipeline, version and hash."""
        return self._name

    def read(self, said: Sequence[Utterance]) -> list[tuple[Statement, ...]]:
        """Return the statements of each utterance."""
        return [
            _together(strict, in_full(one, partial(self._of_parse, parse), with_subjects))
            for one, strict, parse in zip(
                said, self._strict.read(said), self.parses(said), strict=True
            )
        ]

    def parses(self, said: Sequence[Utterance]) -> list[Doc]:
        """Return the parse of each utterance, spelt out, with its names."""
        texts = [with_subjects(own_text(one.text, speaker=one.speaker)).text for one in said]
        parses = list(self._pipeline.pipe(map(self._divided, texts)))
        starts = {at: found for at, parse in enumerate(parses) if (found := _starts(parse))}
        again = (self._divided(texts[at], starts=found) for at, found in starts.items())
        for at, parse in zip(starts, self._pipeline.pipe(again), strict=True):
            parses[at] = parse
        speakers = {word for one in said for word in one.speaker.lower().split()}
        for parse in parses:
            mark_pasts(parse, self._known_words)
            mark_names(parse, self._known_words, speakers=speakers)
        return parses

    def _of_parse(self, parse: Doc, said: Utterance) -> Iterator[Statement]:
        """Yield what the parse of an utterance says."""
        return _ParsedUtterance(said, parse, self.name).statements()

    def _divided(self, text: str, *, starts: AbstractSet[int] = frozenset()) -> Doc:
        """Return the tokens of what is prose, where no parse may reach over an end of a sentence.

        The parser learnt its ends from newspapers, and runs on in chats; `starts` are the tokens
        at which it is to begin anew besides.
        """
        tokens = self._pipeline.make_doc(prose_of(text))
        for one in sentences(text):
            span = tokens.char_span(one.start, one.end, alignment_mode="expand")
            if span is not None:
                span[0].is_sent_start = True
        for start in starts:
            tokens[start].is_sent_start = True
        return tokens


def _is_parsed(parse: Doc) -> bool:
    """Tell whether a pipeline with a parser has read something."""
    return parse.has_annotation("DEP")


def _starts(parse: Doc) -> frozenset[int]:
    """Return the tokens at which a sentence begins anew behind a comma.

    There a subject begins whose verb is finite, and what stands before is a clause too: `Lea is a
    nurse, her sister lives in Graz`.
    """
    found = set()
    for comma in parse[:-1] if _is_parsed(parse) else ():
        before = parse[comma.sent.start : comma.i]
        if comma.text != "," or len(before) < _WHOLE or _LEANS.match(before.text):
            continue
        told = any(one.tag_ in _FINITE for one in before)
        first = comma.nbor()
        if any(
            one.dep_ in SUBJECTS
            and one.left_edge == first
            and (told or one.tag_ == "PRP")
            and _is_said(one)
            for one in parse[first.i : first.i + _LONG]
        ):
            found.add(first.i)
    return frozenset(found)


def _is_said(subject: Token) -> bool:
    """Tell whether the verb of a subject is finite and near, and asks nothing."""
    verb = subject.head
    near = subject.i < verb.i <= subject.i + _LONG and not any(
        one.text == "," for one in subject.doc[subject.i : verb.i]
    )
    finite = verb.tag_ in _FINITE or any(
        one.dep_ in ("aux", "auxpass") and one.tag_ in _FINITE for one in verb.children
    )
    return near and finite and subject.tag_ not in ("WP", "WDT", "DT", "EX")


def _together(strict: Sequence[Statement], parsed: Iterator[Statement]) -> tuple[Statement, ...]:
    """Return what is read once, as the parse has it where both read it of one sentence."""
    found = [
        one
        for one in dict.fromkeys(parsed)
        if not any(_is_reversed(one, other) or _says_less(one, other) for other in strict)
    ]
    told = {(one.subject, one.attribute, one.value) for one in found if one.meant == "asserted"}
    found = [
        one
        for one in found
        if one.meant != "planned" or (one.subject, one.attribute, one.value) not in told
    ]
    more = [
        one
        for one in strict
        if _is_told_besides(one, strict, found)
        or not any(_is_of_the_same(one, other) for other in found)
    ]
    return (*found, *more)


def _is_told_besides(
    one: Statement, strict: Sequence[Statement], parsed: Sequence[Statement]
) -> bool:
    """Tell whether a form denies another name than the one that both read: `Lena, not Lea`."""
    values = {each.value for each in parsed if _is_of_the_same(one, each)}
    agreed = any(_is_of_the_same(one, each) and each.value in values for each in strict)
    denied = one.attribute == "relation" and one.meant == "denied"
    return denied and agreed and one.value not in values


def _is_reversed(parsed: Statement, strict: Statement) -> bool:
    """Tell whether a parse takes for something else what the whole of a clause says.

    So it does with what another took the place of: that alone is denied by a clause by itself.
    """
    if not (strict.holds and _is_of_the_same(parsed, strict)):
        return False
    otherwise = parsed.value == strict.value and parsed.meant != strict.meant
    return otherwise or (parsed.value is not None and parsed.value == strict.instead_of)


def _says_less(parsed: Statement, strict: Statement) -> bool:
    """Tell whether a parse leaves out the name of an animal, or how a value is written: `adhd`."""
    if not (strict.holds and parsed.meant == strict.meant and _is_of_the_same(parsed, strict)):
        return False
    old, new = parsed.value or "", strict.value or ""
    named = parsed.attribute == "pet" and new.endswith(f" ({singular(old)})")
    return named or (old != new and old == new.lower())


def _is_of_the_same(one: Statement, other: Statement) -> bool:
    """Tell whether two statements are of one attribute of one subject, in words that overlap."""
    return (
        (one.subject, one.attribute) == (other.subject, other.attribute)
        and one.start < other.end
        and other.start < one.end
    )


class _ParsedUtterance:
    """One utterance and its parse."""

    def __init__(self, said: Utterance, parse: Doc, reader: str) -> None:
        self._said = said
        self._parse = parse
        self._reader = reader
        self._mentions = Mentions(parse, said.speaker)
        self._quoted = quoted(parse)
        self._sentences = list(sentences(said.text))

    def statements(self) -> Iterator[Statement]:
        """Yield what is said, sentence by sentence; a pipeline without a parser reads nothing."""
        if not _is_parsed(self._parse):
            return
        goes_on: Way | None = None
        before: Way | None = None
        for sentence in self._parse.sents:
            way = goes_on or way_of_sentence(sentence)
            goes_on = way if way in _GOING_ON else goes_on
            way = way or self._way_around(sentence)
            predicate = sentence.root.pos_ in ("VERB", "AUX")
            if predicate:
                before = way or way_of_clause(sentence.root)[0]
            elif before == "past" and not any(one.pos_ in ("VERB", "AUX") for one in sentence):
                way = "past"  # "I had a dog. A dachshund, Rex."
            if way is None and sentence.start not in self._quoted:
                yield from self._of_fragment(sentence)
            for token in sentence:
                if token.pos_ in ("VERB", "AUX") and token.dep_ in _PREDICATES:
                    yield from self._of_clause(token, way)
                elif way is None and token.pos_ in ("NOUN", "PROPN", "ADJ"):
                    yield from self._of_noun(token)
                    yield from self._of_own(token)
                    yield from self._of_home(token)

    def _way_around(self, sentence: Span) -> Meant | None:
        """Return how a sentence is meant by how all of it ends, or by what comes behind it.

        A parse may end a sentence within: `Do I live here or … what?`.
        """
        for one, behind in zip_longest(self._sentences, self._sentences[1:]):
            if one.start <= sentence.start_char < one.end:
                asked: Meant | None = "asked" if one.text.endswith("?") else None
                last = one.text.rpartition(",")[2] if "," in one.text else ""
                if asked is None and corrects_itself(one.text):
                    return "hedged"
                if asked is None and is_of_others(one.text):
                    return "reported"
                if asked is None and is_ironic(one.text):
                    return "ironic"
                if sentence.start_char > one.start and asked is None:  # behind a comma
                    lead = one.text[: sentence.start_char - one.start]
                    few = len(lead.split()) <= FEW_WORDS and not is_own_word(lead)
                    asked = sentence_meant(one.text) or (clause_meant(lead) if few else None)
                after, denial = behind.text if behind else "", denies(one.text)
                return asked or taken_back(after, denial=denial) or taken_back(last)
        return None

    def _of_clause(self, verb: Token, sentence_way: Way | None) -> Iterator[Statement]:
        """Yield what a clause says."""
        subject = subject_of(verb)
        if sentence_way in ("past", "dreamt") or (subject is not None and is_nobody(subject)):
            return
        way, negated = way_of_clause(verb)
        lead, colon, behind = self._before(verb).rpartition(": ")
        behind += self._said.text[verb.idx : verb.sent.end_char]
        led = bool(colon) and is_led_in(f"{lead}:", behind)
        way = "quoted" if verb.i in self._quoted or led else sentence_way or way
        whom: tuple[str, ...] = ()
        if subject is not None:
            whom = tuple(dict.fromkeys(self._mentions.persons(subject)))
        elif is_elided(verb) and not self._is_behind_others(verb):
            whom = (self._said.speaker,)
        clause = ParsedClause(verb, subject, self._mentions, self._said.at)
        for reading in readings(clause):
            meant = _meant(reading, way, negated=negated, verb=verb)
            value = reading.value.removeprefix("not ")
            told = is_value(value) and names_something(value, of=reading.attribute)
            named = told or (not value and meant == "ended")
            if (reading.attribute in _ALWAYS and _is_at_times(verb)) or _is_narrowed(verb, value):
                continue
            rest = self._behind(verb, value)
            negative = meant == "denied" or reading.value.startswith("not ")
            if denies(value) or (negative and _denies_in_part(verb, value, rest)):
                continue  # "allergic to nothing"
            if meant == "asserted" and is_besides(reading.attribute, own_words(verb)):
                meant = "hedged"
            if meant in CLAIMS:
                meant = turned_by(rest, denied=negative) or meant
            if meant == "denied" and denies_less(verb, reading.value):
                continue
            for who in whom if reading.subject is None else (reading.subject,):
                if is_somebody(who) and meant is not None and named:
                    yield self._statement(reading, who, meant, verb)

    def _behind(self, verb: Token, value: str) -> str:
        """Return the words of its sentence behind a value, or behind its verb."""
        text = self._said.text
        end = next(
            (one.end for one in self._sentences if one.start <= verb.idx < one.end), len(text)
        )
        at = text.find(value, verb.idx, end) if value else -1
        return text[at + len(value) if at >= 0 else verb.idx + len(verb) : end]

    def _before(self, verb: Token) -> str:
        """Return the words of its sentence before a verb, wherever the pipeline ends one."""
        start = next((one.start for one in self._sentences if one.start <= verb.idx < one.end), 0)
        return self._said.text[start : verb.idx]

    def _is_behind_others(self, verb: Token) -> bool:
        """Tell whether the sentences before tell of others, of whom this one may go on to tell."""
        start = next((one.start for one in self._sentences if one.start <= verb.idx < one.end), 0)
        return tells_of_others(self._said.text[:start])

    def _of_noun(self, noun: Token) -> Iterator[Statement]:
        """Yield who is called how: `my sister Eva`, `the boss, Wendelin`, `a cat called Mog`."""
        kind = noun.lemma_.lower()
        child = kind in _CHILDREN and any(_is_anothers(one) for one in noun.lefts)
        if noun.i in self._quoted or not (child or kind in words.RELATIVES | words.PETS):
            return
        proper, owner = _proper_name(noun)
        if _is_shown(noun) or (
            noun.dep_ == "compound"
            and noun.text.istitle()
            and not (noun.is_sent_start or kind in _TITLES)
        ):
            return  # "my Snake Plant" is no snake
        if noun.dep_ == "poss" or (proper is not None and _owns(noun, proper)):
            return  # "my friend Tom's dog Rex" makes no friend of Rex
        if proper is None or proper.pos_ != "PROPN" or is_of_past(noun):
            return
        if _is_gapped(noun, proper) or any(one.dep_ == "det" for one in proper.children):
            return  # "my brother the Canadian" is not his name
        whose = self._mentions.owner(owner, noun)
        titled = noun.lower_ in _TITLES and noun.text.istitle() and noun.nbor() == proper
        if whose is None and titled:
            whose = self._said.speaker  # "Aunt Dilys"
        if whose is not None and is_somebody(whose) and not is_gone(noun.sent.text):
            several = proper.conjuncts if noun.tag_ == "NNS" else ()
            for one in (proper, *(other for other in several if other.pos_ == "PROPN")):
                reading = named(kinship(noun), text_of(one), whose)
                if names_something(one.text, of=reading.attribute):
                    yield self._statement(reading, whose, reading.meant or "asserted", noun)
            yield from self._of_apposition(noun, proper)

    def _of_own(self, noun: Token) -> Iterator[Statement]:
        """Yield what somebody has who speaks of it as of his own: `my dog ate my shoes`."""
        if noun.i in self._quoted or not any(one.lower_ in MINE for one in noun.lefts):
            return
        verb = next((one for one in noun.ancestors if one.pos_ in ("VERB", "AUX")), None)
        if verb is None or not is_still_had(noun, verb) or way_of_clause(verb) != (None, False):
            return
        if any(doubtful_clauses(noun.sent.text)):
            return
        kind = noun.lemma_.lower()
        if kind in words.PETS and noun.tag_ == "NN":
            reading = ClauseReading("pet", kind, topic=kind)
        elif noun.lower_ in words.ILLNESSES:
            reading = ClauseReading("health", noun.lower_, topic=noun.lower_)
        else:
            return
        yield self._statement(reading, self._said.speaker, "asserted", noun)

    def _of_home(self, noun: Token) -> Iterator[Statement]:
        """Yield which home the speaker has in view, if he tells of nobody else."""
        if noun.lemma_.lower() not in words.DWELLINGS or noun.i in self._quoted:
            return
        reading = homes.planned(noun)
        if reading is not None and not self._is_behind_others(noun):
            yield self._statement(reading, self._said.speaker, "planned", noun)

    def _of_apposition(self, noun: Token, proper: Token) -> Iterator[Statement]:
        """Yield what is said beside a name: `my sister Ana, a nurse in Bergen`, `uncle Bo, 71,`."""
        if noun.lemma_.lower() in words.PETS:
            return
        beside = (one for each in (noun, proper) for one in each.rights if one.dep_ == "appos")
        for one in beside:
            article = any(child.lower_ in ("a", "an") for child in one.children)
            if one.i <= proper.i or not (article or one.pos_ == "NUM"):
                continue
            for reading in of_person(one):
                yield self._statement(reading, bare_name(text_of(proper)), "asserted", noun)

    def _of_fragment(self, sentence: Span) -> Iterator[Statement]:
        """Yield what somebody says to be without "I am": `vegan now`, `nurse as of Monday`."""
        found = _FRAGMENT.match(sentence.text)
        if found is None:
            return
        said = (found["said"] or found["trade"]).lower()
        last = singular(said.split()[-1])
        if found["free"] or last in words.OCCUPATIONS:
            reading = ClauseReading("job", found["said"] or found["trade"], meant="asserted")
        elif said in words.DIETS:
            reading = ClauseReading("diet", said, meant="asserted")
        elif said in words.ILL:
            reading = ClauseReading("health", said, topic=said, meant="asserted")
        else:
            return
        yield self._statement(reading, self._said.speaker, "asserted", sentence[0])

    def _statement(
        self, reading: ClauseReading, whom: str, meant: Meant, token: Token
    ) -> Statement:
        """Return a statement with the characters of its sentence, and with its day."""
        time = self._time_of(token, meant, reading)
        if meant == "asserted" and time.since > self._said.at:
            meant = "planned"
        return Statement(
            speaker=self._said.speaker,
            subject=whom,
            attribute=reading.attribute,
            value=reading.value or None,
            topic=reading.topic,
            meant=meant,
            start=token.sent.start_char,
            end=token.sent.end_char,
            reader=self._reader,
            since=time.since,
            until=time.until,
            instead_of=reading.instead_of,
            ends_only=reading.ends_only and meant == "ended",
        )

    def _time_of(self, token: Token, meant: Meant, reading: ClauseReading) -> HoldingTime:
        """Return when a clause holds by the day that it names, if it is but one.

        A day without a year lies ahead of what is to be, and of nothing else; of what is to be the
        day may stand in another clause of the sentence.
        """
        if meant == "ended":
            told = only_day(own_words(token), at=self._said.at, ahead=False)
            return told if told.since <= self._said.at else HoldingTime("")
        if meant not in ("asserted", "planned") or reading.attribute == "birthday":
            return HoldingTime("")
        whole = token.sent.text
        clause = own_words(token)
        done = token.tag_ in ("VBD", "VBN") or _SINCE.search(clause) is not None
        comes = meant == "planned" or (reading.meant == "asserted" and token.tag_ != "VBD")
        time = only_day(clause, at=self._said.at, ahead=comes or not done)
        if comes and not (time.since or time.until):
            return only_day(whole, at=self._said.at)
        return time


def _meant(reading: ClauseReading, way: Way | None, *, negated: bool, verb: Token) -> Meant | None:
    """Return how a reading of a clause is meant; None for what was."""
    way = way or reading.meant or "asserted"
    if way == "planned" and negated and not reading.negated:
        return None  # "I'll no longer live there from May"
    would = way == "imagined" and reading.attribute == "prefers"  # "I'd rather …"
    begun = way == "planned" and reading.meant == "asserted" and reading.attribute != "age"
    if would or begun:
        way = "asserted"
    undone = reading.meant == "ended" and negated and not reading.negated
    if way == "dreamt" or (undone and way == "ended"):
        return None  # "I haven't quit Bosch yet"
    if way == "past":
        return "ended" if reading.meant == "ended" and not negated else None
    if way == "asserted" and negated != reading.negated:
        return "ended" if is_no_more(verb) else "denied"
    return way


_OTHER_THING = re.compile(r"\b(?:but|only|except|rather)\b")
_IN_PART = re.compile(
    r"(?i)\s*(?:as (?:much|often|well)|that (?:much|often)|with|without|in|at|on|when|while|"
    r"than|for|from|by|during|after|before|if|unless|like|today|tonight|this|"
    r"alone|full|part|every|all)\b"
    r"(?! (?:all|general|the least|principle|my life|(?:\w+ )?reasons?|good|ever|years|a passion|"
    r"real|moment|the whole|any (?:form|way))\b)"
)
"""How it goes on where a denial is of a part alone: `coffee without milk`, `olives in salads`."""


def _denies_in_part(verb: Token, value: str, rest: str) -> bool:
    """Tell whether a negation leaves out a value: `not Italian, only Spanish`, `with my kids`."""
    at = verb.doc.text.find(value, verb.idx) if value else -1
    between = verb.doc.text[verb.idx : at] if at >= 0 else ""
    return _OTHER_THING.search(between) is not None or _IN_PART.match(rest) is not None


_ALWAYS = frozenset({"diet", "residence", "workplace"})
_ON_DAYS = re.compile(
    r"(?i)\b(?:(?:on|at) (?:\w+days|weekends)|in (?:the )?(?:summers?|winters?|holidays)|"
    r"sometimes|occasionally|(?:half|part|most|some) (?:of )?the (?:year|month|week|time))\b"
)
"""What somebody lives on at times is no diet of his: `I'm vegan on Mondays`."""


def _is_at_times(verb: Token) -> bool:
    """Tell whether something is done now and then: `on Mondays`, `when she's around`."""
    when = (
        one
        for one in verb.children
        if one.dep_ == "advcl" and one.tag_ not in PAST and verb.tag_ not in PAST
    )
    sometimes = any(each.lower_ in ("when", "whenever") for one in when for each in one.children)
    return sometimes or _ON_DAYS.search(own_words(verb)) is not None


_ONCE = re.compile(r"(?i),? *\((?:in |from )?(?:19|20)\d\d\b|,? (?:the way|as if|as though)\b")
"""How it goes on where a value held in other years, or as another thing does."""


def _is_narrowed(verb: Token, value: str) -> bool:
    """Tell whether a value stands in quotation marks, or the words behind it leave little of it."""
    text, first = verb.doc.text, verb.idx
    at = text.find(value, first) if value else -1
    if at < 0:
        return False
    behind = text[at + len(value) : verb.sent.end_char]
    return text[at - 1] in _MARKS or is_narrowed_by(behind) or _ONCE.match(behind) is not None


def _is_gapped(noun: Token, proper: Token) -> bool:
    """Tell whether a relative begins a clause without its verb: `I live in Ulm, my son in Bonn`."""
    own = {one.lower_ for one in noun.children if one.dep_ == "prep"}
    return proper.dep_ == "pobj" and proper.head.lower_ in own


def _is_anothers(owner: Token) -> bool:
    """Tell whether somebody else is an owner: `her boy Toby` is no dog, `my boy Rex` may be."""
    return owner.dep_ == "poss" and owner.lower_ not in MINE | {"your"}


def _is_shown(noun: Token) -> bool:
    """Tell whether a noun says what somebody is who was named before, or is praised.

    "What a lovely dog Rex is" tells of no dog of the speaker, and "that's my youngest, Dale" may
    well speak to Dale.
    """
    before = [one.lower_ for one in noun.doc[max(noun.i - BESIDE, 0) : noun.i]]
    comma = noun.doc[noun.i + 1 : noun.i + 2].text == ","
    return "what" in before or ("that" in before and comma)


def _owns(noun: Token, proper: Token) -> bool:
    """Tell whether a noun belongs to whom a name is owned by, as written before its mark."""
    between = noun.doc[min(noun.i, proper.i) : max(noun.i, proper.i)]
    return any(one.tag_ == "POS" and one.head.head != noun for one in between)


def _proper_name(noun: Token) -> tuple[Token | None, Token]:
    """Return the name that a noun stands beside, and which of both has the owner."""
    if noun.dep_ == "compound" and noun.head.pos_ == "PROPN":
        return noun.head, noun.head
    if noun.dep_ == "appos" and noun.head.pos_ == "PROPN" and noun.left_edge.i <= noun.head.i + 2:
        return noun.head, noun
    for one in noun.rights:
        if one.lemma_ in ("call", "name"):
            return next((name for name in one.children if name.dep_ in _PROPER), None), noun
        if one.dep_ == "appos" or (one.dep_ == "npadvmod" and one.pos_ == "PROPN"):
            return one, noun
    behind = noun.nbor() if noun.i + 1 < len(noun.doc) else noun
    beside = (behind.head, behind.dep_) == (noun.head, noun.dep_) or behind.dep_ == "npadvmod"
    if behind.pos_ == "PROPN" and beside:
        return behind, noun  # "brought his boy Toby", of which the pipeline makes two objects
    return None, noun
