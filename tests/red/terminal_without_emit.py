"""Run `mind` as a broken build would: what goes to a terminal is not cleaned."""

import many
from breaking import broken
from mindpipe.core import text
from mindpipe_cli import output, tables, timeline

PATCHES = (
    (text, "terminal_text", str),
    (output, "terminal_text", str),
    (timeline, "terminal_text", str),
    (output.write_bytes, "__kwdefaults__", {"clean": str}),
    (output.write_records, "__kwdefaults__", {"clean": str}),
    (tables, "cell", tables.cell),
)

if __name__ == "__main__":
    with broken(PATCHES):
        many.main()
