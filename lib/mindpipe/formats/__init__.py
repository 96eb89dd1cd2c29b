"""Conversations to and from the forms of other programs; pure functions over canonical messages."""
