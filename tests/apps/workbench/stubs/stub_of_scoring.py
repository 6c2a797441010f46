"""A process that says it scores, and goes on until it is stopped."""

import json
import sys
from pathlib import Path

job = json.loads(sys.stdin.readline())
folder = Path(job["folder"])
folder.mkdir(parents=True, exist_ok=True)
begun = folder / "begun"
begun.write_text(begun.read_text() + "x" if begun.exists() else "x")


def tell(**answer):
    sys.stdout.write(f"evalmark:{json.dumps(answer)}\n")
    sys.stdout.flush()


sys.stdout.write("a library says hello\n")
if job["model"] == "crash":
    sys.exit(3)
if job["model"] == "refuse":
    tell(failed="s.json: SG414 no text")
    sys.exit()
tell(state="running", done=1, total=10, message="")
if job["model"] == "quick" or begun.read_text() == "xx":
    tell(done=True)
    sys.exit()
sys.stdin.read()
