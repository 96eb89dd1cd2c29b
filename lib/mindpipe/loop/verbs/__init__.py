"""Stay and think, mark how a life ends, and remember a crash; one file per verb."""
