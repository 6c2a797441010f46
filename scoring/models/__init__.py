"""Language models of ``transformers``: the only room that loads torch."""
