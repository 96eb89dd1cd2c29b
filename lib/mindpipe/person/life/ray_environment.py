"""What Ray is told by variables, which it reads once, while it is loaded."""

import importlib.util
import os

from mindpipe.core.errors import UnavailableError

LOCAL = "local"
"""The address of a cluster of this machine that ends with the work."""
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_AUTO_CONNECT": "0",  # else whatever is asked of a lost cluster starts another one
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else it gives a tip about that
    "RAY_worker_niceness": "0",  # workers of a cluster of one's own wait for nobody more than we
}


def prepare_ray(address: str) -> None:
    """Tell Ray what it has to know before it is loaded to reach, or start, a cluster.

    Raises:
        UnavailableError: ray is not installed.
    """
    if importlib.util.find_spec("ray") is None:
        words = "a cluster needs the extra ray: pip install '.[ray]' in mindpipe's folder."
        raise UnavailableError(words)
    os.environ.update(_QUIET)
    if address == LOCAL:
        # It listens on the network, and without a token would run anybody's programs.
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=os.urandom(32).hex())
