"""Run `mind` as a broken build would: the umask of whoever runs it decides who may read."""

import many
from breaking import broken
from mindpipe_cli import main

PATCHES = ((main.os, "umask", lambda _mask: 0),)

if __name__ == "__main__":
    with broken(PATCHES):
        many.main()
