"""Decisions and escalations as rows."""
