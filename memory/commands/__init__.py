"""What ``evalmark memory`` does: agents, judges, outcomes, tables."""
