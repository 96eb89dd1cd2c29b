"""One cycle: claim, request, reply, tool calls, commit, failure."""
