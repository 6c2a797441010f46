"""The known metrics: one table for importers, the checker, stores and ``--needs``."""
