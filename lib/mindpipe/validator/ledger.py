"""Collects findings in the order in which they are met."""

from collections.abc import Iterable

from mindpipe.validator.records import Finding
from mindpipe.validator.rules import RULES, UNKNOWN_FIELD


class Ledger:
    """Collect findings; the severity follows from the rule."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []

    def add(
        self, rule: str, at: str, what: str, *, id: str | None = None, says: str | None = None
    ) -> None:
        """Write down a breach of `rule` at a JSON path, with the provider's words if known."""
        self.findings.append(
            Finding(
                rule=rule,
                severity="error" if RULES[rule].is_error else "warning",
                at=writable(at),
                id=None if id is None else writable(id),
                what=writable(what),
                provider_says=None if says is None else writable(says),
            )
        )

    def note(self, at: str, what: str, *, rule: str = UNKNOWN_FIELD) -> None:
        """Write down something worth knowing that breaks no rule."""
        self.findings.append(
            Finding(rule=rule, severity="note", at=writable(at), what=writable(what))
        )

    def unknown(self, at: str, names: Iterable[str]) -> None:
        """Note fields that this validator does not know, in alphabetical order."""
        for name in sorted(names):
            self.note(f"{at}.{name}" if at else name, f"the field {name!r} is not known here")


def writable(text: str) -> str:
    """Return text that UTF-8 can hold: lone surrogates of the input are written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
