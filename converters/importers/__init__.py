"""Importers: results of other programs, read as runs that the record writer takes."""
