"""By what decisions go: bands, how long a person has, whom everybody trusts, who calls a person."""

from mindpipe.core.records import Record
from mindpipe.decisions.bands import Bands


class Rules(Record):
    """What the operator set.

    A proposal that waits expires after `hours`. `trust` names sources whose text all agents may act
    on. `escalate` is the program that calls a person, for `seconds` at most; empty calls nobody.
    """

    bands: Bands = Bands()
    hours: float = 24.0
    trust: tuple[str, ...] = ()
    escalate: tuple[str, ...] = ()
    seconds: float = 30.0
