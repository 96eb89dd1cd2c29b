"""What a model is shown: identity, state, the present events, and the history before them."""
