"""Chance: how often predictions hold if surprisals say nothing."""
