"""The append-only log of what each agent lived through: messages, cycles, segments and blobs."""
