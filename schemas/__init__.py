"""The formats, as data: one draft-07 file for each format and version, and what finds them."""
