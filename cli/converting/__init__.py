"""``evalmark convert``: the values that the user supplies, and the outcome of each file."""
