"""A build that asks the fallback model whether or not the turn has a try left."""

from mindpipe.engine.cycle import model_call

PATCHES = ((model_call, "without_try", lambda *_: False),)
