"""Findings: their places, severities and fixes."""
