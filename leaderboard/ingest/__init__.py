"""From records to the tables of a store."""
