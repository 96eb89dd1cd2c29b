"""Windows over messages and documents, with no store."""
