"""The lease on an agent: who may think for it and write its history, fenced by an epoch."""

import math

import msgspec

from mindpipe.agents.records import Lease
from mindpipe.core.errors import AgentHeldError, FencedError
from mindpipe.core.instants import deadline, expired
from mindpipe.core.ports import BootTime


def is_held(lease: Lease, now: BootTime) -> bool:
    """Tell whether somebody holds it and has not let it expire."""
    limit = BootTime(boot=lease.boot, seconds=lease.seconds)
    return lease.owner is not None and not expired(limit, now)


def taken(lease: Lease, *, owner: str, now: BootTime, seconds: float) -> Lease:
    """Return the lease as `owner` holds it: a new epoch, or its own one renewed.

    Raises:
        AgentHeldError: another owner holds it and has not let it expire.
    """
    held = is_held(lease, now)
    if held and lease.owner != owner:
        left = math.ceil(lease.seconds - now.seconds)
        raise AgentHeldError(
            f"agent {lease.agent} is being thought for by another worker. Try again; if that was "
            f"killed, in {left} s."
        )
    epoch = lease.epoch if held else lease.epoch + 1
    return _until(msgspec.structs.replace(lease, epoch=epoch, owner=owner), now, seconds)


def renewed(lease: Lease, *, owner: str, epoch: int, now: BootTime, seconds: float) -> Lease:
    """Return the lease with a later end, even past its old one if nobody came.

    Raises:
        FencedError: another worker came.
    """
    check(lease, owner=owner, epoch=epoch)
    return _until(lease, now, seconds)


def released(lease: Lease, *, owner: str, epoch: int) -> Lease:
    """Return the lease free; its epoch stays, so that the next one is higher.

    Raises:
        FencedError: another worker came.
    """
    check(lease, owner=owner, epoch=epoch)
    return Lease(agent=lease.agent, epoch=lease.epoch)


def check(lease: Lease, *, owner: str, epoch: int) -> None:
    """Pass if `owner` still holds this epoch.

    Raises:
        FencedError: another worker came.
    """
    if lease.owner != owner or lease.epoch != epoch:
        raise FencedError(f"another worker thinks for agent {lease.agent} now. Try again.")


def _until(lease: Lease, now: BootTime, seconds: float) -> Lease:
    """Return the lease with its end `seconds` from now."""
    limit = deadline(now, seconds=seconds)
    return msgspec.structs.replace(lease, boot=limit.boot, seconds=limit.seconds)
