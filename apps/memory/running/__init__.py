"""Running tests: schedule, clock, log and folder of a run."""
