"""Programs as models: one JSON object in, one out."""
