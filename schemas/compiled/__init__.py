"""Generated accept functions, one module for each schema."""
