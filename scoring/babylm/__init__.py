"""A submission to the strict track of BabyLM: every task that a causal model does untrained.

data -> rows                        ``converters.babylm``
rows -> surprisals                  ``score_contests`` for minimal pairs, ``word_surprisals``
task -> run -> prediction file      ``track_run``
model and data -> a line a task     ``submission``
"""
