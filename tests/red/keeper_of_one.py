"""A build whose keeper kills only its child, not what came of it."""

from mindpipe.io import programs

_KEEPER = """
import os, signal, sys
sys.path.append(sys.argv.pop(1))
import keeper

def end(tree):
    if tree._any_lives() and tree._status is None:
        os.kill(tree._child, signal.SIGKILL)
    while tree._any_lives() and tree._status is None:
        pass
    return 0 if tree._status is None else os.waitstatus_to_exitcode(tree._status)

keeper.ProcessTree.end = end
keeper.main()
"""

PATCHES = ((programs, "_KEEPER", _KEEPER),)
