"""Rules on files of community evals."""
