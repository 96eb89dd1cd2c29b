"""What stays in the window: plans that fold old cycles into summaries, over a log that stays."""
