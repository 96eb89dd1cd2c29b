"""Files, lines, clocks and other programs: all that is outside but a store or a model."""
