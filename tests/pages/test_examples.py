"""What mind-life(7), mind-memory(7) and mind-person(7) show can be typed, as in the README."""

import json

import pytest

from mindpipe.engine.phase_lines import PHASE_RECORDS, PhaseLines
from mindpipe_cli.manual.life_manual import MCP_SERVER, OBSERVING, PLANNING, TIMELINE, WITHOUT
from mindpipe_cli.manual.memory_manual import OVER_FILES, REMEMBERING
from mindpipe_cli.manual.persons_manual import LIVING, PIPED, STORED
from mindpipe_cli.manual.phases_manual import EXAMPLES, KILLED, PIPE
from mindpipe_cli.manual.roff import escaped
from mindpipe_cli.schema import RECORDS
from readme.test_readme import blocks
from support.command import ROOT, Mind

pytestmark = pytest.mark.heavy

# The README's first life and its model come before the page that goes on from there.
LIFE = blocks("sh")[:3]
PAGES = {
    "mind-life.7": (
        [*LIFE, LIVING],
        [MCP_SERVER, OBSERVING, TIMELINE, PLANNING, PIPE, KILLED, WITHOUT],
    ),
    "mind-memory.7": ([], [REMEMBERING, OVER_FILES]),
    "mind-person.7": ([], [LIVING, PIPED, STORED]),
}
# How long persons live there; the README's lives a day every time.
DAY = "1d"


@pytest.fixture
def mind(mind: Mind) -> Mind:
    """Return `mind` as a reader has it: a new agent has the usual tools."""
    return Mind(mind.folder, {"MIND_AGENTS_TOOLS": "chat"})


@pytest.mark.parametrize("length", ["0d10:00", pytest.param(DAY, marks=pytest.mark.long)])
@pytest.mark.parametrize("page", PAGES)
def test_the_samples_of_a_page_run_in_their_order(page: str, length: str, mind: Mind) -> None:
    before, samples = PAGES[page]
    text = (ROOT / "man" / page).read_text()
    for sample in [*before, *samples]:
        ran = mind.shell(sample.replace(f"--until {DAY}", f"--until {length}"))
        assert ran.status == 0, f"{ran.status}: {ran.words}\n{sample}"
        assert "Traceback" not in ran.words
    shown = [line for sample in samples for line in sample.splitlines()]
    assert [line for line in shown if escaped(line) not in text] == []


def test_each_kind_of_line_between_phases_is_shown_as_it_is_read() -> None:
    assert [one.kind for one in EXAMPLES] == list(PHASE_RECORDS)
    for one in EXAMPLES:
        lines = PhaseLines("ava")
        lines.read([(1, one.line.encode())], source=one.kind)
        (printed,) = map(json.loads, lines.lines())
        shown = json.loads(one.line)
        assert {name: printed[name] for name in shown} == shown
        assert RECORDS[one.kind].type == PHASE_RECORDS[one.kind].__name__
