"""Add the salience of states to the lines that they come on, person by person."""

from collections.abc import Iterator
from typing import get_args

from mindpipe.person.records.person import Person, PersonSettings
from mindpipe.person.records.state import Dimension, State
from mindpipe.person.records.thought import SalienceLine
from mindpipe.person.verbs.salience import BackwardsError, ReadoutsMissingError, Watch
from mindpipe_cli.sifting import glimpsing
from mindpipe_cli.sifting.glimpsing import NO_READOUTS, Line

COLUMNS = ("person", "t_us", *get_args(Dimension), "trigger", "salience", "threshold")


class Noticing:
    """What was seen so far of each person."""

    def __init__(self) -> None:
        self._settings: dict[str, PersonSettings] = {}
        self._watches: dict[str, Watch] = {}

    def step(self, line: Line) -> Iterator[object]:
        """Yield a line, and behind a state its salience, which is weighed anew if it came along.

        Raises:
            BadInputError: a state has no readouts, or is earlier than the one before it.
        """
        record = None if line.glimpse is None else line.glimpse.record
        if isinstance(record, Person):
            self._settings[record.person] = record.settings
        if isinstance(record, SalienceLine):
            return
        if not isinstance(record, State):
            yield glimpsing.passing(line)
            return
        watch = self._watches.setdefault(record.person, Watch())
        try:
            found = watch.salience(record, self._settings.get(record.person, PersonSettings()))
        except ReadoutsMissingError as error:
            raise line.problem("$.read", NO_READOUTS) from error
        except BackwardsError as error:
            raise line.problem("$.t_us", "earlier than the state before") from error
        yield glimpsing.passing(line)
        if found is not None:
            yield found
