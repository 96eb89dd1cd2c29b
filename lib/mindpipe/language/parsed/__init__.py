"""A reader that walks a parse: nouns, pronouns, how a clause is meant, and the rules."""
