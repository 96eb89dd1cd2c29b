"""Run `mind` as a broken build would: what goes to a terminal is not cleaned."""

from mindpipe.core import text
from mindpipe_cli import history, output
from support import batch
from support.broken_builds import broken

PATCHES = (
    (text, "terminal_text", str),
    (output, "terminal_text", str),
    (history, "terminal_text", str),
    (output.write_bytes, "__kwdefaults__", {"clean": str}),
    (output.write_records, "__kwdefaults__", {"clean": str}),
)

if __name__ == "__main__":
    with broken(PATCHES):
        batch.main()
