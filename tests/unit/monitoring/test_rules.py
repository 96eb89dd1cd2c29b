"""Rules of alerts: how they are read, when they fire and when they clear."""

import pytest

from mindpipe.core.errors import BadInputError
from mindpipe.monitoring.records import AlertRule
from mindpipe.monitoring.rules import fires, parse_rules
from mindpipe.settings import ALERT_RULES
from support.tables import each_row


def test_the_rules_that_hold_without_a_word_are_those_that_everybody_expects() -> None:
    found = {
        rule.name: (rule.above, rule.until) for rule in parse_rules(ALERT_RULES, hysteresis=0.2)
    }
    assert found == {
        "critical queue_depth": (100, 80),
        "critical iteration_time": (30, 24),
        "critical consecutive_errors": (5, 4),
        "critical recent_crashes": (4, 3.2),
        "critical consistency_check_failures": (0, 0),
        "warning queue_depth": (50, 40),
        "warning iteration_time": (10, 8),
        "warning recent_crashes": (2, 0),
        "warning missed_windows": (0, 0),
        "warning persistent_memory_growth": (10, 8),
    }


def test_a_rule_may_say_itself_where_it_clears() -> None:
    (rule,) = parse_rules("warning: queue_depth > 50 until 10;", hysteresis=0.2)
    assert rule == AlertRule(severity="warning", metric="queue_depth", above=50, until=10)


@each_row(
    ("written", "metric", "above"),
    [
        ("critical: iteration_time > 30s", "iteration_time", 30),
        ("critical: consistency_check_failure", "consistency_check_failures", 0),
        ("warning: memory_growth > 10MB/hour", "persistent_memory_growth", 10),
        ("warning: persistent_memory_growth > 10", "persistent_memory_growth", 10),
        ("warning: consistency_check_failures > 1", "consistency_check_failures", 1),
        ("warning: iteration_time_p95 > 2.5 until 1", "iteration_time_p95", 2.5),
    ],
)
def test_a_rule_may_have_a_unit_no_value_or_a_former_name(
    written: str, metric: str, above: float
) -> None:
    (rule,) = parse_rules(written, hysteresis=0.2)
    assert (rule.metric, rule.above) == (metric, above)


@each_row(
    ("written", "words"),
    [
        ("warning: queue_dept > 5", "there is no figure queue_dept. did you mean queue_depth?"),
        ("warning: zzz > 5", "no figure zzz. there are iteration_time, .*, action_success_rate."),
        ("loud: queue_depth > 5", "expected SEVERITY: METRIC > VALUE"),
        ("warning: queue_depth < 5", "expected SEVERITY: METRIC > VALUE"),
        ("warning: queue_depth > nan", "plain numbers"),
        ("warning: queue_depth > -1", "plain numbers"),
        ("warning: queue_depth > 5 until 6", "would clear at 6, above 5"),
        ("warning: queue_depth > 5 until many", "plain numbers"),
        ("warning: queue_depth > 5; warning: queue_depth > 6", "has a rule already"),
    ],
)
def test_a_rule_that_cannot_be_read_is_named_with_its_fault(written: str, words: str) -> None:
    with pytest.raises(BadInputError, match=words):
        parse_rules(written, hysteresis=0.2)


def test_all_faults_are_named_at_once() -> None:
    with pytest.raises(BadInputError) as caught:
        parse_rules("loud: x > 1; warning: nothing > 1", hysteresis=0.2)
    assert len(caught.value.problems) == 2


def _told(values: list[float | None]) -> list[bool]:
    """Return what a rule says to one value after the other."""
    rule = AlertRule(severity="warning", metric="queue_depth", above=50, until=40)
    told, firing = [], False
    for value in values:
        firing = fires(rule, value, firing=firing)
        told.append(firing)
    return told


def test_an_alert_does_not_flutter_around_its_threshold() -> None:
    assert _told([50, 51, 49, 51, 41, 40, 45, 50, 51]) == [
        False, True, True, True, True, False, False, False, True,
    ]  # fmt: skip


def test_a_figure_that_is_not_known_changes_nothing() -> None:
    assert _told([None, 51, None, 40, None]) == [False, True, True, False, False]
