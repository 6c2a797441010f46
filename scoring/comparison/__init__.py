"""Two runs over the same items: what they differ in, item by item, and what may be claimed.

path -> ComparedRun                 ``reading``: ``of_scores``, ``of_samples``
two of them -> items in common      ``matching``
settings and texts                  ``differences``
items in common -> p values, claim  ``paired``
all of it                           ``compare``
"""
