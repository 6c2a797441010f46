"""Rules: their codes, names, severities, pages, and the functions that check.

A code is never reused. A name can have several codes (`wrong-type` is SG112 for suites and EE112
for records). Users can write the code or the name. The rules of a format are listed in its folder,
so that a check loads no others; `rule_registry` has all of them.
"""
