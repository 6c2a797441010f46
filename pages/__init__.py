"""HTML pages and plots of runs."""
