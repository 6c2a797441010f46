"""The commands ``converse``, ``judge`` and ``rescore``: agents, judges, outcomes, tables."""
