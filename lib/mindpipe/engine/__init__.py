"""How a mind lives: one cycle, its tools, and the worker that goes from cycle to cycle."""
