"""The page where suites are written, and its small server."""
