"""Look over what a user relies on, one look after the other, and say what is wrong with each."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from mindpipe.core.errors import BadInputError, MindError
from mindpipe.core.text import counted
from mindpipe.monitoring.records import DoctorFinding
from mindpipe.store.records import StoreFinding


class Look(NamedTuple):
    """One look: what it is about, and what yields its findings and writes nothing."""

    about: str
    findings: Callable[[], Iterable[StoreFinding]]


def doctor(looks: Iterable[Look]) -> Iterator[DoctorFinding]:
    """Yield what each look finds; an error that ends one is what it found, said once."""
    said: set[str] = set()
    for look in looks:
        try:
            for one in look.findings():
                yield DoctorFinding(
                    about=look.about,
                    check=one.check,
                    verdict=one.verdict,
                    found=one.found,
                    advice=one.advice,
                )
        except MindError as error:
            for words in _words(error):
                if words not in said:
                    said.add(words)
                    yield _ended(look.about, words)


def _words(error: MindError) -> list[str]:
    """Return what an error says, each problem of an input by itself."""
    if isinstance(error, BadInputError):
        return [problem.line_of_text() for problem in error.problems]
    return [str(error)]


def _ended(about: str, words: str) -> DoctorFinding:
    """Return the finding for an error, whose second sentence says what to do."""
    found, _, advice = words.partition(". ")
    return DoctorFinding(
        about=about, check=about, verdict="bad", found=found, advice=advice or None
    )


def raise_wrong(findings: Sequence[DoctorFinding]) -> None:
    """Raise MindError if anything is wrong."""
    if wrong := sum(one.verdict == "bad" for one in findings):
        looked = counted(len(findings), "finding")
        raise MindError(f"{looked}, {wrong} bad: the advice beside each says what to do.")
