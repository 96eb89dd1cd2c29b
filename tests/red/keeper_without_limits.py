"""A build whose keeper sets no limits."""

from mindpipe.io import programs

_KEEPER = """
import sys
sys.path.append(sys.argv.pop(1))
import keeper

keeper._limit = lambda kind, bound: None
keeper._rest_within = lambda memory: None
keeper.main()
"""

PATCHES = ((programs, "_KEEPER", _KEEPER),)
