"""Verbs of persons: simulate, salience, feel, feedback, and keeping persons in a store."""
