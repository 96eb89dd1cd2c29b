"""A build that asks the fallback model whether or not the turn has a try left."""

from mindpipe.think.verbs import fallback

PATCHES = ((fallback, "without_try", lambda *_: False),)
