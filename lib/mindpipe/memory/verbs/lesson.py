"""Lessons: add them, show them, and say how it went when they were followed."""

from contextlib import AbstractContextManager

import msgspec

from mindpipe.core.lines import BadLines
from mindpipe.core.ports import Chance, Clock, Rows, Store
from mindpipe.core.text import whole_text
from mindpipe.memory.records import (
    ITEM_BYTES,
    Lesson,
    LessonOutcome,
    NewLesson,
    Numbered,
    StoredOutcome,
)
from mindpipe.memory.settle import instant, settle_instant, settle_lesson
from mindpipe.memory.strength import after_outcome
from mindpipe.memory.tables import written
from mindpipe.memory.verbs.keep import Addition, Substrate, keeping, one_body, record_of


def _current(rows: Rows, agent: str, lesson: Lesson) -> Lesson:
    """Return a lesson with all that became of it."""
    return _with_outcomes(rows, lesson, agent=agent, as_of=None)


_KIND = Substrate("lesson", "ls", Lesson, settle_lesson, _current)


def add(
    store: Store, clock: Clock, chance: Chance, *, agent: str, bad_lines: BadLines
) -> AbstractContextManager[Addition[NewLesson, Lesson]]:
    """Return what adds lessons part by part; raises BadInputError as `keeping` does."""
    return keeping(store, clock, chance, agent=agent, substrate=_KIND, bad_lines=bad_lines)


def list_(
    store: Store, *, agent: str, as_of: str | None = None, archived: bool = False
) -> list[Lesson]:
    """Return an agent's lessons in the order in which they came, as of an instant.

    Those that were taken back are left out unless `archived` is set.
    """
    settled = settle_instant(as_of)
    with store.read() as rows:
        return [
            _with_outcomes(rows, record_of(body, Lesson), agent=agent, as_of=settled)
            for body in list(written.bodies(rows, "lesson", agent=agent, as_of=settled))
            if archived or body.retracted is None
        ]


def show(store: Store, *, agent: str, id: str, as_of: str | None = None) -> Lesson:
    """Return one lesson as of an instant; raises UsageError if the agent has none of this id."""
    settled = settle_instant(as_of)
    with store.read() as rows:
        body = one_body(rows, "lesson", agent=agent, id=id, as_of=settled)
        return _with_outcomes(rows, record_of(body, Lesson), agent=agent, as_of=settled)


def after(
    store: Store, *, number: int, agent: str | None = None, limit: int = 1000
) -> list[Numbered[Lesson]]:
    """Return the lessons with a greater number, in the order of numbers, as they are now."""
    with store.read() as rows:
        return [
            Numbered(
                body.number,
                _with_outcomes(rows, record_of(body, Lesson), agent=body.agent, as_of=None),
            )
            for body in written.bodies_after(rows, "lesson", number, agent=agent, limit=limit)
        ]


def outcome(store: Store, clock: Clock, *, agent: str, id: str, outcome: LessonOutcome) -> Lesson:
    """Keep how it went when a lesson was followed, and return the lesson as it is now.

    Raises:
        UsageError: the agent has no such lesson, or the outcome's instant or note cannot be kept.
    """
    if outcome.note is not None:
        whole_text(outcome.note, field="the note", limit=ITEM_BYTES)
    with store.write(agent) as rows:
        lesson = show(store, agent=agent, id=id)
        confidence = after_outcome(
            lesson.confidence, outcomes=len(lesson.outcomes), good=outcome.good
        )
        written.add_outcome(
            rows,
            StoredOutcome(
                agent=agent,
                lesson=id,
                at=instant(outcome.at),
                good=outcome.good,
                note=outcome.note,
                learnt=clock.now(),
                confidence=confidence,
            ),
        )
        return show(store, agent=agent, id=id)


def _with_outcomes(rows: Rows, lesson: Lesson, *, agent: str, as_of: str | None) -> Lesson:
    """Return a lesson with what became of it by an instant, or by now."""
    later = written.outcomes(rows, agent=agent, lesson=lesson.id, as_of=as_of)
    if not later:
        return lesson
    told = tuple(LessonOutcome(at=one.at, good=one.good, note=one.note) for one in later)
    return msgspec.structs.replace(
        lesson, outcomes=(*lesson.outcomes, *told), confidence=later[-1].confidence
    )
