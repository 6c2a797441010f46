"""The commands: options in, exit code out."""

import atexit
import gc

# Loading modules makes many objects and no garbage: at Python's threshold of 700, the search for
# reference cycles is a fifteenth of the time of a hook.
gc.set_threshold(50_000)
atexit.register(gc.freeze)  # so is that at the end: a seventh of a short process
