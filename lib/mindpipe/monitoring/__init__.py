"""Monitoring: what a loop measures, what is alarming in it, and its state on one screen."""
