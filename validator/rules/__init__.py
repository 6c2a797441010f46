"""Rules: their codes, names, severities, pages, and the functions that check.

A code is never reused. A name may belong to several codes (`wrong-type` is SG112 for suites and
EE112 for records); wherever a rule is named, code and name both serve. The rules of one kind of
document are in `of_suites` and `of_records`, so that a check loads no others; `_registry` has all.
"""
