"""Rules on suites."""
