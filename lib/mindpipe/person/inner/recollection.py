"""What a person can look back on: its latest thoughts, what they were labelled, its memories."""

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

from mindpipe.person.inner.memories import Bounded, bounded
from mindpipe.person.records.thought import Memory, Thought

RECENT = 5
"""How many thoughts are remembered word for word."""
LOOKED_BACK_US = 7 * 86_400_000_000
"""How far back habits of thought are looked for."""


class Labelled(NamedTuple):
    """When there was a thought, and its labels."""

    t_us: int
    labels: tuple[str, ...]


class Recollection:
    """The past of one person: what lines or a store told of it, and what was thought since.

    `recent` are the latest five thoughts and `labelled` those of the last seven days, both oldest
    first; `memories` are at most 1,000.
    """

    __slots__ = ("labelled", "memories", "recent")

    def __init__(self, thoughts: Iterable[Thought] = (), memories: Iterable[Memory] = ()) -> None:
        self.recent: deque[Thought] = deque(maxlen=RECENT)
        self.labelled: deque[Labelled] = deque()
        self.memories: list[Memory] = []
        for thought in thoughts:
            self.think(thought)
        for memory in memories:
            self.remember(memory)

    def think(self, thought: Thought) -> None:
        """Add the newest thought."""
        self.recent.append(thought)
        self.labelled.append(Labelled(thought.t_us, thought.labels))
        while self.labelled[0].t_us <= thought.t_us - LOOKED_BACK_US:
            self.labelled.popleft()

    def remember(self, memory: Memory) -> Bounded:
        """Add a memory, or take it for the one of its id; return what became of all of them."""
        self.memories = [one for one in self.memories if one.id != memory.id]
        self.memories.append(memory)
        found = bounded(self.memories)
        self.memories = found.memories
        return found
