"""Options in, exit code out: one module for each command, nothing else."""
