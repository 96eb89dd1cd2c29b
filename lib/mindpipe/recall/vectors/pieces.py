"""Cut a long text into pieces that an embedding model reads whole."""

from mindpipe.core.text import is_blank

MOST_CHARACTERS = 800
"""Characters of a piece: English of this length stays below the 256 tokens that all-MiniLM-L6-v2
and its kin read, about four characters each; what comes behind them would not exist for it."""
_ENDS = ("\n\n", "\n", ". ", "? ", "! ", "; ", ", ", " ")


def pieces(text: str) -> list[str]:
    """Return the text in pieces of at most MOST_CHARACTERS, in their order, no blank one.

    A piece ends where a paragraph does, else a line, a sentence, a clause or a word, if one of them
    ends in the second half of what fits; else in the middle of a word.
    """
    found: list[str] = []
    start = 0
    while start < len(text):
        end = _end(text, start)
        piece = text[start:end].strip()
        if not is_blank(piece):
            found.append(piece)
        start = end
    return found


def _end(text: str, start: int) -> int:
    """Return where the piece ends that begins at `start`."""
    last = start + MOST_CHARACTERS
    if last >= len(text):
        return len(text)
    for mark in _ENDS:
        place = text.rfind(mark, start + MOST_CHARACTERS // 2, last)
        if place >= 0:
            return place + len(mark)
    return last
