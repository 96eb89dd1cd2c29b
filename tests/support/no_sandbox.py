"""Parts for a `mind` process that find no bubblewrap, whether the machine has it or not."""

from mindpipe.io import sandbox
from support.broken_builds import Patch

PATCHES: tuple[Patch, ...] = ((sandbox, "bubblewrap", lambda: None),)
