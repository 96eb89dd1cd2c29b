"""The one door for JSON whose shape is not known: bounded depth, no NaN, no duplicate keys."""

import collections
import json
import re

from mindpipe.core.errors import BadInputError
from mindpipe.core.problems import Problem

MAX_DEPTH = 128
MAX_DIGITS = 1000
MAX_KEYS = 10_000
MAX_KEY_BYTES = 256

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LONG_NUMBER = re.compile(rb"[0-9.eE+-]{%d,}" % (MAX_DIGITS + 1))


class _FaultError(ValueError):
    """A fault found while parsing."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build one object, refusing duplicate, too many and too long keys."""
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = collections.Counter(key for key, _ in pairs)
        double = counts.most_common(1)[0][0]
        raise _FaultError(f"the key {json.dumps(double)} appears twice in one object")
    if len(found) > MAX_KEYS:
        raise _FaultError(f"an object has more than {MAX_KEYS} keys")
    return found


def _constant(name: str) -> object:
    """Refuse NaN and the infinities."""
    raise _FaultError(f"{name} is not JSON")


def depth_of(document: bytes) -> int:
    """Return the deepest nesting of brackets outside strings, by a scan without recursion."""
    depth = deepest = 0
    for byte in _STRING.sub(b"", document):
        if byte in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif byte in b"]}":
            depth -= 1
    return deepest


def fault_of(document: bytes) -> str | None:
    """Return why a document is refused before parsing (depth, numbers, encoding), or None."""
    brackets = document.count(b"[") + document.count(b"{")
    if brackets > MAX_DEPTH and depth_of(document) > MAX_DEPTH:
        return f"nested deeper than {MAX_DEPTH} levels"
    if len(document) > MAX_DIGITS and _LONG_NUMBER.search(_STRING.sub(b'""', document)):
        return f"a number has more than {MAX_DIGITS} digits"
    return None


def load_json(document: bytes | str, *, source: str, line: int | None = None) -> object:
    """Parse one JSON document strictly.

    Raises:
        BadInputError: bad encoding, too deep, NaN or Infinity, duplicate keys, or no JSON.
    """
    octets = document.encode("utf-8", "surrogatepass") if isinstance(document, str) else document
    message = fault_of(octets)
    if message is None:
        try:
            return json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant).decode(
                octets.decode("utf-8")
            )
        except _FaultError as fault:
            message = str(fault)
        except UnicodeDecodeError as fault:
            message = f"not UTF-8 at byte {fault.start}"
        except json.JSONDecodeError as fault:
            message = f"not JSON at character {fault.pos}: {fault.msg}"
        except (RecursionError, ValueError) as fault:
            message = f"not JSON: {fault}"
    raise BadInputError([Problem(source=source, line=line, message=message)])
