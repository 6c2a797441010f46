"""The commands of ``evalmark memory``: agents, judges, outcomes, tables."""
