"""The one door for secrets: what looks like a key does not reach a log, an error or a recording.

Of what is kept for good only what is sure is taken out: a life without a word that was none is
damaged for ever, while an error is read once.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping

import msgspec

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


# What only an issuer writes so; each has a beginning that is looked for before the rest of it is.
_ISSUED = (
    _START
    + r"(?:"
    + r"sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_-]{16,}"
    + r"|sk-[A-Za-z0-9]{32,}"
    + r"|gh[pousr]_[A-Za-z0-9]{30,}"
    + r"|github_pat_[A-Za-z0-9_]{30,}"
    + r"|glpat-[A-Za-z0-9_-]{20,}"
    + r"|hf_[A-Za-z0-9]{30,}"
    + r"|xox[abprs]-[0-9]{6,}[A-Za-z0-9-]{10,}"
    + r"|npm_[A-Za-z0-9]{36}"
    + r"|pypi-AgE[A-Za-z0-9_-]{40,}"
    + r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])"
    + r"|AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"
    + r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
    + r")"
)
_BEGINNINGS = (
    *("sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "hf_", "xox", "npm_"),
    *("pypi-AgE", "AKIA", "ASIA", "AIza", ".eyJ"),
)
_WHOLE_KEY = (
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----"
    r"(?:[A-Za-z0-9+/=\s]|\\[nrt]){40,}"
    r"-----END [A-Z ]*PRIVATE KEY-----"
)
_PRIVATE = "PRIVATE KEY-----"
_SECRET_NAME = r"(?:API_KEY|ACCESS_KEY|TOKEN|SECRET|PASSWORD)$"
_SHORTEST_KEPT_OUT = 12
_LONG = 24


def secrets_among(variables: Mapping[str, str], named: Iterable[str] = ()) -> list[str]:
    """Return the values of those variables that hold keys: by their names, or `named` ones."""
    also = set(named)
    return [
        value for name, value in variables.items() if name in also or re.search(_SECRET_NAME, name)
    ]


def _is_secret(value: str) -> bool:
    """Tell whether a known value can be nothing else than a secret: not `ollama`, nor a path."""
    if len(value) < _SHORTEST_KEPT_OUT or value.startswith(("/", ".")) or "://" in value:
        return False
    return not re.search(r"\s", value) and (len(value) >= _LONG or bool(re.search("[0-9]", value)))


def _known_to_nobody() -> Iterable[str]:
    return ()


def _longest_first(known: Iterable[str]) -> tuple[str, ...]:
    """Return secrets so that one that begins with another goes as a whole."""
    return tuple(sorted(known, key=len, reverse=True))


def _may_have_any(text: str, known: tuple[str, ...]) -> bool:
    return len(text) >= _SHORTEST_KEPT_OUT and (
        any(one in text for one in known)
        or any(one in text for one in _BEGINNINGS)
        or _PRIVATE in text
    )


class Redactor:
    """Takes secrets out of what is to be kept; `found` tells whether there was any.

    These are keys that an issuer's form gives away, whole private keys, and what `known` returns
    when it is first needed. Of that nothing counts that could be a word: it has 12 characters or
    more, a digit or 24 characters, no white space, and is no path or address.
    """

    def __init__(self, known: Callable[[], Iterable[str]] = _known_to_nobody) -> None:
        self._get = known
        self.found = False

    @functools.cached_property
    def _known(self) -> tuple[str, ...]:
        """Return what is known, each also as it stands in a line of JSON."""
        known = set(filter(_is_secret, self._get()))
        return _longest_first(known | {msgspec.json.encode(one).decode()[1:-1] for one in known})

    @functools.cached_property
    def _known_octets(self) -> tuple[str, ...]:
        """Return what is known as its octets in UTF-8 read, where each octet is a letter."""
        read = {one.encode("utf-8", "surrogateescape").decode("latin-1") for one in self._known}
        return _longest_first(read | set(self._known))

    def touches(self, text: str) -> bool:
        """Tell whether anything in a text may have to be taken out, in little time."""
        return _may_have_any(text, self._known)

    def text(self, text: str) -> str:
        """Return text without secrets; a line of JSON stays one."""
        return self._clean(text, self._known)

    def _clean(self, text: str, known: tuple[str, ...]) -> str:
        if not _may_have_any(text, known):
            return text
        clean = text
        for secret in known:
            clean = clean.replace(secret, MARK)
        clean = re.sub(_WHOLE_KEY, MARK, re.sub(_ISSUED, MARK, clean))
        self.found = self.found or clean != text
        return text if clean == text else clean

    def octets(self, octets: bytes) -> bytes:
        """Return octets without secrets, whatever else they are: of text those in UTF-8."""
        text = octets.decode("latin-1")
        clean = self._clean(text, self._known_octets)
        return octets if clean is text else clean.encode("latin-1")

    def value(self, value: object) -> object:
        """Return a JSON value without secrets in its strings."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.value(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.value(inner) for inner in value]
        return value
