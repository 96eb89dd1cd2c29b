"""Measure, sound alerts, and show how an agent stands; one file per verb."""
