"""Statistics: intervals, paired tests, corrections, effect sizes and correlations.

Only the standard library is needed, and every result depends on the arguments alone.
"""
