"""The structured prompt: a life as a timeline of who said what, when, and why it matters now."""
