"""A build that runs what an approved ticket holds without computing its hash again."""

from mindpipe.think.verbs import approved

PATCHES = ((approved, "fault_of", lambda _ticket, _agent: None),)
