"""What ``evalmark convert`` does: what the user supplies, and what becomes of each file."""
