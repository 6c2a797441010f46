"""One-mistake operators: what people get wrong in good files, and how much of it is found."""
