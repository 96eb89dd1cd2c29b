"""A build in which nobody looks out for emergencies while a model or a tool is at work."""

from mindpipe.engine.worker.interrupts import Alarm


def _asleep(alarm: Alarm, _store: object) -> None:
    alarm._quiet.wait()


PATCHES = ((Alarm, "_look", _asleep),)
