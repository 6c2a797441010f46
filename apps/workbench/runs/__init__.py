"""Runs of the workbench: models in processes of their own, and what came of them."""
