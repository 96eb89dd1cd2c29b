"""Whom a name means: the one speaker who is called so."""

from collections.abc import Mapping

from mindpipe.core.errors import UsageError
from mindpipe.knowledge.keys import normal_subject


def bearers(names: Mapping[str, str]) -> dict[str, str]:
    """Return who is meant by each name, of what speakers are called, as keys have both.

    A first name means him too. Which two are called, or another speaker goes by, means nobody.
    """
    found: dict[str, set[str]] = {}
    for subject, name in names.items():
        for one in {name, name.partition(" ")[0]} - {""}:
            found.setdefault(id_of(one), set()).add(subject)
    return {
        name: min(who)
        for name, who in found.items()
        if len(who) == 1 and name and (name not in names or name in who)
    }


def id_of(name: str) -> str:
    """Return a name as keys have it, "" where it can stand in none."""
    try:
        return normal_subject(name)
    except UsageError:
        return ""
