"""``python -m evalmark``."""

import sys

from evalmark.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
