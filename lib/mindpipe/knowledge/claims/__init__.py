"""What a text claims, found by rules: who or what, in which slot, with which value, since when."""
