"""Options of a check: values that are validated once, and what settings declare."""
