"""Files of community evals on the Hugging Face Hub."""
