"""Trigger runs: one reaction of an agent to a trigger, over every wait for a reply, to its end."""
