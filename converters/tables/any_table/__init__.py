"""Tables as people have them, and lists of sentences, as the wide table of a suite."""
