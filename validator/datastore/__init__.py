"""Links between files: companions, placement and the gate of a datastore."""
