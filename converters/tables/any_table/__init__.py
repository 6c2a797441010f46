"""Tables as people have them, as the wide table of a suite."""
