"""All statistics: intervals, paired tests, corrections. There is no other Wilson interval.

Only the standard library is needed, and every result depends on the arguments alone.
"""
