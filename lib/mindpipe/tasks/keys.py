"""The idempotency key of a task."""

import hashlib


def key_of(store: str, task: str) -> str:
    """Return a task's key: the same for every retry, so that a receiver can tell them for one."""
    return hashlib.sha256(f"{store}\x1f{task}".encode()).hexdigest()
