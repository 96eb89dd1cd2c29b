"""Load what a mind knows now, and put its prompts together."""
