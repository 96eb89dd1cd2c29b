"""A build whose keeper nobody watches."""

from mindpipe.io import programs

_KEEPER = """
import os, sys
sys.path.append(sys.argv.pop(1))
import keeper

keeper._watch = lambda kept, folder: os.waitpid(kept, 0)[0] and 0
keeper.main()
"""

PATCHES = ((programs, "_KEEPER", _KEEPER),)
