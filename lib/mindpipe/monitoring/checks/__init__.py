"""What mind doctor looks at beside a store: each file is one look, and none writes anything."""
