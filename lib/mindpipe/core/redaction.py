"""The one door for secrets: what looks like a key does not reach a log, an error or a recording."""

import re
from collections.abc import Iterable

MARK = "[redacted]"

# These stay text until they are first used: compiling them takes longer than all else here.
# A key begins where no letter of a key stands before it, so that encoded bytes are left alone; in
# a line of JSON the letter may be that of an escape.
_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))"
_KEYS = (
    _START
    + r"(?:"
    + r"sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_*-]{4,}"
    + r"|sk-[A-Za-z0-9_*-]{20,}"
    + r"|sk-(?=[A-Za-z_-]*[0-9*])[A-Za-z0-9_*-]{8,}"
    + r"|(?:gh[pousr]_|github_pat_|glpat-|hf_|xox[abprs]-|npm_|pypi-)[A-Za-z0-9_-]{16,}"
    + r"|(?:AKIA|ASIA)[A-Z0-9]{16}"
    + r"|AIza[A-Za-z0-9_-]{35}"
    + r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
    + r")"
)
_PRIVATE_KEYS = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"(?:[A-Za-z0-9+/=\s]|\\[nrt])*"
    r"(?:-----END [A-Z ]*PRIVATE KEY-----)?"
)
_BEARER = "(?i)" + _START + r"(bearer|basic)(\s+)(?=[A-Za-z._~+/-]*[0-9])[A-Za-z0-9._~+/=-]{12,}"
_HEADER = (
    "(?ix)"
    + _START
    + r"""((?:proxy-)?authorization|x-api-key|x-goog-api-key|api[-_]key)
        ((?:\\?["'])?\s*[:=]\s*(?:\\?["'])?)
        (?:(?:bearer|basic)\s+)?
        (?=[^\s"'\\,;{}\[\]]*[0-9])[^\s"'\\,;{}\[\]]{8,}"""
)
_SHORTEST_KNOWN = 6


def redact(text: str, known: Iterable[str] = ()) -> str:
    """Return text with key-like words, authorization values and `known` secrets blotted out.

    Only letters of the secret itself are replaced, so that a line of JSON stays one. Known secrets
    shorter than 6 characters are passed over, as they would blot out ordinary words.
    """
    for secret in known:
        if len(secret) >= _SHORTEST_KNOWN:
            text = text.replace(secret, MARK)
    text = re.sub(_PRIVATE_KEYS, MARK, text)
    text = re.sub(_HEADER, lambda found: f"{found[1]}{found[2]}{MARK}", text)
    text = re.sub(_BEARER, lambda found: f"{found[1]}{found[2]}{MARK}", text)
    return re.sub(_KEYS, MARK, text)
