"""What stands behind `mind simulate`: persons made, ticked, run and drawn."""
