"""Run many command lines in one process as if each were alone; run as a program.

The first argument names a file of JSON: a list of [arguments, stdin]. Before each, a line with its
number between two marks goes to stdout and stderr. The second, if there is one, names a file that
is told the modes of all files that are in the folder after each command.
"""

import contextlib
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

MARK = "\x1e"


def main() -> None:
    """Run every command line; a traceback goes to stderr, as it would if it were alone."""
    modes = []
    out = os.dup(1)
    for number, (arguments, stdin) in enumerate(json.loads(Path(sys.argv[1]).read_text())):
        # A command that could not write lets go of stdout.
        os.dup2(out, 1)
        for stream in (sys.stdout, sys.stderr):
            stream.write(f"{MARK}{number}{MARK}")
            stream.flush()
        os.umask(0)
        _run(arguments, stdin.encode("utf-8", "surrogateescape"))
        modes.append({str(path): mode for path, mode in _modes()})
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(json.dumps(modes))


def _modes() -> Iterator[tuple[Path, int]]:
    """Yield every file and folder below this one with its mode."""
    for path in Path().rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            yield path, path.lstat().st_mode


def _run(arguments: list[str], stdin: bytes) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(stdin)
        file.seek(0)
        os.dup2(file.fileno(), 0)
        sys.stdin = os.fdopen(0, "r", closefd=False)
    environment, own = dict(os.environ), sys.argv
    sys.argv = ["mind", *arguments]
    try:
        status = _status()
    finally:
        sys.argv = own
        os.environ.clear()
        os.environ.update(environment)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    sys.stderr.write(f"{MARK}={status}{MARK}")
    sys.stderr.flush()


def _status() -> int:
    from mindpipe_cli.main import main as mind

    try:
        mind()
    except SystemExit as end:
        return int(end.code or 0)
    except Exception:
        traceback.print_exc()
    return -1


if __name__ == "__main__":
    main()
