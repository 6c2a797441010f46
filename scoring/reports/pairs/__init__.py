"""Pages of runs over minimal pairs."""
