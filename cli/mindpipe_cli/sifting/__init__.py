"""What stands behind the filters over lines about persons, from salience to review."""
