"""From bytes to data with positions: strict JSON, YAML, and lossless rewriting."""
