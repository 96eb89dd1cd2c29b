"""What a mind holds true: observations, the evidence they stand on, and how they were decided."""
