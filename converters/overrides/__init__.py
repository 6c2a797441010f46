"""Values that conversions of records need and files do not state: listed, read, and used."""
