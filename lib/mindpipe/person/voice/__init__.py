"""Voices of persons: the composed one, or any model."""
