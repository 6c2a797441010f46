"""Steps of suites: dialects, tables and lists, and changes that keep the format."""
