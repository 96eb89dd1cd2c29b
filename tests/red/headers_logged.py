"""Run `mind` as a broken build would: what a provider repeats of our headers is not blotted out."""

import many
from breaking import broken
from mindpipe.formats.replies import faults
from mindpipe.models import recording, wire


def _as_it_is(text: str, _known: tuple[str, ...] = ()) -> str:
    return text


PATCHES = tuple((part, "redact", _as_it_is) for part in (wire, faults, recording))

if __name__ == "__main__":
    with broken(PATCHES):
        many.main()
