"""Runs of conversations as records, whichever program ran them."""
