"""How persons live through time: what happens at each instant, and what flows between."""
