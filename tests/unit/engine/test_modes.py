"""When modes begin and end, and what each takes up; a table of cases."""

from mindpipe.engine.worker.modes import (
    FOCUS_MOST,
    LoopSituation,
    ModeRules,
    attending,
    idle_until,
    shift,
)
from mindpipe.workers.records import LoopMode
from support.tables import each_row

RULES = ModeRules()
S = LoopSituation
FOCUSED = S(queue=1, taken=1, relevant=1, focused=3, mean_seconds=6.0)
NORMAL, DEEP, EXPLORE = LoopMode.NORMAL, LoopMode.DEEP_FOCUS, LoopMode.EXPLORATION
OVERLOAD, SLEEP, RECOVERY = LoopMode.OVERLOAD, LoopMode.SLEEP, LoopMode.RECOVERY

CASES = [
    (NORMAL, S(), None),
    (NORMAL, S(queue=50, taken=10), None),
    (NORMAL, S(queue=51, taken=10), OVERLOAD),
    (NORMAL, S(queue=51), None),
    (NORMAL, S(idle_seconds=299.0), None),
    (NORMAL, S(idle_seconds=300.0), EXPLORE),
    (NORMAL, S(idle_seconds=300.0, queue=1, taken=1), None),
    (NORMAL, S(idle_seconds=1800.0), SLEEP),
    (NORMAL, S(mending=True), RECOVERY),
    (NORMAL, FOCUSED, DEEP),
    (NORMAL, S(queue=1, taken=1, relevant=1, focused=2, mean_seconds=6.0), None),
    (NORMAL, S(queue=1, taken=1, relevant=1, focused=3, mean_seconds=5.0), None),
    (NORMAL, S(queue=1, taken=1, focused=3, mean_seconds=6.0), None),
    (DEEP, FOCUSED, None),
    (DEEP, S(queue=1, taken=1, relevant=1, lasted=FOCUS_MOST), NORMAL),
    (DEEP, S(queue=1, taken=1), NORMAL),
    (DEEP, S(queue=1, held=True, lasted=99), None),
    (DEEP, S(queue=99, taken=5, held=True), None),
    (DEEP, S(queue=99, taken=5, relevant=5), OVERLOAD),
    (DEEP, S(mending=True, held=True), RECOVERY),
    (EXPLORE, S(idle_seconds=400.0, lasted=0), None),
    (EXPLORE, S(queue=1, taken=1, idle_seconds=400.0), None),
    (EXPLORE, S(queue=1, taken=1, urgent=1, idle_seconds=400.0), NORMAL),
    (EXPLORE, S(lasted=1, idle_seconds=1.0), NORMAL),
    (EXPLORE, S(idle_seconds=1800.0), SLEEP),
    (EXPLORE, S(queue=51, taken=15), OVERLOAD),
    (EXPLORE, S(queue=99, taken=15, urgent=1, idle_seconds=9999.0, held=True), None),
    (OVERLOAD, S(queue=20, taken=3), None),
    (OVERLOAD, S(queue=19, taken=3), NORMAL),
    (OVERLOAD, S(queue=99), NORMAL),
    (OVERLOAD, S(held=True), None),
    (SLEEP, S(queue=1, idle_seconds=9999.0), None),
    (SLEEP, S(queue=1, taken=1), NORMAL),
    (SLEEP, S(queue=51, taken=1), OVERLOAD),
    (SLEEP, S(queue=1, taken=1, held=True), None),
    (SLEEP, S(queue=999, taken=1, held=True), None),
    (RECOVERY, S(mending=True, queue=999, taken=1), None),
    (RECOVERY, S(queue=999), NORMAL),
]


@each_row(("mode", "now", "after"), CASES)
def test_a_mode_goes_on_or_another_follows_for_a_reason(
    mode: LoopMode, now: LoopSituation, after: LoopMode | None
) -> None:
    found = shift(mode, now, RULES)
    assert (found and found.after) is after
    if found is not None:
        assert found.reason
        assert found.after in mode.successors()


def test_every_mode_is_begun_and_ended_in_the_table() -> None:
    assert {after for _, _, after in CASES if after} == set(LoopMode)
    assert {mode for mode, _, after in CASES if after} == set(LoopMode)


@each_row(
    ("mode", "held", "most", "up_to", "drains"),
    [
        (NORMAL, False, 10, 4, True),
        (DEEP, False, 5, 4, True),
        (EXPLORE, False, 15, 4, True),
        (OVERLOAD, False, 3, 2, True),
        (SLEEP, False, 1, 3, False),
        (SLEEP, True, 1, 2, False),
    ],
)
def test_each_mode_takes_up_what_is_its_own(
    mode: LoopMode, *, held: bool, most: int, up_to: int, drains: bool
) -> None:
    found = attending(mode, RULES, held=held)
    assert (found.most, found.up_to, found.drains) == (most, up_to, drains)
    assert found.focus_only is (mode is DEEP)
    assert found.novel_first is (mode is EXPLORE)
    assert found.longest_wait == RULES.longest_wait


def test_only_idle_modes_change_by_time_alone() -> None:
    assert {mode: idle_until(mode, RULES) for mode in LoopMode} == {
        NORMAL: 300.0,
        DEEP: None,
        EXPLORE: 1800.0,
        OVERLOAD: None,
        SLEEP: None,
        RECOVERY: None,
    }
