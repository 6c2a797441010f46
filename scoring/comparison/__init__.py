"""Two runs over the same items: what they differ in, item by item, and what may be claimed.

path -> ComparedRun                 ``read_run``
two of them -> items in common      ``common_items``
items in common -> p values, claim  ``paired_statistics``
settings, texts, and all of it      ``run_comparison``
"""
