"""From sentences to token surprisals: prefix trees, packs, batches, boundaries."""
