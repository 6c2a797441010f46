"""What ``evalmark score`` does with suites and with minimal pairs."""
