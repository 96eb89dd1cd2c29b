"""What the predicates of clauses say: one rule for each kind of predicate."""

import re
from collections.abc import Callable, Iterator

from spacy.tokens import Token

from mindpipe.language import words
from mindpipe.language.dates import dates_in
from mindpipe.language.numerals import number_of
from mindpipe.language.parsed import endings, homes, projects, tastes, work
from mindpipe.language.parsed.clause import (
    NARROWING,
    PAST,
    ClauseReading,
    ParsedClause,
    is_narrowed,
    kinship,
    named,
    of_topic,
)
from mindpipe.language.parsed.mentions import IT, THIRD
from mindpipe.language.parsed.modality import MINE, SPEAKER, is_birthday, is_negated
from mindpipe.language.parsed.nouns import (
    TOO_WIDE,
    bare_name,
    direct_objects,
    is_left_out,
    is_of_past,
    objects,
    own_words,
    text_of,
)
from mindpipe.language.records import Meant
from mindpipe.language.times import is_of_today, names_days

OLDEST = 110
"""Nobody is said to be older, in years."""
NEAR = 7
"""Tokens behind its verb in which a medicine is looked for."""

LONGER_THAN_STEMS = 5
"""Letters that a name with such a stem has more than: the stem alone is a word of its own."""

_NEW = re.compile(r"^(?:brand |my |his |her |their )?(?:new|used|old|second-hand|secondhand) ")
"""What a thing that is bought is for a while only."""
_OF_WHAT = words.listed("director manager professor editor captain secretary")
"""What of something somebody may be for a living: no `student of life`."""
_OF_PETS = words.listed(
    """
    new old young little big small tiny black white grey gray brown ginger red golden tabby rescue
    male female lovely adorable second third other house pet baby two three four five six
    """
)
"""What an animal at home may be called besides; any other word makes another thing of it."""
_CHILD = 12
"""Who is younger says so in years: of a bare smaller number it is not known what it counts."""
_TAKING = words.listed("take start prescribe be have put get")
_MEASURED = words.listed("month week year")
"""In which a state of health is measured: `eight months pregnant`."""
_WHICH = frozenset({"that", "who", "which"})
_NEWBORN = words.listed("baby daughter son girl boy")
_DROPPING = words.listed("stop quit finish drop ditch come")
_CHANGING = words.listed("swap switch change move")
_FROM = frozenset({"off", "from"})
_ON = frozenset({"on", "off"})
_HOURS = re.compile(r"(?i)\bin the (?:morning|evening|afternoon|night)s?\b")
_AGED = re.compile(r"^(?:.*\byears?[ -])?old ")
"""What stands before a trade and tells the age."""
_TRADE = re.compile(r".(?:man|woman|ist|head|leader|teacher|keeper|chair)$")
"""How the name of a trade may end."""
_OBTAIN = frozenset({"buy", "give", "inherit"})
_WHY = frozenset({"because", "since", "as", "cause"})
_OVER = words.listed("over finished done finish divorced")


def readings(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what the rules make of a clause."""
    for rule in _RULES.get(clause.verb.lemma_.lower(), ()):
        yield from rule(clause)
    yield from _rather(clause)
    yield from _medicine(clause)


def _medicine(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield a medicine that somebody takes or was given, or takes no more."""
    verb = clause.verb
    if verb.lemma_ not in _TAKING | _CHANGING | _DROPPING:
        return
    given = any(one.dep_ == "dobj" and one.lower_ in SPEAKER for one in verb.children)
    whose = clause.speaker if given else None
    changes = verb.lemma_ in _CHANGING
    found = [
        noun
        for noun in verb.subtree
        if verb.i < noun.i <= verb.i + NEAR and _is_medicine(noun) and _is_taken(verb, noun)
    ]
    dropped = verb.lemma_ in _DROPPING and verb.tag_ in PAST
    left = [noun for noun in found if dropped or {one.lower_ for one in noun.ancestors} & _FROM]
    once = verb.lemma_ == "take" and verb.tag_ == "VBD"  # "took an aspirin" is no course of it
    if once or (verb.lemma_ in _DROPPING and not dropped):
        return
    for noun in found:
        if noun in left:
            if not changes:
                yield ClauseReading(
                    "medication", noun.text, topic=noun.text, subject=whose, meant="ended"
                )
            continue
        instead = (left[0].text if left else "") if changes else None
        yield ClauseReading(
            "medication", noun.text, topic=noun.text, subject=whose, instead_of=instead
        )


def _is_taken(verb: Token, noun: Token) -> bool:
    """Tell whether who is "on" a medicine takes it; who is allergic to it does not."""
    return verb.lemma_ != "be" or any(one.lower_ in _ON for one in noun.ancestors)


def _is_medicine(token: Token) -> bool:
    """Tell whether a noun names a medicine, by the stems of their international names."""
    word = token.lower_
    return word in words.MEDICINES or (
        len(word) > LONGER_THAN_STEMS
        and word.endswith(words.MEDICINE_STEMS)
        and not word.endswith("sterol")
    )


def _turn(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield how old somebody becomes."""
    for child in clause.verb.children:
        if child.pos_ == "NUM" and child.i > clause.verb.i:
            yield from _age(child)


def _age(number: Token) -> Iterator[ClauseReading]:
    """Yield an age."""
    years = number_of(number.doc[number.left_edge.i : number.i + 1].text)
    if years is not None and 1 <= years <= OLDEST:
        yield ClauseReading("age", str(years), meant="asserted")


def _eat(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody does not eat or drink."""
    verb = clause.verb
    once = any(one.dep_ == "aux" and one.lower_ in ("did", "have") for one in verb.children)
    if not is_negated(verb) and any(one.lower_ == "again" for one in verb.children):
        yield from _eat_again(clause)
    if not is_negated(verb) or once or is_narrowed(verb) or is_of_today(own_words(verb)):
        return
    for noun in direct_objects(verb):
        if is_narrowed(noun):
            continue
        known = noun.lemma_ in words.FOODS | words.OF_ANIMALS or (
            verb.lemma_ not in ("do", "touch", "have") and noun.lemma_ not in endings.MEALS
        )
        if known and noun.pos_ in ("NOUN", "VERB", "PROPN") and noun.lemma_ not in TOO_WIDE:
            value = text_of(noun)
            meant: Meant | None = "asserted" if _refuses(verb) else None
            yield ClauseReading("food", f"not {value}", topic=value, negated=True, meant=meant)


def _refuses(verb: Token) -> bool:
    """Tell whether somebody will not have something at all: `I won't touch fish`."""
    return any(one.dep_ == "aux" and one.lower_ == "wo" for one in verb.children)


def _eat_again(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody eats or drinks once more."""
    for noun in direct_objects(clause.verb):
        if noun.pos_ == "NOUN" and noun.lemma_ not in TOO_WIDE:
            value = text_of(noun)
            yield ClauseReading("food", value, topic=value)


def _have(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody has: an animal, or an illness."""
    things = [one for one in clause.verb.children if one.dep_ in ("dative", "dobj")]
    if len(things) > 1 and things[0].lower_ not in SPEAKER and things[0].pos_ in ("PROPN", "PRON"):
        return  # "I got Kim a dog"
    for noun in direct_objects(clause.verb):
        if noun.lemma_ in words.PETS and _is_passing(clause.verb, noun):
            continue
        toy = any(
            one.dep_ in ("compound", "amod")
            and one.lower_ not in _OF_PETS | words.PETS
            and (clause.verb.lemma_ != "adopt" or one.dep_ == "compound")
            for one in noun.children
        )
        named_too = any(one.lemma_ in ("call", "name") for one in noun.children)
        if noun.lemma_ in words.PETS and not (toy or named_too):
            said = noun.lemma_.lower() if is_negated(clause.verb) else noun.lower_
            yield ClauseReading("pet", said, topic=noun.lemma_)
        elif noun.lemma_ == "allergy":
            named = (one for one in noun.lefts if one.dep_ == "compound")
            yield from (of_topic("allergy", one) for one in (*objects(noun, "to"), *named))
        elif _is_illness(noun):
            known = noun.lower_ in words.ILLNESSES
            topic = noun.lower_ if known else noun.lemma_
            yield ClauseReading("health", text_of(noun), topic=topic)


def _is_illness(noun: Token) -> bool:
    """Tell whether a noun names an illness: `asthma`, `celiac disease`; `diabetes research` no."""
    if noun.i + 1 < len(noun.doc) and noun.nbor().dep_ == "dobj" and noun.nbor().head == noun.head:
        return False
    of_it = noun.lemma_ in ("disease", "disorder") and any(
        one.dep_ in ("amod", "compound") and one.lower_ in words.ILL | words.ILLNESSES
        for one in noun.lefts
    )
    known = of_it or not words.ILLNESSES.isdisjoint((noun.lower_, noun.lemma_.lower()))
    return known and not any(
        one.dep_ == "prep" and one.lower_ in ("about", "over", "from") for one in noun.children
    )


def _is_passing(verb: Token, animal: Token) -> bool:
    """Tell whether an animal is at hand, and does not live with somebody: `a dog to walk`."""
    told_of = any(one.dep_ in ("det", "poss", "nummod", "amod") for one in animal.children)
    if any(one.lower_ == "zero" for one in animal.children):
        return True
    eaten = animal.tag_ == "NN" and not told_of
    vermin = animal.lemma_ in ("mouse", "rat") and not any(animal.children)
    told = any(
        (one.dep_ == "det" and one.lower_ in ("the", "this", "that") and verb.lemma_ != "adopt")
        or one.dep_ in ("acl", "relcl")
        for one in (*animal.children, *(each for one in animal.conjuncts for each in one.children))
    )
    narrowed = any(
        one.dep_ == "prep" and one.lower_ in ("for", "in", "on")
        for one in (*verb.children, *animal.children)
    )
    return eaten or vermin or told or narrowed


def _own(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody owns."""
    if any(one.dep_ == "advcl" for one in clause.verb.children):
        return
    for noun in direct_objects(clause.verb):
        some = any(one.lower_ in ("a", "an") for one in noun.children)
        if some and noun.lemma_ not in TOO_WIDE:
            yield of_topic("owns", noun)


def _keep(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield a thing for years that somebody has: `I have a Dell laptop`."""
    verb = clause.verb
    if verb.tag_ not in ("VBP", "VBZ", "VBN", "VB") or not _is_plainly_had(verb):
        return
    for noun in direct_objects(verb):
        some = any(one.lower_ in ("a", "an") for one in noun.children)
        if noun.lemma_.lower() in words.DURABLES and some and _is_plainly_had(noun):
            yield of_topic("owns", noun)


def _is_plainly_had(word: Token) -> bool:
    """Tell whether nothing says what for or how long something is had: `a car to return`."""
    return not any(
        one.dep_ in ("prep", "acl", "relcl", "xcomp", "advcl", "acomp", "oprd", "npadvmod")
        for one in word.children
    )


def _cannot_have(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody cannot eat or drink: `I can't have dairy`."""
    if any(one.dep_ == "aux" and one.lower_ in ("ca", "can") for one in clause.verb.children):
        yield from _eat(clause)


def _acquire(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield a thing for years that somebody bought, got or was given: `got the van finally`."""
    verb = clause.verb
    given = [verb.head] if verb.dep_ == "relcl" else []  # "the tablet she gave me"
    things = [one for one in (*direct_objects(verb), *given) if _lasts(verb, one)]
    others = {one for one in verb.children if one.dep_ in ("dative", "dobj")} - {*things}
    to_me = bool(others) and all(one.lower_ in SPEAKER for one in others)
    more = any(
        (
            one.dep_ in ("oprd", "acomp", "ccomp", "xcomp", "advcl", "acl")
            and not any(each.lower_ in _WHY for each in one.children)
        )
        or (one.dep_ == "prep" and one.lower_ in ("for", "until", "to"))
        for one in (*verb.children, *(each for noun in things for each in noun.children))
    )
    if verb.tag_ not in PAST or more or (verb.lemma_ == "give" or bool(others)) != to_me:
        return
    for noun in things:
        of_others = any(one.dep_ == "poss" and one.lower_ not in MINE for one in noun.children)
        if of_others and not to_me:
            continue  # "got my sister's car this week"
        if any(one.dep_ in ("det", "poss", "amod") for one in noun.children):
            thing = _NEW.sub("", text_of(noun))
            make = _make_of(noun)
            value = thing if make is None else f"{thing} ({make})"
            yield ClauseReading(
                "owns", value, topic=thing, subject=clause.speaker if to_me else None
            )


def _make_of(thing: Token) -> str | None:
    """Return the name beside a thing that says which make it is of: `a bike, a Trek 4`."""
    behind = thing.doc[thing.i + 1 : thing.i + 4]
    if len(behind) < 3 or behind[0].text != "," or behind[1].lower_ not in ("a", "an"):
        return None
    if behind[2].pos_ != "PROPN":
        return None
    number = thing.doc[behind[2].i + 1 : behind[2].i + 2]
    numbered = any(one.pos_ == "NUM" for one in number)
    return f"{behind[2].text} {number.text}" if numbered else behind[2].text


def _lasts(verb: Token, thing: Token) -> bool:
    """Tell whether what somebody gets is for years: a durable, or a make of it: `a used Kia`."""
    if thing.lemma_.lower() in words.DURABLES:
        return True
    return (
        verb.lemma_ in _OBTAIN and thing.pos_ == "PROPN" and _NEW.match(text_of(thing)) is not None
    )


def _diagnose(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield an illness."""
    for noun in objects(clause.verb, "with"):
        yield of_topic("health", noun)


def _injure(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what of himself somebody has broken: `broke my left wrist at the wall`."""
    verb, who = clause.verb, clause.subject
    if verb.tag_ not in PAST or (who is not None and who.lower_ not in SPEAKER):
        return
    for noun in direct_objects(verb):
        if noun.lemma_.lower() in words.BODY_PARTS and any(
            one.lower_ in MINE for one in noun.children
        ):
            value = f"{words.INJURED.get(verb.lemma_, verb.lemma_ + 'ed')} {noun.lower_}"
            yield ClauseReading("health", value, topic=value, subject=clause.speaker)


def _rather(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody prefers: `I'd rather use trains than planes`."""
    rather = any(one.lower_ == "rather" for one in clause.verb.children) and not any(
        one.dep_ == "advcl" for one in clause.verb.children
    )
    for noun in direct_objects(clause.verb) if rather else ():
        for other in (*objects(clause.verb, "than"), *objects(noun, "than")):
            yield ClauseReading(
                "prefers", f"{text_of(noun)} over {text_of(other)}", meant="asserted"
            )


def _develop(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what is in development."""
    passive = any(one.dep_ == "auxpass" for one in clause.verb.children)
    for noun in (clause.subject,) if passive else direct_objects(clause.verb):
        if noun is not None and (noun.pos_ == "PROPN" or "." in noun.text):
            yield ClauseReading("status", "active development", subject=text_of(noun))


def _speak(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield a language that somebody speaks, or an instrument that he plays."""
    known = words.LANGUAGES if clause.verb.lemma_ == "speak" else words.INSTRUMENTS
    for noun in direct_objects(clause.verb):
        on = (*objects(clause.verb, "on"), *objects(noun, "on"))
        if any(one.pos_ == "NOUN" and not names_days(one.text) for one in on):
            continue  # "I play drums on the wheel"
        if noun.lower_ in words.LANGUAGES and noun.lower_ in known:
            yield ClauseReading("skill", noun.text, topic=noun.text)  # of "a little Dutch"
        elif noun.lower_ in known:
            yield of_topic("skill", noun)


def _become(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody has become."""
    verb = clause.verb
    if verb.tag_ in PAST and (clause.is_of_person or clause.subject is None):
        for child in verb.children:
            went = verb.lemma_ == "go" and child.lemma_.lower() in words.DIETS
            if went or (child.dep_ in ("attr", "acomp") and child.pos_ != "NUM"):
                yield from of_person(child)
                for rule in _ADJECTIVES.get(child.lemma_.lower(), ()):
                    yield from rule(clause, child)


def _make(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody was made: `they made me foreman`."""
    for role in clause.verb.children:
        whom = next((one for one in role.children if one.dep_ == "nsubj"), None)
        bare = not any(one.dep_ == "det" for one in role.children)
        trade = _TRADE.search(role.lower_) or role.lemma_ in words.OCCUPATIONS
        if whom is None or role.pos_ != "NOUN" or not (bare and trade):
            continue
        who = clause.mentions.person(whom)
        if who is not None and clause.verb.tag_ in PAST:
            yield ClauseReading("job", role.text, subject=who)


def _marry(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield whom somebody has married."""
    for noun in direct_objects(clause.verb):
        if noun.pos_ == "PROPN" and clause.verb.tag_ in PAST:
            yield ClauseReading("partner", text_of(noun))
    if clause.verb.tag_ == "VBN" and any(one.lower_ == "got" for one in clause.verb.children):
        both = [] if clause.subject is None else [clause.subject, *clause.subject.conjuncts]
        names = [one for one in both if one.pos_ == "PROPN"]
        if len(names) == len(both) == 2:
            for one, other in (names, names[::-1]):
                yield ClauseReading("partner", text_of(other), subject=bare_name(text_of(one)))
        if names and any(one.lower_ in SPEAKER for one in both):
            name = text_of(names[0]).partition(" and ")[0]
            yield ClauseReading("partner", name, subject=clause.speaker)


def _call(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield how somebody or something is called."""
    verb = clause.verb
    name = next(
        (one for one in verb.children if one.dep_ in ("oprd", "attr") and one.pos_ == "PROPN"), None
    )
    passive = [one for one in verb.children if one.dep_ == "auxpass"]
    own = clause.subject is not None and clause.subject.lower_ in SPEAKER
    for one in direct_objects(verb) if own and verb.tag_ in PAST else ():
        if name is not None and one.lower_ in _NEWBORN:
            yield named("child", text_of(name), clause.speaker)
    if name is not None and passive and passive[0].tag_ not in PAST:  # who "was called" so is gone
        several = clause.subject is not None and clause.subject.tag_ == "NNS"
        for one in (name, *(name.conjuncts if several else ())):
            yield from _called(clause, clause.subject, text_of(one))


def _called(clause: ParsedClause, who: Token | None, name: str) -> Iterator[ClauseReading]:
    """Yield how a relative or an animal is called."""
    if who is None or any(one.tag_ == "POS" and one.head != who for one in who.subtree):
        return  # "my sister Jana's husband" is not the sister
    if who.lower_ in THIRD | IT:
        animal = clause.mentions.animal_before(who)
        if animal is not None:
            yield named(animal.lemma_.lower(), name, clause.speaker)
        return
    kind = who.lemma_.lower()
    if kind in words.RELATIVES | words.PETS:
        whose = clause.mentions.owner(who, who)
        if whose is not None:
            yield named(kinship(who), name, whose)


def _be(clause: ParsedClause) -> Iterator[ClauseReading]:
    """Yield what somebody or something is."""
    for child in clause.verb.children:
        late = child.dep_ == "amod" and child.i > clause.verb.i
        if late or child.dep_ in ("attr", "acomp", "oprd", "dobj", "npadvmod", "advmod", "prep"):
            yield from _complement(clause, child)
            for one in child.conjuncts:
                if one.i > child.i and one.pos_ == child.pos_ and not is_left_out(one):
                    yield from _complement(clause, one)
    yield from homes.be_in(clause)
    for noun in objects(clause.verb, "into"):
        yield from tastes.taste(clause, noun, likes=True, negated=False)


def _complement(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield what one complement of "to be" says."""
    word = child.lemma_.lower()
    for rule in _ADJECTIVES.get(word, ()):
        yield from rule(clause, child)
    if child.dep_ == "prep":
        yield from endings.no_more_at(clause, child)
    if clause.is_of_person:
        yield from of_person(child)
    if clause.subject is not None and clause.subject.lemma_ == "birthday":
        yield from _birthday(clause, child)
    if child.pos_ in ("NOUN", "PROPN") or word in words.RELATIVES:
        yield from _is_called(clause, child)
    if child.pos_ in ("NOUN", "PROPN"):
        yield from homes.is_home(clause, child)
        yield from _last_day(clause, child)


def _last_day(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield where somebody had the last day of work, which was or is today."""
    last = child.lemma_ == "day" and any(one.lower_ == "last" for one in child.children)
    who = clause.subject
    today = clause.verb.tag_ in PAST or (who is not None and who.lower_ == "today")
    for noun in objects(child, "at") if last and today else ():
        if noun.pos_ == "PROPN" and any(one.lower_ in MINE for one in child.children):
            yield ClauseReading("workplace", text_of(noun), subject=clause.speaker, meant="ended")


def of_person(child: Token) -> Iterator[ClauseReading]:
    """Yield what a complement says of a person: age, diet, health, job."""
    word = child.lemma_.lower()
    if any(one.lower_ == "as" and one.i < child.i for one in child.children):
        return  # "as vegetarian as a shark"
    bare = not any(
        (one.dep_ == "prep" and not names_days(own_words(one)))
        or (one.dep_ == "npadvmod" and one.lemma_ not in _MEASURED)
        for one in child.children
    )
    verb = child.head
    awhile = any(
        one.dep_ == "prep" and one.lower_ in ("for", "until", "till", "during")
        for one in (*verb.children, *child.children)
    )
    hired = any(one.pos_ == "PROPN" for one in objects(child, "for"))
    years = child.pos_ == "NUM" and is_birthday(verb)  # "I'm forty today"
    if (
        (awhile and not hired)
        or (is_of_today(own_words(verb)) and not years)
        or (word in words.ILL and not (bare and _is_plain(verb)))
    ):
        return
    if child.pos_ == "NUM" and bare and not _HOURS.search(own_words(verb)):
        yield from (one for one in _age(child) if years or int(one.value) >= _CHILD)
    figured = any(one.dep_ == "nummod" for one in child.subtree)
    if word in words.DIETS and not figured:  # "80% vegetarian"
        yield ClauseReading("diet", child.lower_)
    if word in words.ILL:
        yield (
            of_topic("health", child)
            if not figured
            else ClauseReading("health", child.lower_, topic=child.lower_)
        )
    if word == "intolerant":
        for one in child.lefts:
            if one.dep_ in ("amod", "npadvmod", "compound", "nmod") and one.pos_ != "ADV":
                value = f"{one.lower_} {word}"
                yield ClauseReading("health", value, topic=value)
    owned = any(one.dep_ == "poss" for one in child.children)
    praised = any(one.lower_ in ("such", "quite") for one in child.children)
    if (
        child.pos_ in ("NOUN", "PROPN")
        and word in words.OCCUPATIONS
        and not (owned or praised or is_of_past(child))
        and _is_for_living(child)
    ):
        yield from (each for one in child.lefts if one.lemma_ == "old" for each in _years_of(one))
        value = _AGED.sub("", text_of(child).rpartition(", ")[2])
        yield ClauseReading("job", value.removeprefix("new "))
        for place in objects(child, "at", "for"):
            if place.pos_ == "PROPN":
                yield ClauseReading("workplace", text_of(place))


def _is_for_living(trade: Token) -> bool:
    """Tell whether a trade is a living: `the cook in our house` and `half baker` are none."""
    marks = {one.lower_ for one in trade.children}
    behind = {one.lower_ for one in trade.rights if one.dep_ == "prep"}
    hired = any(
        one.pos_ == "PROPN" or (one.head.lower_ == "in" and one.lemma_ in words.WORKPLACES)
        for one in objects(trade, "at", "for", "in")
    )
    half = trade.i > 0 and trade.nbor(-1).lower_ == "half"
    if half or ("of" in behind and trade.lemma_.lower() not in _OF_WHAT):
        return False
    return "the" not in marks or hired


def _is_plain(verb: Token) -> bool:
    """Tell whether no words say where alone something is so: `deaf in this noise`."""
    return not any(
        one.dep_ == "advcl"
        or (
            one.dep_ == "prep"
            and one.lower_ in NARROWING
            and any(each.dep_ in ("det", "poss") for noun in one.children for each in noun.children)
        )
        for one in verb.children
    )


def _old(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield the age of somebody who is so many years old."""
    if clause.is_of_person:
        yield from _years_of(child)


def _years_of(old: Token) -> Iterator[ClauseReading]:
    """Yield the years that make somebody old: `a 42 year old nurse`."""
    for years in old.children:
        for number in years.children:
            if years.lemma_ == "year" and number.pos_ == "NUM":
                yield from _age(number)


def _allergic(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield what somebody is allergic to."""
    for noun in objects(child, "to"):
        owned = any(one.dep_ == "poss" for one in noun.children)
        if owned and noun.lemma_ not in words.PETS:
            continue  # "allergic to my boss"
        joined = [one for each in (noun, *noun.conjuncts) for one in each.children]
        if any(one.dep_ == "prep" or one.lower_ in ("most", "some") for one in joined):
            continue  # "mosses and plants with thorns", of which a noun alone says too much
        if not names_days(noun.text) and noun.lemma_ not in TOO_WIDE | {"work", "people"}:
            yield of_topic("allergy", noun)


def _based(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield where somebody is based."""
    yield from homes.live(clause._replace(verb=child))


def _married(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield to whom somebody is married or engaged."""
    for noun in objects(child, "to"):
        if noun.pos_ == "PROPN":
            yield ClauseReading("partner", text_of(noun))


def _done(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield that it is over between two."""
    yield from endings.couple(clause)
    if clause.subject is not None and clause.subject.lower_ == "it":
        for noun in (*objects(clause.verb, "with"), *objects(child, "with")):
            if noun.pos_ == "PROPN":
                name = text_of(noun)
                yield ClauseReading("partner", name, subject=clause.speaker, meant="ended")


def _birthday(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield when somebody's birthday is."""
    assert clause.subject is not None
    whose = clause.mentions.owner(clause.subject, clause.subject)
    text = child.doc.text
    days = dates_in(text, at=clause.at) if clause.at and whose is not None else ()
    for day in days:
        whole = any(map(str.isdigit, text[day.start : day.end]))
        if whole and day.start >= child.doc[child.left_edge.i].idx:
            yield ClauseReading("birthday", text[day.start : day.end].rstrip(" ."), subject=whose)
            return


def _is_called(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield who is whose relative, or how somebody is called, by a noun of "to be"."""
    subject, word = clause.subject, child.lemma_.lower()
    if subject is None:
        return
    kind = subject.lemma_.lower()
    if child.pos_ == "PROPN" and kind in words.RELATIVES | words.PETS:
        yield from _called(clause, subject, text_of(child))
    elif child.pos_ == "PROPN" and kind == "name":
        yield from _name_of(clause, child)
    elif subject.lower_ in _WHICH and (shown := _shown_by(subject)) is not None:
        whose = clause.mentions.owner(child, child)
        if whose is not None and word in words.RELATIVES:
            yield named(kinship(child), text_of(shown), whose)
    elif subject.lower_ in THIRD and word in words.RELATIVES:
        whose, name = clause.mentions.owner(child, child), clause.mentions.person(subject)
        if whose is not None and name is not None and word != "ex":
            yield named(kinship(child), name, whose)
    elif subject.pos_ == "PROPN" and word in words.RELATIVES:
        whose = clause.mentions.owner(child, child)
        if whose is not None and word == "ex":
            name = bare_name(text_of(subject))
            yield ClauseReading("partner", name, subject=whose, meant="ended", ends_only=True)
        elif whose is not None:
            yield named(kinship(child), text_of(subject), whose)
        elif child.tag_ == "NNS":
            yield from _of_each_other(subject, child)


def _shown_by(pronoun: Token) -> Token | None:
    """Return the name right before a pronoun: `there's Ana that's my eldest`."""
    before = pronoun.nbor(-1) if pronoun.i > pronoun.sent.start else pronoun
    return before if before.pos_ == "PROPN" else None


def _of_each_other(subject: Token, child: Token) -> Iterator[ClauseReading]:
    """Yield what two are to each other: `Jason and Richard are business partners`."""
    match [one.text for one in (subject, *subject.conjuncts) if one.pos_ == "PROPN"]:
        case [one, other]:
            yield named(kinship(child), other, one)
            yield named(kinship(child), one, other)
        case _:
            pass


def _name_of(clause: ParsedClause, child: Token) -> Iterator[ClauseReading]:
    """Yield whose name something is: `my sister's name is Eva`."""
    assert clause.subject is not None
    if any(one.dep_ in ("amod", "compound") for one in clause.subject.children):
        return  # "my middle name"
    for one in clause.subject.children:
        if one.dep_ == "poss" and one.lemma_.lower() in words.RELATIVES | words.PETS:
            yield from _called(clause, one, text_of(child))
        elif one.lower_ in THIRD | {"its"} and (pet := clause.mentions.animal_before(one)):
            yield named(pet.lemma_.lower(), text_of(child), clause.speaker)
        elif one.dep_ == "poss" and (whom := clause.mentions.person(one)) is not None:
            yield ClauseReading("name", text_of(child), subject=whom)


_Rule = Callable[[ParsedClause], Iterator[ClauseReading]]
_RULES: dict[str, tuple[_Rule, ...]] = {
    "live": (homes.live,), "reside": (homes.live,), "settle": (homes.live,),
    "base": (homes.live,), "move": (homes.move, projects.switch), "relocate": (homes.move,),
    "emigrate": (homes.move,), "sign": (homes.dwell,), "rent": (homes.dwell, homes.rent),
    "lease": (homes.dwell,), "find": (homes.dwell,), "take": (homes.dwell, work.take_up),
    "land": (work.take_up,), "accept": (work.take_up,), "drive": (work.drive,),
    "buy": (homes.dwell, _acquire),
    "get": (homes.dwell, _have, _acquire, work.take_up, endings.separate), "work": (work.work,),
    "start": (work.start, endings.begin_anew), "join": (work.join,), "part": (endings.separate,),
    "promote": (work.promote,), "hire": (work.promote,), "turn": (_turn,),
    **dict.fromkeys(tastes.VERBS, (tastes.like,)), "go": (tastes.go_off, _become), "eat": (_eat,),
    "drink": (_eat,),
    "do": (_eat, endings.be_done, work.graduate, work.shifts), "touch": (_eat,),
    "have": (_have, _keep, _cannot_have),
    "own": (_own, _have, projects.own), "use": (projects.use,),
    "switch": (projects.switch,), "migrate": (projects.switch,), "port": (projects.switch,),
    "adopt": (_have,), "diagnose": (_diagnose,), "speak": (_speak,),
    "play": (_speak, work.perform, work.play), "sing": (work.perform,), "dance": (work.perform,),
    "row": (work.perform,), "act": (work.perform,), "study": (work.study,), "keep": (_have,),
    "quit": (endings.leave, endings.quit), "give": (endings.quit, endings.part_with, _acquire),
    "stop": (endings.quit,), "die": (endings.die,), "pass": (endings.die,),
    "leave": (endings.leave,), "stay": (endings.stay,), "sell": (endings.sell,),
    "ditch": (endings.sell,), "scrap": (endings.sell,), "total": (endings.sell,),
    "totalled": (endings.sell,), "wreck": (endings.sell,), "fire": (endings.fire, endings.dismiss),
    "sack": (endings.fire, endings.dismiss), "let": (endings.dismiss,), "dump": (endings.leave,),
    "lose": (endings.part_with, endings.lose), "put": (endings.part_with,),
    "trade": (endings.trade_in,), "swap": (endings.trade_in,), "begin": (endings.begin_anew,),
    "step": (endings.step_down,),
    "say": (endings.say_goodbye,), "bury": (endings.say_goodbye,),
    "rehome": (endings.part_with,), "steal": (endings.steal,), "divorce": (endings.separate,),
    "separate": (endings.separate,), "retrain": (work.promote,), "qualify": (work.promote,),
    "lay": (endings.fire,), "break": (endings.part, _injure), "fracture": (_injure,),
    "sprain": (_injure,), "twist": (_injure,), "dislocate": (_injure,), "split": (endings.part,),
    "marry": (_marry,), "retire": (endings.retire,), "resign": (endings.resign,),
    "teach": (work.teach,), "become": (_become,), "call": (_call,), "name": (_call,),
    "make": (_make,), "run": (work.manage,), "manage": (work.manage,),
    "volunteer": (work.volunteer,),
    "collect": (work.collect,), "share": (homes.share,), "be": (_be, work.shifts),
    "develop": (_develop,),
}  # fmt: skip
_ADJECTIVES: dict[str, tuple[Callable[[ParsedClause, Token], Iterator[ClauseReading]], ...]] = {
    **dict.fromkeys(("sick", "tired", "bored", "fed", "feed"), (tastes.weary,)),
    "old": (_old,), "allergic": (_allergic,), "base": (_based,),
    "married": (_married,),
    "marry": (_married,), "engaged": (_married,), "engage": (_married,),
    **dict.fromkeys(sorted(tastes.FOND), (tastes.fond,)),
    **dict.fromkeys(sorted(_OVER), (_done,)),
}  # fmt: skip
