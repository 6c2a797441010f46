"""Memory sets: conversations with questions, as rules and later scoring see them."""
