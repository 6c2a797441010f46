"""What conversions of records need and files do not state: asking for it, reading it, using it."""
