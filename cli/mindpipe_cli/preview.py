"""Show a reply on stderr while it is being written, as a preview that does not count."""

from mindpipe_cli import output


class TerminalPreview:
    """The Preview port on a terminal: reasoning and words as they come, calls as lines."""

    def __init__(self) -> None:
        self._last = ""

    def text(self, piece: str) -> None:
        """Show a piece of the reply's text."""
        self._show("text", piece)

    def thinking(self, piece: str) -> None:
        """Show a piece of reasoning."""
        self._show("thinking", piece)

    def call(self, tool: str) -> None:
        """Show that a tool is being called."""
        self._show("call", f"→ {tool}")

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
