"""Windows that a model writes again and again: nothing is lost, whether it answers or not."""

import re

import msgspec
import pytest

from mindpipe.compaction.plans.planner import Material
from mindpipe.compaction.prompts import SECTIONS
from mindpipe.compaction.records import Summary
from mindpipe.core.models import TextReply, TextRequest
from support.long_histories import Growing, plain, tiling, wish_for, words
from support.tables import each_row

pytestmark = pytest.mark.heavy

BUDGET = 2500
PROMPT = 2000


class Faithful:
    """A model that says which cycles it was told of, and repeats what it has to."""

    def __init__(self, *, fails: int) -> None:
        self.asked: list[TextRequest] = []
        self._fails = fails

    def __call__(self, asked: TextRequest) -> TextReply:
        """Write a summary; every so many times there is none."""
        self.asked.append(asked)
        number = len(self.asked)
        if self._fails and number % self._fails == 0:
            return TextReply(text="", fault="the model refused to answer")
        cycles = re.findall(r"cycles ([\d-]+) under", asked.text)[-1]
        exact = asked.text.partition("letter by letter:\n")[2].split("\n\n")[0]
        under = {
            "Goal": f"- [{cycles}] The ship is mended.",
            "Anchors": exact.replace("> ", f"- [{cycles}] "),
        }
        text = "\n".join(
            f"## {one.heading}\n{under.get(one.heading, '- none')}" for one in SECTIONS
        )
        return TextReply(text=text)


class Told(Growing):
    """A log over which a model may be asked."""

    def __init__(self, model: Faithful) -> None:
        super().__init__()
        self._model = model

    def material(self) -> Material:
        """Return what a plan is made from, with the model."""
        return msgspec.structs.replace(super().material(), write=self._model, prompt_tokens=PROMPT)


@each_row("fails", [0, 1, 2, 3])
def test_every_cycle_stays_covered_whatever_the_model_does(fails: int) -> None:
    model = Faithful(fails=fails)
    log = Told(model)
    planned = 0
    for number in range(1, 121):
        log.live(plain(number))
        if number % 8:
            continue
        before = [line for part in log.parts if isinstance(part, Summary) for line in part.lines]
        asked = len(model.asked)
        made = log.compact(wish_for(BUDGET, strategy="model", keep_cycles=4))
        assert len(model.asked) <= asked + 1
        if made is None:
            continue
        planned += 1
        assert len(model.asked) == asked + 1
        assert tiling(made.parts) == list(range(1, number + 1))
        assert sum(made.plan.after.values()) <= BUDGET
        failed = bool(fails) and (asked + 1) % fails == 0
        assert made.plan.fallback == ("the model refused to answer" if failed else None)
        (summary,) = [part for part in made.parts if isinstance(part, Summary)]
        assert summary.strategy == ("anchored" if failed else "model")
        prompt = model.asked[-1]
        assert words(prompt.system) + words(prompt.text) <= PROMPT
        assert not before or f"{before[-1].text}\n" in prompt.text
    assert planned > 8
