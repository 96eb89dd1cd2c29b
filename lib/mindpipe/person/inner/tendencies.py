"""How thinking tends to go: the words for distortions, for impulses to cope, and for habits."""

from mindpipe.person.records.state import Coping, Distortion

DISTORTED: dict[Distortion, str] = {
    "all_or_nothing": "seeing things as all good or all bad",
    "overgeneralization": "taking one bad thing as a rule",
    "mental_filter": "noticing only what went wrong",
    "disqualifying_positive": "brushing aside what is good",
    "mind_reading": "being sure what others think of you",
    "fortune_telling": "expecting things to turn out badly",
    "catastrophizing": "assuming the worst possible outcome",
    "emotional_reasoning": "treating your feelings as evidence of reality",
    "should_statements": "holding yourself to rigid shoulds",
    "labeling": "calling yourself names",
    "personalization": "blaming yourself for what is not in your hands",
}
"""What stands in a prompt for each distortion that is active."""
IMPULSES: dict[Coping, str] = {
    "problem_solving": "work out what to do",
    "reappraisal": "look for another side of it",
    "acceptance": "let it be",
    "distraction": "turn to something else",
    "suppression": "push it away",
    "rumination": "go over it again",
    "denial": "tell yourself nothing is the matter",
}
"""What stands in a prompt for the primary way of coping."""
PATTERNS: dict[str, str] = {
    "rumination": "goes over things again and again",
    "acceptance": "lets things be",
    "reappraisal": "finds another side",
    "suppression": "pushes feelings down",
    "catastrophizing": "expects the worst",
    "problem_solving": "makes plans",
    "distraction": "turns away from trouble",
    "denial": "says nothing is wrong",
} | {label: phrase for label, phrase in DISTORTED.items() if label != "catastrophizing"}
"""What a label says of somebody whose thoughts often carry it, in the order of labels."""
