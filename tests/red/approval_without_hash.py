"""A build that runs what an approved ticket holds without computing its hash again."""

from mindpipe.engine.cycle import approved_calls

PATCHES = ((approved_calls, "fault_of", lambda _ticket, _agent: None),)
