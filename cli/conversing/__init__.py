"""What ``evalmark converse``, ``judge`` and ``rescore`` do: agents, judges, outcomes, tables."""
