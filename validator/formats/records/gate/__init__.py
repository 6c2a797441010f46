"""Every Eval Ever's own validator, the gate: what it refuses."""
