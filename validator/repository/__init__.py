"""Rules, schemas and counts from the settings of a repository, and their findings."""
