"""Patterns over iterations: stuck, oscillating, ineffective, overloaded, and nothing else."""

from hypothesis import given, settings
from hypothesis import strategies as st

from mindpipe.engine.records.attention import IterationReflection, PatternKind, ReflectionRules
from mindpipe.engine.worker import significance
from mindpipe.workers.records import LoopMode
from support.tables import each_row

RULES = ReflectionRules(ineffective_after=4, overloaded_after=3)
AT = "2026-11-21T20:00:00Z"
STUCK, OSCILLATING = PatternKind.STUCK, PatternKind.OSCILLATING
INEFFECTIVE, OVERLOADED = PatternKind.INEFFECTIVE, PatternKind.OVERLOADED


def lived(*ones: dict[str, object]) -> list[IterationReflection]:
    """Return iterations of which each did something else, but for what is said."""
    return [
        IterationReflection(
            **{
                "agent": "ava",
                "iteration": number,
                "at": AT,
                "action": f"look:{number}",
                "outcome": "done",
                **one,
            }
        )
        for number, one in enumerate(ones, 1)
    ]


def actions(*named: str) -> list[IterationReflection]:
    return lived(*({"action": name} for name in named))


def queues(*waiting: int) -> list[IterationReflection]:
    return lived(*({"queue": count} for count in waiting))


def modes(*found: LoopMode) -> list[IterationReflection]:
    return lived(*({"mode": mode} for mode in found))


def tries(*effective: int) -> list[IterationReflection]:
    return lived(*({"tried": 1, "effective": count} for count in effective))


N, D = LoopMode.NORMAL, LoopMode.DEEP_FOCUS


@each_row(
    ("given", "kind", "iterations"),
    [
        (actions("a:1", "a:1", "a:1"), STUCK, (1, 2, 3)),
        (actions("b:1", "a:1", "a:1", "a:1"), STUCK, (2, 3, 4)),
        (lived(*[{"action": "", "outcome": "failed"}] * 3), STUCK, (1, 2, 3)),
        (actions("a", "b", "a", "b"), OSCILLATING, (1, 2, 3, 4)),
        (modes(N, D, N, D), OSCILLATING, (1, 2, 3, 4)),
        (modes(N, D, D, N, D), OSCILLATING, (1, 3, 4, 5)),
        (lived(*({"focus": one} for one in "abab")), OSCILLATING, (1, 2, 3, 4)),
        (tries(0, 0, 0, 0), INEFFECTIVE, (1, 2, 3, 4)),
        (tries(1, 0, 0, 0, 0), INEFFECTIVE, (2, 3, 4, 5)),
        (queues(1, 2, 3, 4), OVERLOADED, (1, 2, 3, 4)),
        (queues(9, 1, 2, 30, 31), OVERLOADED, (2, 3, 4, 5)),
    ],
)
def test_a_pattern_is_found_with_its_iterations(
    given: list[IterationReflection], kind: PatternKind, iterations: tuple[int, ...]
) -> None:
    (found,) = significance.find(given, RULES)
    assert (found.kind, found.iterations) == (kind, iterations)


@each_row(
    "given",
    [
        [],
        actions("a:1", "a:1"),
        actions("a:1", "a:1", "a:2"),
        actions("a:1", "a:1", "a:1", "b:1"),
        lived(*[{"action": ""}] * 5),
        lived(*({"action": "a:1", "outcome": one} for one in ("done", "done", "failed"))),
        lived(*({"action": "a:1", "decided": (f"a {one}",)} for one in ("done", "done", "failed"))),
        actions("a", "b", "a", "c"),
        actions("a", "b", "c", "b"),
        actions("a", "b", "a", "b", "c"),
        modes(N, D, D, D, N, D),
        modes(N, D, N, N, N, N),
        tries(0, 0, 0, 1),
        tries(0, 0, 0),
        queues(1, 2, 3, 3),
        queues(4, 3, 2, 1),
        queues(1, 2, 3),
    ],
)
def test_nothing_is_found_in_what_is_none(given: list[IterationReflection]) -> None:
    assert significance.find(given, RULES) == []


def test_each_concern_is_stuck_by_itself() -> None:
    """What another concern does in between does not hide that one does the same again."""
    turns = [{"concern": one, "action": f"{one}:1"} for one in ("a", "b", "a", "b", "a", "b")]
    found = [one for one in significance.find(lived(*turns), RULES) if one.kind is STUCK]
    assert [(one.concern, one.iterations) for one in found] == [("a", (1, 3, 5)), ("b", (2, 4, 6))]


def test_the_words_do_not_hold_the_arguments() -> None:
    (found,) = significance.find(actions(*["pay+look:0a1b2c"] * 3), RULES)
    assert found.words == "the same 3 times: pay+look, done"


_ONE = st.fixed_dictionaries(
    {
        "action": st.sampled_from(["", "a:1", "b:1", "c:1"]),
        "outcome": st.sampled_from(["done", "failed", "skipped"]),
        "concern": st.sampled_from(["x", "y", None]),
        "focus": st.sampled_from(["x", "y", None]),
        "mode": st.sampled_from(list(LoopMode)),
        "queue": st.integers(0, 5),
        "tried": st.integers(0, 2),
        "effective": st.integers(0, 1),
    }
)


@settings(deadline=None)
@given(st.lists(_ONE, max_size=12))
def test_whatever_is_found_stands_on_iterations_that_show_it(ones: list[dict]) -> None:
    given_ones = lived(*ones)
    by_number = {one.iteration: one for one in given_ones}
    for found in significance.find(given_ones, RULES):
        stood_on = [by_number[number] for number in found.iterations]
        assert list(found.iterations) == sorted(set(found.iterations))
        if found.kind is STUCK:
            assert len({(one.action, one.outcome, one.concern) for one in stood_on}) == 1
        if found.kind is OSCILLATING:
            assert len(stood_on) == 4
        if found.kind is INEFFECTIVE:
            assert all(one.tried and not one.effective for one in stood_on)
        if found.kind is OVERLOADED:
            queue = [one.queue for one in stood_on]
            assert queue == sorted(set(queue))
