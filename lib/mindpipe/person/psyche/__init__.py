"""How a person copes, how its thinking bends, and what drives it."""
