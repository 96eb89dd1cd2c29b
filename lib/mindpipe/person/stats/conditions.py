"""Conditions on columns that are known, such as `n>0.7`: which persons or readings are asked of."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from mindpipe.core.errors import UsageError
from mindpipe.core.text import did_you_mean

Kind = Literal["number", "flag", "text"]
Sign = Literal["=", "!=", "<", "<=", ">", ">="]
_FORM = re.compile(r"\s*([a-z_]+)\s*(!=|<=|>=|=|<|>)\s*(\S.*?)\s*", re.ASCII | re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,3})?", re.ASCII)
_FLAGS = {"true": True, "false": False}


class Condition(NamedTuple):
    """A column, how it is compared, and with what."""

    column: str
    sign: Sign
    value: float | bool | str


def condition_of(text: str, known: Mapping[str, Kind]) -> Condition:
    """Return a condition as it is written, `NAME=VALUE` or with another sign.

    Raises:
        UsageError: it is not written so, the column is none of the `known`, or the value is not of
            its kind.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise UsageError(f"--where {text}: write NAME=VALUE, or with one of != < <= > >=.")
    name, sign, value = found.groups()
    if name not in known:
        near = did_you_mean(name, known)
        raise UsageError(f"--where: no column {name}; {near}there are {', '.join(known)}.")
    return Condition(name, _sign(sign, name, known[name]), _value(value, name, known[name]))


def _sign(sign: str, name: str, kind: Kind) -> Sign:
    """Return a sign; raises UsageError where a column has no order."""
    if kind != "number" and sign not in ("=", "!="):
        raise UsageError(f"--where {name}: it has no order; compare it with = or !=.")
    signs: Sequence[Sign] = ("=", "!=", "<", "<=", ">", ">=")
    return next(one for one in signs if one == sign)


def _value(text: str, name: str, kind: Kind) -> float | bool | str:
    """Return what a column is compared with; raises UsageError where it is of another kind."""
    if kind == "text":
        return text
    if kind == "flag":
        if text not in _FLAGS:
            raise UsageError(f"--where {name}: expected true or false, got {text}.")
        return _FLAGS[text]
    if not _NUMBER.fullmatch(text):
        raise UsageError(f"--where {name}: expected a number, got {text}.")
    return float(text)
