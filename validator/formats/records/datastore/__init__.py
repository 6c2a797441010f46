"""The place of a record in a datastore."""
