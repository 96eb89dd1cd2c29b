"""What a replay takes as it was and does not make again: which rows, and why; reviewed by hand."""

from typing import NamedTuple


class GivenRows(NamedTuple):
    """Tables of which rows may be given, and what these rows are."""

    tables: tuple[str, ...]
    why: str


GIVEN = (
    GivenRows(
        ("event", "attachment", "space", "member", "entity", "post", "run_wait"),
        "what came, and what others said",
    ),
    GivenRows(
        (
            *("agent", "goal", "note", "place", "concern", "plan", "lesson", "lesson_outcome"),
            *("reflection", "memory_entity", "relation", "clearance"),
        ),
        "what people set or wrote by a command",
    ),
    GivenRows(
        ("plan_count", "plan_window", "plan_outcome"),
        "plans of people, and mind plan due without --push: it prints for whoever reads it, and "
        "what that one does with it is seen by nobody here",
    ),
    GivenRows(
        (
            *("ticket", "decision", "mode_change", "observation", "observation_standing"),
            *("observation_evidence", "observation_decision"),
        ),
        "what a person decided or corrected",
    ),
    GivenRows(
        ("memory_item", "extraction_mark", "ledger"),
        "what people added, what mind memory extract found by a parser or a model, which are parts "
        "of that machine and are asked for no cycle, and what such a reading or a review cost",
    ),
    GivenRows(
        ("task", "escalation", "alert"),
        "programs of the operator, which work on tasks at times of their own, and measures of the "
        "machine",
    ),
    GivenRows(("recorded_answer",), "what the life of which this is a fork was answered"),
    GivenRows(("session",), "how a worker saved itself as it ended, or a person set its mode"),
)
"""All that may be given of a life, but for cycles that are given whole."""
