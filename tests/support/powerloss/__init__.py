"""The power-loss simulator: what every crash of the machine could leave of a real life."""
