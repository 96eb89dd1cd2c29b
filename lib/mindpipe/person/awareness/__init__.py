"""Which changes of body and mood break into a person's awareness."""
