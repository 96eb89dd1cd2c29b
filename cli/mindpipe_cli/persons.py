"""Who a decision is recorded as made by."""

from mindpipe.core.text import one_line

_NAME_LENGTH = 128


def person(by: str | None) -> str:
    """Return who decides: as given, else who is logged in; raises UsageError for no plain name."""
    import getpass

    return one_line(getpass.getuser() if by is None else by, field="--by", limit=_NAME_LENGTH)
