"""Runs a Jupyter kernel. Reads one cell per line, as a JSON string, and answers with the cell's output."""

import json
import sys

from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(kernel_name="python3")
try:
    for line in sys.stdin:
        printed = []

        def note(message):
            if message["msg_type"] == "stream":
                printed.append(message["content"]["text"])

        reply = client.execute_interactive(json.loads(line), output_hook=note, timeout=60)
        error = "".join(reply["content"].get("traceback", []))
        print(json.dumps({"value": "".join(printed), "error": error}), flush=True)
finally:
    manager.shutdown_kernel(now=True)
