"""Long histories of one mind: drawn, made by number, growing, or as documents of OpenAI chat."""

import json
import random
from typing import NamedTuple

import msgspec
from hypothesis import strategies as st

from mindpipe.compaction.filter import lives
from mindpipe.compaction.plans.planner import Material, PlanOptions, plan_window
from mindpipe.compaction.records import Kept, Masked, Overlay, Summary, SummaryLine, WindowPlan
from mindpipe.compaction.task import CycleInView
from mindpipe.core.errors import NothingToDoError
from mindpipe.core.messages import Conversation, Head, Message, ResultStatus
from support.histories import call, conversation, result, said, tool, user

WORDS = (
    *("report", "harbour", "Anna", "Berlin", "2024", "invoice", "src/ship/hull.py", "decided"),
    *("because", "error_17", "Omar", "schedule", "https://docs.test/a?b=1", "pending", "#W4471"),
    *("always", "Thursday", "1,200", "copper"),
)
LONG = 400


class Spent(NamedTuple):
    """One cycle: words of the event, statuses and words of results, words of the closing."""

    event: int
    results: tuple[tuple[ResultStatus, int], ...]
    closing: int


def words(text: str) -> int:
    """Count a token for every four characters."""
    return (len(text) + 3) // 4


def told(number: int, length: int) -> str:
    """Return some words, others for every number."""
    return " ".join(
        WORDS[(number * 7 + place * (number % 5 + 1)) % len(WORDS)] for place in range(length)
    )


def past(cycles: list[Spent]) -> Conversation:
    """Return a conversation of cycles."""
    messages: list[Message] = []
    calls = 0
    for number, spent in enumerate(cycles, 1):
        messages.append(
            user(f'INBOX (1 event):\n[Port] Omar (human): "{number} {told(number, spent.event)}"')
        )
        for status, length in spent.results:
            calls += 1
            messages.append(said(call(calls, {"query": told(calls, 3)})))
            messages.append(tool(result(calls, told(calls, length), status)))
        messages.append(said(f"Done {number}: {told(number + 3, spent.closing)}."))
    return conversation(*messages, head=Head(system="You are Ada."))


STATUSES = st.sampled_from((ResultStatus.OK, ResultStatus.OK, ResultStatus.ERROR))
LENGTHS = st.sampled_from((0, 1, 3, 8, 30, LONG))
SPENT = st.builds(
    Spent,
    event=LENGTHS,
    results=st.lists(st.tuples(STATUSES, LENGTHS), max_size=3).map(tuple),
    closing=LENGTHS,
)
PASTS = st.lists(SPENT, min_size=1, max_size=30).map(past)


def plain(number: int) -> Spent:
    """Return an ordinary cycle."""
    return Spent(4, ((ResultStatus.OK, 5 + number % 40),) * (number % 3), 6 + number % 9)


def folded(*lines: SummaryLine, last: int = 1) -> Summary:
    """Return an earlier summary of the cycles up to `last` that has these lines."""
    return Summary(
        first=1,
        last=last,
        first_seq=1,
        last_seq=2,
        messages=2,
        began="",
        ended="",
        tools=(),
        strategy="self-summary",
        folded=0,
        lines=lines,
        tokens=9,
    )


def tiling(parts: Overlay) -> list[int]:
    """Return every cycle that a part covers, as often as it is covered."""
    covered: list[int] = []
    for part in parts:
        if isinstance(part, Kept | Summary):
            covered += range(part.first, part.last + 1)
        elif isinstance(part, Masked):
            covered.append(part.cycle)
    return covered


class Growing:
    """A log that grows, and the window over it; plans see what a store would give them."""

    def __init__(self, *, calibration: float = 1.0) -> None:
        self.lived: dict[int, CycleInView] = {}
        self.parts: Overlay = ()
        self._calibration = calibration

    def live(self, spent: Spent) -> None:
        """Add a cycle."""
        number = len(self.lived) + 1
        own = past([spent]).messages
        seqs = sum(len(one.messages) for one in self.lived.values())
        moved = tuple(msgspec.structs.replace(one, cycle=number, seq=seqs + one.seq) for one in own)
        (lived,) = lives(moved, count=words)
        self.lived[number] = lived._replace(sources=("web",) if number % 3 == 0 else ())

    def material(self) -> Material:
        """Return what a plan is made from: the cycles that no summary stands for."""
        covered: set[int] = set()
        for part in self.parts:
            if isinstance(part, Summary):
                covered.update(range(part.first, part.last + 1))
        return Material(
            lived=tuple(one for number, one in self.lived.items() if number not in covered),
            head=20,
            seq=sum(len(one.messages) for one in self.lived.values()),
            sha256="0" * 64,
            through=len(self.lived),
            count=words,
            tokenizer="words",
            calibration=self._calibration,
            base=self.parts,
            name="f" * 64 if self.parts else None,
        )

    def compact(self, wish: PlanOptions) -> WindowPlan | None:
        """Plan and apply; None where nothing was to be done."""
        try:
            planned = plan_window(self.material(), wish)
        except NothingToDoError:
            return None
        self.parts = planned.parts
        return planned


def wish_for(budget: int, **more: object) -> PlanOptions:
    """Return a wish with a budget and other fields."""
    fields = {"agent": "ada", "strategy": "self-summary", "keep_cycles": 10, **more}
    return PlanOptions(budget=budget, **fields)


SYSTEM = "You keep the books of a small harbour. Ask before you move a ship."
TOOLS = ("find_ship", "read_file", "move_ship", "list_docks")


def transcript(seed: int, *, cycles: int = 8, repeats: bool = True) -> dict[str, object]:
    """Return a history of some cycles, each a request, tool calls with answers, and a reply.

    With `repeats` ids of calls come again in later cycles, as they do in real histories. Some
    answers are errors, some empty, some long; one of three histories ends with an answer.
    """
    chance = random.Random(seed)
    messages: list[dict[str, object]] = [{"role": "system", "content": SYSTEM}]
    made = 0
    for cycle in range(cycles):
        ship = f"SH{chance.randrange(1000, 9999)}"
        messages.append({"role": "user", "content": f"Where is {ship}? It carries lot {cycle}7A."})
        for _ in range(chance.randrange(4)):
            ids = []
            for _ in range(chance.randrange(1, 3)):
                made += 1
                ids.append(f"call_{made % 5 if repeats else made}")
            messages += _calls(chance, ids, ship)
        messages.append({"role": "assistant", "content": f"{ship} lies at dock {cycle}."})
    if seed % 3 == 0:
        messages.append({"role": "user", "content": "And now?"})
        messages += _calls(chance, ["call_1"], "SH0001")
    return {"task_id": seed, "messages": messages}


def _calls(chance: random.Random, ids: list[str], ship: str) -> list[dict[str, object]]:
    """Return a message with calls and the answers to them."""
    calls = [
        {
            "id": name,
            "type": "function",
            "function": {
                "name": chance.choice(TOOLS),
                "arguments": json.dumps({"ship": ship, "log": f"logs/{ship}/{place}.txt"}),
            },
        }
        for place, name in enumerate(ids)
    ]
    answers = [
        {"role": "tool", "tool_call_id": name, "content": _answer(chance, ship)} for name in ids
    ]
    return [{"role": "assistant", "content": None, "tool_calls": calls}, *answers]


def _answer(chance: random.Random, ship: str) -> str:
    """Return an answer: empty, an error, or some or many facts."""
    kind = chance.randrange(8)
    if kind == 0:
        return ""
    if kind == 1:
        return f"Error: {ship} not found in register R{chance.randrange(100, 999)}"
    stops = [
        {"dock": chance.randrange(97), "file": f"logs/{ship}/{step}.txt"}
        for step in range(chance.choice((1, 3, 40)))
    ]
    return json.dumps({"ship": ship, "stops": stops})
