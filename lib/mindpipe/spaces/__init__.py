"""Places where several minds and humans talk: members, posts, and what each has seen."""
