"""Rules on files of the LTM benchmark."""
