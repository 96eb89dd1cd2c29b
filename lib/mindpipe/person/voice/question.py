"""What a question asks for, and what a person knows that answers it, as the person says it.

A question names what it asks for by its words. They are looked for in what the person is (its
identity), in what it was told, and in what happened to it. What fits all of them answers the
question; what fits none of them is not known.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindpipe.language.numerals import number_of
from mindpipe.language.topics import singular
from mindpipe.person.calendar import DAY_US, HOUR_US, WEEKDAYS
from mindpipe.person.mind.coming import announced
from mindpipe.person.mind.relations import (
    LOSSES,
    NamedOther,
    age_in,
    is_any,
    kind_of,
    lost_by,
    others_of,
    own_age,
)
from mindpipe.person.mind.sentences import sentences_of
from mindpipe.person.mind.told_turn import NOTICE
from mindpipe.person.records.episode import Episode
from mindpipe.person.records.person import NARRATIVE, VALUES, LearntFact, PersonIdentity
from mindpipe.person.voice.asked import (
    NEVER,
    QUOTED,
    WORD,
    FoundAnswer,
    HeardQuestion,
    HowTold,
    KnownFact,
    Subject,
    pattern_of,
    trade_in,
)
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.manner import texts
from mindpipe.person.voice.people_asked import PeopleAnswers
from mindpipe.person.voice.retold import Retelling
from mindpipe.person.voice.usual import UsualTable
from mindpipe.person.voice.verdict import Verdicts

LEAST_DAY, MOST_OF_DAY = 0.3, 2
"""From which importance on something is told of a day, and how much of it at most."""
MOST_QUOTED = 160
"""The most characters of what somebody said that are told again."""
LEAST_TOLD = 3
"""The least words of a sentence that tells something."""
MOST_OF = 0.6
"""From which share of its words on a question is answered by something that lacks the others."""
HALF = 0.5
"""The same of what a person is, which tells of it in other words."""
_SHORT = re.compile(r"^(\w+)'s\b")
_AND = re.compile(r",? and (?=(?:[A-ZÀ-Þ]\w+ and )?I\b)|; (?=I\b)|,? and (?=([a-z]+)\b)")
_NAMES = re.compile(r"(?<![\w'])[A-ZÀ-Þ][^\W\d_]+(?<!day)(?!['’]?[\w])")
_I_AM = re.compile(r"^I(?:['’]m| am) ")
_PART = re.compile(r", (?:and )?")
_OWN_TURNS = frozenset({"dismissal", "illness", "exam", "love", "separation"})
"""Turns of the person's own life that others tell it of."""
_WHO_DID = re.compile(r"(?i)\bwho (\w+)\b.*")
_LASTING = frozenset({"illness", "pain", "injury"})
"""What is over at its end, and told of as such."""
_PLACED = re.compile(r"\b(?:in|at|on|from|near|above|to) (?:the |a |an |my )?\w", re.I)


class QuestionTable:
    """Reads questions with the words of a language, from the table `questions`."""

    def __init__(self, table: Mapping[str, object], lexicon: Lexicon) -> None:
        asks, tone = texts(table["asks"]), texts(table["tone"])
        self._lexicon = lexicon
        self._opens = frozenset(asks["opens"].split())
        self._of_then = frozenset(asks.get("of_then", "").split())
        self._before, self._inner = asks["before"], re.compile(asks["inner"], re.I)
        self._subjects: tuple[tuple[Subject, frozenset[str]], ...] = (
            ("self", frozenset(asks["self"].split())),
            ("yours", frozenset(asks["yours"].split())),
            ("speaker", frozenset(asks["speaker"].split())),
        )
        self._yours = frozenset(asks["yours"].split())
        self._of_speaker = frozenset(asks["speaker"].split())
        self._relates = texts(table.get("relates"))
        self._telling = frozenset(asks["telling"].split())
        self._past, self._bare = frozenset(asks["before_now"].split()), asks["bare"].split()
        self._skipped = frozenset(asks["indefinite"].split())
        self._none, self._taste = re.compile(asks["none"], re.I), re.compile(asks["taste"], re.I)
        self._learns = re.compile(asks["learns"], re.I)
        self._values = frozenset(asks.get("values", "").split())
        self._does = pattern_of(asks, "does")
        self._of_others = frozenset(asks.get("of_teller", "").split())
        self._teller = re.compile(asks.get("teller", NEVER))
        self._future = frozenset(asks.get("future", "").split())
        self._aged = pattern_of(asks, "aged")
        self._starts = re.compile(asks["starts"], re.I)
        self._introduces = re.compile(asks["introduces"])
        same = texts(table["same"])
        self._same = {word: name for name, words in same.items() for word in words.split()}
        self._weather = self._words(asks.get("weather", "").split())
        self._also = frozenset(asks.get("also", "").split())
        self._naming = frozenset(asks.get("naming", "").split())
        self._dwells = frozenset(asks.get("dwells", "").split())
        turned = texts(table.get("turned"))
        self._turned_by = {turn: self._words(words.split()) for turn, words in turned.items()}
        ends = texts(table.get("ends"))
        self._ends = {turn: frozenset(words.split()) for turn, words in ends.items()}
        self._types = {name: words.split() for name, words in texts(table["types"]).items()}
        self._kinds = {
            word: name for name, words in texts(table["kinds"]).items() for word in words.split()
        }
        self._windows = tuple(
            (re.compile(pattern, re.I), tuple(map(int, span.split())))
            for pattern, span in texts(table["windows"]).items()
        )
        self._none_of = texts(table.get("none"))
        self.usual = UsualTable(texts(table.get("usual")), lexicon)
        self.retold = Retelling(table, lexicon)
        self.turns = re.compile(tone["turns"], re.I)
        self.reassures = re.compile(tone["reassures"], re.I)
        self.setback = re.compile(tone["setback"], re.I)
        self.confesses = re.compile(tone["confesses"], re.I)
        self.bodes_well = re.compile(tone["bodes_well"], re.I)
        self.bodes_ill = re.compile(tone["bodes_ill"], re.I)
        self._by_name = self._words(self._naming)
        self._verdicts = Verdicts(table, self._words)
        self.people = PeopleAnswers(table, lexicon, self.retold, self._words, self._kind)

    def asks_of_then(self, word: str) -> bool:
        """Tell whether a question that begins with a word asks when, where or why it was."""
        return word in self._of_then

    def point(self, text: str, name: str) -> str:
        """Return the last sentence of a text that asks something, else nothing."""
        for sentence in reversed(sentences_of(text)):
            plain = self._led(sentence, name)
            if sentence.endswith("?") or self._begins(plain):
                return plain
        return ""

    def _led(self, sentence: str, name: str) -> str:
        """Return a question without what stands before it and asks nothing."""
        called = re.escape(name) if name else r"(?!)"
        plain = re.sub(self._before.replace("{name}", called), "", sentence.strip(), flags=re.I)
        inner = self._inner.sub("", plain.strip()).strip()
        first = inner.split(" ", 1)[0].casefold()
        asks = first in self._opens or first in self._lexicon.pronouns
        return (inner if asks else plain.strip()) or sentence

    def _begins(self, plain: str) -> bool:
        """Tell whether a sentence without its mark is a question: `where do you live`."""
        first, _, rest = plain.casefold().partition(" ")
        second = rest.split(" ", 1)[0]
        return first in self._opens and second in self._lexicon.auxiliaries and "," not in plain

    def read(self, text: str, t_us: int) -> HeardQuestion:
        """Return what a question asks at an instant."""
        spelled = _SHORT.sub(r"\1 is", text.replace("’", "'"))
        low = [word.casefold() for word in WORD.findall(spelled)]
        asks = low[0] if low and low[0] in self._opens else "yesno"
        auxiliaries = self._lexicon.auxiliaries
        at = next((n for n, word in enumerate(low) if word.split("'")[0] in auxiliaries), None)
        at = at if at is not None and at < len(low) - 1 else None
        rest = low[at + 1 :] if at is not None else low[asks != "yesno" :]
        subject: Subject = "other"
        for name, pronouns in self._subjects:
            if rest and rest[0] in pronouns:
                subject = name
        # Of `how old` or `how many children` an answer must tell, of `what instrument` it may not.
        of_how = low[1:at] if asks == "how" and at is not None else []
        need = self._words(word for word in (*of_how, *rest) if word not in self._skipped)
        ahead = at is not None and low[at] in self._future
        told = bool(need & self._telling) and subject != "self"
        light = self._light_of(rest)
        return HeardQuestion(
            asks,
            subject,
            need - self._telling if told else need,
            text,
            past=at is not None and low[at] in self._past,
            told=told,
            span_us=self._span(text, t_us, ahead=ahead),
            taste=bool(self._taste.search(text)),
            ahead=ahead,
            whole=all(self._is_light(word) or self._words((word,)) for word in rest),
            light=light,
            named=self._words(_NAMES.findall(spelled.partition(" ")[2])),
        )

    def _light_of(self, words: Iterable[str]) -> frozenset[str]:
        """Return the verbs of some words that say little of what was done: `make`, `get`."""
        bases = (self._lexicon.base(word.casefold()) for word in words)
        return frozenset(base for base in bases if base in self._bare)

    def _is_light(self, word: str) -> bool:
        """Tell whether a word of a question says nothing of what is asked: `in the`, `do you`."""
        lex = self._lexicon
        light = lex.determiners | lex.possessives | lex.pronouns | lex.auxiliaries
        light |= lex.prepositions - lex.likened
        return word in light or word in self._also | self._skipped or word in self._kinds

    def _span(self, text: str, t_us: int, *, ahead: bool) -> tuple[int, int] | None:
        """Return the time of which a question is, from its first instant to its last.

        A day of the week is the last one of its name, and of what is to come no time here.
        """
        today = t_us // DAY_US * DAY_US
        for pattern, (first, last, since, until) in self._windows:
            if pattern.search(text):
                return (
                    today + first * DAY_US + (since % 24) * HOUR_US,
                    today + last * DAY_US + until * HOUR_US,
                )
        low = text.casefold()
        day = next((n for n, name in enumerate(WEEKDAYS) if name.casefold() in low), None)
        if day is None or ahead:
            return None
        ago = (t_us // DAY_US - day) % len(WEEKDAYS)
        return today - ago * DAY_US, today - (ago - 1) * DAY_US

    # -- words

    def words(self, text: str) -> frozenset[str]:
        """Return the words by which something is found, each in one form."""
        return self._words(WORD.findall(text.replace("’", "'")))

    def _words(self, words: Iterable[str]) -> frozenset[str]:
        lex = self._lexicon
        found: set[str] = set()
        for word in words:
            low = word.casefold().removesuffix("'s")
            light = low in lex.function and low not in self._same
            if light or low in lex.spans or len(low) < 2:
                continue
            base = lex.base(low) or self._done_by(low) or singular(low)
            if base not in self._bare:
                found.add(self._same.get(low) or self._same.get(base, base))
        return frozenset(found)

    def _done_by(self, word: str) -> str:
        """Return the verb of who does something by trade, such as `teach` of a teacher."""
        stem = word.removesuffix("s").removesuffix("er")
        found = stem != word and word.endswith(("er", "ers"))
        return (self._lexicon.base(stem) or self._lexicon.base(f"{stem}e")) if found else ""

    # -- what is known

    def known(
        self, identity: PersonIdentity, episodes: Sequence[Episode], how: HowTold
    ) -> Iterator[KnownFact]:
        """Yield all that a person knows; `how` is how it is told."""
        yield from self._of_identity(identity, how)
        others = others_of(identity)
        # Who lost its work and has found other has lost it all the same.
        undone = frozenset(
            one.since_us
            for one in identity.learnt
            if one.turn not in ("", "dismissal") and one.until_us is not None
        )
        born = {one.about for one in identity.learnt if one.kin}
        turns = {one.since_us: one.turn for one in identity.learnt if one.turn}
        yield from self._of_ties(identity)
        for one in episodes:
            if one.t_us in undone or (one.topic == "dismissal" and one.is_over_well):
                continue  # what was taken back since is nothing that one knows
            topic = one.topic or turns.get(one.t_us, "")
            turned = self._turned_by.get(topic, frozenset())
            if one.type == "speech":
                words, own = turned | self._of_kin(one, others), topic in _OWN_TURNS
                told = self._told(one.text, one.t_us, one.source, words)
                yield from (fact._replace(over=one.is_over_well, own=own) for fact in told)
            elif one.type not in ("said", "goal", "concern"):
                tied = self.asked_for(one.text, others, skip="")
                part = " ".join((*one.people, one.source, tied.name if tied else ""))
                more = frozenset(self._types.get(one.type, ())) | turned
                if tied is not None and tied.name in born:
                    more |= self._words(("baby",))
                over = one.is_over_well or (one.type in _LASTING and one.until_us <= how.now_us)
                over |= how.now_us - one.t_us > DAY_US and self._verdicts.passes(one.text)
                lived = self._of_episode(one, part, more, how)
                yield from (fact._replace(over=over) for fact in lived)

    def _of_ties(self, identity: PersonIdentity) -> Iterator[KnownFact]:
        """Yield who those of an identity are; of who is lost, what that one did."""
        lost = {one.name for one in lost_by(identity)}
        for marker in identity.relational_markers:
            name, comma, rest = " ".join(marker.split()).rstrip(".").partition(", ")
            did = _WHO_DID.search(rest)
            done = did is not None and did[1].casefold() in self._lexicon.of_form
            if did is not None and done:
                yield KnownFact(f"{name} {did[0][4:]}", self.words(f"{name} {did[0]}"), "self")
            if not comma or name in lost:
                continue
            tied = self.retold.filled("tie", name=name, rest=rest)
            who = did is not None and did.start() == 0
            more = frozenset({"old"} if age_in(rest) else ())
            more |= frozenset({"work"} if self._does.search(rest) else ()) | trade_in(rest)
            text = f"{name} {rest[4:]}" if who else tied
            yield KnownFact(text, self.words(marker) | more, "tie")

    def _of_kin(self, one: Episode, others: Sequence[NamedOther]) -> frozenset[str]:
        """Return the names of those whom one of the family calls by what they are: `Mother`."""
        low = one.source.casefold()
        speaker = next((other for other in others if other.name.casefold() == low), None)
        if speaker is None or speaker.kind not in ("parent", "sibling", "relative", "child"):
            return frozenset()
        called = (word for word in WORD.findall(one.text) if word[:1].isupper())
        kin = {self._words((word,)) for word in called}
        parents = (other for other in others if other.kind == "parent")
        found = (self.words(other.name) for other in parents if self._words((other.role,)) in kin)
        return frozenset[str]().union(*found)

    def _of_episode(
        self, one: Episode, part: str, more: frozenset[str], how: HowTold
    ) -> Iterator[KnownFact]:
        """Yield what a person knows by something that happened to it, or that it was told."""
        if found := self._teller.match(one.text):
            # What somebody told with other words is known, and so is who told it.
            source, told = found["teller"], found["told"].rstrip(".!")
            name = self.retold.turned(source, self.retold.own, after=())
            yield KnownFact(told, self.words(f"{told} {source}"), "told", one.t_us, name)
        first, *others = self._clauses_of(one.text)
        if text := self.telling(one, how):
            lasts = text == self._lasting(one, how)
            of_it = one.text if lasts else first
            words = self.words(f"{of_it} {text} {part}") | more
            yield KnownFact(text, words, "lived", one.t_us, lasts=lasts)
        for clause in others:
            # What else it tells is known by itself.
            if text := self._still(clause, one.t_us, how) or how.deed(clause):
                yield KnownFact(text, self.words(f"{clause} {part}"), "lived", one.t_us)

    def _all_of(self, text: str, how: HowTold, *, ahead: bool) -> str:
        """Return all that a text tells, as the person tells it; what is ahead is not over yet."""
        told = found["told"] if (found := self._teller.match(text)) else text
        said = [] if ahead else [(how.deed(one), one) for one in self._clauses_of(told)]
        whole = [deed or self.retold.in_first_person(one) for deed, one in said]
        return " and ".join(whole) or self.retold.in_first_person(told)

    def _clauses_of(self, text: str) -> list[str]:
        """Return what a text tells one after the other, each with a subject of its own."""
        return [
            clause
            for sentence in sentences_of(text)
            for clause in self._lexicon.coordinated(sentence.rstrip(".!"))
        ] or [text]

    def of_weather(self, weather: str, t_us: int) -> Iterator[KnownFact]:
        """Yield what is known of the weather as it is now."""
        if weather:
            yield KnownFact(weather, self._weather | self.words(weather), "lived", t_us)

    def telling(self, one: Episode, how: HowTold) -> str:
        """Return something that happened as the person tells it, nothing where it cannot."""
        return self._lasting(one, how) or how.deed(one.text)

    def _lasting(self, one: Episode, how: HowTold) -> str:
        """Return what is so still by what was told, or is to come, as the person tells it."""
        return self._still(one.text, one.t_us, how) if one.type == "news" else ""

    def _still(self, text: str, t_us: int, how: HowTold) -> str:
        """Return a text as the person tells it that is so still, or is to come; else nothing."""
        found = self._teller.match(text)
        told = found["told"] if found else text
        times = announced(told, t_us)
        if times and all(until_us <= how.now_us for _, _, until_us, _ in times):
            # What was to come has been by now.
            return how.deed(told)
        return self.retold.in_first_person(told) if times or self._lexicon.tells_state(told) else ""

    def _of_identity(self, identity: PersonIdentity, how: HowTold) -> Iterator[KnownFact]:
        """Yield what an identity says of the person and of those who belong to it.

        What a turn of its life has ended is found no more by what it was, but the turn is.
        """
        held = (one for one in identity.learnt if one.turn and one.until_us is None)
        turns = {one.turn for one in held if one.about != NOTICE}
        values = [_inner(one) for one in identity.values_commitments]
        if values and identity.values_commitments != VALUES:
            told = self.retold.joined(values)
            yield KnownFact(told, self._values | self.words(told), "self")
        over = frozenset[str]().union(*(self._ends.get(turn, ()) for turn in turns))
        lost, was = lost_by(identity), dict[str, frozenset[str]]()
        if identity.self_narrative != NARRATIVE:
            for text in self._clauses(identity.self_narrative):
                old = frozenset({"old"} if own_age(text) else ())
                learns = frozenset({"study"} if self._learns.search(text) else ())
                words = self.words(text) | trade_in(text) | old | learns
                if (gone := self.asked_for(text, lost, skip="")) is None:
                    yield KnownFact(text, words - over, "self")
                else:
                    was[gone.name] = was.get(gone.name, frozenset()) | words
        for memory in identity.key_memories:
            text = self.retold["memory"].replace("{rest}", _inner(memory))
            yield KnownFact(text, self.words(memory), "self")
        for fact in identity.learnt:
            if fact.until_us is None and (said := QUOTED.match(fact.text)):
                turned = self._turned_by.get(fact.turn, frozenset()) | self._by_kin(fact)
                yield from self._told(said[2], fact.since_us, said[1], turned)
            elif fact.until_us is None:
                still, notice = self._still(fact.text, fact.since_us, how), fact.about == NOTICE
                text = still or self._all_of(fact.text, how, ahead=notice)
                ended = frozenset() if notice else self._ends.get(fact.turn, frozenset())
                ended |= self._turned_by.get(fact.turn, frozenset())
                # What was so with somebody who is lost is answered by that loss.
                gone = next((one for one in lost if is_any(one, {fact.about.casefold()})), None)
                with_them = was.get(gone.name, frozenset()) if gone else frozenset[str]()
                words = self.words(fact.text) | ended | with_them | self._by_kin(fact)
                words |= self.words(gone.role) if gone and gone.kind == "partner" else set()
                ends = (fact.turn in self._ends and not notice) or fact.turn in LOSSES
                known = KnownFact(text, words, "lived", fact.since_us, "", ends, bool(still))
                yield known._replace(pending=notice)

    def _by_kin(self, fact: LearntFact) -> frozenset[str]:
        """Return by which words one asks for a child that was born to one's kin, and for that."""
        if not fact.kin:
            return frozenset()
        own = self._words(self._relates.get(fact.kin, "").split())
        return own | self._turned_by.get("birth", frozenset()) | self.words(fact.about)

    def _clauses(self, narrative: str) -> Iterator[str]:
        """Yield what a narrative says, one thing at a time, each as a sentence of its own."""
        for sentence in sentences_of(narrative):
            plain = sentence.rstrip(".!?… ")
            start = 0
            for found in _AND.finditer(plain):
                verb, before = found[1], plain[: found.start()].split()
                if verb and verb not in self._lexicon.verbs:
                    continue
                bare = found[0][0] not in ",;"
                if not before or (bare and before[-1][:1].isupper() and before[-1] != "I"):
                    continue  # `Reijo and I` are one subject
                yield from self._parts(plain[start : found.start()])
                start = found.end()
                if verb:
                    plain = f"{plain[:start]}I {plain[start:]}"
            yield from self._parts(plain[start:])

    def _parts(self, clause: str) -> Iterator[str]:
        """Yield the parts of `I'm Ana, forty, a baker in Porto`, and another clause as a whole."""
        led = _I_AM.match(clause)
        if led is None or ", " not in clause:
            yield clause
            return
        first, *others = _PART.split(clause[led.end() :])
        yield f"{led[0]}{first}"
        for part in others:
            form = "was" if part.startswith("born ") else "am"
            yield part if part.startswith("I ") else self.retold[form].replace("{rest}", part)

    def _told(
        self, text: str, t_us: int, source: str, turned: frozenset[str] = frozenset()
    ) -> Iterator[KnownFact]:
        """Yield what somebody told, one sentence at a time, and all of it at once.

        Who asks tells nothing; who says `I` tells of itself. `turned` are words by which one asks
        for what it turned in a life.
        """
        before = frozenset[str]()
        for sentence in sentences_of(text):
            plain = sentence.rstrip(".!… ")
            asks = plain.endswith("?") or self._begins(plain)
            words = self.words(plain) | self._age_of(plain) | turned
            if not self._of_speaker.isdisjoint(WORD.findall(plain.casefold())):
                words |= self.words(source)
            if plain.split(" ", 1)[0].casefold() in self._of_others:
                words |= before  # `He is six` is of whom the sentence before it is
            before = words
            if not asks and len(plain.split()) >= LEAST_TOLD and words:
                work = trade_in(plain) if self._starts.search(plain) else frozenset[str]()
                yield KnownFact(plain, words | work, "told", t_us, source)
        if source and len(text) <= MOST_QUOTED:
            words = self.words(text) | self._age_of(text)
            yield KnownFact(text.rstrip(".!… "), words, "said", t_us, source)

    def _age_of(self, text: str) -> frozenset[str]:
        """Return the word by which an age is asked for, where a text tells one."""
        told = (number_of(found["age"]) for found in self._aged.finditer(text))
        return frozenset({"old"} if any(told) else ())

    # -- answers

    def answer(
        self, question: HeardQuestion, known: Iterable[KnownFact], *, asker: str, t_us: int
    ) -> FoundAnswer | None:
        """Return what answers a question best, None where nothing does."""
        every = list(known)
        fits = [(self._fits(question, one, asker=asker), one) for one in every]
        kind, only = self._kind(question)
        if kind and question.subject == "self" and not any(share for share, _ in fits):
            own = [one for one in every if one.of in ("self", "tie", "lived")]
            kinds = {kind_of(one.text)[0] for one in own}
            # Who is asked for by one word, such as `brother`, is so or is not.
            of_all = not only or only in self._kinds
            share = 1.0 if only in self._kinds else MOST_OF
            alike = [one for one in own if kind_of(one.text)[0] == kind]
            fits = [(share, one) for one in alike if of_all or singular(only) in one.words]
            known_well = any(one.of == "tie" for one in own) and "relative" not in kinds
            if only and not fits and known_well and question.asks == "yesno":
                return FoundAnswer(self._none_of.get(kind, ""))

        def rank(fit: tuple[float, KnownFact]) -> tuple[float, bool, int, int]:
            share, one = fit
            lately = question.past and one.of == "lived"
            order = len(_ORDER) if lately else _ORDER[one.of]
            # Of what somebody said the latest counts.
            of_other = question.told and question.subject == "other"
            by_name = of_other and question.need <= self.words(one.source)
            order = len(_ORDER) if by_name and one.of == "said" else order
            # Of how it is with somebody now, what was heard of them counts before who they are.
            order = len(_ORDER) if one.lasts and question.named and not question.past else order
            last = (one.t_us, order) if question.told else (order, one.t_us)
            return (share, one.ends, *last)

        share, found = max((one for one in fits if one[0]), key=rank, default=(0.0, None))
        if found is None:
            return None
        sure = share >= 1.0 and not self._none.search(found.text)
        past = question.past and found.of == "self"
        asks = question.asks == "yesno" and question.whole
        is_yes = asks and sure and not (past or found.ends or found.pending)
        is_no = question.asks == "yesno" and self._verdicts.denies(question, found)
        is_yes = is_yes and not is_no and not self._verdicts.leaves_open(question, found)
        return FoundAnswer(self.retold.aloud(found, asker=asker, t_us=t_us), is_yes, is_no)

    def _kind(self, question: HeardQuestion) -> tuple[str, str]:
        """Return of what kind those are whom a question asks for, and its word where it is all."""
        low, need = WORD.findall(question.text.casefold()), question.need
        if found := next((word for word in low if word in self._kinds), ""):
            return self._kinds[found], found if need <= self._words((found,)) else ""
        role = next((word for word in low if need and self._words((word,)) == need), "")
        kind, named = kind_of(role)
        return (kind, role) if role and named == role else ("", "")

    def _fits(self, question: HeardQuestion, known: KnownFact, *, asker: str) -> float:
        """Return which share of what is asked for is in something, 0 where it is no answer."""
        over = known.over and not question.past and (known.of != "lived" or known.lasts)
        if over or not self._may_answer(question, known, asker=asker):
            return 0.0  # what somebody said may be so no more
        need, named = question.need - question.named, question.named
        words = known.words | (self.words(known.source) if question.told else frozenset())
        words |= self._verdicts.opposites(need, words)
        if question.asks in _NAMED_BY and not need <= self._by_name:
            need -= self._by_name  # what is asked for is the name
        if known.of == "tie" and question.subject == "self":
            words -= _OF_THEM  # what somebody else does is not what the person does
        if known.of == "said" and named and named.isdisjoint(self.words(known.source)):
            return 0.0
        days = {day.casefold() for day in WEEKDAYS} & need
        if not days <= words or (named and named.isdisjoint(words)):
            return 0.0
        by_whom = self.words(known.source) if question.told and known.source else frozenset[str]()
        if need & by_whom:
            # What somebody said is asked of who said it, by a part of its name.
            return _share(need - by_whom, known.words)
        return self._share_of(question, known, need, words)

    def _share_of(
        self, question: HeardQuestion, known: KnownFact, need: frozenset[str], words: frozenset[str]
    ) -> float:
        """Return which share of what is asked of the right ones is in something."""
        named = question.named
        if not need and question.light and question.past and not question.told:
            return float(not question.light.isdisjoint(self._light_of(WORD.findall(known.text))))
        if not need:
            # Where somebody is, is told by what was heard of them, not by who they are.
            return 1.0 if question.told or (named and question.asks != "where") else 0.0
        share = _share(need, words)
        if question.asks == "where" and _PLACED.search(known.text):
            # Where somebody lives is where it is from, where it says no more; not where others are.
            own = known.of == "self" and need == self._dwells and _I_AM.match(known.text)
            other = known.of == "tie" and question.subject != "self" and bool(named)
            share = max(share, MOST_OF) if own or other else share
        half = known.of == "self" and question.asks != "yesno"
        return share if share >= (HALF if half else MOST_OF) else 0.0

    def _may_answer(self, question: HeardQuestion, known: KnownFact, *, asker: str) -> bool:
        """Tell whether something is of whom a question is, and of the time that it asks for."""
        of_speaker = question.subject == "speaker"
        by_asker = known.source.casefold() == asker.casefold()
        in_time = _is_of(known, question)
        if known.of in ("told", "said"):
            # What somebody thinks is not known from what others say.
            theirs = question.subject != "self" or known.own
            plain = theirs and not question.taste and known.of == "told"
            asked = known.of == "said" and by_asker and known.text.endswith("?")
            fits = in_time and not asked if question.told else plain
            return (by_asker or not of_speaker) and fits
        if question.told:
            return False
        if known.of == "lived":
            beside = question.past and asker.casefold() in known.words
            then = known.lasts or (in_time and not question.ahead)
            return (not of_speaker or beside) and then
        # What somebody is tells nothing of what it did, or will do.
        now = question.span_us is None and not question.ahead
        if of_speaker or known.of == "tie":
            return not of_speaker and now and not question.past
        return (question.subject != "other" or bool(question.named)) and now

    def day(
        self,
        episodes: Iterable[Episode],
        span_us: tuple[int, int],
        how: HowTold,
        *,
        t_us: int,
    ) -> FoundAnswer | None:
        """Return what mattered most of what happened in a time, None where nothing is told."""
        then = [one for one in episodes if span_us[0] <= one.t_us < span_us[1]]
        known = [(one, self._known_of(one, how)) for one in then if one.importance >= LEAST_DAY]
        told = [(one, fact) for one, fact in known if fact is not None and fact.text]
        most = sorted(told, key=lambda pair: (-pair[0].importance, -pair[0].t_us))[:MOST_OF_DAY]
        most.sort(key=lambda pair: pair[0].t_us)
        said = [self.retold.aloud(fact, asker="", t_us=t_us) for _, fact in most]
        found = dict.fromkeys(one[:1].upper() + one[1:] for one in said if one)
        return FoundAnswer(". ".join(found)) if found else None

    def _known_of(self, one: Episode, how: HowTold) -> KnownFact | None:
        """Return something that happened, or was said, as it is told; None for what is no story."""
        if one.type == "speech":
            short = len(one.text) <= MOST_QUOTED and one.source
            said = one.text.rstrip(".!… ")
            return KnownFact(said, frozenset(), "said", one.t_us, one.source) if short else None
        if one.type in ("said", "goal", "concern"):
            return None
        if found := self._teller.match(one.text):
            name = self.retold.turned(found["teller"], self.retold.own, after=())
            return KnownFact(found["told"].rstrip(".!"), frozenset(), "told", one.t_us, name)
        text = self.telling(one, how)
        lasts = text == self._lasting(one, how)
        return KnownFact(text, frozenset(), "lived", one.t_us, lasts=lasts)

    def names_speaker(self, question: HeardQuestion) -> bool:
        """Tell whether a question asks for the name of who asks it."""
        low = set(WORD.findall(question.text.casefold()))
        asks = question.asks == "who" or not self._naming.isdisjoint(low)
        return question.subject == "speaker" and question.need <= self._words(self._naming) and asks

    def you_are(self, name: str) -> str:
        """Return how somebody is told its own name."""
        return self.retold.filled("you_are", name=name)

    def introduced(self, text: str) -> str:
        """Return the name by which somebody says who it is, nothing where it does not say it."""
        found = self._introduces.search(text.replace("’", "'"))
        return (found["name"] or found["first"]) if found else ""

    def asked_for(self, text: str, others: Sequence[NamedOther], *, skip: str) -> NamedOther | None:
        """Return whom of a person's people a text is about: by name, or as what they are.

        Who speaks, `skip`, is not meant by its own name, but by what it is to the person.
        """
        for one in others:
            is_other = one.name.casefold() != skip.casefold() and one.name[:1].isupper()
            if is_other and re.search(rf"(?<![\w-]){re.escape(one.name)}(?![\w-])", text):
                return one
        low = text.casefold()
        return next((one for one in others if self._is_kin(one.role, low)), None)

    def _is_kin(self, role: str, low: str) -> bool:
        """Tell whether words name somebody by what they are: `your big brother`, `your mum`."""
        means = self._words((role,)) if role else frozenset()
        words = WORD.findall(low)
        return bool(means) and any(
            word in self._yours
            and means in map(self._words, ((w,) for w in words[at + 1 : at + 3]))
            for at, word in enumerate(words)
        )


_NAMED_BY = ("what", "who", "which")
_OF_THEM = frozenset({"work", "old", "study"})


_ORDER = {"said": 0, "lived": 1, "told": 2, "tie": 3, "self": 4}
"""Of what fits as well, what somebody is comes before what it was told."""


def _is_of(known: KnownFact, question: HeardQuestion) -> bool:
    """Tell whether something is of the time that a question asks for."""
    span_us = question.span_us
    return span_us is None or span_us[0] <= known.t_us < span_us[1]


def _share(need: frozenset[str], words: frozenset[str]) -> float:
    """Return which share of what is asked for is among some words, all of nothing."""
    return len(need & words) / len(need) if need else 1.0


def _inner(text: str) -> str:
    """Return a memory as it stands within a sentence."""
    return " ".join(text.split()).rstrip(".!")
