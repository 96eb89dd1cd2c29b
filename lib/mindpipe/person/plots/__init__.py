"""A day or a week of a person as curves: what is drawn, where its marks stand, and sparklines."""
