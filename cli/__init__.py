"""The commands: options in, exit code out."""

import gc

# Loading modules makes many objects and no garbage: at Python's threshold of 700, the search for
# reference cycles is a fifteenth of the time of a hook.
gc.set_threshold(50_000)
