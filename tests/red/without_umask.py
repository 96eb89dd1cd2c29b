"""Run `mind` as a broken build would: the umask of whoever runs it decides who may read."""

from mindpipe_cli import main
from support import batch
from support.broken_builds import broken

PATCHES = ((main.os, "umask", lambda _mask: 0),)

if __name__ == "__main__":
    with broken(PATCHES):
        batch.main()
