"""Evaluation records of Every Eval Ever, with their sample files and datastores."""
