"""Memory sets (LoCoMo, LongMemEval): dated histories with questions, and answers to them."""
