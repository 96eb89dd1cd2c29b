"""The rows of decisions and escalations."""
