"""The versions of what is installed here, read from where it lies."""

import contextlib
import os
from pathlib import Path

import apsw

PACKAGES = frozenset({"anthropic", "numpy", "openai", "rs_bpe", "spacy", "tiktoken", "tzdata"})
"""What asks models, counts tokens, reads sentences, reckons, and knows time zones elsewhere."""
_ZONES = "/usr/share/zoneinfo:/usr/lib/zoneinfo:/usr/share/lib/zoneinfo:/etc/zoneinfo"
"""Where zoneinfo looks; to load it takes as long as ten of these reads."""


def zones() -> str:
    """Return the version of the system's time zones; "" where it has none, or does not say."""
    places = os.environ.get("PYTHONTZPATH", _ZONES).split(os.pathsep)
    for place in map(Path, filter(None, places)):
        for name in ("tzdata.zi", "+VERSION"):
            with contextlib.suppress(OSError), (place / name).open(encoding="utf-8") as file:
                return file.readline().removeprefix("# version ").strip()
    return ""


def packages() -> dict[str, str]:
    """Return those packages that are installed beside ours, by name, as their folders say it."""
    found: dict[str, str] = {}
    with contextlib.suppress(OSError):
        for one in os.listdir(Path(apsw.__file__).parents[1]):  # noqa: PTH208 - half the time
            name, _, version = one.removesuffix(".dist-info").partition("-")
            if name in PACKAGES and one.endswith(".dist-info"):
                found[name] = version
    return dict(sorted(found.items()))
