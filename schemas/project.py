"""What texts and reports say of the project itself."""

from __future__ import annotations

#: Where the project lives on the web. Until that is known, texts refer to a clone: nobody must be
#: led to install from an address that somebody else could take.
ADDRESS: str | None = None

#: What stands for a clone in texts and in the files that ``evalmark init`` writes.
CLONE = "/path/to/evalmark"
