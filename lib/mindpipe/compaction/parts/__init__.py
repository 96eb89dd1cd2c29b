"""The parts of a window: cycles that stay, cycles with stubs, summaries, and their sizes."""
