"""What can be done about an agent's window: plan, apply, undo, list and look at it."""
