"""What people say, read as statements: who, about whom, what, and how it is meant."""
