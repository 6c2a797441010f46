"""Pages of runs over suites."""
