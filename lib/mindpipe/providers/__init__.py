"""Models and their APIs: one module or folder for each API, with all that it needs."""
