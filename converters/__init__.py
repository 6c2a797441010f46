"""From old formats to the current ones, step by step.

A conversion is exact, or refused with a ``ConversionError`` that says why and what would help.
Every step, importer and edit may raise it.
"""
