"""A part for a `mind` process that a stop lets wait for its tool for longer than any test does."""

from mindpipe.engine.worker import interrupts
from support.broken_builds import Patch

PATCHES: tuple[Patch, ...] = ((interrupts, "_LAST_SECOND", -3600.0),)
