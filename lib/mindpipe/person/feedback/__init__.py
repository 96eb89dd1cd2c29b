"""What thoughts do to the body: the patterns that are found in words, and the rates they carry."""
