"""A simulated life in a build whose built-in tools act in one transaction and say so in another."""

from red import effect_apart
from support.simulation import times

PATCHES = (*times.PATCHES, *effect_apart.PATCHES)
