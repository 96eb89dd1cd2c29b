"""What travels of cycles, of attention and of reflection."""
