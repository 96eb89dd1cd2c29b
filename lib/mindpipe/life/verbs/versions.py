"""The versions of what is here, as far as the meaning of what is kept of a life can hang on it."""

import functools
import platform
import unicodedata

import apsw

from mindpipe.core.version import VERSION
from mindpipe.life.records import LifeVersions
from mindpipe.store import versions
from mindpipe.store.migrations import SCHEMA


@functools.cache
def versions_here() -> LifeVersions:
    """Return the versions of this program and of what it stands on; they are read once."""
    return LifeVersions(
        mindpipe=VERSION,
        schema=len(SCHEMA),
        python=platform.python_version(),
        sqlite=apsw.sqlite_lib_version(),
        unicode=unicodedata.unidata_version,
        zones=versions.zones(),
        packages=versions.packages(),
    )
