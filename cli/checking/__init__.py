"""``evalmark check`` and ``evalmark-hook``: a call, the check, and what is shown of it."""
