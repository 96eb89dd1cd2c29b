"""What a model words anew denies, doubts or reports what its source does, or is left out."""

from mindpipe.compaction.selection.fidelity import Wording, contradicted
from mindpipe.compaction.strategies import model
from mindpipe.compaction.task import SpokenWords
from mindpipe.core.messages import Role
from support.tables import each_row
from unit.compaction.test_model import GOOD, Scripted, task, texts
from unit.compaction.test_windows_never_lie import DENIALS, FACTS

FORMS = [(denial, fact) for denial in DENIALS for fact in FACTS]


def heard(*texts: str, speaker: str | None = None) -> list[SpokenWords]:
    return [
        SpokenWords(seq, seq, Role.USER, speaker, text) for seq, text in enumerate(texts, start=1)
    ]


@each_row(("denial", "fact"), FORMS)
def test_a_line_that_drops_what_governs_its_source_is_found(denial: str, fact: str) -> None:
    said = heard("Good morning.", denial.format(fact))
    assert contradicted([Wording(0, f"{fact}.", 1, 2)], said) == {0}


ROWS = [
    ("Eva lives in Bremen", ["No, I don't live in Bremen."], True),
    ("Eva does not live in Bremen", ["No, I don't live in Bremen."], False),
    ("Eva does not live in Bremen", ["I live in Bremen."], True),
    ("Eva lives in Bremen", ["I live in Bremen.", "Do I live in Bremen? No."], False),
    ("Eva perhaps lives in Bremen", ["No, I don't live in Bremen."], True),
    ("Eva said she lives in Bremen", ["I live in Bremen."], False),
    # What is worded anew, or of one word, stands on no passage.
    ("Eva has her home in Bremen", ["No, I don't live in Bremen."], False),
    ("Bremen", ["No, I don't live in Bremen."], False),
    ("Eva lives in Bremen", ["```\nnot live in Bremen\n```"], False),
]


@each_row(("line", "texts", "found"), ROWS)
def test_what_a_line_is_held_against(line: str, texts: list[str], *, found: bool) -> None:
    said = heard(*texts, speaker="Eva")
    assert bool(contradicted([Wording(0, line, 1, len(texts))], said)) is found


def test_only_the_cycles_of_a_line_bear_it_out() -> None:
    said = heard("I live in Bremen.", "I don't live in Bremen.", speaker="Eva")
    lines = [Wording(cycle, "Eva lives in Bremen", cycle, cycle) for cycle in (1, 2)]
    assert contradicted(lines, said) == {2}


def test_a_models_line_that_turns_its_source_around_is_left_out() -> None:
    turned = Scripted(GOOD.replace("The draft has 3 parts.", "[2] Ben can open the other one."))
    made = model.draft(task(turned))
    assert made.fallback is None
    assert not any("Ben can open" in text for text in texts(made))
