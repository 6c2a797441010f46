"""What git leaves in the place of a file, for those who only need to know it."""

from __future__ import annotations

#: What git has in the place of a file that is in Git LFS.
LFS_POINTER = "version https://git-lfs.github.com/spec/"
#: Message for a file that git could not merge.
CONFLICT = "file has a merge conflict"
