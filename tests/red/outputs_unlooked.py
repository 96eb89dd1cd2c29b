"""Run `mind` as a broken build would: files for output are written without looking at them."""

from mindpipe.io import files
from mindpipe_cli import command
from support.broken_builds import run_broken

PATCHES = (
    (files, "refuse_database", lambda _name: None),
    (command, "refuse_inputs", lambda _context, _session: None),
)

if __name__ == "__main__":
    run_broken(PATCHES)
