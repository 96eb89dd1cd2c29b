"""Observers at work: each looks at something outside and takes its steps through a keeper."""
