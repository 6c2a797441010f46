"""What pages say."""

import re
from html import unescape
from pathlib import Path


def words_of(page: Path | str) -> str:
    """The words of a page, or of a part of it, with a space between them; a minus is a hyphen."""
    html = page.read_text(encoding="utf-8") if isinstance(page, Path) else page
    bare = re.sub(r"<(style|script)>.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(bare).replace("−", "-").split())
