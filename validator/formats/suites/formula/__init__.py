"""The prediction language: parsing, printing, types, truth, and proofs."""
