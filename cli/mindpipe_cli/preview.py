"""Show a reply on stderr while it is being written, as a preview that does not count."""

from mindpipe_cli import output

_SAYS = "send_message"


class TerminalPreview:
    """The Preview port on a terminal: reasoning and words as they come, calls as lines.

    What a message to a space says is shown as it is written, and kept in `messages`. With
    `aloud_only` nothing else of the text and the reasoning is shown.
    """

    def __init__(self, *, aloud_only: bool = False) -> None:
        self.messages: list[str] = []
        self._aloud_only = aloud_only
        self._last = ""
        self._json = ""
        self._shown = 0

    def text(self, piece: str) -> None:
        """Show a piece of the reply's text."""
        if not self._aloud_only:
            self._show("text", piece)

    def thinking(self, piece: str) -> None:
        """Show a piece of reasoning."""
        if not self._aloud_only:
            self._show("thinking", piece)

    def call(self, tool: str) -> None:
        """Show that a tool is being called."""
        self._json, self._shown = "", 0
        if tool == _SAYS:
            self.end()
            self._last = "message"
            self.messages.append("")
        else:
            self._show("call", f"→ {tool}")

    def argument(self, piece: str) -> None:
        """Show what a message says so far, where the call that is being written sends one."""
        if self._last != "message":
            return
        self._json += piece
        said = _text_so_far(self._json)
        if not self._shown and said and not self._aloud_only:
            output.preview("» ")
        output.preview(said[self._shown :])
        self._shown = max(self._shown, len(said))
        self.messages[-1] = said

    def end(self) -> None:
        """End the line that is open."""
        if self._last:
            output.preview("\n")
        self._last = ""

    def _show(self, kind: str, piece: str) -> None:
        """Begin a new line when the kind changes, and show the piece."""
        if kind != self._last or kind == "call":
            self.end()
            output.preview("… " if kind == "thinking" else "")
        self._last = kind
        output.preview(piece)


def _text_so_far(json: str) -> str:
    """Return the text of a message whose arguments are still being written."""
    import jiter

    try:
        found = jiter.from_json(json.encode("utf-8", "replace"), partial_mode="trailing-strings")
    except ValueError:
        return ""
    text = found.get("text") if isinstance(found, dict) else None
    return text if isinstance(text, str) else ""
