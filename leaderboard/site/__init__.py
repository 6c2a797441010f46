"""A static site of a store: models, benchmarks, and every number with its source."""
