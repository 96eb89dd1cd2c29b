"""Whether a request was signed by who has the secret, and just now."""

import hashlib
import hmac

from mindpipe.core.json import MAX_KEY_BYTES
from mindpipe.core.records import Record

ALGORITHM = "sha256="
TIME, KEY, SIGNATURE = "X-Mind-Time", "X-Mind-Key", "X-Mind-Signature"
LEAST_SECRET = 16
_MOST_KEY = MAX_KEY_BYTES - 16
_MOST_DIGITS = 12


class SignedRequest(Record):
    """A request as it came: its time, key and signature in its head, and its body."""

    time: str
    key: str
    given: str
    body: bytes


def signature(secret: bytes, *, time: str, key: str, body: bytes) -> str:
    """Return the signature of a request: HMAC-SHA256 over `TIME.KEY.BODY`, in hexadecimal."""
    signed = b".".join((time.encode(), key.encode(), body))
    return ALGORITHM + hmac.new(secret, signed, hashlib.sha256).hexdigest()


def gap_of(request: SignedRequest) -> str | None:
    """Return what a request lacks to be looked at, None where its head has all in its form."""
    time, key = request.time, request.key
    given = {TIME: time, KEY: key, SIGNATURE: request.given}
    if missing := [name for name, value in given.items() if not value]:
        verb = "is" if len(missing) == 1 else "are"
        return f"{', '.join(missing)} {verb} missing; see mind-observe.yaml(5)."
    if not (len(key) <= _MOST_KEY and key.isascii() and key.isprintable()):
        return f"{KEY} must be 1 to {_MOST_KEY} characters of plain ASCII."
    if not (time.isascii() and time.isdecimal() and len(time) <= _MOST_DIGITS):
        return f"{TIME} must be whole seconds since 1970."
    return None


def fault_of(request: SignedRequest, secret: bytes, *, now: float, skew: int) -> str | None:
    """Return why a request without gaps is refused, None where it is sound.

    Times are in Unix seconds. A replay within `skew` seconds has the same key, under which its
    events are there already.
    """
    wanted = signature(secret, time=request.time, key=request.key, body=request.body)
    if not hmac.compare_digest(wanted.encode(), request.given.encode("utf-8", "replace")):
        return f"{SIGNATURE} is not that of this request."
    if abs(int(request.time) - now) > skew:
        return f"{TIME} is more than {skew} s off; sign it anew."
    return None
