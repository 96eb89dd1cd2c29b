"""What something that happened holds, taken apart: each thought of it turns another facet up.

The first thought tells it as it happens, in pieces; later ones take what stands in its text (the
other things, the way and the place, what was said, what was asked, given, counted or named as a
day), then what it is to this life (a plan, somebody who does not know of it, a memory, a value).
When all are told, little is left to say.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from mindpipe.person.calendar import DAY_US, HOUR_US, WEEKDAYS
from mindpipe.person.records.episode import Episode
from mindpipe.person.voice.clauses import ClauseReader, EventClause
from mindpipe.person.voice.lexicon import Lexicon
from mindpipe.person.voice.phrases import owns
from mindpipe.person.voice.wording import WordingReader, cleaned, segments_of

MOST_PIECE, LEAST_PIECE, MOST_PART = 6, 2, 5
"""The most and the least words of a piece, and the most of a part."""
LEAST_SCENE = 3
"""The least words of a part after its preposition where these begin as any do: `the old yard`."""
COPIED = 4
"""From how many words in a row on something is copied and not told."""
QUARTER_US = HOUR_US // 4
MOST_DAYS = 200
"""Up to how many days a stretch of time is counted in days."""


class EventFacets(NamedTuple):
    """What the text of an event holds, in the first person; all may be empty.

    `pieces` are short clauses in the present, `acts` what somebody else did, without a subject and
    in the past, `parts` how and where (`over fried plantain`), `gifts` what somebody gave. `asked`
    is what one is asked to do, `asked_doing` its gerund, `promised` what the speaker will do.
    `span` is a stretch of time that is told, `span_days` its length in days, `weekday` a day that
    is named, `due` the part before which something is to be done.
    """

    pieces: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    gifts: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    asked_doing: tuple[str, ...] = ()
    promised: tuple[str, ...] = ()
    span: str = ""
    span_days: int = 0
    weekday: str = ""
    due: tuple[str, ...] = ()


class FacetReader:
    """Takes the texts of events apart with the words of one language."""

    def __init__(self, reader: WordingReader) -> None:
        self.reader = reader
        self.clauses: ClauseReader = reader.clauses
        self.lexicon: Lexicon = reader.lexicon
        self.read = lru_cache(maxsize=512)(self._read)

    def _read(
        self, text: str, *, spoken: bool = False, source: str = "", whole: bool = False
    ) -> EventFacets:
        """Return what a text holds; `spoken` where it is speech of `source`.

        What is copied from a text is left out, unless all of it is asked for, as of a person's own
        account of itself.
        """
        segments = segments_of(self.reader.told(self.reader.spelled_out(cleaned(text))))
        found = tuple(segments if spoken else map(self.reader.reported, segments))
        weekday, (span, days) = self._weekday(found), self._span(found)
        due = tuple(dict.fromkeys(self._due(found)))
        if spoken:
            asked = [one for words in found for one in self._asked(words, source)]
            return EventFacets(
                asked=tuple(do for do, _ in asked),
                asked_doing=tuple(doing for _, doing in asked),
                promised=tuple(filter(None, map(self._promised, found))),
                span=span, span_days=days, weekday=weekday, due=due,
            )  # fmt: skip
        pieces, parts = list[str](), list[str]()
        for words in found:
            for head, tails in self._pieces(words):
                pieces += [head] if head else []
                parts += tails
        clauses = [one for words in found for one in self.clauses.clauses(words)]
        return EventFacets(
            pieces=not_copied(pieces, "" if whole else text),
            acts=not_copied((self._act(one) for one in clauses), "" if whole else text),
            parts=not_copied(parts, "" if whole else text),
            gifts=tuple(dict.fromkeys(filter(None, map(self._gift, clauses)))),
            span=span, span_days=days, weekday=weekday, due=due,
        )  # fmt: skip

    # -- pieces

    def _pieces(self, words: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield the clauses of a segment, each as its head and its parts."""
        begin = 0
        for at in range(1, len(words) + 1):
            if at < len(words) and not self._parts_clauses(words, at):
                continue
            lead = 1 if begin else 0
            yield self._piece(words[begin + lead : at])
            begin = at

    def _parts_clauses(self, words: Sequence[str], at: int) -> bool:
        """Tell whether a join parts two clauses."""
        lex = self.lexicon
        if words[at].lower() not in lex.joins or at + 1 >= len(words):
            return False
        after = words[at + 1].lower()
        if at < self.clauses.subject(words, 0):
            return False
        if words[at].lower() not in lex.adding:
            return True
        if lex.third(after) or (words[0].lower() in lex.hearer and after in lex.verbs):
            return True
        end = self.clauses.subject(words, at + 1)
        return end > at + 1 and end < len(words) and self.clauses.begins_verb(words[end].lower())

    def _piece(self, words: Sequence[str]) -> tuple[str, list[str]]:
        """Return the head of a clause in the first person, and its parts."""
        lex = self.lexicon
        cuts = [k for k, word in enumerate(words) if word.lower() in lex.prepositions]
        cuts = [k for k in cuts if words[k].lower() not in lex.attached and k + 1 < len(words)]
        first = next((k for k in cuts if k >= LEAST_PIECE or not k), len(words))
        ends = [k for k in cuts if k >= first][1:]
        bounds = [first, *ends, len(words)]
        parts = [self._turned(words[a:b]) for a, b in pairwise(bounds)]
        parts = [one for one in parts if self._is_part(one.split())]
        head = words[:first]
        if not LEAST_PIECE <= len(head) <= MOST_PIECE or any(
            a in lex.attached and b in lex.hearer for a, b in pairwise(map(str.lower, head))
        ):
            return "", parts
        ends_open = head[-1].lower() in lex.no_end | lex.auxiliaries
        if ends_open or not any(self.clauses.begins_verb(w.lower()) or lex.third(w) for w in head):
            return "", parts
        return self._subjected(head), parts

    def _is_part(self, words: Sequence[str]) -> bool:
        """Tell whether a phrase tells a way or a place by itself: it has a noun and no verb."""
        low = [word.lower() for word in words]
        told = LEAST_PIECE <= len(words) <= MOST_PART and low[-1] not in self.lexicon.no_end
        is_bare = self.lexicon.auxiliaries.isdisjoint(low)
        return told and is_bare and any(map(self.lexicon.is_content, low[1:]))

    def _subjected(self, words: Sequence[str]) -> str:
        """Return a clause in which `you` is `I` as its subject and `me` elsewhere."""
        lex, first = self.lexicon, words[0]
        if first.lower() not in lex.hearer:
            small = first.lower() in lex.function and first != lex.frames.get("self")
            return self._turned((first.lower() if small else first, *words[1:]))
        me = lex.frames.get("self", first)
        if len(words) > 1 and words[1].lower() in lex.adding:
            end = self.clauses.subject(words, 0)
            others = self._turned(words[2:end])
            return f"{others} {words[1]} {me} {self._turned(words[end:])}"
        rest = [lex.self_verbs.get(word.lower(), word) for word in words[1:2]]
        return f"{me} {self._turned((*rest, *words[2:]))}"

    def _turned(self, words: Sequence[str]) -> str:
        """Return words as the hearer says them."""
        return " ".join(self.lexicon.turned.get(word.lower(), word) for word in words)

    def _act(self, clause: EventClause) -> str:
        """Return what somebody else did, without a subject, nothing where it is to come."""
        if (
            clause.subject[0].lower() in self.lexicon.alone | self.lexicon.persons
            or not clause.verb.past
        ):
            return ""
        rest = list(clause.rest)
        lex_base = self.lexicon.base(clause.verb.past.split()[-1])
        for at, word in enumerate(rest):
            if at and word.lower() in self.lexicon.prepositions - self.lexicon.attached:
                rest = rest[:at]
                break
        told = lex_base not in self.lexicon.pale | {""} and any(
            self.lexicon.is_content(word.lower()) for word in rest
        )
        return f"{clause.verb.past} {self._turned(rest)}" if told else ""

    def _gift(self, clause: EventClause) -> str:
        """Return what somebody gave in a clause, as its hearer says it, or nothing."""
        lex = self.lexicon
        first = clause.subject[0]
        if first.lower() in lex.hearer | lex.alone or not clause.verb.past:
            return ""
        if lex.base(clause.verb.past.split()[-1]) not in lex.gives:
            return ""
        words = [word for word in clause.rest if word.lower() not in lex.hearer | lex.speaker]
        for at, word in enumerate(words):
            if word.lower() in lex.prepositions - lex.attached:
                words = words[:at]
                break
        if not words or len(words) > MOST_PART or words[0].lower() in lex.pronouns:
            return ""
        low = words[0].lower()
        if low in lex.possessives and low not in lex.owned and first[:1].isupper():
            words[0] = lex.frames.get("owner", "{name}").replace("{name}", clause.subject[-1])
        elif low in lex.determiners:
            words[0] = lex.frames.get("definite", words[0])
        last = words[-1].lower()
        if len(words) > LEAST_PIECE and lex.participle(last) and last not in lex.verbs:
            words.pop()
        return self._turned(words)

    # -- what is asked, and when

    def _asked(self, words: Sequence[str], source: str) -> Iterator[tuple[str, str]]:
        """Yield what a segment of speech asks its hearer to do, and its gerund."""
        lex = self.lexicon
        lead = [word.lower() for word in words[:2]]
        if lead[:1] and lead[0] in lex.polite:
            words, lead = words[1:], lead[1:]
        if " ".join(lead) in lex.advice:
            words = words[2:]
        if not words or words[0].lower() not in lex.verbs or len(words) < LEAST_PIECE:
            return
        if " ".join(words).lower() in lex.interjections:
            return
        if words[0].lower() in lex.auxiliaries | lex.prepositions:
            return
        ends = lex.deadlines | lex.adding
        end = next((k for k, word in enumerate(words) if word.lower() in ends), 7)
        verb, rest = words[0].lower(), list(words[1 : min(end, 7)])
        while rest and rest[-1].lower() in lex.no_end - lex.particles:
            rest.pop()
        them = source or lex.frames.get("them", "them")
        turned = {word: form.replace("{name}", them) for word, form in lex.request_turned.items()}
        said = [turned.get(word.lower(), word) for word in rest]
        yield " ".join((verb, *said)), " ".join((lex.gerund(verb), *said))

    def _promised(self, words: Sequence[str]) -> str:
        """Return what the speaker of a segment says that it will do, or nothing."""
        lex, low = self.lexicon, [word.lower() for word in words]
        lead = next((n for n in (1, 2) if " ".join(low[:n]) in lex.promising), 0)
        said = words[lead : lead + MOST_PIECE]
        if not lead or len(said) < LEAST_PIECE or said[0].lower() not in lex.verbs:
            return ""
        return self._turned(said) if said[-1].lower() not in lex.no_end else ""

    def _weekday(self, segments: Iterable[Sequence[str]]) -> str:
        """Return the day of the week that a text names."""
        return next((w for words in segments for w in words if w in WEEKDAYS), "")

    def _span(self, segments: Iterable[Sequence[str]]) -> tuple[str, int]:
        """Return a stretch of weeks or days that a text tells, and its length in days."""
        lex = self.lexicon
        for words in segments:
            for number, unit in pairwise(words):
                count = lex.value(number.lower())
                days = lex.days_of.get(unit.lower(), 0) * count
                if 1 < days <= MOST_DAYS:
                    return f"{number.lower()} {unit.lower()}", days
        return "", 0

    def _due(self, segments: Iterable[Sequence[str]]) -> Iterator[str]:
        """Yield what something is to be done before: `before the frost`."""
        for words in segments:
            for at, word in enumerate(words):
                if word.lower() not in self.lexicon.deadlines:
                    continue
                end = self.reader.phrases.nouns(words, at + 2)
                known = words[at + 1 : at + 2]
                led = bool(known) and known[0].lower() in self.lexicon.opens_thing
                if led and end > at + 2:
                    yield self._turned((word.lower(), *words[at + 1 : end]))


def not_copied(found: Iterable[str], text: str) -> tuple[str, ...]:
    """Return texts once each, without those that are copied from a text."""
    words = dict.fromkeys(one for one in found if one)
    plain = re.findall(r"[\w'’]+", text.lower())
    runs = {tuple(plain[k : k + COPIED]) for k in range(len(plain) - COPIED + 1)}

    def copied(one: str) -> bool:
        said = re.findall(r"[\w'’]+", one.lower())
        return any(tuple(said[k : k + COPIED]) in runs for k in range(len(said) - COPIED + 1))

    return tuple(one for one in words if not copied(one))


def clock_words(t_us: int, lexicon: Lexicon) -> str:
    """Return the hour of an instant, to the quarter: `half past nine`, `midnight`."""
    quarters = round(t_us % DAY_US / QUARTER_US) % 96
    hour, quarter = divmod(quarters, 4)
    told = lexicon.clock
    if quarter == 0 and hour in (0, 12):
        return told.get("midnight" if hour == 0 else "noon", "")
    frame = told.get(("hour", "quarter", "half", "to")[quarter], "")
    return frame.replace("{hour}", lexicon.number((hour + (quarter == 3) - 1) % 12 + 1))


def stretch_words(span_us: int, lexicon: Lexicon) -> str:
    """Return a stretch of time in words, roughly: `two hours`, `three days`; nothing for less."""
    hours, told = round(span_us / HOUR_US), lexicon.clock
    if hours < 1:
        return ""
    if hours < 36:
        return told.get("one_hour", "") if hours == 1 else _many(hours, "hours", lexicon)
    return _many(round(hours / 24), "days", lexicon)


def _many(count: int, unit: str, lexicon: Lexicon) -> str:
    """Return a number of something in words."""
    number = lexicon.number(count)
    frame = lexicon.clock.get(unit, "")
    return frame.replace("{number}", number) if number else ""


def days_until(weekday: str, t_us: int) -> int:
    """Return in how many days a day of the week comes, 0 where it is that day."""
    return (WEEKDAYS.index(weekday) - t_us // DAY_US) % len(WEEKDAYS)


def facet_slots(episode: Episode, reader: FacetReader, t_us: int) -> dict[str, tuple[str, ...]]:
    """Return the slots that the facets of an episode fill at an instant."""
    read = reader.read(episode.text, spoken=episode.type == "speech", source=episode.source)
    lexicon, gone_us = reader.lexicon, t_us - episode.t_us
    left = max(read.span_days - gone_us // DAY_US, 0)
    until = days_until(read.weekday, t_us) if read.weekday else 0
    told = {
        "piece": read.pieces,
        "act": read.acts,
        "part": tuple(one for one in read.parts if _is_scene(one, lexicon)),
        "gift": read.gifts,
        "wish": read.asked,
        "wishing": read.asked_doing,
        "promise": read.promised,
        "due": read.due,
        "at": (clock_words(episode.t_us % DAY_US, lexicon),),
        "gone": (stretch_words(gone_us, lexicon),),
        "span": (read.span,),
        "span_days": (lexicon.number(read.span_days),),
        "span_left": (lexicon.number(left),) if 0 < left < read.span_days else (),
        "day": (read.weekday,),
        "day_ahead": (read.weekday,) if until else (),
        "day_left": (stretch_words(until * DAY_US, lexicon),) if until > 1 else (),
    }
    return {name: tuple(filter(None, values)) for name, values in told.items()}


def _is_scene(part: str, lexicon: Lexicon) -> bool:
    """Tell whether a part of what happened is seen by itself: a place or a thing, and nobody."""
    first, *rest = part.split()
    known = any(word.lower() in lexicon.pronouns or word[:1].isupper() for word in rest)
    mine = lexicon.turned.get("your") in rest
    plain = rest[0].lower() in lexicon.determiners and len(rest) < LEAST_SCENE
    return first.lower() in lexicon.locating and not known and not mine and not plain


def is_own_doing(doing: str, lexicon: Lexicon) -> bool:
    """Tell whether one does something oneself: it begins with what is done.

    What others do is no thing: `three people looking at me` stands in front of nobody.
    """
    return lexicon.is_gerund(doing.split(" ", 1)[0])


def is_where(thing: str, text: str, lexicon: Lexicon) -> bool:
    """Tell whether a thing of what happened is told as where it was, or from where."""
    return where_in(thing, text, lexicon) != ""


def where_in(thing: str, text: str, lexicon: Lexicon) -> str:
    """Return the words of a text by which a thing is told as where it was, or nothing."""
    places = "|".join(sorted(lexicon.locating))
    noun = re.escape(thing.partition(" ")[2] or thing)
    # What has no article is no place: `on receptors`; a name is one: `at Kejetia`.
    first = thing.partition(" ")[0]
    led = "" if first[:1].isupper() and not owns(first) else r"[\w'’]+ "
    found = re.search(rf"\b(?:{places}) {led}{noun}\b", text, re.I)
    return found.group() if found else ""
