"""Memory sets: LoCoMo and LongMemEval."""
