"""Records of persons: who they are, how they are, what happens to them and what they think."""
