"""Sample files and logs: rows checked in one pass."""
