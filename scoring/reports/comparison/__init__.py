"""Tables and pages of several runs."""
