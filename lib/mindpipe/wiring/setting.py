"""What a setting is: its name, type, bounds, default, and what it does."""

from mindpipe.core.records import Record

_KINDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


class Setting(Record):
    """One setting that exists.

    `name` is dotted. A number lies within `least` and `most`, a text is one of `choices`, where
    these are given. `help` is one line that says what it does, with its unit.
    """

    name: str
    kind: type[str] | type[int] | type[float] | type[bool]
    default: str | int | float | bool | None
    help: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()

    def wanted(self) -> str:
        """Return in words what its values are."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        kind = _KINDS[self.kind]
        if self.least is None and self.most is None:
            return kind
        if self.most is None:
            return f"{kind} of {self.least:g} or more"
        return f"{kind} of {self.least:g} to {self.most:g}"
