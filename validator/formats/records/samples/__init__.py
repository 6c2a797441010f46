"""Sample files: a row for each answer that a record counts."""
