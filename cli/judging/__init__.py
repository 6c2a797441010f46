"""What `evalmark judge` needs."""
