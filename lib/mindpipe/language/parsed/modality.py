"""How a clause is meant, by the way from its predicate up the tree."""

import re
from typing import Literal

from spacy.tokens import Doc, Span, Token

from mindpipe.language.guards import (
    asks_by_name,
    is_ironic,
    is_of_others,
    tells_dream,
    tells_of_then,
)
from mindpipe.language.parsed.nouns import own_words
from mindpipe.language.records import Meant
from mindpipe.language.times import names_days
from mindpipe.language.words import DOCTORS, listed

Way = Meant | Literal["past", "dreamt"]
"""How a clause is meant; what is past is neither so nor not so, nor is what was dreamt."""

SUBJECTS = frozenset({"nsubj", "nsubjpass"})
SPEAKER = frozenset({"i", "we", "me", "us", "myself"})
MINE = frozenset({"my", "our"})

_REPORT = listed(
    """
    say tell hear claim think believe reckon swear insist read write mention joke pretend announce
    suggest argue assume suspect guess suppose figure feel doubt wonder ask worry fear expect
    """
)
_SPOKEN = listed("say tell swear insist mention announce")
_IMAGINE = listed(
    "dream imagine pretend picture fantasise fantasize suppose nightmare idea rumour rumor"
)
_IMAGINED = listed("dream nightmare hypothetically hypothetical")
_WISH = listed("wish hope want love like long need")
_LEARN = listed("learn train study practise practice apply qualify")
"""Who learns to be something is not that yet, and will not be it when the course begins."""
_MISS = listed("miss fancy remember recall avoid picture")
"""What somebody misses doing he does no more, and what he fancies doing not yet."""
_PLAN = listed("plan intend go aim decide promise try consider think")
_STOP = listed("stop quit cease")
_STATES = listed(
    """
    live reside work own have like love adore enjoy hate dislike loathe detest despise dread
    """
)
_MOVE = listed("move emigrate relocate look leave")
_ACHIEVE = listed("get buy adopt rescue sell quit resign give marry retire join")
"""What is done in an instant is to be where it is being done: `I'm getting a dog`."""
_HEDGES = listed(
    """
    maybe perhaps possibly probably apparently supposedly allegedly hopefully presumably almost
    nearly practically basically technically nominally theoretically officially formally legally
    """
)
_MODALS: dict[str, Meant] = {
    "might": "hedged", "may": "hedged", "could": "hedged", "would": "imagined", "'d": "imagined",
    "should": "hedged", "must": "hedged", "will": "planned", "'ll": "planned", "shall": "planned",
    "wo": "planned", "’ll": "planned", "’d": "imagined", "ought": "hedged", "gon": "planned",
}  # fmt: skip
_AM = frozenset({"am", "'m", "’m", "is", "'s", "’s", "are", "'re", "’re"})
_IF = frozenset({"if", "unless", "whether", "until", "till", "like"})
_WHEN = frozenset({"when", "while", "before", "as", "though", "like"})
_NO = frozenset({"no", "never", "neither", "nobody", "none"})
_NOBODY = listed("nobody none noone neither nothing no not hardly barely scarcely few")
_INVERTED = frozenset({"had", "were", "should"})
_MARKS = frozenset({'"', "“", "”", "„", "«", "»", "``", "''"})
_REFUSE = listed("refuse deny decline fail forget neglect avoid lie joke myth rumor rumour")
_FICTION = re.compile(
    r"(?i)\bin (?:the|an?|my|this|that) (?:\w+ )?"
    r"(?:novel|game|story|book|film|movie|play|series|show|dream|simulation)\b|"
    r"\bin (?:chapter|episode|scene|act) \w+|\b(?:on paper|in theory)\b|"
    r"\bin (?:another|my (?:next|other|past|former|previous)) life\b"
)
_NOT_YET = frozenset({"before", "until", "till", "once", "when", "whenever"})
_SOON = re.compile(r"(?i)\bas soon as (?:\S+ ){1,3}$")
_SET_OUT = listed("move relocate settle join start begin marry")
_HARDLY = listed("hardly barely scarcely rarely seldom")
_BEFORE_VERBS = frozenset({"advmod", "intj", "punct", "cc", "aux", "auxpass", "neg"})
_BEGUN = listed("use start begin continue get happen come manage have keep need like love")
"""Verbs whose infinitive is done, or is judged by a rule of its own; of all others it is to be."""
_PARTLY = listed("yet always only just exactly all really often")
_MORE_THAN = frozenset({"just", "only", "merely", "simply"})
_HANGS = frozenset({"ccomp", "xcomp", "acl", "relcl", "pcomp"})
_WHAT_IF = re.compile(
    r"(?i)\b(?:what if|(?:as|for) an? (?:joke|laugh|prank|dare|bet)|as if|not that|not like)\b|"
    r"^\W*(?:e\.g\.|for (?:example|instance)\b)|^\W*(?:(?:so|but|and|well|even|only)\W+)*if\b"
)
_BEARING = listed(
    """
    know realise realize see find discover notice learn remember mean prove confirm admit confess
    announce declare swear mention tell turn happen manage get come start begin continue keep like
    love hate enjoy dislike adore loathe detest dread have need use stop quit cease make go help
    believe decide plan glad happy proud pleased sorry sure excited delighted relieved lucky tired
    be seem stand bear used
    """
)
"""What a clause may hang on that is so all the same, or is judged by a rule of its own."""
_NEWS = listed("thing truth fact news point reason problem upshot")
_LEADS = frozenset({"mark", "preconj", "cc", "advmod", "prep"})
_LASTS = re.compile(
    r"(?i)\b(?:since|for|always|already|now|still|all (?:my|our|his|her) lives?|just|ever)\b"
)
_OF_A_SOURCE = re.compile(r"(?i)\baccording to\b|\bas far as .+ (?:knows?|concerned)\b")
_NO_MORE = re.compile(r"(?i)\b(?:no longer|any ?more|any longer|no more(?=\W*$))\b")


def subject_of(verb: Token) -> Token | None:
    """Return the subject of a clause, which several predicates may share."""
    while True:
        own = [one for one in verb.children if one.dep_ in SUBJECTS]
        if len(own) > 1 and own[1].i == own[0].i + 1 and own[1].pos_ == "PROPN":
            return own[1]  # "my mum Ruth", of which the pipeline makes two subjects
        if own:
            return own[0]
        if verb.dep_ not in ("conj", "xcomp") or verb.head.pos_ not in ("VERB", "AUX"):
            return None
        verb = verb.head


def is_nobody(subject: Token) -> bool:
    """Tell whether a subject is nobody, so that its clause says nothing of anybody."""
    return any(one.lower_ in _NOBODY for one in (subject, *subject.children))


def is_elided(verb: Token) -> bool:
    """Tell whether "I" is left out, as chats do: a past form or participle begins the clause."""
    begins = all(one.dep_ in _BEFORE_VERBS for one in verb.lefts)
    unable = verb.tag_ == "VB" and any(one.lower_ in ("ca", "cant") for one in verb.lefts)
    goes_on = verb.tag_ == "VBG" and verb.dep_ == "ROOT"
    done = verb.tag_ in ("VBD", "VBN") and verb.dep_ in ("ROOT", "ccomp", "conj")
    return begins and (done or goes_on or unable)


def quoted(parse: Doc) -> frozenset[int]:
    """Return the places of the tokens that stand between quotation marks."""
    marks = [token.i for token in parse if token.text in _MARKS]
    ends = [*marks[1::2], len(parse)]
    return frozenset(
        place
        for first, last in zip(marks[::2], ends, strict=False)
        for place in range(first, last + 1)
    )


def way_of_sentence(sentence: Span) -> Way | None:
    """Return how a whole sentence is meant where its words show it."""
    text = sentence.text.strip()
    if "?" in text[-4:] or asks_by_name(text) or _is_inverted(sentence):
        return "asked"
    if is_of_others(text) or _OF_A_SOURCE.search(text):
        return "reported"
    if tells_dream(text):
        return "dreamt"
    imagined = any(token.lemma_.lower() in _IMAGINED for token in sentence)
    if imagined or _WHAT_IF.search(text) or _FICTION.search(text):
        return "imagined"
    if is_ironic(text):
        return "ironic"
    return "past" if tells_of_then(text) else None


def _is_inverted(sentence: Span) -> bool:
    """Tell whether a sentence asks by its order, without a mark: `is it me who's allergic`."""
    first, second = sentence[0], sentence[min(1, len(sentence) - 1)]
    return first.pos_ == "AUX" and first.tag_ != "VB" and second.tag_ == "PRP"


def way_of_clause(verb: Token) -> tuple[Way | None, bool]:
    """Return how a clause is meant (None: plainly), and whether it is negated."""
    negated = is_negated(verb)
    way: Way | None = "hedged" if negated and _denies_both(verb) else None
    node, own = verb, True
    while way is None:
        way = _modality(node) if own else None
        if own and any(one.lower_ in _HARDLY for one in node.children):
            way = way or "hedged"
        if node.dep_ == "ROOT" or node.head is node:
            break
        head = node.head
        own = own and _shares(node)
        if _is_told_to(node) or (head.lemma_ == "go" and node.dep_ == "parataxis"):
            way = way or "reported"
        if node.dep_ == "conj" and own and _denies_both(head):
            way = way or "hedged"
        if node.dep_ == "relcl" and _tells_itself(node):
            way = way or "hedged"
        if node.dep_ in _HANGS or (node.dep_ in ("advcl", "dep") and head.lemma_ in _REPORT):
            way = way or _way_under(node, head)
            way = (_modality(head) or way) if way == "ended" else way  # "almost stopped"
            way = way or (None if _bears_out(node, head) else "hedged")
            negated ^= node.dep_ == "xcomp" and is_negated(head)
            way = way or ("hedged" if _is_refused(node, head) else None)
        elif node.dep_ == "advcl":
            way = way or _way_beside(node)
        node = head
    return way, negated


def _bears_out(node: Token, head: Token) -> bool:
    """Tell whether what a clause hangs on lets it stand: who knows it does, who hopes it does not.

    What stands behind a comma, or before its head, hangs on nothing, whatever the parser makes of
    it.
    """
    if node.dep_ not in ("ccomp", "xcomp") or node.left_edge.i <= head.i:
        return True
    if node.doc[node.left_edge.i - 1].is_punct or head.pos_ not in ("VERB", "AUX", "ADJ"):
        return True
    if head.lemma_ == "be":
        told = subject_of(head)
        cleft = (
            told is not None
            and told.lower_ == "it"
            and any(one.dep_ == "attr" for one in head.children)
        )
        return told is None or cleft or told.lemma_.lower() in _NEWS
    return head.lemma_.lower() in _BEARING | _REPORT  # of reports another rule judges


def _is_refused(node: Token, head: Token) -> bool:
    """Tell whether what a clause hangs on denies it, or leaves open who says so: `I'm told`."""
    told = head.lemma_ in _REPORT and any(one.dep_ == "auxpass" for one in head.children)
    denied = node.dep_ != "xcomp" and is_negated(head)
    unsure = head.pos_ == "ADJ" and head.head != head and is_negated(head.head)
    return denied or told or unsure or head.lemma_.lower() in _REFUSE


def is_negated(verb: Token) -> bool:
    """Tell whether a predicate is negated."""
    if any(one.lower_ == "neither" and one.dep_ == "preconj" for one in verb.subtree):
        return True
    for child in verb.children:
        if child.dep_ == "neg" and child.i > verb.i and _is_behind_thing(child):
            continue  # "in Berlin, not Bremen" denies what comes behind it
        if (
            child.dep_ == "neg"
            and child.i + 1 < len(child.doc)
            and (child.nbor().lower_ in _MORE_THAN)
        ):
            continue  # "not just a nurse" is one
        if child.lower_ in ("longer", "more") and any(one.lower_ == "no" for one in child.children):
            return True
        never = child.dep_ in ("det", "advmod", "nsubj") and child.lower_ in _NO
        if child.dep_ == "neg" or never:
            return True
        if child.dep_ == "prep" and any(
            one.dep_ == "neg" and not _is_behind_thing(one) for one in child.children
        ):
            return True
        if child.dep_ in ("dobj", "attr", "acomp") and any(
            one.dep_ in ("det", "neg")
            and one.lower_ in ("no", "not")
            and not (one.i > child.i or _is_behind_comma(one))  # "forty-one, not fifty"
            for one in child.children
        ):
            return True
    return False


def _is_behind_thing(negation: Token) -> bool:
    """Tell whether a negation stands behind what is told, and denies but what follows it."""
    if negation.i == 0:
        return False
    return _is_behind_comma(negation) or negation.nbor(-1).pos_ in ("NOUN", "PROPN", "NUM")


def _is_behind_comma(token: Token) -> bool:
    """Tell whether a comma stands right before a token."""
    return token.i > 0 and token.nbor(-1).text == ","


def denies_less(verb: Token, value: str) -> bool:
    """Tell whether a negation is of when, where, why or how, and leaves the value open.

    "Not in winter", "not yet", "not a bad nurse" and "not for nothing" deny no home and no trade.
    """
    own = value.lower().split()
    for child in verb.children:
        if child.dep_ == "advcl" or (child.dep_ == "advmod" and child.lower_ in _PARTLY):
            return True
        if child.dep_ == "prep" and child.lower_ not in ("to", "since", "with", "from"):
            objects = [one for one in child.children if one.dep_ == "pobj"]
            if any(one.lower_ not in own for one in objects):
                return True
        if child.dep_ == "attr" and any(
            one.dep_ == "amod" or (one.dep_ == "prep" and one.lower_ == "for")
            for one in child.children
        ):
            return True
    return False


def is_no_more(verb: Token) -> bool:
    """Tell whether a negation says that it was so once."""
    words = verb.doc[verb.left_edge.i : verb.right_edge.i + 1].text
    return _NO_MORE.search(words) is not None


def _shares(verb: Token) -> bool:
    """Tell whether a predicate stands under the auxiliaries of the one that it hangs on."""
    own = any(child.dep_ in SUBJECTS for child in verb.children)
    return verb.dep_ == "xcomp" or (verb.dep_ == "conj" and not own)


def _modality(verb: Token) -> Way | None:
    """Return how a verb is meant by its own auxiliaries and adverbs."""
    for child in verb.lefts if verb.dep_ != "relcl" else ():
        if child.tag_ in ("WP", "WRB") and child.dep_ in ("advmod", "dobj", "attr", "nsubj"):
            return "asked"
    if any(one.lower_ in ("whether", "either", "like") for one in verb.lefts if one.dep_ in _LEADS):
        return "hedged"
    for child in verb.children:
        if (way := _way_by(child, verb)) is not None:
            return way
    return _tense(verb)


def _way_by(child: Token, verb: Token) -> Meant | None:
    """Return how a verb is meant by one auxiliary, adverb, complement or condition of it."""
    way: Meant | None = None
    if child.dep_ in ("aux", "auxpass"):
        subject = subject_of(verb)
        inverted = subject is not None and child.i < subject.i and child.lower_ in _INVERTED
        way = "imagined" if inverted else _MODALS.get(child.lower_)  # "had they told me …"
    elif child.dep_ in ("advmod", "intj", "npadvmod"):
        way = "hedged" if child.lower_ in _HEDGES else None
    elif child.dep_ == "dobj":
        way = "hedged" if any(one.lower_ in _HARDLY for one in child.subtree) else None
    elif child.dep_ in ("attr", "acomp"):
        way = "hedged" if any(one.lower_ in _HEDGES for one in child.children) else None
    elif child.dep_ == "advcl":
        marks = {one.lower_ for one in child.children if one.dep_ == "mark"}
        way = "imagined" if marks & {"if", "unless"} else None
    return way


def _tense(verb: Token) -> Way | None:
    """Return whether a verb tells of what was, or is to be."""
    if verb.lower_ == "used" and any(one.dep_ == "xcomp" for one in verb.children):
        return "ended"
    if verb.lemma_ in _MOVE and verb.tag_ == "VBG":
        return "planned"
    if verb.lemma_ in _ACHIEVE and verb.tag_ == "VBG" and _is_going_on(verb):
        return "planned"
    auxiliaries = {one.lower_ for one in verb.children if one.dep_ in ("aux", "auxpass")}
    perfect = "had" in auxiliaries and verb.tag_ in ("VBN", "VBG")
    # Who has lived somewhere need not live there now.
    experience = (
        verb.tag_ == "VBN"
        and verb.lemma_ in _STATES | {"be", "have"}
        and bool(auxiliaries & {"have", "has", "'ve", "’ve", "'s", "’s"})
        and not any(one.dep_ in ("auxpass", "xcomp") for one in verb.children)
        and _LASTS.search(own_words(verb)) is None
    )
    long_since = (
        verb.tag_ == "VBD"
        and verb.lemma_ in _SET_OUT
        and any(one.dep_ == "prep" and one.lower_ == "after" for one in verb.lefts)
    )
    progressive = bool(auxiliaries & {"was", "were"}) and verb.tag_ == "VBG"
    # A state in the past tense is over, or was but the moment's: "I loved that film".
    was = verb.tag_ == "VBD" and verb.lemma_ in _STATES | {"be"} and not is_birthday(verb)
    return "past" if perfect or progressive or was or experience or long_since else None


def is_birthday(verb: Token) -> bool:
    """Tell whether somebody became so old on a day: `Tim was ten yesterday`."""
    who = subject_of(verb)
    several = who is None or who.lower_ in ("we", "they")
    aged = any(one.pos_ == "NUM" and one.dep_ in ("acomp", "attr") for one in verb.children)
    day = (
        one.doc[one.i : one.right_edge.i + 1].text
        for one in verb.children
        if one.dep_ in ("npadvmod", "prep") and one.i > verb.i
    )
    return aged and not several and any(map(names_days, day))


def _is_going_on(verb: Token) -> bool:
    """Tell whether a verb stands in the present progressive."""
    return any(one.dep_ == "aux" and one.lower_ in _AM for one in verb.children)


def _told_once(verb: Token) -> bool:
    """Tell whether somebody told something in the past, as a habit: `I used to say that …`."""
    return verb.dep_ == "xcomp" and verb.head.lower_ == "used"


def _denies_both(verb: Token) -> bool:
    """Tell whether a negation is of two things together: `I didn't live there and work for it`."""
    joined = any(one.dep_ == "cc" and one.lower_ == "and" for one in verb.children)
    bare = any(one.dep_ == "conj" and one.tag_ == "VB" for one in verb.children)
    return joined and bare and is_negated(verb)


def _tells_itself(node: Token) -> bool:
    """Tell whether a clause of the speaker hangs on whom he tells it to, or on the time it is at.

    `I told the census I live there` does not say that he does, nor does `by the time I live there`.
    """
    subject, noun = subject_of(node), node.head
    verb = noun.head.head if noun.dep_ == "pobj" else noun.head
    told = verb.lemma_.lower() in _REPORT or noun.lemma_.lower() in ("time", "day", "moment")
    return told and subject is not None and subject.lower_ in SPEAKER


def _is_told_to(node: Token) -> bool:
    """Tell whether a clause hangs on whom it is told to: `he tells everyone I live in Ghent`."""
    whom = node.head
    return (
        node.dep_ == "relcl"
        and whom.pos_ == "PRON"
        and whom.dep_ in ("dobj", "dative")
        and whom.head.lemma_.lower() in _REPORT
    )


def _tells_another(verb: Token) -> bool:
    """Tell whether somebody is told something who is not here: `I told Tom that …`."""
    told = [one for one in verb.children if one.dep_ in ("dobj", "dative")]
    told += [end for one in verb.children if one.lower_ == "to" for end in one.children]
    return any(
        one.pos_ in ("PROPN", "NOUN") or one.lower_ in ("him", "her", "them") for one in told
    )


def _would(verb: Token) -> Meant | None:
    """Return how a verb is meant by its auxiliaries alone: `I'd have told you I live here`."""
    for one in verb.children:
        if one.dep_ == "aux" and one.lower_ in _MODALS:
            return _MODALS[one.lower_]
    return None


def _way_under(node: Token, head: Token) -> Meant | None:
    """Return how a clause is meant that hangs on a verb or noun."""
    lemma = head.lemma_.lower()
    subject = subject_of(head)
    own = subject is not None and subject.lower_ in SPEAKER
    way: Meant | None = None
    if lemma in _IMAGINE:
        way = "imagined"
    elif lemma in _REPORT:
        # "started it today, the doc said …" says itself what the doctor is said to have said
        beside = node.i < head.i and node.dep_ == "ccomp" and subject_of(node) is None
        if own:
            way = None if lemma in _SPOKEN else "hedged"
            habit = lemma == "insist" or any(one.lower_ == "always" for one in head.children)
            way = "reported" if _tells_another(head) or _told_once(head) or habit else way
            way = way or _would(head)
        elif not (beside or (lemma in _SPOKEN and _is_finding(subject, node))):
            way = "reported"
    elif lemma in _LEARN | _MISS and node.dep_ in ("xcomp", "pcomp", "ccomp"):
        way = "imagined"
    elif lemma == "wish" or (node.dep_ == "xcomp" and lemma in _WISH and node.tag_ != "VBG"):
        way = "wished"
    elif (node.dep_ in ("xcomp", "pcomp") and lemma in _PLAN) or lemma == "decide":
        way = "planned"
    elif node.dep_ == "xcomp" and lemma in _STOP:
        way = "ended"
    elif lemma in ("have", "go") and node.dep_ == "ccomp":
        way = "reported"  # "the bank still has me living in Ulm", "he goes I live here"
    elif node.dep_ == "xcomp" and head.pos_ == "VERB" and lemma not in _BEGUN:
        infinitive = any(one.dep_ == "aux" and one.lower_ == "to" for one in node.children)
        averse = lemma in _REFUSE | {"hate", "dread", "loathe"}  # "I'd hate to live there"
        way = ("hedged" if averse else "planned") if infinitive else None
    return way


def _is_finding(subject: Token | None, node: Token) -> bool:
    """Tell whether a doctor is said to have found something about who speaks."""
    whom = subject_of(node)
    return (
        subject is not None
        and any(one.lower_.strip(".") in DOCTORS for one in (subject, *subject.lefts))
        and whom is not None
        and (whom.lower_ in SPEAKER or any(one.lower_ in MINE for one in whom.children))
    )


def _way_beside(node: Token) -> Way | None:
    """Return how a clause is meant that says when, or under which condition."""
    marks = {one.lower_ for one in node.children if one.dep_ in ("mark", "advmod")}
    if marks & _IF:
        return "imagined"
    soon = _SOON.search(node.sent.text[: node.idx - node.sent.start_char]) is not None
    if (marks & _NOT_YET or soon) and node.tag_ in ("VBP", "VBZ"):
        return "imagined"  # "before I live in Rome", "once I live there"
    return "past" if marks & _WHEN and node.tag_ == "VBD" else None
