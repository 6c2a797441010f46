"""A static site of records: models, benchmarks, and every number with its source."""
