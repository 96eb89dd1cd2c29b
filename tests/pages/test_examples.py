"""What mind-life(7), mind-memory(7) and mind-person(7) show can be typed, as in the README."""

import pytest

from mindpipe_cli.manual.life_manual import OBSERVING, PLANNING, TIMELINE
from mindpipe_cli.manual.memory_manual import OVER_FILES, REMEMBERING
from mindpipe_cli.manual.persons_manual import LIVING, PIPED, STORED
from mindpipe_cli.manual.roff import escaped
from readme.test_readme import blocks
from support.command import ROOT, Mind

# The README's first life and its model come before the page that goes on from there.
LIFE = [*blocks("sh")[:2], "mind agent set ava --model program:./answer"]
PAGES = {
    "mind-life.7": (LIFE, [OBSERVING, TIMELINE, PLANNING]),
    "mind-memory.7": ([], [REMEMBERING, OVER_FILES]),
    "mind-person.7": ([], [LIVING, PIPED, STORED]),
}


@pytest.mark.parametrize("page", PAGES)
def test_the_samples_of_a_page_run_in_their_order(page: str, mind: Mind) -> None:
    before, samples = PAGES[page]
    text = (ROOT / "man" / page).read_text()
    for sample in [*before, *samples]:
        ran = mind.shell(sample)
        assert ran.status == 0, f"{ran.status}: {ran.words}\n{sample}"
        assert "Traceback" not in ran.words
    shown = [line for sample in samples for line in sample.splitlines()]
    assert [line for line in shown if escaped(line) not in text] == []
