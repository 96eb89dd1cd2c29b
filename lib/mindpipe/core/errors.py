"""Problems of the program and its surroundings, as exceptions; problems in data are records.

MindError                   1  the work was tried and failed
  UnfitRowError             1  a row that its table does not take
  UsageError                2  a bad name or a missing argument
    UnsafeNameError         2  a name that could leave its folder or break a line
  NothingToDoError          3  nothing was due
    UnfoldedError           3  a window stays as it is
    EmptyInputError         0  a filter was given nothing
  RefusedError              4  a cap, a policy or unsafe file modes said no
    CapReachedError         4  a cap on money would be passed
  BadInputError            65  input that breaks its format
  UnavailableError         69  a store, file, model, tool or credential is not there
  InputOutputError         74  the disk is full or damaged
    DamagedError           74  a store fails its check
    ReadOnlyError          74  a store lies on media that are read-only
    CommitUnknownError     74  nobody can say whether a transaction was kept
  TemporaryError           75  the same call may succeed later
    AgentHeldError         75  another worker thinks for the agent
    StoreBusyError         75  the store stayed locked
    FencedError            75  another worker took the lease
    ModelBusyError         75  the provider kept failing in passing
    ModelBrokenError       75  the program of a model failed, which used up a try
    RecoveryError          75  the store is in RECOVERY and only read
  IllegalStateError         1  a state machine was asked for a step it does not have
  EarlierPhaseError         1  a phase before this one failed; its status is that one's
"""

import enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from mindpipe.core.problems import Problem


class ExitStatus(enum.IntEnum):
    """Say how a command ended; nothing else is ever returned."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    NOTHING_TO_DO = 3
    REFUSED = 4
    BAD_DATA = 65
    UNAVAILABLE = 69
    INPUT_OUTPUT = 74
    TEMPORARY = 75
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class MindError(Exception):
    """End a command with one line that says what was wrong and what to try."""

    status = ExitStatus.FAILED


class UnfitRowError(MindError):
    """A store refused a row: a value of it is none that stands in its column."""


class UsageError(MindError):
    """Refuse a bad name or a missing argument."""

    status = ExitStatus.USAGE


class UnsafeNameError(UsageError):
    """Refuse a name that could leave its folder, hide in a terminal or break a line."""


class NothingToDoError(MindError):
    """Say that nothing was due."""

    status = ExitStatus.NOTHING_TO_DO


class EmptyInputError(NothingToDoError):
    """End a filter to which nothing came: it prints nothing, and that is no failure."""

    status = ExitStatus.DONE


class RefusedError(MindError):
    """Say that a cap, a policy or unsafe file modes forbid the work."""

    status = ExitStatus.REFUSED


class CapReachedError(RefusedError):
    """Say that a cap on money would be passed; `scope` is what the cap holds for, e.g. `cycle`."""

    def __init__(self, message: str, *, scope: str) -> None:
        super().__init__(message)
        self.scope = scope


class BadInputError(MindError):
    """Carry every problem found in a piece of input."""

    status = ExitStatus.BAD_DATA

    def __init__(self, problems: "list[Problem]") -> None:
        super().__init__("; ".join(problem.line_of_text() for problem in problems))
        self.problems = problems


class UnavailableError(MindError):
    """Say that a store, a file, a model, a tool or a credential is not there."""

    status = ExitStatus.UNAVAILABLE


class InputOutputError(MindError):
    """Say that the disk is full or the file damaged."""

    status = ExitStatus.INPUT_OUTPUT


class DamagedError(InputOutputError):
    """Say that a store fails its check; `store` is where it is."""

    def __init__(self, message: str, *, store: "Path") -> None:
        super().__init__(message)
        self.store = store


class ReadOnlyError(InputOutputError):
    """Say that a store lies on media that are read-only."""


class CommitUnknownError(InputOutputError):
    """Say that a server was lost in a commit, and nobody can say whether it was kept."""


class TemporaryError(MindError):
    """Say that the same call may succeed later."""

    status = ExitStatus.TEMPORARY


class AgentHeldError(TemporaryError):
    """Say that another worker thinks for the agent."""


class StoreBusyError(TemporaryError):
    """Say that the store stayed locked beyond the waiting time."""


class FencedError(TemporaryError):
    """Say that another worker took the lease, so that nothing more may be written."""


class ModelBusyError(TemporaryError):
    """Say that the provider kept failing in passing."""


class ModelBrokenError(TemporaryError):
    """Say that the program of a model failed or answered none of the protocol, at its own cost."""


class RecoveryError(TemporaryError):
    """Say that a store is in RECOVERY, in which nothing is written to it."""


class IllegalStateError(MindError):
    """Say that a state machine was asked for a step that it does not have."""


class EarlierPhaseError(MindError):
    """Say that a phase before this one failed, and end with its status."""

    def __init__(self, message: str, *, status: int) -> None:
        super().__init__(message)
        self.status = ExitStatus(status)
