"""From files to findings: what is wrong with an evaluation file, and where."""
