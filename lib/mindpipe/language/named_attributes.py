"""Attributes that a sentence calls by their own words: `my shoe size is 42`, `Dana owns Atlas`.

They are named `KIND.SLOT`, with `.*` behind it where somebody has several at a time, as the setting
`knowledge.slots` has them; a slot is called by its words. Those of projects are known without it,
and so are a few of persons.
"""

import functools
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mindpipe.core.patterns import LatePattern, late
from mindpipe.language import words
from mindpipe.language.clause_form import ClauseForm
from mindpipe.language.dates import dates_in
from mindpipe.language.forms import NAME, NO_NAME
from mindpipe.language.records import Meant
from mindpipe.language.words import any_of

PROJECT = "project"
"""Whom something is said of that is said of the project, or of what "we" use, without a name."""
DATABASE, FRAMEWORK = "project_state.database", "project_state.framework.*"
LANGUAGE, OWNER, DEADLINE = (
    "project_state.language",
    "project_state.owner",
    "project_state.deadline",
)
_OF_NAMES = (DATABASE, FRAMEWORK, DEADLINE, "project_state.repository", "tooling_state.endpoint")
"""What nobody has but a project or a tool, so that whose name it stands behind is one."""
_OF_PROJECTS = (
    *_OF_NAMES, LANGUAGE, OWNER, "project_state.milestone", "project_state.budget",
    "project_state.blocker", "project_state.phase", "project_state.team", "tooling_state.host",
)  # fmt: skip
_OF_PERSONS = (
    "operator_preference.language",
    "operator_preference.timezone",
    "operator_preference.working_hours",
    "world_fact.nationality",
)
KNOWN = (*_OF_PROJECTS, *_OF_PERSONS)
"""Attributes that are read by their names though no setting adds them."""
_IN_NUMBERS = frozenset({"project_state.budget", "operator_preference.working_hours"})
_OF_THINGS = frozenset({"project_state.milestone", "project_state.blocker", "project_state.phase"})
_PHASES = words.listed(
    "planning design discovery development alpha beta testing staging review production maintenance"
)
_OPINIONS = words.listed(
    """
    good great bad terrible awful horrible fine okay ok nice lovely perfect better worse best worst
    tight slow fast down up over late early near far big small huge tiny large high low same other
    different unknown unclear secret open closed ready done gone broken stable flaky average normal
    ridiculous embarrassing enormous weird strange funny wrong right too very so really quite still
    always never yours mine ours everyone's nobody's important urgent close coming
    """
)
_A_THING = late(r"(?:the|an?|our) \w|[A-Z]")
DATED = frozenset({DEADLINE})
"""Attributes of which the value is a day."""
_USED = {
    **dict.fromkeys(words.DATABASES, DATABASE),
    **dict.fromkeys(words.FRAMEWORKS, FRAMEWORK),
    **dict.fromkeys(words.PROGRAMMING_LANGUAGES, LANGUAGE),
}
_KIND = any_of(words.PARTS_OF_PROJECTS)
_WORD = r"(?!(?:the|our|this|that|whole|entire|new|old|other)\b)[a-z][a-z-]*"
_NO_ARTICLE = r"(?!(?:The|Our|This|That|My|A|An)\b)"
_PART = (
    r"(?:[Tt]he |[Oo]ur |[Tt]his )?"
    rf"(?P<subject>project|(?:{_WORD} ){{LEAST,2}}?(?:{_KIND})|"
    rf"(?:{NO_NAME}{_NO_ARTICLE}{NAME}) (?:{_KIND})|[Pp]roject {NAME})"
)
_OF_KIND = _PART.replace("LEAST", "0")
_TOLD_APART = _PART.replace("LEAST", "1")
"""A part of a project that is told from others: whose "the api" is, is of one of several."""
_NAMED = rf"(?P<named>{NO_NAME}{_NO_ARTICLE}{NAME})"
_THING = rf"(?:{_OF_KIND}|{_NAMED})"
_WE = rf"(?:[Ww]e|{_THING})"
_NOW = r"(?: (?:now|currently|still|officially|also|mainly))*"
_HAVE = r"(?:['’]ve| have| has)?(?: (?:now|just|recently|finally|also|since))*"
_VALUE = r"(?P<value>\S+(?: \S+){0,4}?)"
_MOVED = r"(?:moved|changed|extended|pushed|postponed|raised|lowered|increased|cut|set|shifted)"
_TO = r"(?: back| out| forward)?(?: from .+?)? to"
_IS = (
    rf"(?:(?P<ended>(?:is|are) no longer)|(?P<denied>(?:is|are)(?: not|n['’]?t))|"
    rf"(?:was|were|has been|have been|is|are|got)(?: now)? (?:{_MOVED}|brought){_TO}|"
    rf"(?:is|are|will be){_NOW})"
)
_HAS_NO = (
    r"(?P<ended>(?:no longer (?:has|have)|(?:has|have) no(?: longer)?|"
    r"(?:does not|doesn['’]?t|do not|don['’]?t) have) (?:an?|any)?) ?"
)
_OWNS = (
    r"(?:(?:now |also )?(?:(?P<ended>no longer owns?)|(?P<denied>(?:does|do)(?: not|n['’]?t) own)|"
    rf"owns?|(?:is|am|['’]m){_NOW} (?:the )?(?:(?:new )?owner of|responsible for|in charge of)|"
    r"(?:has |have |['’]ve )?(?:just )?(?:took|taken) over))"
)
_USES = (
    r"(?:(?P<ended>no longer uses?|(?:has |have |['’]ve )?(?:stopped using|dropped))|"
    r"(?P<denied>(?:does|do)(?: not|n['’]?t) use)|"
    rf"(?:now |also |currently |mainly |still )?uses?|(?:is|are|['’]re){_NOW} using)"
)
_SWITCHED = r"(?:switched|migrated|moved|changed|ported)"
_FROM = r" from (?P<instead>\S+(?: \S+)?)"
_INTO = r" to (?P<value>\S+(?: \S+)?)"
_RIGHTED = late(
    r"(?P<head>.+? (?:is|are))(?: not|n['’]?t) (?P<old>.+?),? but (?:rather )?(?P<new>(?!not\b).+)"
)
_PLAIN = late(r"(?:[Tt]he |[Oo]ur |[Tt]his )?(?:[Pp]roject (?=\S)|(?=\S))")


class _Frame(NamedTuple):
    """A frame of a clause: what is owned by whom, or what is done, and of which attribute."""

    pattern: LatePattern
    attribute: str = ""


class NamedFound(NamedTuple):
    """What a clause says of an attribute that it names, by groups as those of the forms."""

    form: ClauseForm
    groups: dict[str, str | None]


def called(name: str) -> str:
    """Return the words by which sentences call an attribute: `shoe size`."""
    return name.partition(".")[2].removesuffix(".*").replace("_", " ")


def is_of_things(name: str) -> bool:
    """Tell whether an attribute is of projects and tools, and of no person."""
    return name.startswith(("project_state.", "tooling_state."))


def used_as(value: str) -> str:
    """Return the attribute of a project that uses a program, "" where nobody knows what it is."""
    bare = re.sub(r"[ v]*\d[\w.]*$", "", value)
    named = bare.lower() not in words.PROGRAMS_AND_WORDS or bare[:1].isupper()
    return _USED.get(bare.lower(), "") if named else ""


def is_value_of(attribute: str, value: str) -> bool:
    """Tell whether words are a value of an attribute, and no opinion on it: `tight`, `too slow`.

    Of what is known without a setting values are names, numbers or, of some, things.
    """
    if not _OPINIONS.isdisjoint(value.lower().split()[:2]):
        return False
    written = re.search(r"\d|\w[./:@]\w", value) is not None
    if attribute not in KNOWN or used_as(value) or written:
        return True
    if attribute in _OF_THINGS:
        return value.lower() in _PHASES or _A_THING.match(value) is not None
    return attribute not in _IN_NUMBERS and any(one[0].isupper() for one in value.split())


def thing_of(name: str | None) -> str:
    """Return what is called so, without what stands around its name: `the Atlas project`."""
    if not name:
        return PROJECT
    bare = _PLAIN.sub("", name, count=1)
    return bare.removesuffix(" project") if bare[:1].isupper() else bare


def in_days(attribute: str, value: str | None, *, at: str) -> str | None:
    """Return a value as it is compared: the day of a deadline, None where it names no one day."""
    if attribute not in DATED or value is None:
        return value
    named = dates_in(value, at=at, side="ahead") if at else ()
    return named[0].since[:10] if len(named) == 1 else None


class NamedAttributes:
    """What tells attributes by their names; `names` are `KIND.SLOT` or `KIND.SLOT.*`."""

    def __init__(self, names: Iterable[str]) -> None:
        known = dict.fromkeys((*KNOWN, *names))
        self._of_things = {called(one): one for one in known if is_of_things(one)}
        self._of_persons = {called(one): one for one in known if not is_of_things(one)}
        nouns = any_of({*self._of_things, *self._of_persons})
        self._cue = late(
            rf"(?i)\b(?:{nouns}|us(?:es?|ing)|{_SWITCHED}|dropped|own(?:s|ed|er)?|due|"
            r"responsible|in charge|t(?:ook|aken) over)\b"
        )

    def found_in(self, text: str) -> Iterator[NamedFound]:
        """Yield what the whole of a clause says: `is not May 10 but May 12` says two things."""
        if self._cue.search(text) is None:
            return
        righted = _RIGHTED.fullmatch(text)
        if righted is not None:
            yield from self.found_in(f"{righted['head']} not {righted['old']}")
            yield from self.found_in(f"{righted['head']} {righted['new']}")
            return
        for frame in self._frames:
            if (found := frame.pattern.fullmatch(text)) is None:
                continue
            several = list(self._read(frame, found.groupdict()))
            yield from several
            if several:
                return

    def _read(self, frame: _Frame, groups: dict[str, str | None]) -> Iterator[NamedFound]:
        noun, value = (groups.get("noun") or "").lower(), groups.get("value")
        meant: Meant = "asserted"
        if groups.get("ended") or groups.get("denied"):
            meant = "ended" if groups.get("ended") else "denied"
        if frame.attribute == "used":
            told = [(used_as(one), one) for one in re.split(r",? and |, ", value or "")]
            if noun and len(told) == 1:
                told = [(self._of_things[noun], value or "")]
            elif not groups.get("instead"):
                # What else is written in another language goes on being so.
                told = [one for one in told if one[0] != LANGUAGE]
        else:
            by = self._of_persons if frame.attribute == "person" else self._of_things
            told = [(frame.attribute if "." in frame.attribute else by[noun], value or "")]
        subject = groups.get("subject") or groups.get("named")
        if frame.attribute != "person":
            subject = thing_of(subject)
        for attribute, one in told:
            if attribute and (not one or attribute in DATED or is_value_of(attribute, one)):
                form = ClauseForm(attribute, "", meant)
                old = {"instead": groups["instead"]} if groups.get("instead") else {}
                yield NamedFound(form, {"value": one, "subject": subject, **old})

    @functools.cached_property
    def _frames(self) -> tuple[_Frame, ...]:
        """Return the frames, compiled when the first clause may be one."""
        persons, things = any_of({*self._of_persons}), any_of({*self._of_things})
        own = any_of({called(one) for one in _OF_NAMES} & {*self._of_things} | self._added())
        new = r"(?:new |current |main |next )?"
        whose = rf"(?P<subject>{NO_NAME}{NAME})['’]s?"
        owned = (
            rf"{_OF_KIND}['’]s? {new}(?P<noun>{things})",
            rf"{_NAMED}['’]s? {new}(?P<noun>{own})",
            rf"[Tt]he {new}(?P<noun>{things}) (?:of|for) {_THING}",
            rf"[Oo]ur {new}(?P<noun>{things})",
        )
        spelt = (
            ("person", rf"(?:[Mm]y|{whose}) {new}(?P<noun>{persons}) {_IS} {_VALUE}"),
            ("person", rf"(?:I|(?P<subject>{NO_NAME}{NAME})) {_HAS_NO}(?P<noun>{persons})"),
            *(("thing", rf"{one} {_IS}(?: on| at)? {_VALUE}") for one in owned),
            ("thing", rf"{_WE} {_HAS_NO}(?P<noun>{things})"),
            (
                "thing",
                rf"(?:[Ww]e|{NAME}){_HAVE} {_MOVED} the (?P<noun>{things}) (?:of|for) "
                rf"{_THING}{_TO} {_VALUE}",
            ),
            (DEADLINE, rf"{_OF_KIND} is{_NOW} due (?:on|by) {_VALUE}"),
            (OWNER, rf"(?P<value>I|{NO_NAME}{NAME}) {_OWNS} {_TOLD_APART}"),
            (OWNER, rf"{_TOLD_APART} is{_NOW} owned by (?P<value>{NAME})"),
            (
                "used",
                rf"{_WE} {_USES} {_VALUE}(?: instead of (?P<instead>\S+))?"
                rf"(?: as (?:its|the|our) (?:main )?(?P<noun>{things}))?",
            ),
            (
                "used",
                rf"(?:[Ww]e|{NAME}){_HAVE} {_SWITCHED} {_OF_KIND}(?: over)?(?:{_FROM})?{_INTO}",
            ),
            ("used", rf"(?:[Ww]e|{_OF_KIND}){_HAVE} {_SWITCHED}(?: over)?(?:{_FROM})?{_INTO}"),
            # Who has a name may be somebody: "Sana switched to Rust".
            ("used", rf"(?:[Ww]e|{NAME}){_HAVE} {_SWITCHED} {_NAMED}(?: over)?{_FROM}{_INTO}"),
            ("used", rf"{_NAMED}{_HAVE} {_SWITCHED}(?: over)?{_FROM}{_INTO}"),
        )
        return tuple(_Frame(late(pattern), attribute) for attribute, pattern in spelt)

    def _added(self) -> set[str]:
        """Return the words of those attributes of things that a setting adds."""
        return {noun for noun, name in self._of_things.items() if name not in KNOWN}
