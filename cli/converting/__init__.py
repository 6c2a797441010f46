"""Parts of ``evalmark convert``, and a command for the files of one challenge."""
