"""Readouts of a bank as records, with the strongest drives of each person."""

from mindpipe.person.body.bank import Bank
from mindpipe.person.body.isolation import PHASES
from mindpipe.person.body.readouts import Reading
from mindpipe.person.psyche import drives
from mindpipe.person.records.state import Readouts

_NUMBERS = Readouts.__struct_fields__[:-2]


def readouts_of(bank: Bank, reading: Reading) -> list[Readouts]:
    """Return the readouts [N] of a bank, one record for each person."""
    strong = drives.strengths(bank, reading).T.tolist()
    columns = [getattr(reading, name).tolist() for name in _NUMBERS]
    phases = reading.isolation_phase.tolist()
    return [
        Readouts(
            **dict(zip(_NUMBERS, numbers, strict=True)),
            isolation_phase=PHASES[phase],
            drives=drives.ranked(drive)[: drives.TOP],
        )
        for numbers, phase, drive in zip(zip(*columns, strict=True), phases, strong, strict=True)
    ]
