"""A build whose keeper kills only its child, not what came of it."""

from mindpipe.io import programs

_KEEPER = """
import os, signal, sys
sys.path.append(sys.argv.pop(1))
import keeper

def end(brood):
    if brood._any_lives() and brood._status is None:
        os.kill(brood._child, signal.SIGKILL)
    while brood._any_lives() and brood._status is None:
        pass
    return 0 if brood._status is None else os.waitstatus_to_exitcode(brood._status)

keeper.Brood.end = end
keeper.main()
"""

PATCHES = ((programs, "_KEEPER", _KEEPER),)
