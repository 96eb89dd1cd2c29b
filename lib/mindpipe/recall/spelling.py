"""One spelling for what is indexed and for what is asked: small letters, no accents, apart."""

import re
import unicodedata

# Thai to Myanmar, Khmer, kana and Han (with what stands for a letter said twice), Hangul.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]"
)

_STRANGE = re.compile("[^\x00-\x7f]+")


def folded(text: str) -> str:
    """Return a text in lower case and without accents, as the index takes it.

    Letters of scripts that put no spaces between words, or join to a word what others put beside
    it (Hangul), stand alone: each is taken as a word of its own.
    """
    if text.isascii():
        return text.lower()
    bare = _STRANGE.sub(_without_accents, unicodedata.normalize("NFKD", text))
    return _UNSPACED.sub(r" \g<0> ", unicodedata.normalize("NFC", bare).casefold())


def _without_accents(run: re.Match[str]) -> str:
    """Return a run of letters that are not ASCII without what stands on or below them."""
    return "".join(one for one in run[0] if not unicodedata.combining(one))
