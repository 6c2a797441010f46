"""A process that answers as one with a model does."""

import json
import sys

for line in sys.stdin:
    if json.loads(line)["model"] == "crash":
        sys.exit(3)
    sys.stdout.write("evalmark:" + json.dumps({"conditions": []}) + "\n")
    sys.stdout.flush()
