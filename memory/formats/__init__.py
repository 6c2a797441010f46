"""Memory sets (a general form, LoCoMo, LongMemEval): histories, questions, and answers."""
