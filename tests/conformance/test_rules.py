"""Promise 35: a store in which one rule is left out does not pass the suite of the inbox."""

import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from conformance import test_inbox as suite
from conformance.lax import KEEPS_KEYS, LaxStore
from mindpipe.core.errors import MindError
from mindpipe.core.ports import Store
from support.fakes import FixedClock
from support.proofs import proved, turned_red


class Rule(NamedTuple):
    """What a store keeps to: its SQL, what is said instead, and which test of the suite sees it."""

    changes: Mapping[str, str]
    seen_by: Callable[[suite.Inbox], None]
    rolls_back: bool = True


NEVER, ALWAYS = "1 = 0", "1 = 1"
AT_MOST_ONE = "CASE WHEN attempts > 1 THEN 1 ELSE attempts END"
RULES = {
    "a key is unique": Rule(
        {
            KEEPS_KEYS: ")",
            "source = :source AND key = :key": f"source = :source AND {NEVER} AND :key = ''",
        },
        suite.test_the_same_key_is_the_same_event,
    ),
    "urgent events come first": Rule(
        {"SELECT seq, epoch, priority,": "SELECT seq, epoch, 3 AS priority,"},
        suite.test_the_most_urgent_come_first_then_the_oldest,
    ),
    "old events rise": Rule(
        {"priority, pushed, attempts": "priority, '9999' AS pushed, attempts"},
        suite.test_age_makes_an_event_more_urgent,
    ),
    "an agent has an inbox of its own": Rule(
        {"WHERE agent = :agent AND priority": "WHERE :agent != '' AND priority"},
        suite.test_agents_do_not_see_each_other,
    ),
    "an event waits for its time": Rule(
        {"due <= :now": ALWAYS}, suite.test_an_event_is_not_due_before_its_time
    ),
    "a claim holds": Rule(
        {"lease_seconds <= :seconds": ALWAYS}, suite.test_a_claim_holds_until_its_deadline
    ),
    "a claim ends": Rule(
        {"lease_boot <> :boot OR lease_seconds <= :seconds": NEVER},
        suite.test_a_claim_holds_until_its_deadline,
    ),
    "a claim ends with its boot": Rule(
        {"lease_boot <> :boot": NEVER}, suite.test_after_a_reboot_every_claim_has_ended
    ),
    "a claim has a new epoch": Rule(
        {"epoch = epoch + 1": "epoch = 1"}, suite.test_a_fenced_worker_changes_nothing
    ),
    "a claim counts": Rule(
        {"attempts = attempts + 1": "attempts = 1"},
        suite.test_at_the_sixth_claim_an_event_is_dead_and_the_line_goes_on,
    ),
    "what was tried twice is tried alone": Rule(
        {"pushed, attempts, due": f"pushed, {AT_MOST_ONE} AS attempts, due"},
        suite.test_what_was_tried_twice_is_claimed_alone,
    ),
    "a clean release gives the attempt back": Rule(
        {"attempts = :attempts": "attempts = attempts"},
        suite.test_a_clean_release_gives_the_attempt_back_and_is_due_at_once,
    ),
    "a failed try waits": Rule(
        {"retry_at IS NULL": ALWAYS}, suite.test_a_release_after_a_failure_waits_a_random_while
    ),
    "a wait ends by the clock since boot": Rule(
        {"retry_seconds <= :seconds": NEVER}, suite.test_a_wait_ends_when_either_clock_says_so
    ),
    "a wait ends by the wall clock": Rule(
        {"OR retry_at <= :now": ""}, suite.test_a_wait_ends_when_either_clock_says_so
    ),
    "what is done is not claimed": Rule(
        {"SET state = 'done'": "SET state = 'ready'"}, suite.test_a_done_event_stays_done
    ),
    "what is dead is not claimed": Rule(
        {"SET state = 'dead'": "SET state = 'ready'"},
        suite.test_an_operator_lets_die_and_brings_back,
    ),
    "the dead come back with all attempts": Rule(
        {"'ready', attempts = 0": "'ready', attempts = attempts"},
        suite.test_a_brought_back_event_has_all_attempts,
    ),
    "an inbox has a bound": Rule(
        {"SELECT 1 FROM event WHERE agent": f"SELECT 1 FROM event WHERE {NEVER} AND agent"},
        suite.test_a_full_inbox_refuses_all_but_the_critical,
    ),
    "a source has a bound": Rule(
        {"') AND source = :source": f"') AND source = :source AND {NEVER}"},
        suite.test_a_source_has_a_bound_of_its_own,
    ),
    "what fails is rolled back": Rule(
        {}, suite.test_events_are_delivered_in_the_callers_transaction, rolls_back=False
    ),
}


def passes(path: Path, rule: Rule) -> tuple[bool, int]:
    """Let a stub take the test that sees its rule; return whether it passes, and what was left."""
    with contextlib.closing(LaxStore(path, rule.changes, rolls_back=rule.rolls_back)) as store:
        try:
            rule.seen_by(suite.Inbox(cast("Store", store), FixedClock()))
        except (AssertionError, MindError, ValueError, pytest.fail.Exception):
            return False, store.used
        return True, store.used


@pytest.mark.parametrize("name", RULES)
def test_a_store_without_a_rule_does_not_pass(tmp_path: Path, name: str) -> None:
    rule = RULES[name]
    whole, _ = passes(tmp_path / "whole.db", Rule({}, rule.seen_by))
    passed, used = passes(tmp_path / "lax.db", rule)
    assert whole
    assert used > 0
    assert not passed
    proved(35, rules=1, rules_seen=1)
    turned_red(35, "conformance.lax", rules_left_out=1)
