"""Run many command lines in one process as if each were alone; run as a program.

The only argument names a file of JSON: a list of [arguments, stdin]. Before each, a line with its
number between two marks goes to stdout and stderr.
"""

import json
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path

MARK = "\x1e"


class Ended(BaseException):
    """SIGTERM came."""


def main() -> None:
    """Run every command line; a traceback goes to stderr, as it would if it were alone."""
    from mindpipe_cli import startup

    startup.begin()
    os.umask(0o077)
    out = os.dup(1)
    for number, (arguments, stdin) in enumerate(json.loads(Path(sys.argv[1]).read_text())):
        # A command that could not write lets go of stdout.
        os.dup2(out, 1)
        for stream in (sys.stdout, sys.stderr):
            stream.write(f"{MARK}{number}{MARK}")
            stream.flush()
        _run(arguments, stdin.encode("utf-8", "surrogateescape"))


def _run(arguments: list[str], stdin: bytes) -> None:
    from mindpipe_cli.main import run

    with tempfile.TemporaryFile() as file:
        file.write(stdin)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        sys.stdin = os.fdopen(0, "r", closefd=False)
    saved = dict(os.environ)
    try:
        status = int(run(arguments))
    except Exception:
        traceback.print_exc()
        status = 1
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.environ.clear()
        os.environ.update(saved)
        sys.stdout.flush()
        sys.stderr.flush()
    sys.stderr.write(f"{MARK}={status}{MARK}")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
