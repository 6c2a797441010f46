"""What rules see of a file: frozen views with the pointer of each value."""
