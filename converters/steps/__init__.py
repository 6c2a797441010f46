"""The steps of conversions: each takes a document from one format to the next."""
