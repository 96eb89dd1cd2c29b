"""How a window is divided, and what became of it."""

from typing import TYPE_CHECKING

import msgspec

from mindpipe.context.records import Block, LeftOut, SectionName
from mindpipe.core.errors import BadInputError
from mindpipe.core.records import Natural, Positive, Record

if TYPE_CHECKING:
    from mindpipe.settings import Settings


class Allocations(Record):
    """What a window of `context_window` tokens is divided into, in tokens.

    `scratch_space` is left free for the reply.
    """

    context_window: Positive = 100_000
    system_prompt: Natural = 5_000
    self_model: Natural = 10_000
    observations: Natural = 15_000
    working_memory: Natural = 30_000
    retrieved_memories: Natural = 25_000
    task_context: Natural = 10_000
    scratch_space: Natural = 5_000

    def parts(self) -> dict[str, int]:
        """Return all parts by name."""
        return {
            "system_prompt": self.system_prompt,
            "self_model": self.self_model,
            "observations": self.observations,
            "working_memory": self.working_memory,
            "retrieved_memories": self.retrieved_memories,
            "task_context": self.task_context,
            "scratch_space": self.scratch_space,
        }

    def within(self, window: int) -> "Allocations":
        """Return the same proportions of another window, each rounded down."""
        parts = {name: one * window // self.context_window for name, one in self.parts().items()}
        return Allocations(context_window=window, **parts)

    @property
    def sum(self) -> int:
        """Return what all parts take together."""
        return sum(self.parts().values())


class Level(msgspec.Struct, frozen=True):
    """What one section may take, in tokens: at least where there is need, usually, at most.

    The ceiling of what is always whole is None.
    """

    floor: int
    share: int
    ceiling: int | None


class Budget(msgspec.Struct, frozen=True):
    """A window in tokens, what of it is kept for the reply, and what each section may take."""

    window: int
    reserve: int
    levels: dict[SectionName, Level]


class Portion(Record):
    """What one section of a prompt was given and used, in tokens.

    A section is given up to its `floor` before any other gets more than its own, then up to its
    `share`, then of what others left up to its `ceiling`, by `priority` each time; null is no
    ceiling. `records` were kept whole. The system section has the tools as one record; it and the
    trigger, which is of the observations, are always whole. The continuous style divides nothing:
    there, what a section took is all that is known of it.
    """

    section: SectionName
    priority: Natural
    share: Natural | None
    floor: Natural | None
    ceiling: Natural | None
    given: Natural
    used: Natural
    records: Natural = 0
    left_out: tuple[LeftOut, ...] = ()


class Assembled(msgspec.Struct, frozen=True):
    """What fits of blocks, in their order, how many tokens that is, and what each section took."""

    blocks: tuple[Block, ...]
    tokens: int
    portions: tuple[Portion, ...]


def allocations_of(settings: "Settings") -> Allocations:
    """Return how a window is divided.

    Raises:
        BadInputError: the parts take more than the window, at the setting that somebody gave.
    """
    window = settings.memory.context_window_tokens
    parts = settings.memory.allocations
    found = Allocations(
        context_window=window,
        system_prompt=parts.system_prompt,
        self_model=parts.self_model,
        observations=parts.observations,
        working_memory=parts.working_memory,
        retrieved_memories=parts.retrieved_memories,
        task_context=parts.task_context,
        scratch_space=parts.scratch_space,
    )
    if found.sum > window:
        listed = " + ".join(f"{name} {tokens}" for name, tokens in found.parts().items())
        words = (
            f"{window} is {found.sum - window} less than memory.allocations take together "
            f"({listed} = {found.sum}); raise it, or lower some of them."
        )
        parted = (f"memory.allocations.{name}" for name in found.parts())
        names = ("memory.context_window_tokens", *parted)
        raise BadInputError([settings.fault(names, words)])
    return found
