"""How much memory a piece of code takes, in a process of its own."""

from __future__ import annotations

import subprocess
import sys

_AFTERWARDS = "import resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"


def peak(code, *arguments):
    """MiB that the code takes at most; it has the arguments in ``sys.argv``."""
    script = f"import sys\n{code}\n{_AFTERWARDS}"
    call = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1]) >> 10
