"""Validators, one module for each schema: written by the build (see schemas/compilation.py)."""
