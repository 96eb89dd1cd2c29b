"""Addresses of HTTP: what is one, and what of one may be shown."""

import re

from mindpipe.core.text import terminal_text

# It stays text until it is first used.
_HOST = r"(?:[\w.-]+|\[[0-9A-Fa-f:.%]+\]|\$\{\w+\})(?::\d{1,5})?"


def is_http(address: str) -> bool:
    """Tell whether something is an address of HTTP: an http or https URL with a host."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address)
        there = parts.hostname is not None and parts.port != 0
    except ValueError:  # a port, or a host in brackets, that is none
        return False
    return there and parts.scheme in {"http", "https"} and not re.search(r"\s", parts.netloc)


def shown_address(address: str) -> str:
    """Return scheme, host and port of an address, or of what should be one; empty if unclear.

    What else is in it may be a name, a password or a key, and what is no address may be all key.
    """
    scheme, found, rest = address.strip().rpartition("://")
    host = re.split(r"[/?#\\]", rest)[0].rpartition("@")[2]
    if not re.fullmatch(_HOST, host) or not (found or re.search(r"[.:]", host)):
        return ""
    return terminal_text(f"{scheme if re.fullmatch('[a-z+.-]*', scheme) else ''}{found}{host}")
