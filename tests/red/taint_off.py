"""A build in which no turn is tainted, whatever its request holds."""

from mindpipe.think.verbs import request

PATCHES = ((request, "untrusted", lambda _sources, _trust: ()),)
