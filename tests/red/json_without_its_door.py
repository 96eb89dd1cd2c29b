"""Run `mind` as a broken build would: JSON is parsed without looking at it first."""

import json

from mindpipe.inbox import lines
from support.broken_builds import run_broken


def _parse(document: str, *, source: str, line: int | None = None) -> object:
    """Parse whatever comes."""
    return json.loads(document)


PATCHES = ((lines, "load_json", _parse),)

if __name__ == "__main__":
    run_broken(PATCHES)
