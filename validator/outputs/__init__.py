"""Output formats: each is a pure function of a list of findings."""
