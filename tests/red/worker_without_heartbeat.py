"""A build whose workers never renew their leases."""

import contextlib
from collections.abc import Callable

from mindpipe.wiring import worker


def _silence(
    _renew: Callable[[], bool], *, interval: float, seconds: float
) -> contextlib.AbstractContextManager[None]:
    """Beat never."""
    return contextlib.nullcontext()


PATCHES = ((worker, "beating", _silence),)
