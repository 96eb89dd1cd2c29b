"""One person of a bank at an instant, whom an event acts on."""

from typing import NamedTuple

from mindpipe.person.body.bank import CHANNEL, Bank
from mindpipe.person.body.modes import MODE
from mindpipe.person.body.personality import TRAITS
from mindpipe.person.records.state import Contribution


class Subject(NamedTuple):
    """The column of a person in a bank whose modes are those of `t_us`."""

    bank: Bank
    column: int
    t_us: int

    def mode(self, name: str) -> float:
        """Return the level of a mode."""
        return float(self.bank.modes[MODE[name], self.column])

    def set_mode(self, name: str, level: float) -> None:
        """Put a mode to a level at once."""
        self.bank.modes[MODE[name], self.column] = level

    def push(self, name: str, amount: float) -> None:
        """Add an impulse to a mode."""
        self.bank.modes[MODE[name], self.column] += amount

    def channel(self, name: str) -> float:
        """Return the level of a channel as it was computed last."""
        return float(self.bank.channel[CHANNEL[name], self.column])

    def trait(self, name: str) -> float:
        """Return a standard trait: o, c, e, a or n."""
        return float(self.bank.z[TRAITS.index(name), self.column])

    def contribute(self, contribution: Contribution) -> None:
        """Let something act from now on, unless it ends at once."""
        if contribution.end_us > self.t_us:
            self.bank.lives[self.column].active.append(contribution)
